/**
 * Decisions about single payouts: create, cancel, and what a bank can do to them. A create moves the amount from the
 * account to the `in_transit` house account; `paid` moves it on to `bank`; failed, canceled and returned payouts credit the
 * account back with a new transfer. Pure. Updates: `update-decide.ts`; batches: `batch.ts`; what a bank’s reports do:
 * `facts-decide.ts`; the sandbox bank: `connector-decide.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { assert } from '../../core/values/assert.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { majorOf, MAX_HELD_MINOR } from '../../core/values/money.ts';
import { checkFunds, move, type Outside, payingAccount, reopened } from '../../core/ledger.ts';
import { giveBackShares } from '../../core/limits.ts';
import { newMetadata } from '../../core/metadata.ts';
import type { EventType } from '../../core/event-types.ts';
import type { Account } from '../../core/account.ts';
import { returnRefund } from '../../core/payments.ts';
import { type Destination, destinationOf } from '../../core/rails/destination.ts';
import { refusedPayingAccount } from '../../core/company.ts';
import { charge, feesFor, giveBackFees, ruleOf } from '../../core/charges.ts';
import { NONE, sumOf } from '../../core/fees.ts';
import type { FeeRule } from '../../core/fee-rules.ts';
import type { Stored } from '../../core/objects.ts';
import type { Draft } from '../../core/draft.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import type { Given } from '../../core/update.ts';
import { bookConversion, type Conversion, costOf, priceConversion, soldIn } from '../../ledger/exchanges/conversion.ts';
import type { Payout } from './fields.ts';
import { expectedExecution, refusedByBank, typeOfReference } from './payable-decide.ts';
import { judge, judgeAgain, refusedByFreeze } from './rules.ts';
import { checkPlannedDay, freeOn, keptFor, keptMessage, withoutWaiting, withWaiting } from './waiting.ts';

export interface PayoutOrder
  extends Pick<Payout, 'currency' | 'recipient' | 'reference' | 'statementDescriptor' | 'externalId' | 'scheduledOn'>,
    Given<Payout, 'metadata'> {
  /** What arrives, minor units; `null`: what the conversion comes to. */
  readonly amount: bigint | null;
  /** The exchange that pays for it; without it the account has the money. */
  readonly conversion?: Conversion | null;
  /** `null`: the oldest open account of the currency. */
  readonly account: string | null;
  readonly refundOf?: string;
  /** Sends money back that nobody had asked for; no fee is charged, as for a refund. */
  readonly isReturn?: boolean;
  /** Where funds are missing it waits for them, until the end of the day (ISO date; `null`: 30 days ahead). Otherwise it is refused. */
  readonly waiting?: { readonly until: string | null } | null;
  readonly speed?: Payout['speed'];
  /** Left out: what the reference shows by itself. */
  readonly referenceType?: Payout['referenceType'];
  /** These three, left out or `null`: as the recipient says. */
  readonly categoryPurpose?: Payout['categoryPurpose'] | undefined;
  readonly purpose?: Payout['purpose'] | undefined;
  readonly bankAccount?: Payout['bankAccount'] | undefined;
  /** The standing order that it is a run of; then `scheduledOn` is the planned day, which may be past. */
  readonly standingOrder?: string;
}

export interface CreatePayout {
  readonly type: 'create_payout';
  readonly order: PayoutOrder;
  /** Wait before the settlement worker takes the first step; `null` is never (in live the bank's reports take the steps). */
  readonly settlementDelayMs: number | null;
}

const DEFAULT_DAYS_OF_WAITING = 30;

export function createPayout(draft: Draft, command: CreatePayout): Decision {
  return orderPayout(draft, command.order, null, command.settlementDelayMs);
}

