/** Parameters of requests about entries of banks. */
import {
  amount,
  id,
  list,
  object,
  optional,
  optionalParams,
  params,
  text,
} from '../../platform/http/request/params.ts';
import { MOST_ASSIGNMENTS } from './fields.ts';

const reason = text({
  max: 200,
  description: 'The reason, which is kept with the assignment.',
  example: 'Customer asked',
});

const targetOf = (prefixes: string, shape: string, description: string) => ({
  to: text({
    kind: 'code',
    max: 40,
    pattern: new RegExp(`^(?:(?:${prefixes})_[0-7][0-9a-hjkmnp-tv-z]{25}|fees|fx)$`),
    shape: `the id of an account, payout, payment, ${shape}, or fees or fx`,
    description,
    example: 'fees',
  }),
  ...optional({ amount: amount({ description: 'Major units; by default all that is left.', example: '100' }) }),
});

const target = object(
  targetOf(
    'acct|po|pay|xp|ba|pf',
    'expected payment, bank account or payment file',
    'The place: an account, a payment, an expected payment, another bank account of yours, `fees` or `fx`. A payout takes its debit or its returned money. A payment file takes the debit of all its payouts that are under way.',
  ),
  { title: 'AssignmentSent', description: 'A part of the entry.' },
);
const ALL_OR_NONE = 'All are carried out, in order, or none.';

export const assignParams = params({
  assignments: list(target, { min: 1, max: MOST_ASSIGNMENTS, description: ALL_OR_NONE }),
  ...optional({ reason }),
});

const entryAndTarget = object(
  {
    entry: id('be', { description: 'The entry. Each entry may stand here once.' }),
    ...targetOf('acct|po|pay|xp|ba', 'expected payment or bank account', 'The place, as in an assignment.'),
  },
  { title: 'EntryAssignmentSent', description: 'An entry and its place.' },
);

export const assignEntriesParams = params({
  entries: list(entryAndTarget, { min: 1, max: 100, description: ALL_OR_NONE }),
  ...optional({ reason }),
});

export const returnParams = optionalParams({
  account: id('acct', { description: 'The account that pays; by default the oldest open one of the currency.' }),
  recipient: id('rcp', { description: 'The recipient; by default the IBAN that the money came from.' }),
  reason,
});

export const creditParams = params({
  amount: amount({ description: 'Major units of its currency.', example: '119' }),
  ...optional({
    text: text({ max: 1_000, description: 'The payer’s text, with references or without.', example: 'Invoice 17' }),
    name: text({ kind: 'name', max: 140, description: 'Name of the payer.', example: 'Example AG' }),
    iban: text({
      kind: 'code',
      max: 34,
      pattern: /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/,
      shape: 'an IBAN in upper case without blanks',
      description: 'Account of the payer.',
      example: 'NL91ABNA0417164300',
    }),
  }),
});

export const unassignParams = optionalParams({
  transfer: id('trf', { description: 'The transfer of the part, from `assignments`; by default the last part.' }),
  reason,
});
