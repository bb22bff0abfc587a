/**
 * Where an entry of a bank goes: to the payouts, the payment or the account that it names, and the rest to `unmatched`. The bank's
 * booking always stands: if earlier reports contradict it, that is a conflict in words, and its money waits in `unmatched`. Pure.
 */
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { failureOfReason } from '../../core/rails/failures.ts';
import { idOf } from '../../core/values/ids.ts';
import { isDepositOf } from '../../core/rails/creditor-reference.ts';
import { type BankSide, checkFunds, move, reopened } from '../../core/ledger.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import type { Stored } from '../../core/objects.ts';
import { receive } from '../../collecting/payments/decide.ts';
import { receiveExpected } from '../../collecting/payments/expected-decide.ts';
import {
  booked,
  instructionOf,
  otherAmount,
  type Taken,
  takeBack,
  type TakeEarly,
} from '../../paying/payouts/facts-decide.ts';
import { type BankEntry, type BankStatement, type Explanation, unassigned } from './fields.ts';
import { type Found, lastTransfer, type Part, withPart } from './parts.ts';
import type { Mark } from './lookalikes.ts';
import { placeByRule } from './rule-decide.ts';

type BankAccount = Stored['bank_account'];

/** A booked entry as the import hands it in. Amounts are minor units of the account's currency, above zero. */
export interface BankLine {
  /** Day, amount, sign and reference, hashed. */
  readonly identity: string;
  /** All entries of the page with this identity, in order, and the place of this one among them, from 1. */
  readonly lookalikes: readonly Mark[];
  readonly occurrence: number;
  readonly direction: BankEntry['direction'];
  readonly amount: bigint;
  readonly bookedOn: string | null;
  readonly valueOn: string | null;
  readonly explanation: Explanation;
  /** Payouts that it names, with what it says of each; of a `file`, those that it settles. */
  readonly payouts: readonly NamedPayout[];
  /** The payment file that it debits as a whole. */
  readonly file: string | null;
  /** Creditor references that it names, each once, without blanks; what only looks like one is marked (`references.ts`). */
  readonly references: readonly string[];
}

export interface NamedPayout {
  readonly payout: string;
  readonly amount: bigint;
}

interface Booking {
  readonly line: BankLine;
  readonly statement: BankStatement;
  readonly ordinal: number;
}

/** Stores the entry and moves its money. Answers the bank account as it is then. */
export function bookEntry(
  draft: Draft,
  account: BankAccount,
  { line, statement, ordinal }: Booking,
): { readonly account: BankAccount; readonly entry: BankEntry } {
  const id = draft.newId('be');
  const { parts, conflicts } = placeLine(draft, account, line, id);
  const at = { by: draft.actor ?? 'worker', at: draft.atMs, reason: null, undoneBy: null } as const;
  const { direction, amount } = line;
  const assignments = parts.map((part) => ({ ...at, ...part }));
  const left = unassigned({ amount, assignments });
  if (left > 0n) moveUnmatched(draft, account, { id, direction, amount: left, currency: account.currency });
  const entry: BankEntry = {
    object: 'bank_entry',
    id,
    bankAccount: account.id,
    statement: statement.id,
    kind: 'entry',
    direction,
    amount,
    currency: account.currency,
    status: left > 0n ? 'unmatched' : 'matched',
    bookedOn: line.bookedOn,
    valueOn: line.valueOn,
    bankFile: line.file,
    returnPayout: null,
    assignments,
    conflict: inWords(conflicts),
    explanation: line.explanation,
    identity: line.identity,
    ordinal,
    createdAt: draft.atMs,
  };
  draft.create(entry);
  if (left > 0n) draft.emit('bank.entry_unmatched', entry);
  if (entry.conflict !== null) draft.emit('bank.conflict_detected', entry);
  return { account: moved(draft, account, entry), entry };
}

/** What it names comes first; rules are for what names nothing, and never beat a reference, not even one that is unclear. */
function placeLine(draft: Draft, account: BankAccount, line: BankLine, entry: string): Found {
  if (line.payouts.length > 0) return placeByPayouts(draft, account, line, entry);
  if (line.references.length > 0) return placeByReference(draft, account, line, entry);
  return line.file === null ? placeByRule(draft, account, line, entry) : { parts: [], conflicts: [] };
}

/** The balance with which the first statement begins, as an entry of its own that a person assigns. */
export function bookOpening(draft: Draft, account: BankAccount, statement: BankStatement): BankAccount {
  const { opening } = statement;
  if (opening === null || opening === 0n) return account;
  const id = draft.newId('be');
  const direction = opening > 0n ? 'credit' : 'debit';
  const amount = opening > 0n ? opening : -opening;
  moveUnmatched(draft, account, { id, direction, amount, currency: account.currency });
  const entry: BankEntry = {
    object: 'bank_entry',
    id,
    bankAccount: account.id,
    statement: statement.id,
    kind: 'opening',
    direction,
    amount,
    currency: account.currency,
    status: 'unmatched',
    bookedOn: statement.openedOn,
    valueOn: statement.openedOn,
    bankFile: null,
    returnPayout: null,
    assignments: [],
    conflict: null,
    explanation: NOTHING,
    identity: statement.identity,
    ordinal: 0,
    createdAt: draft.atMs,
  };
  draft.create(entry, 'bank.entry_unmatched');
  return moved(draft, account, entry);
}

const NOTHING: Explanation = {
  name: null,
  account: null,
  text: null,
  endToEndId: null,
  bankReference: null,
  transactionCode: null,
  returnReason: null,
};

/** The bank account with the entry in its balance. Only bookings change it. */
function moved(draft: Draft, account: BankAccount, { direction, amount }: BankEntry): BankAccount {
  const balance = account.balance + (direction === 'credit' ? amount : -amount);
  return draft.update({ ...account, balance });
}