/** Carries an order out in the draft and returns the payout. On a refusal the draft is unchanged. */
export function orderPayout(
  draft: Draft,
  order: PayoutOrder,
  batch: string | null,
  settlementDelayMs: number | null,
): Payout | Refusal {
  const { currency, externalId, scheduledOn, reference, speed = 'standard', conversion = null, waiting = null } = order;
  if (!draft.find('recipient', order.recipient)) return missing('recipient', order.recipient, 'recipient');
  if (order.account !== null && !draft.find('account', order.account))
    return missing('account', order.account, 'account');
  const recipient = payableRecipient(draft, order.recipient, currency);
  if (isRefusal(recipient)) return recipient;
  const destination = destinationOf(recipient);
  const rule = order.refundOf === undefined && order.isReturn !== true ? feeRuleOf(draft, currency, destination) : null;
  const priced = conversion === null ? null : priceConversion(draft, conversion, order.account, rule);
  if (priced !== null && isRefusal(priced)) return priced;
  const paying = priced === null ? payingAccount(draft, order.account, currency, 'account') : priced.parties.buy;
  if (paying !== null && isRefusal(paying)) return paying;
  const amount = priced?.arrives ?? order.amount;
  assert(amount !== null, 'an order names its amount or is converted');
  const taken = externalId === null ? undefined : draft.payoutWithExternalId(externalId);
  if (taken !== undefined) return externalIdUsed(taken);
  const misplanned = order.standingOrder === undefined ? checkPlannedDay(scheduledOn, draft.atMs) : null;
  if (misplanned) return misplanned;
  const waitUntilOn = waiting && (waiting.until ?? isoDay(draft.atMs + DEFAULT_DAYS_OF_WAITING * DAY_MS));
  const endless = checkPlannedDay(waitUntilOn, draft.atMs, 'wait_until_on');
  if (endless) return endless;
  const bankAccount = order.bankAccount ?? recipient.bankAccount;
  const naming = order.bankAccount == null ? 'recipient' : 'bank_account';
  const misnamed = refusedPayingAccount(draft, bankAccount, currency, naming);
  if (misnamed) return misnamed;
  const referenceType = typeOfReference(order, recipient.country);
  const unpayable = refusedByBank(draft, recipient, { amount, currency, speed, reference, referenceType, bankAccount });
  if (unpayable) return unpayable;
  const charged = feesFor(rule, amount, currency);
  const sold = priced && soldIn(priced);
  // What is bought is as much as is paid, so only what is sold needs funds.
  const from =
    priced === null ? { debit: paying, amount, fees: charged } : { debit: priced.parties.sell, ...costOf(priced) };
  const isBack = order.refundOf !== undefined || order.isReturn === true;
  const unfunded = from.debit && checkFundsOf(draft, from.debit, from, isBack ? 0n : keptFor(draft, from.debit));
  const isWaiting = waitUntilOn !== null && priced === null && unfunded?.code === 'balance_insufficient';
  if (unfunded && !isWaiting) return unfunded;
  const judged = { account: paying?.id ?? null, recipient, amount, currency, scheduledOn, sold, isWaiting };
  const verdict = judge(draft, judged);
  if (isRefusal(verdict)) return verdict;
  const { release, shares } = verdict;

  const exchange = priced && bookConversion(draft, priced);
  const account = exchange ? (draft.find('account', exchange.buyAccount) as Account) : (paying as Account);
  const id = draft.newId('po');
  const debited = unfunded
    ? { transfer: null, fees: charged }
    : debit(draft, account, { id, amount, currency, fees: charged });
  const payout: Payout = {
    object: 'payout',
    id,
    account: account.id,
    recipient: recipient.id,
    recipientVersion: recipient.version,
    amount,
    currency,
    status: unfunded ? 'waiting' : 'pending',
    ...debited,
    waitUntilOn: unfunded ? waitUntilOn : null,
    reversal: null,
    amountReturned: 0n,
    refundOf: order.refundOf ?? null,
    batch,
    exchange: exchange?.id ?? null,
    reference,
    referenceType,
    statementDescriptor: order.statementDescriptor,
    externalId,
    scheduledOn,
    speed,
    categoryPurpose: order.categoryPurpose ?? recipient.categoryPurpose,
    purpose: order.purpose ?? recipient.purpose,
    bankAccount,
    destination,
    failureCode: null,
    bankAnswer: null,
    release,
    shares,
    standingOrder: order.standingOrder ?? null,
    createdBy: draft.actor,
    changedBy: null,
    metadata: newMetadata(order.metadata),
    ...(unfunded
      ? { dueAt: dayStartMs(waitUntilOn as string) + DAY_MS, expectedExecutionOn: null }
      : planned(draft, { release, scheduledOn, currency, bankAccount, speed }, settlementDelayMs)),
    inTransitAt: null,
    endedAt: null,
    createdAt: draft.atMs,
  };
  draft.create(payout, 'payout.created');
  if (unfunded) draft.update(withWaiting(account, payout));
  if (release !== null) draft.emit('payout.held', payout);
  return payout;
}

