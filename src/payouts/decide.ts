/**
 * Decisions about single payouts: create, update, cancel, and every step on the way. The account is debited at
 * creation into the `in_transit` house account; `paid` moves that to `bank`; failed, canceled and returned payouts
 * credit the account back with a new transfer. Pure. Batches: `batch.ts`. Who takes the steps: `settlement.ts`.
 */
import { accepted, type Decision, isRefusal, refused } from '../core/decision.ts';
import { missing, type Refusal, refusal } from '../core/errors.ts';
import { DEFAULT_FAILURE_CODE } from '../core/failures.ts';
import { checkFunds, move, payingAccount, reopened } from '../core/ledger.ts';
import { newMetadata } from '../core/metadata.ts';
import type { EventType } from '../core/event-types.ts';
import type { Metadata } from '../core/objects.ts';
import type { Account } from '../core/account.ts';
import { returnRefund } from '../core/payments.ts';
import type { Draft } from '../core/state.ts';
import { DAY_MS, dayStartMs, isoDay } from '../core/time.ts';
import { updateMetadata } from '../core/update.ts';
import type { Payout, PayoutStatus } from './fields.ts';

/** What one payout needs, alone or as an item of a batch. */
export interface PayoutOrder {
  /** Minor units, already bounded. */
  readonly amount: bigint;
  readonly currency: string;
  readonly recipient: string;
  readonly account: string | null;
  readonly reference: string | null;
  readonly statementDescriptor: string | null;
  readonly externalId: string | null;
  readonly scheduledFor: string | null;
  readonly metadata: Metadata | undefined;
  /** The payment that it refunds. */
  readonly refundOf?: string;
}

export interface CreatePayout {
  readonly type: 'create_payout';
  readonly order: PayoutOrder;
  /** Wait before the settlement worker takes the first step; `null` is never (live: the bank's reports do). */
  readonly settlementDelayMs: number | null;
}

export interface UpdatePayout {
  readonly type: 'update_payout';
  readonly payout: string;
  readonly metadata: Metadata | undefined;
}

export interface CancelPayout {
  readonly type: 'cancel_payout';
  readonly payout: string;
}

/** A step that a bank's answer, real or fabricated, takes. `next` is whatever a payout without trouble does next. */
export interface StepPayout {
  readonly type: 'step_payout';
  readonly payout: string;
  readonly to: 'next' | 'in_transit' | 'paid' | 'failed' | 'returned';
  readonly failureCode: string | null;
  /** Wait before the settlement worker takes the step after this one; `null` is never. */
  readonly nextDelayMs: number | null;
}

const MAX_DAYS_AHEAD = 366;

export function createPayout(draft: Draft, command: CreatePayout): Decision {
  const payout = orderPayout(draft, command.order, null, command.settlementDelayMs);
  return isRefusal(payout) ? refused(payout) : accepted(draft, payout);
}

/** Checks one order and carries it out in the draft, or leaves the draft as it was and says why not. */
export function orderPayout(
  draft: Draft,
  order: PayoutOrder,
  batch: string | null,
  settlementDelayMs: number | null,
): Payout | Refusal {
  const { amount, currency, externalId, scheduledFor } = order;
  const recipient = draft.find('recipient', order.recipient);
  if (!recipient) return missing('recipient', order.recipient, 'recipient');
  if (order.account !== null && !draft.find('account', order.account))
    return missing('account', order.account, 'account');
  if (recipient.status === 'archived') {
    return refusal('recipient_archived', `Recipient ${recipient.id} was deleted.`, { param: 'recipient' });
  }
  if (recipient.currency !== currency) {
    return refusal(
      'recipient_currency_mismatch',
      `Recipient ${recipient.id} is paid in ${recipient.currency}, not ${currency}.`,
      { param: 'currency', allowed: [recipient.currency] },
    );
  }
  const account = payingAccount(draft, order.account, currency, 'account');
  if (isRefusal(account)) return account;
  const taken = externalId === null ? undefined : draft.payoutWithExternalId(externalId);
  if (taken !== undefined) {
    return refusal('external_id_used', `Payout ${taken} has this external_id.`, {
      param: 'external_id',
      resource_id: taken,
    });
  }
  const misplanned = checkPlannedDay(scheduledFor, draft.atMs);
  if (misplanned) return misplanned;
  const unfunded = checkFunds({ debit: account, credit: 'in_transit', amount });
  if (unfunded) return unfunded;

  const id = draft.newId('po');
  const transfer = move(draft, {
    debit: account,
    credit: 'in_transit',
    amount,
    currency,
    cause: 'payout',
    causeId: id,
  });
  const payout: Payout = {
    object: 'payout',
    id,
    account: account.id,
    recipient: recipient.id,
    recipientVersion: recipient.version,
    amount,
    currency,
    status: 'pending',
    transfer: transfer.id,
    reversal: null,
    refundOf: order.refundOf ?? null,
    batch,
    reference: order.reference,
    statementDescriptor: order.statementDescriptor,
    externalId,
    scheduledFor,
    failureCode: null,
    metadata: newMetadata(order.metadata),
    dueAt:
      settlementDelayMs === null
        ? null
        : Math.max(draft.atMs + settlementDelayMs, scheduledFor === null ? 0 : dayStartMs(scheduledFor)),
    inTransitAt: null,
    endedAt: null,
    createdAt: draft.atMs,
  };
  draft.create(payout);
  draft.emit('payout.created', payout);
  return payout;
}

