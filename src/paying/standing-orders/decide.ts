/**
 * Decisions about standing orders: create, update, pause, resume, cancel. `active ⇄ paused → completed | canceled`. Pure. What
 * happens on a planned day: `run-decide.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Account } from '../../core/account.ts';
import type { Draft } from '../../core/draft.ts';
import type { Stored } from '../../core/objects.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { amountOf, payingAccount } from '../../core/ledger.ts';
import { mergeMetadata, newMetadata } from '../../core/metadata.ts';
import { cancelOrder } from '../../core/update.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { payableRecipient } from '../payouts/decide.ts';
import { refusedByBank, typeOfReference } from '../payouts/payable-decide.ts';
import { plannedDayWithin } from './calendar.ts';
import { STANDING_ORDER, type StandingOrder, STANDING_ORDER_STATUSES } from './fields.ts';
import { completeIfOver, leaveOutUntil } from './run-decide.ts';

type Texts = 'reference' | 'statementDescriptor';
type Codes = 'categoryPurpose' | 'purpose';

export interface CreateStandingOrder
  extends Pick<
      StandingOrder,
      | 'amount'
      | 'currency'
      | 'recipient'
      | 'speed'
      | 'interval'
      | 'intervalCount'
      | 'first'
      | 'last'
      | 'count'
      | Texts
      | Codes
    >,
    Given<StandingOrder, 'metadata'> {
  readonly type: 'create_standing_order';
  /** `null`: the oldest open account of the currency, as it is now. */
  readonly account: string | null;
  /** `null`: what the reference shows by itself, also in an update. */
  readonly referenceType: StandingOrder['referenceType'];
}

export interface UpdateStandingOrder extends Given<StandingOrder, Texts | Codes | 'metadata'> {
  readonly type: 'update_standing_order';
  readonly referenceType: StandingOrder['referenceType'];
  readonly standingOrder: string;
  /** In major units, as it was written; the order knows the currency. */
  readonly amount: string | undefined;
  readonly end: Given<StandingOrder, 'last' | 'count'> | undefined;
}

/** A command that says nothing else. */
interface Named<T extends string> {
  readonly type: T;
  readonly standingOrder: string;
}

/** Refuses what a payout is refused for by its recipient and account, and `parameter_invalid` for its days. Moves no money. */
export function createStandingOrder(draft: Draft, command: CreateStandingOrder): Decision {
  const { account: accountId, metadata, type: _, ...given } = command;
  const { currency, first, last } = given;
  if (!draft.find('recipient', given.recipient)) return missing('recipient', given.recipient, 'recipient');
  if (accountId !== null && !draft.find('account', accountId)) return missing('account', accountId, 'account');
  const recipient = payableRecipient(draft, given.recipient, currency);
  if (isRefusal(recipient)) return recipient;
  const account = payingAccount(draft, accountId, currency, 'account');
  if (isRefusal(account)) return account;
  const terms = { ...given, referenceType: typeOfReference(given, recipient.country) };
  const unpayable = refusedByBank(draft, recipient, { ...terms, bankAccount: recipient.bankAccount });
  if (unpayable) return unpayable;
  const today = isoDay(draft.atMs);
  if (first < today) return invalid('starts_on', `starts_on must be today, ${today}, or later; got ${first}.`);
  if (last !== null && last < first) return invalid('ends_on', `ends_on, ${last}, is before first, ${first}.`);
  const order: StandingOrder = {
    object: 'standing_order',
    id: draft.newId('so'),
    ...terms,
    categoryPurpose: given.categoryPurpose ?? recipient.categoryPurpose,
    purpose: given.purpose ?? recipient.purpose,
    account: account.id,
    status: 'active',
    pausedReason: null,
    canceledReason: null,
    next: first,
    runsCount: 0,
    failedCount: 0,
    skippedCount: 0,
    lastRun: null,
    lastPayout: null,
    lastFailure: null,
    endedAt: null,
    orderedBy: draft.actor,
    createdBy: draft.actor,
    metadata: newMetadata(metadata),
    plannedIndex: 0,
    failuresInARow: 0,
    dueAt: dayStartMs(first),
    createdAt: draft.atMs,
  };
  return draft.create(order, 'standing_order.created');
}

const invalid = (param: string, message: string): Refusal => refusal('parameter_invalid', message, { param });

const CHANGING = ['reference', 'referenceType', 'statementDescriptor', 'categoryPurpose', 'purpose'] as const;
/** With the amount all that leaves of an order: whoever changes a part of it has ordered what follows. */
const LEAVING = [...CHANGING, 'last', 'count'] as const;

