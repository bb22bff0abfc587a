/**
 * A person says where an entry goes: its money in `unmatched` moves in parts, all or none. A part is undone by a counter transfer. Each
 * assignment leaves an entry in the audit log. Pure. Where the import itself sends entries: `booking.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { failureOfReason } from '../../core/rails/failures.ts';
import { checkFunds, move, type Movement, openAccountNamed, reopened } from '../../core/ledger.ts';
import { formatMoney, MAX_HELD_MINOR, parseAmount } from '../../core/values/money.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import { receive } from '../../collecting/payments/decide.ts';
import { receiveExpected } from '../../collecting/payments/expected-decide.ts';
import { booked } from '../../paying/payouts/facts-decide.ts';
import { entriesOf, type NamedPayout } from './booking.ts';
import { type BankPlace, bankOrHouseOf, isVoided, type Part, partsOf, withPart } from './parts.ts';
import { type Assignment, type BankEntry, unassigned } from './fields.ts';

/** Where a part goes. `amount`: major-unit text; `null`: all that is left. */
export interface Target {
  readonly to: string;
  readonly amount: string | null;
  /** Of a payment file those that are under way; else none. */
  readonly payouts: readonly NamedPayout[];
}

export interface AssignBankEntry {
  readonly type: 'assign_bank_entry';
  readonly entry: string;
  readonly targets: readonly Target[];
  readonly reason: string | null;
}

/** All entries are assigned, or none. Each stands once. */
export interface AssignBankEntries {
  readonly type: 'assign_bank_entries';
  readonly entries: readonly { readonly entry: string; readonly target: Target }[];
  readonly reason: string | null;
}

export interface UnassignBankEntry {
  readonly type: 'unassign_bank_entry';
  readonly entry: string;
  /** Where the part went. */
  readonly of: string;
  /** Its transfer; `null`: the last one that went there. */
  readonly transfer: string | null;
  readonly reason: string | null;
}

/** Refuses `resource_missing`, `bank_entry_voided`, `bank_entry_assigned`, `amount_…`, and what its targets refuse. */
export function assignBankEntry(draft: Draft, { entry, targets, reason }: AssignBankEntry): Decision {
  return assign(draft, { entry, targets, reason }, (index, name) => `assignments[${index}][${name}]`);
}

/** Refuses what {@link assignBankEntry} does, about the first entry concerned. */
export function assignBankEntryBatch(draft: Draft, { entries: wanted, reason }: AssignBankEntries): Decision {
  const entries: BankEntry[] = [];
  for (const [index, { entry, target }] of wanted.entries()) {
    if (!draft.find('bank_entry', entry)) return missing('bank entry', entry, `entries[${index}][entry]`);
    const assigned = assign(draft, { entry, targets: [target], reason }, (_, name) => `entries[${index}][${name}]`);
    if (isRefusal(assigned)) return assigned;
    entries.push(assigned);
  }
  return { object: 'bank_entries', id: entries[0]?.id as string, entries };
}

/** `paramOf`: how the request names a member of its n-th target. */
function assign(
  draft: Draft,
  { entry: id, targets, reason }: Omit<AssignBankEntry, 'type'>,
  paramOf: (index: number, name: 'entry' | 'to' | 'amount') => string,
): BankEntry | Refusal {
  const found = draft.find('bank_entry', id);
  if (!found) return missing('bank entry', id);
  if (found.status === 'voided') return isVoided(found);
  let entry = found;
  for (const [index, target] of targets.entries()) {
    const amount = amountOf(entry, target, paramOf(index, 'amount'));
    if (typeof amount !== 'bigint') return amount;
    const param = paramOf(index, 'to');
    const { to, payouts } = target;
    const parts = to.startsWith('po_')
      ? placePayout(draft, entry, { payout: to, amount }, { reason, param })
      : placeOther(draft, entry, { to, payouts, amount }, { reason, param });
    if (isRefusal(parts)) return parts;
    for (const part of parts) entry = withPart(draft, entry, part);
  }
  draft.audit('bank_entry.assigned', id, { to: targets.map(({ to }) => to), reason });
  return draft.update(entry, 'bank_entry.assigned', { status: found.status });
}