function checkPlannedDay(day: string | null, atMs: number): Refusal | null {
  if (day === null) return null;
  const today = isoDay(atMs);
  const last = isoDay(atMs + MAX_DAYS_AHEAD * DAY_MS);
  if (day >= today && day <= last) return null;
  return refusal('scheduled_for_invalid', `${day} is not between today, ${today}, and ${last}.`, {
    param: 'scheduled_for',
  });
}

export function updatePayout(draft: Draft, command: UpdatePayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return refused(missing('payout', command.payout));
  return updateMetadata(draft, payout, command.metadata, 'payout.updated');
}

export function cancelPayout(draft: Draft, command: CancelPayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return refused(missing('payout', command.payout));
  if (payout.status !== 'pending') {
    return refused(
      refusal(
        'payout_not_cancelable',
        `Payout ${payout.id} is ${payout.status}; only a pending payout can be canceled.`,
        {
          current_status: payout.status,
          allowed: ['pending'],
        },
      ),
    );
  }
  const after = giveBack(draft, payout, 'canceled', null);
  return isRefusal(after) ? refused(after) : accepted(draft, after);
}

/** From which states a step leads on. */
const STEPS: Readonly<Record<'in_transit' | 'paid' | 'failed' | 'returned', readonly PayoutStatus[]>> = {
  in_transit: ['pending'],
  paid: ['pending', 'in_transit'],
  failed: ['pending', 'in_transit'],
  returned: ['paid'],
};

export function stepPayout(draft: Draft, command: StepPayout): Decision {
  const payout = draft.find('payout', command.payout);
  if (!payout) return refused(missing('payout', command.payout));
  const to = command.to === 'next' ? (payout.status === 'pending' ? 'in_transit' : 'paid') : command.to;
  if (!STEPS[to].includes(payout.status)) {
    return refused(
      refusal(
        'payout_state_invalid',
        `Payout ${payout.id} is ${payout.status}; ${to} follows ${STEPS[to].join(' or ')}.`,
        {
          current_status: payout.status,
          allowed: STEPS[to],
        },
      ),
    );
  }
  if (to === 'failed' || to === 'returned') {
    const after = giveBack(draft, payout, to, command.failureCode ?? DEFAULT_FAILURE_CODE);
    return isRefusal(after) ? refused(after) : accepted(draft, after);
  }
  const dueAt = command.nextDelayMs === null ? null : draft.atMs + command.nextDelayMs;
  const moving: Payout =
    payout.status === 'pending'
      ? change(draft, payout, { status: 'in_transit', inTransitAt: draft.atMs, dueAt }, 'payout.in_transit')
      : payout;
  if (to === 'in_transit') return accepted(draft, moving);
  const { amount, currency, id: causeId } = payout;
  move(draft, { debit: 'in_transit', credit: 'bank', amount, currency, cause: 'payout_settlement', causeId });
  const paid = change(draft, moving, { status: 'paid', endedAt: draft.atMs, dueAt }, 'payout.paid');
  leaveBatch(draft, paid, false);
  return accepted(draft, paid);
}

/** Ends a payout that did not arrive: its money goes back to the account by a new transfer. */
function giveBack(
  draft: Draft,
  payout: Payout,
  status: 'failed' | 'canceled' | 'returned',
  failureCode: string | null,
): Payout | Refusal {
  const found = draft.find('account', payout.account) as Account;
  const { amount, currency, id: causeId } = payout;
  const debit = status === 'returned' ? 'bank' : 'in_transit';
  const unfunded = checkFunds({ debit, credit: found, amount });
  if (unfunded) return unfunded;
  const account = reopened(draft, found);
  const transfer = move(draft, { debit, credit: account, amount, currency, cause: 'payout_reversal', causeId });
  const after = change(
    draft,
    payout,
    { status, failureCode, reversal: transfer.id, endedAt: draft.atMs, dueAt: null },
    `payout.${status}`,
  );
  if (status !== 'returned') leaveBatch(draft, after, true);
  returnRefund(draft, after);
  return after;
}

function change(draft: Draft, payout: Payout, changes: Partial<Payout>, event: EventType): Payout {
  const after: Payout = { ...payout, ...changes };
  draft.update(after);
  draft.emit(event, after, { status: payout.status });
  return after;
}

/** Counts a payout out of its batch; the last one completes the batch. */
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
  draft.update(after);
  draft.emit('payout_batch.completed', after, { status: batch.status });
}