function moveUnmatched(
  draft: Draft,
  side: BankSide,
  { id, direction, amount, currency }: Pick<BankEntry, 'id' | 'direction' | 'amount' | 'currency'>,
): void {
  const isCredit = direction === 'credit';
  const sides = isCredit
    ? { debit: side, credit: 'unmatched' as const }
    : { debit: 'unmatched' as const, credit: side };
  move(draft, { ...sides, amount, currency, cause: 'bank_entry', causeId: id });
}

/** A debit settles the payouts that it names, a credit brings them back. */
function placeByPayouts(draft: Draft, account: BankAccount, line: BankLine, entry: string): Found {
  const parts: Part[] = [];
  const conflicts: string[] = [];
  let left = line.amount;
  for (const { payout: id, amount } of line.payouts) {
    const payout = draft.find('payout', id);
    const taken = payout ? placeByPayout(draft, account, payout, { line, entry, amount, left }) : NOT_HERE(id);
    if (taken.to === null) conflicts.push(taken.conflict);
    if (taken.to !== 'payout') continue;
    left -= amount;
    parts.push({ to: id, amount, transfer: taken.transfer ?? lastTransfer(draft, id) });
  }
  return { parts: line.file === null ? parts : asOne(parts, line.file), conflicts };
}

/** A file is one part, however many payouts are in it. */
export function asOne(parts: readonly Part[], file: string): Part[] {
  const amount = parts.reduce((sum, part) => sum + part.amount, 0n);
  return parts.slice(-1).map(({ transfer }) => ({ to: file, amount, transfer }));
}

/** The first ones; a whole file may have thousands. */
function inWords(conflicts: readonly string[]): string | null {
  if (conflicts.length === 0) return null;
  const more = conflicts.length - MOST_CONFLICTS;
  return [...conflicts.slice(0, MOST_CONFLICTS), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

const MOST_CONFLICTS = 5;

const NOT_HERE = (payout: string): Taken => ({ to: null, conflict: `Payout ${payout} does not exist here.` });

interface Named {
  readonly line: BankLine;
  readonly entry: string;
  readonly amount: bigint;
  /** Of the entry. */
  readonly left: bigint;
}

function placeByPayout(
  draft: Draft,
  by: BankAccount,
  payout: Stored['payout'],
  { line, entry, amount, left }: Named,
): Taken {
  const { currency } = by;
  if (amount > left) {
    const conflict = `The entry says ${amount} minor units of payout ${payout.id}, and has ${left} left.`;
    return { to: null, conflict };
  }
  const reason = line.explanation.returnReason;
  const kind = line.direction === 'debit' ? 'debited' : 'returned';
  const fact = { kind, entry, amount, currency, by, reason, failureCode: failureOfReason(reason) } as const;
  return booked(draft, payout, fact, takeEarly(draft));
}

/** What came back of a payout before its debit was reported moves from `unmatched` now, unless a person was quicker. */
export const takeEarly =
  (draft: Draft): TakeEarly =>
  ({ entry: uuid, amount: text, reason }, payout) => {
    const entry = draft.find('bank_entry', idOf('be', uuid));
    const amount = BigInt(text);
    if (!entry || unassigned(entry) < amount) return;
    const instruction = instructionOf(draft, payout.id);
    if (instruction.returned + amount > payout.amount) {
      const conflict = otherAmount(payout, instruction, { amount, currency: entry.currency });
      draft.emit('bank.conflict_detected', draft.update({ ...entry, conflict }));
      return;
    }
    const back = takeBack(draft, payout, { by: 'unmatched', amount, reason, failureCode: failureOfReason(reason) });
    if (isRefusal(back)) return;
    const part = { to: payout.id, amount, transfer: lastTransfer(draft, payout.id), reason: null };
    draft.update(withPart(draft, entry, part), 'bank.entry_assigned', { status: entry.status });
  };

/** Money that came in, by the one creditor reference that it names: of a payment, or of an account. */
function placeByReference(draft: Draft, account: BankAccount, line: BankLine, causeId: string): Found {
  const { amount, references, explanation } = line;
  const [reference] = references;
  const nowhere: Found = { parts: [], conflicts: [] };
  if (line.direction === 'debit' || reference === undefined || references.length > 1) return nowhere;
  const payment = draft.all('payment').find((each) => each.reference === reference && each.duplicateOf === null);
  if (payment?.currency === account.currency) {
    const credit = { amount, payerName: explanation.name, payerIban: explanation.account };
    const received = receive(draft, payment, credit, { method: 'bank_transfer' }, account);
    if (isRefusal(received)) return { parts: [], conflicts: [received.message] };
    return { parts: [{ to: received.id, amount, transfer: received.transfer as string }], conflicts: [] };
  }
  const expected = draft.all('expected_payment').find((each) => each.reference === reference);
  if (expected?.currency === account.currency) {
    const transfer = receiveExpected(draft, expected, { amount, by: account, causeId });
    if (typeof transfer !== 'string') return { parts: [], conflicts: [transfer.message] };
    return { parts: [{ to: expected.id, amount, transfer }], conflicts: [] };
  }
  const customer = draft.all('account').find(({ id }) => isDepositOf(reference, id));
  if (customer?.currency !== account.currency) return nowhere;
  const unfunded = checkFunds({ debit: account, credit: customer, amount }, MAX_HELD_MINOR);
  if (unfunded) return { parts: [], conflicts: [unfunded.message] };
  const sides = { debit: account, credit: reopened(draft, customer), currency: account.currency };
  const { id: transfer } = move(draft, { ...sides, amount, cause: 'bank_entry', causeId });
  return { parts: [{ to: customer.id, amount, transfer }], conflicts: [] };
}
