/**
 * The way out of a wrong booking: an entry is voided, and can be un-voided. Both need a second person, always. The commit of the last approval
 * takes the parts of the entry back to `unmatched`, and its money from there out of the bank account. Pure. Why so: docs/decisions/0088.
 */
import { type Approve, approved, isLast, newlyAsked, notHeld, outdated } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { move } from '../../core/ledger.ts';
import type { Stored } from '../../core/objects.ts';
import type { Cause } from '../../core/transfer.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { formatMoney } from '../../core/values/money.ts';
import { takeBackExpected } from '../../collecting/payments/expected-decide.ts';
import { neededFor, takeBackPayment } from '../../collecting/payments/void-decide.ts';
import { keepWaiting, voidDebit, voidReturn } from '../../paying/payouts/facts-decide.ts';
import { takeBackPart } from './assign-decide.ts';
import type { Assignment, BankEntry } from './fields.ts';
import { isVoided } from './parts.ts';
import { proveAgain } from './proof.ts';
import { fingerprintOfStatus, type PendingStatus, shownStatus } from './voiding.ts';

interface Ask<T extends string> {
  readonly type: T;
  readonly entry: string;
  readonly reason: string;
}

/** A part as it was read before: how its money came to its place never changes. */
export interface MovedPart {
  readonly to: string;
  /** `null`: it closes another entry. */
  readonly transfer: string | null;
  readonly cause: Cause | null;
  /** Those that its money settled, of a payment file several; of two entries that close each other the one that both are about. */
  readonly payouts: readonly string[];
  /** The payment that its money paid, which may be a duplicate of `to`, and the transfer of the fee; `null`: it paid none. */
  readonly payment: { readonly id: string; readonly fee: string | null } | null;
}

export interface ApproveBankEntry extends Approve {
  readonly type: 'approve_bank_entry';
  readonly entry: string;
  /** That of the entry; `null`: there is no such entry. */
  readonly bankAccount: string | null;
  /** Those that were not undone. */
  readonly parts: readonly MovedPart[];
}

interface RejectBankEntry {
  readonly type: 'reject_bank_entry';
  readonly entry: string;
}

/** Asks for it. Refuses `resource_missing` and what {@link notVoidable} does. */
export function voidBankEntry(draft: Draft, { entry: id, reason }: Ask<'void_bank_entry'>): Decision {
  const entry = draft.find('bank_entry', id);
  if (!entry) return missing('bank entry', id);
  return notVoidable(entry) ?? asked(draft, entry, 'voided', reason);
}

/** Asks for it. Refuses `resource_missing` and `bank_entry_not_voided`. */
export function unvoidBankEntry(draft: Draft, { entry: id, reason }: Ask<'unvoid_bank_entry'>): Decision {
  const entry = draft.find('bank_entry', id);
  if (!entry) return missing('bank entry', id);
  if (entry.status === 'voided') return asked(draft, entry, 'unmatched', reason);
  const message = `Entry ${id} is ${entry.status}; only a voided one can be un-voided.`;
  return refusal('bank_entry_not_voided', message, { current_status: entry.status, allowed: ['voided'] });
}

function asked(draft: Draft, entry: BankEntry, status: 'voided' | 'unmatched', reason: string): BankEntry {
  const { id, pendingChanges: before } = entry;
  if (before?.reason === reason && before.by.includes(draft.actor)) return entry; // it keeps the approvals that it has
  const by = [...new Set([...(before?.by ?? []), draft.actor])];
  const approvalsRequired = draft.state.environment.payoutRules?.approvalsRequired ?? 1;
  const pendingChanges = { changes: { status }, reason, ...newlyAsked(draft, by, approvalsRequired) };
  draft.audit('bank_entry.change_requested', id, { status, reason });
  return changed(draft, entry, pendingChanges);
}

const changed = (draft: Draft, entry: BankEntry, pendingChanges: PendingStatus | null): BankEntry =>
  draft.update({ ...entry, pendingChanges }, 'bank_entry.updated', { pending_changes: shownStatus(entry) });

/**
 * Refuses `resource_missing`, `change_not_held`, what `approved` refuses, `bank_account_closed`; `balance_insufficient` where a part was spent,
 * and `bank_assignment_final` where one cannot be taken back.
 */
