/** Where an entry without a place may belong, and why. A suggestion never moves money. Pure. What is compared: `candidates.ts`. */
import { type BankEntry, type Reason, type Split, type Suggestion, unassigned } from '../statements/fields.ts';
import { bareOf, namedIn, payoutsInWords } from '../../core/rails/named-references.ts';

/** What an entry says, read once: its texts are those of strangers. */
export interface Sought {
  readonly entry: BankEntry;
  /** In its text or in its parts, each once. */
  readonly named: readonly string[];
  /** Payouts that it names by our ids, in words or as EndToEndId. */
  readonly payouts: readonly string[];
  /** What banks took that is in its amount, minor units. */
  readonly charges: bigint;
  /** Of the name. */
  readonly letters: string;
}

/** A part that names more goes nowhere by itself. */
const MOST_OF_A_PART = 2;

export function soughtIn(entry: BankEntry): Sought {
  const { name, text, endToEndId, parts = [], charges = [] } = entry.explanation;
  const ofParts = parts.flatMap(({ references }) => references.slice(0, MOST_OF_A_PART));
  const named = [...new Set([...namedIn(text ?? ''), ...ofParts])];
  const payouts = payoutsInWords(`${endToEndId ?? ''} ${text ?? ''}`);
  const inIt = charges.filter(({ currency, included }) => currency === entry.currency && included !== false);
  const sum = inIt.reduce((total, { amount }) => total + BigInt(amount), 0n);
  return { entry, named, payouts, charges: sum, letters: lettersOf(name) };
}

/** A payment that money is waited for, or that the entry names. `missing`: minor units, zero if it is paid. */
export interface PaymentCandidate {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly missing: bigint;
  /** Who is expected to pay. */
  readonly name: string | null;
}

/** A payout that the bank has not debited (`in_transit`), or has (`paid`); one that is named is in any state. */
export interface PayoutCandidate {
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: bigint;
  /** What may still come back, minor units; zero where nobody asked. */
  readonly open: bigint;
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

interface Found {
  readonly payments: readonly PaymentCandidate[];
  readonly payouts: readonly PayoutCandidate[];
  /** Those that entries name. */
  readonly namedPayouts: readonly PayoutCandidate[];
  readonly accounts: readonly AccountCandidate[];
  readonly earlier: readonly EarlierEntry[];
}

/** With the letters of its name. */
type Lettered<One> = One & { readonly letters: string };

/**
 * What the entries of a page may belong to, found by what each entry says: thousands of payouts of one amount, and a page of entries of that
 * amount, must not be compared each with each.
 */
export class Candidates {
  readonly accounts: ReadonlyMap<string, AccountCandidate>;
  readonly #named: ReadonlyMap<string, PayoutCandidate>;
  readonly #payments: Index<Lettered<PaymentCandidate>>;
  readonly #payouts: Index<Lettered<PayoutCandidate>>;
  readonly #earlier: Index<Lettered<EarlierEntry>>;

  constructor({ payments, payouts, namedPayouts, accounts, earlier }: Found) {
    this.#named = new Map(namedPayouts.map((payout) => [payout.id, payout]));
    this.accounts = new Map(accounts.map((account) => [account.reference, account]));
    this.#payments = new Index(payments.map(lettered), ({ reference, missing }) => [reference, String(missing)]);
    this.#payouts = new Index(payouts.map(lettered), ({ amount, account, letters }) => [
      String(amount),
      account ?? '',
      letters,
    ]);
    this.#earlier = new Index(earlier.map(lettered), ({ account, letters }) => [account ?? '', letters]);
  }

  /** Those that wait for as much, or that are named. */
  payments({ entry, named }: Sought): readonly Lettered<PaymentCandidate>[] {
    return this.#payments.of(entry, [String(unassigned(entry)), ...named.map(bareOf)]);
  }

  /** Of as much, with charges or without, to the same account, or to somebody of the same name. */
  payouts({ entry, letters, charges }: Sought): readonly Lettered<PayoutCandidate>[] {
    const left = unassigned(entry);
    const amounts = [String(left), ...(charges > 0n ? [String(left - charges)] : [])];
    return this.#payouts.of(entry, [...amounts, entry.explanation.account ?? '', letters]);
  }

  /** What an entry names exists, whatever can become of it. */
  namedPayouts({ payouts }: Sought): readonly PayoutCandidate[] {
    return payouts.flatMap((id) => this.#named.get(id) ?? []);
  }

  earlier({ entry, letters }: Sought): readonly Lettered<EarlierEntry>[] {
    const found = this.#earlier.of(entry, [entry.explanation.account ?? '', letters]);
    return found.filter(({ direction }) => direction === entry.direction);
  }
}

