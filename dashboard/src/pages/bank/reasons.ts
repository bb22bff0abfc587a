/** Why an entry of a bank may belong to a place: what the API says in a word, for a person. */
const REASONS: Readonly<Record<string, string>> = {
  reference: 'names it, with a mistake or beside others',
  amount: 'the amount fits',
  account: 'the same account before',
  name: 'the same name before',
  return: 'the bank says that it is a return',
  charges: 'what is above the amount are charges',
};

/** `the amount fits, the same name before`. A reason that is newer than this build keeps its word. */
export const reasonsOf = (reasons: readonly string[]): string =>
  reasons.map((each) => REASONS[each] ?? each).join(', ');

const KINDS: Readonly<Record<string, string>> = {
  acct: 'account',
  pay: 'payment',
  xp: 'expected payment',
  po: 'payout',
  pf: 'payment file',
  ba: 'bank account',
  be: 'bank entry',
};

/** `fees` and `fx` are kinds of their own. */
export const kindOf = (place: string): string => KINDS[place.slice(0, Math.max(0, place.indexOf('_')))] ?? place;
