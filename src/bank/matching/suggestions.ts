/** Where an entry without a place may belong, and why. A suggestion never moves money. Pure. What is compared: `candidates.ts`. */
import { type BankEntry, type Reason, unassigned } from '../statements/fields.ts';
import { bareOf, namedIn } from '../statements/references.ts';

export interface Suggestion {
  /** `null`: several, each with its amount (`split`). */
  readonly to: string | null;
  readonly amount: bigint;
  readonly reasons: readonly Reason[];
  readonly split: readonly Split[];
}

/** As an assignment takes it. */
export interface Split {
  readonly to: string;
  readonly amount: bigint;
}

/** What an entry names, in its text or in its parts, each once. */
export const namedBy = ({ explanation: { text, parts = [] } }: Pick<BankEntry, 'explanation'>): readonly string[] => [
  ...new Set([...namedIn(text ?? ''), ...parts.flatMap(({ references }) => references)]),
];

/** A payment that money is waited for, or that the entry names. `missing`: minor units, zero if it is paid. */
export interface PaymentCandidate {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly missing: bigint;
  /** Who is expected to pay. */
  readonly name: string | null;
}

/** A payout that the bank has not debited (`in_transit`), or has (`paid`). */
export interface PayoutCandidate {
  readonly id: string;
  readonly status: 'in_transit' | 'paid';
  readonly currency: string;
  readonly amount: bigint;
  readonly name: string;
  /** Its recipient has the account of one of the entries: that account. */
  readonly account: string | null;
}

/** An account that a deposit reference names. */
type AccountCandidate = Pick<PaymentCandidate, 'id' | 'reference' | 'currency'>;

/** An earlier entry that has its place. */
export interface EarlierEntry {
  readonly direction: BankEntry['direction'];
  readonly currency: string;
  readonly name: string | null;
  readonly account: string | null;
  /** An account, `fees`, `fx` or a bank account; of a payment its account. */
  readonly to: string;
}

export interface Candidates {
  readonly payments: readonly PaymentCandidate[];
  readonly payouts: readonly PayoutCandidate[];
  readonly accounts: readonly AccountCandidate[];
  readonly earlier: readonly EarlierEntry[];
}

const MOST_SUGGESTIONS = 5;

/** A split first, then those with the most reasons. */
export function suggestionsFor(entry: BankEntry, candidates: Candidates): readonly Suggestion[] {
  const isCredit = entry.direction === 'credit';
  const found = isCredit ? forCredit(entry, candidates) : forDebit(entry, candidates);
  const merged = new Map<string, One>();
  for (const each of [...found, ...byEarlier(entry, candidates)]) {
    const reasons = [...new Set([...(merged.get(each.to)?.reasons ?? []), ...each.reasons])];
    merged.set(each.to, { ...each, reasons });
  }
  const byReasons = [...merged.values()]
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((one, other) => other.reasons.length - one.reasons.length)
    .map(({ to, amount, reasons }): Suggestion => ({ to, amount, reasons, split: [{ to, amount }] }));
  const split = isCredit ? splitOf(entry, candidates) : [];
  return [...splitAsOne(split), ...byReasons].slice(0, MOST_SUGGESTIONS);
}

function splitAsOne(split: readonly Split[]): Suggestion[] {
  if (split.length < 2) return [];
  const amount = split.reduce((sum, part) => sum + part.amount, 0n);
  return [{ to: null, amount, reasons: ['reference', 'amount'], split }];
}

/**
 * A credit that names several places letter by letter, divided by the amounts of its parts; else by what each place waits for, if that
 * comes to the credit. Empty: it cannot be told.
 */
