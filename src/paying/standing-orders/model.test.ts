/**
 * Random lives of standing orders against a small model that was written from the guide and shares no code with the decisions: days
 * pass, money comes and goes, somebody pauses, resumes, changes, cancels, and the worker comes early, late, twice or not at all.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply, State } from '../../core/state.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import {
  account,
  ACCOUNT,
  AT,
  environment,
  idAt,
  recipient,
  seededIds,
  standingOrder,
} from '../../../test/support/harness/literals.ts';
import { SlowCalendar } from '../../../test/support/model/slow-calendar.ts';
import { type Command, decide as realDecide } from '../../write/slices.ts';
import { INTERVALS } from './calendar.ts';

const ORDER = idAt('so', 1);
const ORIGIN = { actor: 'worker' as const, requestId: null, idempotencyKey: null };
type End = { readonly last: string | null; readonly count: number | null };

type Step =
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'work'; readonly twice: boolean }
  | { readonly kind: 'pause' | 'resume' | 'cancel' }
  | { readonly kind: 'fund'; readonly amount: number }
  | { readonly kind: 'amount'; readonly amount: number }
  | { readonly kind: 'end'; readonly count: number | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('days' as const),
      days: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(90, 500)),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('work' as const), twice: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('fund' as const), amount: fc.integer({ min: 1, max: 3000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('amount' as const), amount: fc.integer({ min: 1, max: 900 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      count: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
    }),
  },
);

const life = fc.record({
  interval: fc.constantFrom(...INTERVALS),
  intervalCount: fc.integer({ min: 1, max: 3 }),
  startsIn: fc.constantFrom(0, 1, 17, 20),
  end: fc.oneof(
    fc.constant({ last: null, count: null }),
    fc.integer({ min: 1, max: 30 }).map((count) => ({ last: null, count })),
    fc.integer({ min: 20, max: 400 }).map((days) => ({ last: isoDay(AT + days * DAY_MS), count: null })),
  ),
  steps: fc.array(step, { minLength: 5, maxLength: 25 }),
});
/** As far as a planned day may be ahead of the clock: three years. */
const MORE_DAYS = 3 * 366;
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

/** What the guide says. */
class Model {
  status = 'active';
  index = 0;
  balance = 2_000;
  amount = 500;
  end: End;
  failures = 0;
  readonly payouts: string[] = [];
  readonly events: string[] = [];
  private readonly days: readonly string[];

  constructor(days: readonly string[], end: End) {
    this.days = days;
    this.end = end;
  }

  get next(): string | null {
    if (this.status === 'completed' || this.status === 'canceled') return null;
    return this.planned(this.index);
  }

  private planned(index: number): string | null {
    const day = this.days[index] as string;
    const isOver =
      (this.end.count !== null && index >= this.end.count) || (this.end.last !== null && day > this.end.last);
    return isOver ? null : day;
  }

  work(today: string, oldest: string): void {
    for (let day = this.next; day !== null && day <= today; day = this.next) {
      if (this.status === 'paused') this.skip((each) => each <= today);
      else if (day < oldest) this.skip((each) => each < oldest);
      else this.pay(day, today);
      this.complete();
    }
  }

  private pay(day: string, today: string): void {
    this.index += 1;
    if (this.balance >= this.amount) {
      this.balance -= this.amount;
      this.failures = 0;
      this.payouts.push(`${day} ${this.amount}`);
      this.events.push(day < today ? 'run_made_up' : 'run_succeeded');
      return;
    }
    this.failures += 1;
    this.events.push('run_failed');
    if (this.failures < 3 || this.planned(this.index) === null) return;
    this.status = 'paused';
    this.events.push('paused');
  }

  private skip(isLeftOut: (day: string) => boolean): void {
    for (let day = this.planned(this.index); day !== null && isLeftOut(day); day = this.planned(this.index))
      this.index += 1;
    this.events.push('run_skipped');
  }

  private complete(): void {
    if (this.planned(this.index) !== null) return;
    this.status = 'completed';
    this.events.push('completed');
  }

  act(kind: 'pause' | 'resume' | 'cancel', today: string): boolean {
    if (
      this.next === null ||
      (kind === 'pause' && this.status !== 'active') ||
      (kind === 'resume' && this.status !== 'paused')
    )
      return false;
    if (kind === 'resume' && this.next <= today) this.skip((each) => each <= today);
    if (kind === 'resume' && this.planned(this.index) === null) {
      this.complete();
      return true;
    }
    if (kind === 'resume') this.failures = 0;
    this.status = { pause: 'paused', resume: 'active', cancel: 'canceled' }[kind];
    this.events.push({ pause: 'paused', resume: 'resumed', cancel: 'canceled' }[kind]);
    return true;
  }

  change(change: { readonly amount?: number; readonly end?: End }): boolean {
    if (this.next === null) return false;
    const before = this.end;
    if (change.end) this.end = change.end;
    if (this.planned(this.index) === null) {
      this.end = before;
      return false;
    }
    const isOther =
      (change.amount ?? this.amount) !== this.amount ||
      this.end.count !== before.count ||
      this.end.last !== before.last;
    this.amount = change.amount ?? this.amount;
    if (isOther) this.events.push('updated');
    return true;
  }
}

