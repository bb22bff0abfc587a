/**
 * Where an entry goes: to the payouts, the payment or the account that it names, and the rest to `unmatched`. The bank's booking always
 * stands: if earlier reports contradict it, the entry has a conflict in words, and its money waits in `unmatched`. Pure.
 */
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { failureOfReason } from '../../core/rails/failures.ts';
import { idOf } from '../../core/values/ids.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { checkFunds, move, reopened } from '../../core/ledger.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import type { Stored } from '../../core/objects.ts';
import { receive } from '../../collecting/payments/decide.ts';
import { receiveExpected } from '../../collecting/payments/expected-decide.ts';
import { booked, type Entries, otherAmount, type Taken, takeBack } from '../../paying/payouts/facts-decide.ts';
import {
  type BankEntry,
  type BankRule,
  type BankStatement,
  type Explanation,
  NOTHING_EXPLAINED,
  unassigned,
} from './fields.ts';
import { closing, type Found, NOWHERE, type Part, partsOf, withPart } from './parts.ts';
import { Rules } from './bank-rules.ts';
import { placeByRule } from './rule-decide.ts';

type BankAccount = Stored['bank_account'];

/** A booked entry as the import hands it in. Amounts are minor units of the account's currency, above zero. */
export interface BankLine {
  /** Its place among the booked entries of the statement, from 1. */
  readonly position: number;
  readonly direction: BankEntry['direction'];
  readonly amount: bigint;
  readonly bookedOn: string | null;
  readonly valueOn: string | null;
  readonly explanation: Explanation;
  /** Payouts that it names, with what it says of each; of a `file`, those that it settles. */
  readonly payouts: readonly NamedPayout[];
  /** The payment file that it debits as a whole. */
  readonly file: string | null;
  /** Each once, without blanks; what only looks like a reference is marked (`core/rails/named-references.ts`). */
  readonly references: readonly string[];
  /** Another message has said what its transactions name: no rule is asked. */
  readonly isDetailed?: true;
}

export interface NamedPayout {
  readonly payout: string;
  readonly amount: bigint;
  /** Payments of others have a UETR too: it names a payout if there is that one. */
  readonly byUetr?: true;
  /** Of a credit: something that its payee cannot write says that it came back. Else it waits for a person. */
  readonly isReturn?: boolean;
  /** Of a credit without such a sign, where it is known: the account that it comes from, which may be the payee's. */
  readonly payer?: string;
}

/** What references and rules lead to, found once for all lines of a chunk. Objects change while it is booked, so these are ids. */
export class Places {
  readonly rules: Rules<BankRule>;
  /** By their references, the oldest of each. */
  readonly payments: ReadonlyMap<string, string>;
  readonly expected: ReadonlyMap<string, string>;
  readonly #draft: Draft;
  #accounts: ReadonlyMap<string, string> | undefined;

  constructor(draft: Draft) {
    this.#draft = draft;
    this.rules = new Rules(draft.all('bank_rule').filter(({ status }) => status === 'active'));
    this.payments = byReference(draft.all('payment').filter(({ duplicateOf }) => duplicateOf === null));
    this.expected = byReference(draft.all('expected_payment'));
  }