/** Whom a payout in this currency, if it is known, may go to. */
export function payableRecipient(draft: Draft, id: string, currency?: string): Stored['recipient'] | Refusal {
  const recipient = draft.find('recipient', id);
  if (!recipient) return missing('recipient', id, 'recipient');
  if (recipient.status === 'archived') {
    return refusal('recipient_archived', `Recipient ${id} was deleted. Create the recipient again.`, {
      param: 'recipient',
    });
  }
  if (recipient.status === 'redacted') {
    const message = `The person behind recipient ${id} was erased. Create a recipient again.`;
    return refusal('recipient_redacted', message, { param: 'recipient' });
  }
  if (currency === undefined || recipient.currency === currency) return recipient;
  const message = `currency is ${currency}, and recipient ${id} is paid in ${recipient.currency}. Send currency=${recipient.currency}, or create a recipient for ${currency}.`;
  return refusal('recipient_currency_mismatch', message, { param: 'currency', allowed: [recipient.currency] });
}

export const externalIdUsed = (payout: string): Refusal =>
  refusal('external_id_used', `Payout ${payout} has this external_id. Another payout needs another external_id.`, {
    param: 'external_id',
    resource_id: payout,
  });

const NOT_PLANNED = { dueAt: null, expectedExecutionOn: null } as const;

/** When a payout that has its money leaves; a held one is planned when it is approved. `dueAt` null: the worker never takes a step. */
export function planned(
  draft: Draft,
  payout: Pick<Payout, 'release' | 'scheduledOn' | 'currency' | 'bankAccount' | 'speed'>,
  settlementDelayMs: number | null,
): Pick<Payout, 'dueAt' | 'expectedExecutionOn'> {
  const { scheduledOn } = payout;
  if (isHeld(payout)) return NOT_PLANNED;
  const dayMs = scheduledOn === null ? 0 : dayStartMs(scheduledOn);
  const dueAt = settlementDelayMs === null ? null : Math.max(draft.atMs + settlementDelayMs, dayMs);
  return { dueAt, expectedExecutionOn: expectedExecution(draft, payout) };
}

/** What is charged for a payout that goes there; `null`: nothing. */
export const feeRuleOf = (draft: Draft, currency: string, { scheme }: Destination): FeeRule | null =>
  ruleOf(draft, { on: 'payout', currency, scheme });

/** Refuses `balance_insufficient` where an account does not hold a payout and its fees beside what is `kept` for waiting payouts. */
export function checkFundsOf(
  draft: Draft,
  debit: Account,
  { amount, fees }: Pick<Payout, 'amount' | 'fees'>,
  kept: bigint,
): Refusal | null {
  const fee = sumOf(fees);
  const needed = amount + fee;
  if (kept > 0n && debit.balance - kept < needed) {
    const details = { available_minor: freeOn(debit), resource_id: debit.id };
    return refusal('balance_insufficient', keptMessage(draft, debit, needed), details);
  }
  const unfunded = checkFunds({ debit, credit: 'in_transit', amount: needed });
  if (unfunded === null || fee === 0n) return unfunded;
  const ofFee = ` is needed, of which ${majorOf(fee, debit.currency)} is the fee.`;
  return { ...unfunded, message: unfunded.message.replace(' is needed.', ofFee) };
}

/** Takes the money of a payout and its fees from the account, which must hold both. */
export function debit(
  draft: Draft,
  account: Account,
  { id, amount, currency, fees }: Pick<Payout, 'id' | 'amount' | 'currency' | 'fees'>,
): Pick<Payout, 'transfer' | 'fees'> {
  const taken = { debit: account, credit: 'in_transit', amount, currency, cause: 'payout', causeId: id } as const;
  const transfer = move(draft, taken).id;
  return { transfer, fees: charge(draft, account.id, fees, { cause: 'payout_fee', causeId: id }) };
}