function live(
  { interval, intervalCount, startsIn, end, steps }: Life,
  decide: typeof realDecide = realDecide,
): readonly string[] {
  const first = isoDay(AT + startsIn * DAY_MS);
  const daysInAll = steps.reduce((sum, each) => sum + (each.kind === 'days' ? each.days : 0), startsIn + MORE_DAYS);
  const shortest = { day: 1, week: 7, month: 28, year: 365 }[interval] * intervalCount;
  const days = new SlowCalendar({ first, interval, intervalCount }).planned(Math.ceil(daysInAll / shortest));
  const model = new Model(days, end);
  if (end.last !== null && end.last < first) return [];
  const state = new State(environment());
  state.put(account({ balance: 2_000n }));
  state.put(recipient());
  state.put(
    standingOrder({ interval, intervalCount, first, next: first, ...end, amount: 500n, dueAt: Date.parse(first) }),
  );
  let atMs = AT;
  const send = (command: Command): boolean => {
    atMs += 1000;
    const decided = decide(command, state, { atMs, ids: seededIds(atMs), actor: 'worker' });
    if (decided.accepted) apply(state, decided.changes, ORIGIN);
    return decided.accepted;
  };
  const order = () => state.tables.standing_order.get(ORDER);
  const run = (plannedIndex: number) =>
    send({ type: 'run_standing_order', standingOrder: ORDER, plannedIndex, settlementDelayMs: null });
  for (const each of steps) {
    const today = isoDay(atMs);
    if (each.kind === 'days') atMs += each.days * DAY_MS;
    else if (each.kind === 'work') {
      model.work(today, isoDay(atMs - 366 * DAY_MS));
      for (let now = order(); now && (now.dueAt ?? Infinity) <= atMs; now = order()) {
        run(now.plannedIndex);
        if (each.twice) run(now.plannedIndex);
      }
    } else if (each.kind === 'fund') {
      send({ type: 'fund_account', account: ACCOUNT, amount: String(each.amount / 100) });
      model.balance += each.amount;
    } else if (each.kind === 'amount' || each.kind === 'end') {
      const newEnd = each.kind === 'end' ? { last: null, count: each.count } : undefined;
      const amount = each.kind === 'amount' ? each.amount : undefined;
      const codes = { referenceType: null, categoryPurpose: undefined, purpose: undefined };
      const texts = { reference: undefined, statementDescriptor: undefined, metadata: undefined, ...codes };
      const written = amount === undefined ? undefined : (amount / 100).toFixed(2);
      const isAccepted = send({
        type: 'update_standing_order',
        standingOrder: ORDER,
        ...texts,
        amount: written,
        end: newEnd,
      });
      expect(isAccepted).toBe(
        model.change({ ...(amount !== undefined && { amount }), ...(newEnd && { end: newEnd }) }),
      );
    } else {
      expect(send({ type: `${each.kind}_standing_order`, standingOrder: ORDER })).toBe(model.act(each.kind, today));
    }
    const now = order();
    expect({ status: now?.status, next: now?.next, index: now?.plannedIndex }).toEqual({
      status: model.status,
      next: model.next,
      index: model.index,
    });
  }
  expect([...state.tables.payout.values()].map(({ scheduledOn, amount }) => `${scheduledOn} ${amount}`)).toEqual(
    model.payouts,
  );
  const announced = state.events.map(({ event }) => event.type).filter((type) => type.startsWith('standing_order.'));
  expect(announced).toEqual(model.events.map((event) => `standing_order.${event}`));
  expect(state.tables.account.get(ACCOUNT)?.balance).toBe(BigInt(model.balance));
  const { runsCount = 0, failedCount = 0, skippedCount = 0, plannedIndex = 0 } = order() ?? {};
  expect(runsCount + failedCount + skippedCount).toBe(plannedIndex);
  return model.events;
}

it('any life of an order is that of the model', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(life, (each) => {
      for (const event of live(each)) seen.add(event);
    }),
    { numRuns: 2_000, seed: 38 },
  );
  expect([...seen].sort()).toEqual([
    'canceled',
    'completed',
    'paused',
    'resumed',
    'run_failed',
    'run_made_up',
    'run_skipped',
    'run_succeeded',
    'updated',
  ]); // a run was worth something
});

it('control: an order that takes a day again when it is asked twice is found out', () => {
  const forgetful: typeof realDecide = (command, state, context) => {
    const order = state.tables.standing_order.get(ORDER);
    const plannedIndex = order?.plannedIndex ?? 0;
    if (
      command.type !== 'run_standing_order' ||
      !order ||
      command.plannedIndex === plannedIndex ||
      order.next === null
    ) {
      return realDecide(command, state, context);
    }
    state.tables.standing_order.set(ORDER, { ...order, dueAt: 0 });
    return realDecide({ ...command, plannedIndex }, state, context);
  };
  expect(
    fc.check(
      fc.property(life, (each) => void live(each, forgetful)),
      { numRuns: 2_000, seed: 38 },
    ).failed,
  ).toBe(true);
});