/** Refuses `resource_missing`, `bank_assignment_final`, `balance_insufficient`. */
export function unassignBankEntry(draft: Draft, command: UnassignBankEntry): Decision {
  const { entry: id, of, transfer, reason } = command;
  const entry = draft.find('bank_entry', id);
  if (!entry) return missing('bank entry', id);
  const isMeant = (each: Assignment) => each.to === of && (transfer === null || each.transfer === transfer);
  const part = entry.assignments.findLast((each) => each.undoneBy === null && isMeant(each));
  if (!part) return missing('assignment', transfer ?? 'of this entry', 'transfer');
  if (/^(?:po|pay|xp|pf|be)_/.test(part.to)) {
    const message = `What went to ${part.to} stays there. A payment is refunded with POST /v1/payments/${part.to}/refund; a payout that came back is paid out anew.`;
    return refusal('bank_assignment_final', message, { param: 'transfer' });
  }
  const undoneBy = takeBackPart(draft, entry, part, reason);
  if (typeof undoneBy !== 'string') return undoneBy;
  const assignments = entry.assignments.map((each) => (each === part ? { ...each, undoneBy } : each));
  draft.audit('bank_entry.unassigned', id, { from: part.to, reason });
  const after: BankEntry = { ...entry, assignments, status: 'unmatched' };
  return draft.update(after, 'bank_entry.unmatched', { status: entry.status });
}

/**
 * The money of a part that went to no payout, payment or entry comes back to `unmatched`. Answers the transfer. Refuses
 * `resource_missing`, `balance_insufficient`, `balance_too_large`.
 */
export function takeBackPart(
  draft: Draft,
  entry: BankEntry,
  { to, amount }: Pick<Assignment, 'to' | 'amount'>,
  description: string | null,
): string | Refusal {
  const sides = sidesOf(draft, entry, to, 'transfer');
  if (isRefusal(sides)) return sides;
  const back = { debit: sides.credit, credit: sides.debit, amount, currency: entry.currency };
  const unfunded = checkFunds(back, MAX_HELD_MINOR);
  return unfunded ?? move(draft, { ...back, cause: 'bank_assignment', causeId: entry.id, description }).id;
}

function amountOf(entry: BankEntry, { amount: text }: Target, param: string): bigint | Refusal {
  const left = unassigned(entry);
  const given = text === null ? left : parseAmount(text, currencyOf(entry.currency) as never, param);
  if (typeof given !== 'bigint') return { ...given, details: { ...given.details, param } };
  if (given > 0n && given <= left) return given;
  const message = `${param} is ${formatMoney(given, entry.currency)}, and of entry ${entry.id} only ${formatMoney(left, entry.currency)} have no place yet. Assign at most that.`;
  return refusal('bank_entry_assigned', message, { param });
}

interface Said {
  readonly reason: string | null;
  readonly param: string;
}

function placeOther(
  draft: Draft,
  entry: BankEntry,
  { to, payouts, amount }: { readonly to: string; readonly payouts: readonly NamedPayout[]; readonly amount: bigint },
  { reason, param }: Said,
): readonly Required<Part>[] | Refusal {
  const transfer = to.startsWith('pf_')
    ? placeFile(draft, entry, { to, payouts, amount }, param)
    : place(draft, entry, to, amount, param);
  return typeof transfer === 'string' ? [{ to, amount, transfer, reason }] : transfer;
}

/** A fact by a person's word, which needs no sign of the bank. */
function placePayout(
  draft: Draft,
  entry: BankEntry,
  { payout: id, amount }: NamedPayout,
  { reason: why, param }: Said,
): readonly Required<Part>[] | Refusal {
  const { direction, currency, explanation } = entry;
  const payout = draft.find('payout', id);
  if (!payout) return missing('payout', id, param);
  const kind = direction === 'debit' ? 'debited' : 'returned';
  const { returnReason: reason, returnText: reasonText = null } = explanation;
  const failureCode = failureOfReason(reason);
  const said = { reason, reasonText, failureCode };
  const fact = { kind, entry: entry.id, amount, currency, by: 'unmatched', ...said } as const;
  const taken = booked(draft, payout, fact, entriesOf(draft));
  const stopped = (message: string) =>
    refusal('payout_state_invalid', message, { param, current_status: payout.status });
  if (taken.to === null) return stopped(taken.conflict);
  if (taken.to === 'wait') {
    return stopped(`Payout ${id} is ${payout.status}; it can come back once its debit is booked.`);
  }
  return partsOf(taken, id, why);
}