export function cancelPayout(
  draft: Draft,
  { payout: id }: { readonly type: 'cancel_payout'; readonly payout: string },
): Decision {
  const payout = draft.find('payout', id);
  if (!payout) return missing('payout', id);
  const { status } = payout;
  if (status === 'pending' || status === 'waiting') return giveBack(draft, payout, 'canceled', null);
  const hasLeft = status === 'in_transit' || status === 'paid';
  const next = hasLeft ? 'Money that has left comes back only when its recipient or a bank returns it' : 'It has ended';
  const message = `Payout ${id} is ${status}; only a waiting or pending payout can be canceled. ${next}.`;
  return refusal('payout_not_cancelable', message, { current_status: status, allowed: ['waiting', 'pending'] });
}

export function leave(draft: Draft, payout: Payout, on: Pick<Payout, 'dueAt'> & Partial<Payout>): Payout {
  const left = { status: 'in_transit', inTransitAt: draft.atMs, ...on } as const;
  return payout.status === 'pending' ? change(draft, payout, left, 'payout.in_transit') : payout;
}

/** A pending payout leaves in a file that its bank executes on a day. Refuses `payout_state_invalid` and what {@link readyToLeave} does. */
export function depart(draft: Draft, payout: Payout, executionOn: string): Payout | Refusal {
  if (payout.status !== 'pending') {
    const message = `Payout ${payout.id} is ${payout.status}; only a pending payout can leave.`;
    return refusal('payout_state_invalid', message, { current_status: payout.status, allowed: ['pending'] });
  }
  const ready = readyToLeave(draft, payout);
  if (isRefusal(ready)) return ready;
  if (isHeld(ready)) return payoutHeld(ready);
  return leave(draft, ready, { dueAt: null, expectedExecutionOn: executionOn });
}

/** The file that a payout was in did not reach its bank: the payout is pending again. */
export function stayBehind(draft: Draft, payout: Payout): Payout {
  const expectedExecutionOn = expectedExecution(draft, payout);
  const before = { status: 'pending', inTransitAt: null, dueAt: draft.atMs, expectedExecutionOn } as const;
  return change(draft, payout, before, 'payout.updated');
}

/** The money of a pending or moving payout has left, to `by`: it is paid. */
export function settle(
  draft: Draft,
  payout: Payout,
  by: Outside,
  dueAt: number | null = null,
): { readonly paid: Payout; readonly transfer: string } {
  const moving = leave(draft, payout, { dueAt });
  const { amount, currency, id: causeId } = payout;
  const sides = { debit: 'in_transit', credit: by } as const;
  const { id: transfer } = move(draft, { ...sides, amount, currency, cause: 'payout_settlement', causeId });
  const paid = change(draft, moving, { status: 'paid', endedAt: draft.atMs, dueAt }, 'payout.paid');
  leaveBatch(draft, paid, false);
  return { paid, transfer };
}

/** The money of a paid payout, or a part of it, has come back from `by`. Refuses `balance_too_large`. */
export function comeBack(
  draft: Draft,
  payout: Payout,
  back: GivenBack & { readonly failureCode: string },
): Payout | Refusal {
  return giveBack(draft, payout, 'returned', back.failureCode, back);
}

/** The bank has rejected a payout on its way. Refuses `balance_too_large`. */
export const fail = (draft: Draft, payout: Payout, failureCode: string): Payout | Refusal =>
  giveBack(draft, payout, 'failed', failureCode);

/**
 * A pending payout that is to leave now, counted for limits that are not older than it; held, if one of them holds it. Refuses `payouts_frozen`,
 * `payout_held`, `limit_exceeded` and `rate_unavailable`.
 */