export function approveBankEntry(draft: Draft, { entry: id, parts, ...command }: ApproveBankEntry): Decision {
  const entry = heldEntry(draft, id);
  if (isRefusal(entry)) return entry;
  const { pendingChanges: pending } = entry;
  const what = `The change of bank entry ${id}`;
  const waiting = approved(draft, what, { pending, fingerprint: fingerprintOfStatus(entry, pending) }, command);
  if (isRefusal(waiting)) return waiting;
  const { changes, reason, by: askedBy, approvals } = waiting;
  const said = { reason, asked_by: askedBy, approved_by: approvals.map(({ by }) => by) };
  if (!isLast(waiting)) {
    draft.audit('bank_entry.change_approved', id, { status: changes.status, ...said });
    return changed(draft, entry, waiting);
  }
  const isVoid = changes.status === 'voided';
  const after = isVoid ? withoutParts(draft, entry, { parts, reason, what }) : entry;
  if (isRefusal(after)) return after;
  const refused = moveEntry(draft, entry, isVoid);
  if (refused) return refused;
  draft.audit(isVoid ? 'bank_entry.voided' : 'bank_entry.unvoided', id, said);
  const previous = { status: entry.status, pending_changes: shownStatus(entry) };
  const done: BankEntry = { ...after, status: changes.status, pendingChanges: null };
  return draft.update(done, isVoid ? 'bank_entry.voided' : 'bank_entry.unvoided', previous);
}

/** Refuses `resource_missing` and `change_not_held`. */
export function rejectBankEntry(draft: Draft, { entry: id }: RejectBankEntry): Decision {
  const entry = heldEntry(draft, id);
  if (isRefusal(entry)) return entry;
  draft.audit('bank_entry.change_rejected', id, { status: entry.pendingChanges.changes.status });
  return changed(draft, entry, null);
}

function heldEntry(draft: Draft, id: string): (BankEntry & { readonly pendingChanges: PendingStatus }) | Refusal {
  const entry = draft.find('bank_entry', id);
  if (!entry) return missing('bank entry', id);
  const { pendingChanges } = entry;
  return pendingChanges === null ? notHeld(`change of bank entry ${id}`) : { ...entry, pendingChanges };
}

/** Between the bank account and `unmatched`, where all of the entry lies without a place. Refuses `bank_account_closed`. */
function moveEntry(draft: Draft, entry: BankEntry, isVoid: boolean): Refusal | null {
  const { id, direction, amount, currency } = entry;
  const account = draft.find('bank_account', entry.bankAccount) as Stored['bank_account'];
  if (account.status === 'closed') {
    const message = `Bank account ${account.id} is closed: nothing of it is voided any more.`;
    return refusal('bank_account_closed', message, { current_status: 'closed' });
  }
  const comesIn = (direction === 'credit') !== isVoid;
  const sides = comesIn
    ? { debit: account, credit: 'unmatched' as const }
    : { debit: 'unmatched' as const, credit: account };
  const cause = isVoid ? 'bank_entry_void' : 'bank_entry_unvoid';
  move(draft, { ...sides, amount, currency, cause, causeId: id });
  const balance = account.balance + (comesIn ? amount : -amount);
  // A plan for a statement that counts on the entry is dropped.
  proveAgain(draft, draft.update({ ...account, balance, booksVersion: account.booksVersion + 1 }));
  return null;
}

interface Undoing {
  readonly parts: readonly MovedPart[];
  readonly reason: string;
  readonly what: string;
}

/** Takes each part back. */
function withoutParts(draft: Draft, entry: BankEntry, { parts, reason, what }: Undoing): BankEntry | Refusal {
  const refused = notVoidable(entry);
  if (refused) return refused;
  const assignments: Assignment[] = [];
  for (const part of entry.assignments) {
    if (part.undoneBy !== null) {
      assignments.push(part);
      continue;
    }
    const known = parts.find(({ transfer, to }) => transfer === part.transfer && to === part.to);
    if (!known) return outdated(what);
    const undoneBy = takeBack(draft, entry, part, { known, reason });
    if (typeof undoneBy !== 'string') return withMissing(draft, undoneBy, neededOf(draft, part, known));
    assignments.push({ ...part, undoneBy });
  }
  return { ...entry, assignments };
}