  /** Computed when the first line asks: a cache may hold thousands of accounts. */
  get accounts(): ReadonlyMap<string, string> {
    const referred = () => this.#draft.all('account').map(({ id }) => ({ id, reference: depositReference(id) }));
    return (this.#accounts ??= byReference(referred()));
  }
}

const byReference = (all: readonly { readonly id: string; readonly reference: string }[]) =>
  new Map(all.toReversed().map(({ reference, id }) => [reference, id]));

interface Booked {
  readonly line: BankLine;
  readonly places: Places;
}

/** Stores the entry and moves its money. Answers the bank account as it is then. */
export function bookEntry(
  draft: Draft,
  account: BankAccount,
  statement: BankStatement,
  { line, places }: Booked,
): { readonly account: BankAccount; readonly entry: BankEntry } {
  const id = draft.newId('be');
  const { parts, conflicts } = placeLine(draft, account, line, { places, entry: id });
  const at = { by: draft.actor ?? 'worker', at: draft.atMs, reason: null, undoneBy: null } as const;
  const entry = newEntry(draft, account, statement, {
    id,
    kind: 'entry',
    direction: line.direction,
    amount: line.amount,
    bookedOn: line.bookedOn,
    valueOn: line.valueOn,
    explanation: line.explanation,
    identity: statement.identity,
    ordinal: line.position,
    paymentFile: line.file,
    assignments: parts.map((part) => ({ ...at, ...part })),
    conflict: inWords(conflicts),
  });
  if (entry.status === 'unmatched') draft.emit('bank_entry.unmatched', entry);
  if (entry.conflict !== null) draft.emit('bank_entry.conflict_detected', entry);
  return { account: moved(draft, account, entry), entry };
}

type Made =
  | 'object'
  | 'bankAccount'
  | 'statement'
  | 'currency'
  | 'status'
  | 'pendingChanges'
  | 'returnPayout'
  | 'createdAt';

/** Moves what has no place, and what closes another entry, to `unmatched`, and stores the entry. */
function newEntry(
  draft: Draft,
  account: BankAccount,
  statement: BankStatement,
  booked: Omit<BankEntry, Made>,
): BankEntry {
  const left = unassigned(booked);
  const { currency } = account;
  const amount = booked.assignments.reduce((sum, part) => (part.transfer === null ? sum + part.amount : sum), left);
  if (amount > 0n) {
    const isCredit = booked.direction === 'credit';
    const sides = isCredit
      ? { debit: account, credit: 'unmatched' as const }
      : { debit: 'unmatched' as const, credit: account };
    move(draft, { ...sides, amount, currency, cause: 'bank_entry', causeId: booked.id });
  }
  return draft.create<BankEntry>({
    object: 'bank_entry',
    ...booked,
    bankAccount: account.id,
    statement: statement.id,
    currency,
    status: left > 0n ? 'unmatched' : 'matched',
    pendingChanges: null,
    returnPayout: null,
    createdAt: draft.atMs,
  });
}

/** A rule never beats a reference, not even an unclear one. */
function placeLine(
  draft: Draft,
  account: BankAccount,
  line: BankLine,
  { places, entry }: { readonly places: Places; readonly entry: string },
): Found {
  const payouts = line.payouts.filter(({ payout, byUetr }) => byUetr !== true || draft.find('payout', payout));
  if (payouts.length > 0) return placeByPayouts(draft, account, { ...line, payouts }, entry);
  if (line.references.length > 0) return placeByReference(draft, account, { line, places }, entry);
  return line.file === null && line.isDetailed !== true
    ? placeByRule(draft, account, { line, rules: places.rules }, entry)
    : NOWHERE;
}

/** The opening balance of the first statement, less what was booked from before it: an entry that a person assigns. */
export function bookOpening(
  draft: Draft,
  account: BankAccount,
  statement: BankStatement,
  heldBefore: bigint,
): BankAccount {
  const opening = (statement.opening ?? 0n) - heldBefore;
  if (opening === 0n) return account;
  const entry = newEntry(draft, account, statement, {
    id: draft.newId('be'),
    kind: 'opening',
    direction: opening > 0n ? 'credit' : 'debit',
    amount: opening > 0n ? opening : -opening,
    bookedOn: statement.openedOn,
    valueOn: statement.openedOn,
    paymentFile: null,
    assignments: [],
    conflict: null,
    explanation: NOTHING_EXPLAINED,
    identity: statement.identity,
    ordinal: 0,
  });
  draft.emit('bank_entry.unmatched', entry);
  return moved(draft, account, entry);
}

/** The bank account with the entry in its balance. */
function moved(draft: Draft, account: BankAccount, { direction, amount }: BankEntry): BankAccount {
  const balance = account.balance + (direction === 'credit' ? amount : -amount);
  return draft.update({ ...account, balance });
}

/** A debit settles the payouts that it names, a credit brings back those of which something says so. */
function placeByPayouts(draft: Draft, account: BankAccount, line: BankLine, entry: string): Found {
  const parts: Part[] = [];
  const conflicts: string[] = [];
  let left = line.amount;
  for (const { payout: id, amount, isReturn } of line.payouts) {
    if (line.direction === 'credit' && isReturn !== true) continue;
    const taken = placeByPayout(draft, account, { id, amount, left }, line, entry);
    if (taken.to === null) conflicts.push(taken.conflict);
    const found = partsOf(taken, id, null);
    left = found.reduce((sum, part) => sum - part.amount, left);
    parts.push(...found);
  }
  return { parts: line.file === null ? parts : asOne(parts, line.file), conflicts };
}

/** Of a payment file that was booked as a whole, the payouts that it settled are one part. */
function asOne(parts: readonly Part[], file: string): Part[] {
  const settled = parts.filter(({ transfer }) => transfer !== null);
  const amount = settled.reduce((sum, part) => sum + part.amount, 0n);
  const one = settled.slice(-1).map(({ transfer }) => ({ to: file, amount, transfer }));
  return [...one, ...parts.filter(({ transfer }) => transfer === null)];
}

const MOST_CONFLICTS = 5;

export function inWords(conflicts: readonly string[]): string | null {
  if (conflicts.length === 0) return null;
  const more = conflicts.length - MOST_CONFLICTS;
  return [...conflicts.slice(0, MOST_CONFLICTS), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function placeByPayout(
  draft: Draft,
  by: BankAccount,
  { id, amount, left }: { readonly id: string; readonly amount: bigint; readonly left: bigint },
  line: BankLine,
  entry: string,
): Taken {
  const payout = draft.find('payout', id);
  const conflict = (words: string): Taken => ({ closed: [], to: null, conflict: words });
  if (!payout) return conflict(`Payout ${id} does not exist here.`);
  if (amount > left) return conflict(`The entry says ${amount} minor units of payout ${id}, and has ${left} left.`);
  const { currency } = by;
  const { returnReason: reason, returnText: reasonText = null } = line.explanation;
  const kind = line.direction === 'debit' ? 'debited' : 'returned';
  const fact = { kind, entry, amount, currency, by, reason, reasonText, failureCode: failureOfReason(reason) } as const;
  return booked(draft, payout, fact, entriesOf(draft));
}

/** Entries as facts about payouts move them. */
export const entriesOf = (draft: Draft): Entries => ({
  takeEarly({ entry: uuid, amount: text, reason }, payout) {
    const entry = draft.find('bank_entry', idOf('be', uuid));
    const amount = BigInt(text);
    if (!entry || unassigned(entry) < amount) return false;
    if (payout.amountReturned + amount > payout.amount) {
      const conflict = otherAmount(payout, { amount, currency: entry.currency });
      draft.emit('bank_entry.conflict_detected', draft.update({ ...entry, conflict }));
      return true;
    }
    const { returnText: reasonText = null } = entry.explanation;
    const fact = { by: 'unmatched', amount, reason, reasonText, failureCode: failureOfReason(reason) } as const;
    const back = takeBack(draft, payout, fact);
    if (isRefusal(back)) return true;
    const part = { to: payout.id, amount, transfer: back.reversal, reason: null };
    draft.update(withPart(draft, entry, part), 'bank_entry.assigned', { status: entry.status });
    return false;
  },
  close({ entry: uuid }, by, most) {
    const entry = draft.find('bank_entry', idOf('be', uuid));
    const left = entry === undefined ? 0n : unassigned(entry);
    const amount = left < most ? left : most;
    if (!entry || amount === 0n) return 0n;
    const part = closing(by.entry, amount, by.payout);
    draft.update(withPart(draft, entry, part), 'bank_entry.assigned', { status: entry.status });
    return amount;
  },
});

/** What a reference leads to cannot take the money. */
function inOtherCurrency(
  currency: string,
  named: { readonly id: string; readonly currency: string } | undefined,
): Found {
  if (!named) return NOWHERE;
  const conflict = `Its reference is that of ${named.id}, which is in ${named.currency}, and the money is in ${currency}. Send it back, or assign it to an account in ${currency}.`;
  return { parts: [], conflicts: [conflict] };
}

/** By the one creditor reference: of a payment, an expected payment or an account. */
function placeByReference(
  draft: Draft,
  account: BankAccount,
  { line, places }: Pick<Booked, 'line' | 'places'>,
  causeId: string,
): Found {
  const { amount, references, explanation } = line;
  if (line.direction === 'debit') return NOWHERE;
  const credit = { amount, references, name: explanation.name, account: explanation.account };
  return placeCredit(draft, credit, { by: account, currency: account.currency, places, causeId });
}

/** Money that came in, or a part of it. `account`: of the payer. Amounts are minor units. */
export interface NamedCredit extends Pick<Explanation, 'name' | 'account'> {
  readonly amount: bigint;
  readonly references: readonly string[];
}

interface From {
  /** The bank account, where the entry is being booked; `unmatched`, where it was. */
  readonly by: BankAccount | 'unmatched';
  readonly currency: string;
  readonly places: Places;
  /** The entry. */
  readonly causeId: string;
}

/** Moves a credit to what its one reference leads to: a payment, an expected payment or an account. */
export function placeCredit(
  draft: Draft,
  { amount, references, name: payerName, account: payerIban }: NamedCredit,
  { by, currency, places, causeId }: From,
): Found {
  const [reference] = references;
  const found = (to: string, transfer: string): Found => ({ parts: [{ to, amount, transfer }], conflicts: [] });
  if (reference === undefined || references.length > 1) return NOWHERE;
  const payment = draft.find('payment', places.payments.get(reference) ?? '');
  if (payment?.currency === currency) {
    const received = receive(draft, payment, { amount, payerName, payerIban }, { method: 'bank_transfer' }, by);
    if (isRefusal(received)) return { parts: [], conflicts: [received.message] };
    return found(received.id, received.transfer as string);
  }
  const expected = draft.find('expected_payment', places.expected.get(reference) ?? '');
  if (expected?.currency === currency) {
    const transfer = receiveExpected(draft, expected, { amount, by, causeId });
    return typeof transfer === 'string' ? found(expected.id, transfer) : { parts: [], conflicts: [transfer.message] };
  }
  const customer = draft.find('account', places.accounts.get(reference) ?? '');
  if (customer?.currency !== currency) return inOtherCurrency(currency, payment ?? expected ?? customer);
  const unfunded = checkFunds({ debit: by, credit: customer, amount }, MAX_HELD_MINOR);
  if (unfunded) return { parts: [], conflicts: [unfunded.message] };
  const cause = by === 'unmatched' ? 'bank_assignment' : 'bank_entry';
  const sides = { debit: by, credit: reopened(draft, customer), currency };
  return found(customer.id, move(draft, { ...sides, amount, cause, causeId }).id);
}
