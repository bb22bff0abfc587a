/**
 * A planned day: a payout is made or refused, the order moves on, and the run is written down, in one commit. A second
 * command for the day finds the order moved on and changes nothing. Pure. Who sends it: `runs.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal } from '../../core/values/errors.ts';
import type { EventType } from '../../core/event-types.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import { orderPayout } from '../payouts/decide.ts';
import type { Payout } from '../payouts/fields.ts';
import { indexFrom, plannedDay, plannedDayWithin } from './calendar.ts';
import type { StandingOrder, StandingOrderRun } from './fields.ts';

/** The worker's command for one planned day. Harmless to repeat. */
export interface RunStandingOrder {
  readonly type: 'run_standing_order';
  readonly standingOrder: string;
  /** The planned day it is meant for; an order that has moved on stays as it is. */
  readonly plannedIndex: number;
  /** Wait before the settlement worker takes the payout's first step; `null` is never. */
  readonly settlementDelayMs: number | null;
}

/** Runs that made no payout, one after the other, after which an order is paused. */
const MOST_FAILURES_IN_A_ROW = 3;
/** Days older than that are not made up. */
const MAX_DAYS_BACK = 366;

/** Refuses `resource_missing`. A run that makes no payout is no refusal: it is an event. */
export function runStandingOrder(draft: Draft, command: RunStandingOrder): Decision {
  const order = draft.find('standing_order', command.standingOrder);
  if (!order) return missing('standing order', command.standingOrder);
  const { next: day, dueAt, plannedIndex, orderedBy } = order;
  const isDue = dueAt !== null && dueAt <= draft.atMs && plannedIndex === command.plannedIndex;
  if (!isDue || day === null || orderedBy !== draft.actor) return order; // another was faster, or it was changed
  if (order.status === 'paused') {
    const tomorrow = isoDay(draft.atMs + DAY_MS);
    return completeIfOver(draft, leaveOutUntil(draft, order, tomorrow, 'paused'), order);
  }
  const oldest = isoDay(draft.atMs - MAX_DAYS_BACK * DAY_MS);
  if (day < oldest) return completeIfOver(draft, leaveOutUntil(draft, order, oldest, 'too_old'), order);
  const { amount, currency, recipient, account, reference, statementDescriptor, speed, id: standingOrder } = order;
  const { referenceType, categoryPurpose, purpose } = order;
  const words = { reference, referenceType, statementDescriptor, externalId: null, metadata: undefined };
  const money = {
    amount,
    currency,
    recipient,
    account,
    scheduledOn: day,
    speed,
    standingOrder,
    categoryPurpose,
    purpose,
  };
  const payout = orderPayout(draft, { ...money, ...words }, null, command.settlementDelayMs);
  return isRefusal(payout) ? fail(draft, order, day, payout) : succeed(draft, order, day, payout);
}

function succeed(draft: Draft, order: StandingOrder, day: string, { id: payout }: Payout): StandingOrder {
  const madeUp = isoDay(draft.atMs) > day;
  writeDown(draft, order, { day, status: 'succeeded', madeUp, payout });
  const after: StandingOrder = {
    ...movedOn(draft, order, order.plannedIndex + 1),
    runsCount: order.runsCount + 1,
    lastRun: day,
    lastPayout: payout,
    lastFailure: null,
    failuresInARow: 0,
  };
  announce(draft, order, after, madeUp ? 'standing_order.run_made_up' : 'standing_order.run_succeeded');
  return completeIfOver(draft, after, order);
}

/** The third failure in a row pauses the order: somebody has to look at it. */
function fail(draft: Draft, order: StandingOrder, day: string, { code, message }: Refusal): StandingOrder {
  writeDown(draft, order, { day, status: 'failed', madeUp: isoDay(draft.atMs) > day, code, message });
  const failuresInARow = order.failuresInARow + 1;
  const moved: StandingOrder = {
    ...movedOn(draft, order, order.plannedIndex + 1),
    failedCount: order.failedCount + 1,
    lastRun: day,
    lastFailure: { planned_on: day, code, message },
    failuresInARow,
  };
  const isPaused = failuresInARow >= MOST_FAILURES_IN_A_ROW && moved.endedAt === null;
  const after: StandingOrder = isPaused ? { ...moved, status: 'paused', pausedReason: 'failures' } : moved;
  announce(draft, order, after, 'standing_order.run_failed');
  if (isPaused) draft.emit('standing_order.paused', after, { status: order.status });
  return completeIfOver(draft, after, order);
}

const WHY_LEFT_OUT = {
  paused: 'The standing order was paused.',
  too_old: 'It was more than a year back when the service was there again.',
} as const;

/** Leaves out the planned days before `day`, of which there is one at least: one event and one run for all of them. */
export function leaveOutUntil(
  draft: Draft,
  order: StandingOrder,
  day: string,
  why: keyof typeof WHY_LEFT_OUT,
): StandingOrder {
  const until = indexFrom(order, order.plannedIndex, day);
  const count = until - order.plannedIndex;
  const last = plannedDay(order, until - 1);
  const message = count === 1 ? WHY_LEFT_OUT[why] : `${count} planned days: ${WHY_LEFT_OUT[why]}`;
  writeDown(draft, { ...order, plannedIndex: until - 1 }, { day: last, status: 'skipped', madeUp: false, message });
  const moved = movedOn(draft, order, until);
  const after: StandingOrder = { ...moved, skippedCount: order.skippedCount + count, lastRun: last };
  announce(draft, order, after, 'standing_order.run_skipped');
  return after;
}

/** The order before its planned day of that number; behind the last one it is completed. */
function movedOn(draft: Draft, order: StandingOrder, plannedIndex: number): StandingOrder {
  const next = plannedDayWithin(order, plannedIndex);
  if (next !== null) return { ...order, plannedIndex, next, dueAt: dayStartMs(next) };
  const ended = { status: 'completed', pausedReason: null, next, dueAt: null, endedAt: draft.atMs } as const;
  return { ...order, plannedIndex, ...ended };
}

function announce(draft: Draft, before: StandingOrder, after: StandingOrder, event: EventType): void {
  draft.update(after, event, { next_run_on: before.next });
}

export function completeIfOver(draft: Draft, after: StandingOrder, before: StandingOrder): StandingOrder {
  if (after.status === 'completed') draft.emit('standing_order.completed', after, { status: before.status });
  return after;
}

type Written = Pick<StandingOrderRun, 'day' | 'status' | 'madeUp'> &
  Partial<Pick<StandingOrderRun, 'payout' | 'code' | 'message'>>;

function writeDown(draft: Draft, { id, plannedIndex }: StandingOrder, run: Written): void {
  draft.create({
    object: 'standing_order_run',
    id: draft.newId('sor'),
    standingOrder: id,
    number: plannedIndex + 1,
    payout: null,
    code: null,
    message: null,
    ...run,
    createdAt: draft.atMs,
  });
}