function takeBack(
  draft: Draft,
  entry: BankEntry,
  part: Assignment,
  { known, reason: description }: { readonly known: MovedPart; readonly reason: string },
): string | Refusal {
  const { to, amount, transfer } = part;
  if (transfer === null) return openOther(draft, entry, part, known);
  if (known.payment !== null) {
    const payment = draft.find('payment', known.payment.id);
    const { fee } = known.payment;
    return payment
      ? takeBackPayment(draft, payment, { amount, transfer, fee, entry: entry.id, description })
      : final(to);
  }
  if (to.startsWith('po_') && entry.direction === 'credit') {
    const payout = draft.find('payout', to);
    return payout ? voidReturn(draft, payout, { entry: entry.id, amount }) : final(to);
  }
  if (/^(?:po|pf)_/.test(to)) return takeBackDebit(draft, entry, part, known);
  if (!to.startsWith('xp_')) return takeBackPart(draft, entry, part, description);
  const expected = draft.find('expected_payment', to);
  return expected ? takeBackExpected(draft, expected, { amount, causeId: entry.id, description }) : final(to);
}

/** The entry that this one closed is open again: it waits for its place, and for another one that closes it. Answers what undid it, the entry. */
function openOther(
  draft: Draft,
  { id }: BankEntry,
  { to, amount }: Assignment,
  { payouts: [payout] }: MovedPart,
): string | Refusal {
  const other = draft.find('bank_entry', to);
  const part = other?.assignments.findLast(
    (each) => each.to === id && each.undoneBy === null && each.transfer === null && each.amount === amount,
  );
  if (!other || !part || payout === undefined || !draft.find('payout', payout)) return final(to);
  const assignments = other.assignments.map((each) => (each === part ? { ...each, undoneBy: id } : each));
  const after: BankEntry = { ...other, assignments, status: 'unmatched' };
  draft.update(after, 'bank_entry.unmatched', { status: other.status });
  const { returnReason: reason } = other.explanation;
  keepWaiting(draft, payout, other.direction === 'debit' ? 'secondDebits' : 'early', { entry: to, amount, reason });
  return id;
}

/** The payouts that a debit paid are under way again. Answers the last transfer. Refuses `bank_assignment_final`. */
function takeBackDebit(
  draft: Draft,
  { id: entry, currency }: BankEntry,
  { to, amount }: Assignment,
  { payouts: ids, cause }: MovedPart,
): string | Refusal {
  if (cause === null) return final(to);
  const payouts = ids.flatMap((id) => draft.find('payout', id) ?? []);
  const total = payouts.reduce((sum, payout) => sum + payout.amount, 0n);
  if (total !== amount) return final(to);
  let last = '';
  for (const payout of payouts) {
    const undoneBy = voidDebit(draft, payout, { entry, amount: payout.amount, currency, cause });
    if (typeof undoneBy !== 'string') return undoneBy;
    last = undoneBy;
  }
  return last;
}

/** What the place of a part must hold for it to be taken back, minor units. */
function neededOf(draft: Draft, { amount }: Assignment, { payment: paid }: MovedPart): bigint {
  const payment = paid && draft.find('payment', paid.id);
  return payment ? neededFor(payment, { amount, fee: paid.fee }) : amount;
}

/** Says how much is missing of what was spent. */
function withMissing(draft: Draft, refused: Refusal, needed: bigint): Refusal {
  const account = draft.find('account', refused.details.resource_id ?? '');
  if (refused.code !== 'balance_insufficient' || !account) return refused;
  const missing = formatMoney(needed - account.balance, account.currency);
  return { ...refused, message: `${refused.message} Of what the entry brought, ${missing} is missing there.` };
}

/** Refuses `bank_entry_voided` and `bank_entry_not_voidable`. */
function notVoidable(entry: BankEntry): Refusal | null {
  const { id, status, kind } = entry;
  if (status === 'voided') return isVoided(entry);
  if (kind !== 'opening') return null;
  const message = `Entry ${id} is the opening balance of its bank account. Assign it to where its money belongs.`;
  return refusal('bank_entry_not_voidable', message);
}

const final = (to: string): Refusal =>
  refusal('bank_assignment_final', `What went to ${to} cannot be taken back, so the entry cannot be voided.`);