const lettered = <One extends { readonly name: string | null }>(one: One): Lettered<One> => ({
  ...one,
  letters: lettersOf(one.name),
});

/** Candidates by currency and by what leads to them. */
class Index<One extends { readonly currency: string }> {
  readonly #found = new Map<string, One[]>();

  constructor(all: readonly One[], keysOf: (one: One) => readonly string[]) {
    for (const one of all) {
      for (const key of new Set(keysOf(one))) {
        if (key === '') continue;
        const same = this.#found.get(`${one.currency} ${key}`);
        if (same === undefined) this.#found.set(`${one.currency} ${key}`, [one]);
        else if (same.length < MOST_OF_A_KEY) same.push(one);
      }
    }
  }

  of({ currency }: Pick<BankEntry, 'currency'>, keys: readonly string[]): readonly One[] {
    return [...new Set(keys.flatMap((key) => this.#found.get(`${currency} ${key}`) ?? []))];
  }
}

/** The first that are found; of them five are shown. */
const MOST_OF_A_KEY = 200;
const MOST_SUGGESTIONS = 5;

/** What it quotes, and a split, first; then those with the most reasons. */
export function suggestionsFor(sought: Sought, candidates: Candidates): readonly Suggestion[] {
  const isCredit = sought.entry.direction === 'credit';
  const found = isCredit ? forCredit(sought, candidates) : forDebit(sought, candidates);
  const merged = new Map<string, One>();
  for (const each of [...found, ...byEarlier(sought, candidates)]) {
    const reasons = [...new Set([...(merged.get(each.to)?.reasons ?? []), ...each.reasons])];
    merged.set(each.to, { ...each, reasons });
  }
  const byReasons = [...merged.values()]
    .filter(({ reasons }) => reasons.length > 0)
    .toSorted((one, other) => other.reasons.length - one.reasons.length)
    .map(({ to, amount, reasons }): Suggestion => ({ to, amount, reasons, split: [{ to, amount }] }));
  const named = candidates.namedPayouts(sought);
  const [only] = named;
  const first = only !== undefined && named.length === 1 ? whereNamed(sought, only) : [];
  const split = isCredit ? splitOf(sought, candidates) : [];
  const rest = first.length > 0 || isCredit ? [] : withCharges(sought, candidates);
  return [...first, ...splitAsOne(split), ...rest, ...byReasons].slice(0, MOST_SUGGESTIONS);
}

/** The payout that an entry names, as much as it can take, and what is above it as a charge, or as interest of a return. */
function whereNamed({ entry }: Sought, { id, status, currency, amount, open }: PayoutCandidate): Suggestion[] {
  const left = unassigned(entry);
  const awaited = status === 'pending' || status === 'in_transit' ? amount : 0n;
  const back = left < open ? left : open;
  const part = entry.direction === 'credit' ? back : awaited;
  if (currency !== entry.currency || part > left || part === 0n) return [];
  const payout = { to: id, amount: part };
  if (part < left) return [payoutAndFees(payout, left, 'reference')];
  return [{ ...payout, reasons: ['reference', ...when('amount', part === amount)], split: [payout] }];
}

const payoutAndFees = (payout: Split, amount: bigint, why: Reason): Suggestion => ({
  to: null,
  amount,
  reasons: [why, 'charges'],
  split: [payout, { to: 'fees', amount: amount - payout.amount }],
});

/** A debit that names no payout: those to which its charges were added. And what a debit has above its payout. */
function withCharges(sought: Sought, candidates: Candidates): Suggestion[] {
  const { entry, charges } = sought;
  const left = unassigned(entry);
  const hasPayout = entry.assignments.some(({ to, undoneBy }) => undoneBy === null && /^(?:po|pf)_/.test(to));
  if (hasPayout) {
    const fees = { to: 'fees', amount: left };
    return [{ ...fees, reasons: ['charges'], split: [fees] }];
  }
  if (charges === 0n || candidates.namedPayouts(sought).length > 0) return [];
  return candidates
    .payouts(sought)
    .filter(({ status, amount }) => status === 'in_transit' && amount === left - charges)
    .map(({ id: to, amount }) => payoutAndFees({ to, amount }, left, 'amount'));
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
function splitOf(sought: Sought, candidates: Candidates): readonly Split[] {
  const { entry, named } = sought;
  const { parts } = entry.explanation;
  const left = unassigned(entry);
  const targets = new Map<string, { readonly id: string; readonly missing: bigint | null }>();
  const accounts = accountsNamed(sought, candidates).map((account) => ({ ...account, missing: null }));
  for (const each of [...candidates.payments(sought), ...accounts]) targets.set(each.reference, each);
  const sums = new Map<string, bigint>();
  if (parts === undefined) {
    for (const reference of named) {
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

function accountsNamed({ entry, named }: Sought, { accounts }: Candidates): readonly AccountCandidate[] {
  const found = named.flatMap((each) => accounts.get(bareOf(each)) ?? []);
  return found.filter(({ currency }) => currency === entry.currency);
}

function forCredit(sought: Sought, candidates: Candidates): One[] {
  const { explanation } = sought.entry;
  const amount = unassigned(sought.entry);
  const named = sought.named.map(bareOf);
  return [
    ...candidates.payments(sought).map(({ id: to, reference, missing, letters }): One => {
      const isNamed = named.some((each) => isNearly(reference, each));
      const reasons = [...when('reference', isNamed), ...when('amount', missing === amount)];
      return { to, amount, reasons: [...reasons, ...when('name', isSame(letters, sought.letters))] };
    }),
    ...accountsNamed(sought, candidates).map(({ id: to }): One => ({ to, amount, reasons: ['reference'] })),
    // What comes back is as much as was sent, or less by what banks took.
    ...othersOf(sought, candidates).flatMap((payout): One[] => {
      const isReturn = explanation.returnReason !== null;
      if (payout.status !== 'paid' || payout.amount < amount) return [];
      const whose = whoseOf(payout, sought);
      const reasons = [...when('return', isReturn), ...when('amount', payout.amount === amount), ...whose];
      const says = isReturn
        ? payout.amount === amount || whose.length > 0
        : payout.amount === amount && whose.length > 0;
      return says ? [{ to: payout.id, amount, reasons }] : [];
    }),
  ];
}

/** Payouts that are not named: none beside one that is. */
const othersOf = (sought: Sought, candidates: Candidates): readonly Lettered<PayoutCandidate>[] =>
  candidates.namedPayouts(sought).length > 0 ? [] : candidates.payouts(sought);

function forDebit(sought: Sought, candidates: Candidates): One[] {
  const amount = unassigned(sought.entry);
  return othersOf(sought, candidates)
    .filter((each) => each.status === 'in_transit' && each.amount === amount)
    .map((payout): One => ({ to: payout.id, amount, reasons: ['amount', ...whoseOf(payout, sought)] }));
}

function whoseOf(
  { account, letters }: { readonly account: string | null; readonly letters: string },
  { entry, letters: sought }: Sought,
): readonly Reason[] {
  return [
    ...when('account', account !== null && account === entry.explanation.account),
    ...when('name', isSame(letters, sought)),
  ];
}

/** Where earlier money from, or to, the same account or name went. */
function byEarlier(sought: Sought, candidates: Candidates): One[] {
  const amount = unassigned(sought.entry);
  return candidates.earlier(sought).map((each): One => ({ to: each.to, amount, reasons: whoseOf(each, sought) }));
}

/** Of letters; no letters are nobody's. */
const isSame = (one: string, other: string): boolean => one !== '' && one === other;

const MOST_OF_A_NAME = 140;

/** Of a name, to compare it. */
export const lettersOf = (name: string | null): string =>
  (name ?? '')
    .slice(0, MOST_OF_A_NAME)
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