/** Settles the payouts of a payment file that are under way; they must come to the amount. Answers the id of the last transfer. */
function placeFile(
  draft: Draft,
  entry: BankEntry,
  { to, payouts, amount }: { readonly to: string; readonly payouts: readonly NamedPayout[]; readonly amount: bigint },
  param: string,
): string | Refusal {
  const total = payouts.reduce((sum, each) => sum + each.amount, 0n);
  if (entry.direction !== 'debit' || total !== amount) {
    const [under, part] = [total, amount].map((minor) => formatMoney(minor, entry.currency));
    const message = `The payouts of payment file ${to} that are under way come to ${under}, and the part is ${part}. Assign exactly ${under}.`;
    return refusal('payment_file_sum_mismatch', message, { param });
  }
  let transfer = '';
  for (const each of payouts) {
    const parts = placePayout(draft, entry, each, { reason: null, param });
    if (isRefusal(parts)) return parts;
    transfer = parts.at(-1)?.transfer ?? transfer;
  }
  return transfer;
}

/** Moves a part to where it goes, which is no payout. Answers the id of the transfer. */
export function place(draft: Draft, entry: BankEntry, to: string, amount: bigint, param: string): string | Refusal {
  const { id, direction, currency, explanation } = entry;
  const stopped = (refused: Refusal): Refusal => ({ ...refused, details: { ...refused.details, param } });
  const wrong = (message: string) => refusal('parameter_invalid', message, { param });
  if (to.startsWith('pay_')) {
    const payment = draft.find('payment', to);
    if (!payment) return missing('payment', to, param);
    if (direction === 'debit' || payment.currency !== currency) {
      return wrong(
        `Entry ${id} cannot go to payment ${to}, which takes only money in ${payment.currency} that came in.`,
      );
    }
    const credit = { amount, payerName: explanation.name, payerIban: explanation.account };
    const received = receive(draft, payment, credit, { method: 'bank_transfer' }, 'unmatched');
    return isRefusal(received) ? stopped(received) : (received.transfer as string);
  }
  if (to.startsWith('xp_')) {
    const expected = draft.find('expected_payment', to);
    if (!expected) return missing('expected payment', to, param);
    if (direction === 'debit' || expected.currency !== currency) {
      return wrong(
        `Entry ${id} cannot go to expected payment ${to}, which takes only money in ${expected.currency} that came in.`,
      );
    }
    const received = receiveExpected(draft, expected, { amount, by: 'unmatched', causeId: id });
    return typeof received === 'string' ? received : stopped(received);
  }
  const sides = sidesOf(draft, entry, to, param);
  if (isRefusal(sides)) return sides;
  const unfunded = checkFunds({ ...sides, amount }, MAX_HELD_MINOR);
  if (unfunded) return stopped(unfunded);
  return move(draft, { ...sides, amount, currency, cause: 'bank_assignment', causeId: id }).id;
}

/** From `unmatched` to the target for what came in, and the other way for what went out. */
function sidesOf(
  draft: Draft,
  { direction, currency, bankAccount }: BankEntry,
  to: string,
  param: string,
): Pick<Movement, 'debit' | 'credit'> | Refusal {
  const target = targetOf(draft, to, { currency, bankAccount, param });
  if (typeof target === 'object' && isRefusal(target)) return target;
  return direction === 'credit' ? { debit: 'unmatched', credit: target } : { debit: target, credit: 'unmatched' };
}

function targetOf(
  draft: Draft,
  to: string,
  place: BankPlace & { readonly currency: string },
): Movement['debit'] | Refusal {
  const bankOrHouse = bankOrHouseOf(draft, to, place);
  if (bankOrHouse !== null) return bankOrHouse;
  const { currency, param } = place;
  const known = draft.find('account', to);
  if (known?.status === 'closed' && known.currency === currency) return reopened(draft, known);
  return openAccountNamed(draft, to, currency, param);
}