/** Refuses `resource_missing`, `standing_order_state_invalid`, `parameter_invalid`, `metadata_invalid`, `payout_not_payable`. */
export function updateStandingOrder(draft: Draft, command: UpdateStandingOrder): Decision {
  const { reference, statementDescriptor, categoryPurpose, purpose, end } = command;
  const more = [command.amount, reference, statementDescriptor, categoryPurpose, purpose, end];
  const isMore = more.some((each) => each !== undefined);
  const order = orderIn(draft, command.standingOrder, isMore ? ['active', 'paused'] : STANDING_ORDER_STATUSES);
  if (isRefusal(order)) return order;
  const metadata = mergeMetadata(order.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const account = draft.find('account', order.account) as Account;
  const amount = command.amount === undefined ? order.amount : amountOf(account, command.amount);
  if (typeof amount !== 'bigint') return amount;
  const isOther = amount !== order.amount;
  const referenceType = newTypeOf(draft, order, command);
  const changed = {
    ...withGiven(order, { ...command, referenceType }, CHANGING),
    ...endOf(order, end),
    amount,
    metadata,
  };
  const isReordered = isOther || LEAVING.some((name) => changed[name] !== order[name]);
  const after: StandingOrder = { ...changed, orderedBy: isReordered ? draft.actor : order.orderedBy };
  const isOtherReference = after.reference !== order.reference || after.referenceType !== order.referenceType;
  const unpayable = isOtherReference ? unpayableReference(draft, after) : null;
  if (unpayable) return unpayable;
  const wrong = end === undefined ? null : refusedEnd(after);
  if (wrong) return wrong;
  const previous = {
    ...(isOther && { amount_minor: Number(order.amount) }),
    ...previousOf(order, after, [...LEAVING, 'orderedBy'], STANDING_ORDER.memberOf),
  };
  return update(draft, order, after, previous, 'standing_order.updated');
}

/** One kind of end replaces the other; null ends nothing but itself. */
function endOf({ last, count }: StandingOrder, end: UpdateStandingOrder['end']): Pick<StandingOrder, 'last' | 'count'> {
  if (end === undefined) return { last, count };
  if ((end.last ?? null) !== null) return { last: end.last as string, count: null };
  if ((end.count ?? null) !== null) return { last: null, count: end.count as number };
  return { last: end.last === undefined ? last : null, count: end.count === undefined ? count : null };
}

const payeeOf = (draft: Draft, { recipient }: StandingOrder) =>
  draft.find('recipient', recipient) as Stored['recipient'];

/** `undefined`: the reference stays. */
function newTypeOf(draft: Draft, order: StandingOrder, { reference, referenceType }: UpdateStandingOrder) {
  const stays = reference === undefined || (reference === order.reference && referenceType === null);
  return stays ? undefined : typeOfReference({ reference, referenceType }, payeeOf(draft, order).country);
}

function unpayableReference(draft: Draft, order: StandingOrder): Refusal | null {
  const payee = payeeOf(draft, order);
  return refusedByBank(draft, payee, { ...order, bankAccount: payee.bankAccount });
}

/** The next planned day must be one still: an order ends at once by being canceled. */
function refusedEnd(after: StandingOrder): Refusal | null {
  const { last, next, plannedIndex } = after;
  if (next === null || plannedDayWithin(after, plannedIndex) !== null) return null;
  return last === null
    ? invalid(
        'count',
        `count must be more than the ${plannedIndex} days that are behind the order. Cancel it to end it now.`,
      )
    : invalid('ends_on', `ends_on, ${last}, is before the next planned day, ${next}. Cancel the order to end it now.`);
}

/** Refuses `resource_missing`, `standing_order_state_invalid`. */
export function pauseStandingOrder(draft: Draft, { standingOrder: id }: Named<'pause_standing_order'>): Decision {
  const order = orderIn(draft, id, ['active']);
  if (isRefusal(order)) return order;
  const after: StandingOrder = { ...order, status: 'paused', pausedReason: 'requested' };
  return draft.update(after, 'standing_order.paused', { status: order.status });
}

/** What came due while it was paused is left out, not made up. Refuses `resource_missing`, `standing_order_state_invalid`. */
export function resumeStandingOrder(draft: Draft, { standingOrder: id }: Named<'resume_standing_order'>): Decision {
  const order = orderIn(draft, id, ['paused']);
  if (isRefusal(order)) return order;
  const isBehind = order.dueAt !== null && order.dueAt <= draft.atMs;
  const caughtUp = isBehind ? leaveOutUntil(draft, order, isoDay(draft.atMs + DAY_MS), 'paused') : order;
  if (caughtUp.endedAt !== null) return completeIfOver(draft, caughtUp, order);
  const after: StandingOrder = { ...caughtUp, status: 'active', pausedReason: null, failuresInARow: 0 };
  return draft.update(after, 'standing_order.resumed', { status: order.status });
}

/** Payouts that it made go on. Refuses `resource_missing`, `standing_order_state_invalid`. */
export function cancelStandingOrder(draft: Draft, { standingOrder: id }: Named<'cancel_standing_order'>): Decision {
  const order = orderIn(draft, id, ['active', 'paused']);
  if (isRefusal(order)) return order;
  return cancelOrder(draft, order, 'requested');
}

function orderIn(draft: Draft, id: string, allowed: readonly StandingOrder['status'][]): StandingOrder | Refusal {
  const order = draft.find('standing_order', id);
  if (!order) return missing('standing order', id);
  const { status } = order;
  if (allowed.includes(status)) return order;
  const message = `Standing order ${id} is ${status}; this is possible only while it is ${allowed.join(' or ')}.`;
  return refusal('standing_order_state_invalid', message, { current_status: status, allowed });
}