export function readyToLeave(draft: Draft, payout: Payout): Payout | Refusal {
  const frozen = refusedByFreeze(draft);
  if (frozen) return frozen;
  if (isHeld(payout)) return payoutHeld(payout);
  const verdict = judgeAgain(draft, payout, 'not_older');
  if (isRefusal(verdict)) return verdict;
  const judged = { ...payout, ...verdict };
  return isHeld(judged) ? draft.update({ ...judged, ...NOT_PLANNED }, 'payout.held') : judged;
}

export const isHeld = ({ release }: Pick<Payout, 'release'>): boolean =>
  release !== null && release.status !== 'approved';

const payoutHeld = ({ id }: Payout): Refusal =>
  refusal(
    'payout_held',
    `Payout ${id} is held until a key of another family approves it: POST /v1/payouts/${id}/approve.`,
    { current_status: 'pending' },
  );

/** Cancels a payout that was rejected. Refuses `balance_too_large`. */
export const cancelHeld = (draft: Draft, payout: Payout): Payout | Refusal => giveBack(draft, payout, 'canceled', null);

type Unpaid = 'failed' | 'canceled' | 'returned';
interface GivenBack {
  readonly by: Outside;
  readonly amount: bigint;
}

/** Ends a payout that did not arrive: a new transfer credits the account back. Fees come back unless the bank did its work. */
function giveBack(
  draft: Draft,
  payout: Payout,
  status: Unpaid,
  failureCode: string | null,
  { amount, by: debit }: GivenBack = { amount: payout.amount, by: 'in_transit' },
): Payout | Refusal {
  if (payout.transfer === null) return endUnfunded(draft, payout, status, failureCode);
  const found = draft.find('account', payout.account) as Account;
  const { currency, id: causeId } = payout;
  const returning = status === 'returned' ? NONE : payout.fees;
  const unfunded = checkFunds({ debit, credit: found, amount: amount + sumOf(returning) }, MAX_HELD_MINOR);
  if (unfunded) return unfunded;
  if (payout.inTransitAt === null) giveBackShares(draft, payout.shares); // it never left
  const account = reopened(draft, found);
  const transfer = move(draft, { debit, credit: account, amount, currency, cause: 'payout_reversal', causeId });
  const given = giveBackFees(draft, account.id, returning, { cause: 'payout_fee_reversal', causeId });
  const fees = status === 'returned' ? payout.fees : given;
  const amountReturned = payout.amountReturned + (status === 'returned' ? amount : 0n);
  const ended = { status, failureCode, endedAt: draft.atMs, dueAt: null };
  const changes = { ...ended, reversal: transfer.id, amountReturned, fees };
  const after = change(draft, payout, changes, `payout.${status}`);
  if (status !== 'returned') leaveBatch(draft, after, true);
  returnRefund(draft, { refundOf: after.refundOf, amount });
  return after;
}

/** Ends a payout that never had its money: nothing comes back. */
export function endUnfunded(draft: Draft, payout: Payout, status: Unpaid, failureCode: string | null): Payout {
  draft.update(withoutWaiting(draft.find('account', payout.account) as Account, payout));
  giveBackShares(draft, payout.shares);
  const after = change(draft, payout, { status, failureCode, endedAt: draft.atMs, dueAt: null }, `payout.${status}`);
  leaveBatch(draft, after, true);
  return after;
}

function change(draft: Draft, payout: Payout, changes: Partial<Payout>, event: EventType): Payout {
  const after: Payout = { ...payout, ...changes };
  return draft.update(after, event, { status: payout.status });
}

/** Counts an ended payout in its batch. The last one completes the batch. */
function leaveBatch(draft: Draft, payout: Payout, failed: boolean): void {
  const batch = payout.batch === null ? undefined : draft.find('payout_batch', payout.batch);
  if (!batch) return;
  const openCount = batch.openCount - 1;
  const failedCount = batch.failedCount + (failed ? 1 : 0);
  if (openCount > 0) {
    draft.update({ ...batch, openCount, failedCount });
    return;
  }
  const status = failedCount + batch.rejectedCount > 0 ? 'completed_with_failures' : 'completed';
  const after = { ...batch, openCount, failedCount, status, completedAt: draft.atMs } as const;
  draft.update(after, 'payout_batch.completed', { status: batch.status });
}