function splitOf(entry: BankEntry, { payments, accounts }: Candidates): readonly Split[] {
  const { parts } = entry.explanation;
  const left = unassigned(entry);
  const targets = new Map<string, { readonly id: string; readonly missing: bigint | null }>();
  for (const each of [...payments, ...accounts.map((account) => ({ ...account, missing: null }))]) {
    if (each.currency === entry.currency) targets.set(each.reference, each);
  }
  const sums = new Map<string, bigint>();
  if (parts === undefined) {
    for (const reference of namedBy(entry)) {
      const { id, missing } = targets.get(reference) ?? {};
      if (id === undefined || missing === null || missing === undefined) return [];
      sums.set(id, missing);
    }
  } else {
    for (const { references, amount } of parts) {
      const [reference = '', other] = references;
      const target = other === undefined ? targets.get(reference) : undefined;
      if (target) sums.set(target.id, (sums.get(target.id) ?? 0n) + BigInt(amount));
    }
  }
  const split = Array.from(sums, ([to, amount]) => ({ to, amount })).filter(({ amount }) => amount > 0n);
  const total = split.reduce((sum, { amount }) => sum + amount, 0n);
  const fits = parts === undefined ? total === left : total <= left;
  return fits ? split : [];
}

type One = Omit<Suggestion, 'to' | 'split'> & { readonly to: string };

const when = (reason: Reason, isSo: boolean): readonly Reason[] => (isSo ? [reason] : []);

function forCredit(entry: BankEntry, { payments, payouts, accounts }: Candidates): One[] {
  const { currency, explanation } = entry;
  const amount = unassigned(entry);
  const named = namedBy(entry).map(bareOf);
  const names = (reference: string) => named.some((each) => isNearly(reference, each));
  const ofCurrency = <T extends { readonly currency: string }>(all: readonly T[]) =>
    all.filter((each) => each.currency === currency);
  return [
    ...ofCurrency(payments).map(({ id: to, reference, missing, name }): One => {
      const reasons = [...when('reference', names(reference)), ...when('amount', missing === amount)];
      return { to, amount, reasons: [...reasons, ...when('name', isSameName(name, explanation.name))] };
    }),
    ...ofCurrency(accounts).map(({ id: to, reference }): One => {
      return { to, amount, reasons: when('reference', names(reference)) };
    }),
    // What comes back is as much as was sent, or less by what banks took.
    ...ofCurrency(payouts).flatMap((payout): One[] => {
      const isReturn = explanation.returnReason !== null;
      if (payout.status !== 'paid' || payout.amount < amount) return [];
      const whose = whoseOf(payout, entry);
      const reasons = [...when('return', isReturn), ...when('amount', payout.amount === amount), ...whose];
      const says = isReturn
        ? payout.amount === amount || whose.length > 0
        : payout.amount === amount && whose.length > 0;
      return says ? [{ to: payout.id, amount, reasons }] : [];
    }),
  ];
}

function forDebit(entry: BankEntry, { payouts }: Candidates): One[] {
  const amount = unassigned(entry);
  const isMeant = (each: PayoutCandidate) =>
    each.status === 'in_transit' && each.currency === entry.currency && each.amount === amount;
  return payouts
    .filter(isMeant)
    .map((payout): One => ({ to: payout.id, amount, reasons: ['amount', ...whoseOf(payout, entry)] }));
}

function whoseOf(
  { account, name }: Pick<EarlierEntry, 'account' | 'name'>,
  { explanation }: BankEntry,
): readonly Reason[] {
  return [
    ...when('account', account !== null && account === explanation.account),
    ...when('name', isSameName(name, explanation.name)),
  ];
}

/** Where earlier money from, or to, the same account or name went. */
function byEarlier(entry: BankEntry, { earlier }: Candidates): One[] {
  const { direction, currency } = entry;
  const amount = unassigned(entry);
  return earlier
    .filter((each) => each.direction === direction && each.currency === currency)
    .map((each): One => ({ to: each.to, amount, reasons: whoseOf(each, entry) }));
}

const isSameName = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && lettersOf(one) !== '' && lettersOf(one) === lettersOf(other);

export const lettersOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Most characters that are wrong: two that changed places are two. */
const MOST_WRONG = 2;

/** Whether the reference is what was written, or but for a typing error. */
function isNearly(reference: string, written: string): boolean {
  if (written.includes(reference)) return true;
  if (Math.abs(written.length - reference.length) > 1) return false;
  let same = 0;
  while (same < reference.length && reference[same] === written[same]) same += 1;
  const tail = (text: string) => Array.from(text).slice(same).toReversed();
  const [one, other] = [tail(reference), tail(written)];
  let end = 0;
  while (end < Math.min(one.length, other.length) && one[end] === other[end]) end += 1;
  return Math.max(one.length, other.length) - end <= MOST_WRONG;
}
