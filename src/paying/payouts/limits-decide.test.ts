/** Decisions under limits, given / when / then: what counts, how much, on which day, and what is given back. */
import { describe, expect, it } from 'vitest';
import type { LimitUsage } from '../../core/limits.ts';
import type { StoredObject } from '../../core/objects.ts';
import { type Limit, NO_RULES, type PayoutRules } from '../../core/payout-rules.ts';
import { dayEndMs } from '../../core/rails/execution-day.ts';
import type { State } from '../../core/state.ts';
import type { Command } from '../../write/slices.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { given, givenAt } from '../../../test/support/harness/given.ts';
import {
  ACCOUNT,
  AT,
  account,
  dayLimit as limit,
  idAt,
  LIMIT,
  payoutOrder,
  recipient,
} from '../../../test/support/harness/literals.ts';
import type { StepPayout } from './connector-decide.ts';
import type { CreatePayout, PayoutOrder } from './decide.ts';
import type { CreateExchange } from '../../ledger/exchanges/decide.ts';

function limited(limits: readonly Limit[], objects: readonly StoredObject[] = [], rules: Partial<PayoutRules> = {}) {
  const world = given(account(), recipient(), ...objects);
  world.state.environment = { ...world.state.environment, payoutRules: { ...NO_RULES, ...rules, limits } };
  world.state.hasUsages = true;
  return world;
}
/** Goes on in the same state so many days later. */
function onDay(state: State, days: number) {
  const world = givenAt(AT + days * DAY_MS);
  return Object.assign(world, { state });
}
/** What is used of the limits, by limit and day. */
const used = (state: State, id = LIMIT) =>
  [...state.tables.limit_usage.values()]
    .filter((usage: LimitUsage) => usage.limit === id)
    .map(({ day, usedAmount, usedCount }) => [day, usedAmount, usedCount]);
const TODAY = '2026-03-14';
const pay = (fields: Partial<PayoutOrder> = {}): CreatePayout => ({
  type: 'create_payout',
  order: payoutOrder(fields),
  settlementDelayMs: 3000,
});
const pounds = account({ id: idAt('acct', 2), currency: 'GBP' });
const rate = { midRate: '1.25', markupBps: 0, source: 'sandbox', at: AT };
const pair = { sellCurrency: 'GBP', buyCurrency: 'EUR', rate } as const;
const exchange = (amount: bigint): CreateExchange => ({
  type: 'create_exchange',
  quote: null,
  ...pair,
  amount,
  fixedSide: 'sell',
  sellAccount: null,
  buyAccount: null,
  metadata: undefined,
});
const converted = (amount: bigint) =>
  pay({ amount, conversion: { account: null, quote: null, ...pair, amount, fixedSide: 'buy' } });
const inPounds = (fields: Partial<Limit> = {}) => limit({ currency: 'GBP', ...fields });

describe('what leaves', () => {
  it.each([
    ['an environment', inPounds()],
    ['an account', inPounds({ per: 'account', of: pounds.id })],
    ['each key', inPounds({ per: 'key' })],
  ])('%s is what is sold: by an exchange, and by a payout that is converted', (_, only) => {
    const one = limited([only], [pounds]).when(exchange(30_000n));
    expect(used(one.state)).toEqual([[TODAY, 30_000n, 0]]);
    const two = one.when(converted(20_000n)); // sells 160.00 GBP
    expect(used(two.state)).toEqual([[TODAY, 46_000n, 0]]);
    two.when(converted(5_001n)).thenRefuses('limit_exceeded', { available_minor: 4_000n, resource_id: LIMIT });
    two.when(exchange(4_001n)).thenRefuses('limit_exceeded', { available_minor: 4_000n });
    two.when(exchange(4_000n)).thenAccepts({});
  });

  it('in the bought currency is nothing, of the account that buys too', () => {
    const of = { amount: 1n, of: ACCOUNT, per: 'account' } as const;
    const done = limited([limit({ amount: 1n }), limit({ id: idAt('lim', 2), ...of })], [pounds]).when(
      exchange(1_000n),
    );
    done.thenAccepts({}).when(converted(1_000n)).thenAccepts({});
    expect(used(done.state)).toEqual([[TODAY, 0n, 1]]); // it is a payout in euros
  });

  it('to a recipient is what arrives', () => {
    const done = limited([limit({ per: 'recipient' }), inPounds({ id: idAt('lim', 2), per: 'recipient' })], [pounds]);
    const after = done.when(exchange(1_000n)).when(converted(20_000n));
    expect(used(after.state)).toEqual([[TODAY, 20_000n, 1]]);
    expect(used(after.state, idAt('lim', 2))).toEqual([]);
  });

  it('is refused where an exchange would have to wait for a second person; a count does not count it', () => {
    const holding = [
      inPounds({ action: 'hold' }),
      inPounds({ id: idAt('lim', 2), amount: null, count: 0, action: 'hold' }),
    ];
    const world = limited(holding, [pounds]);
    world.when(exchange(50_000n)).thenAccepts({}).when(exchange(1n)).thenRefuses('limit_exceeded');
  });
});

describe('a limit of recipients', () => {
  it('goes by the account, also once the recipient has another one', () => {
    const two = recipient({ id: idAt('rcp', 2) });
    const other = recipient({ id: idAt('rcp', 3), bankDetails: { iban: 'DE02120300000000202051' } });
    const world = limited([limit({ per: 'recipient' })], [two, other, account({ balance: 1_000_000n })]);
    world.state.accountOf = ({ iban = null }) => iban;
    const outcome = world.when(pay({ amount: 30_000n }));
    outcome.when(pay({ amount: 20_001n, recipient: two.id })).thenRefuses('limit_exceeded');
    outcome.when(pay({ amount: 50_000n, recipient: other.id })).thenAccepts({});
    outcome.state.put(recipient({ version: 4, bankDetails: { iban: 'DE75512108001245126199' } }));
    outcome.when(pay({ amount: 20_001n })).thenAccepts({});
  });
});

describe('what never left', () => {
  const step = (payout: string, to: StepPayout['to']): StepPayout => ({
    type: 'step_payout',
    payout,
    to,
    failureCode: to === 'failed' || to === 'returned' ? 'account_closed' : null,
    nextDelayMs: null,
  });
  const made = (world = limited([limit()])) => {
    const outcome = world.when(pay({ amount: 20_000n })).when(pay({ amount: 30_000n }));
    expect(used(outcome.state)).toEqual([[TODAY, 50_000n, 2]]);
    return { outcome, id: outcome.reply.id };
  };

  it('gives its share back: canceled, or failed before it left', () => {
    const { outcome, id } = made();
    outcome.when(pay({ amount: 1n })).thenRefuses('limit_exceeded');
    const canceled = outcome.when({ type: 'cancel_payout', payout: id });
    expect(used(canceled.state)).toEqual([[TODAY, 20_000n, 1]]);
    const again = canceled.when(pay({ amount: 30_000n })).when(pay({ amount: 1n }));
    again.thenRefuses('limit_exceeded');
    const other = made();
    expect(used(other.outcome.when(step(other.id, 'failed')).state)).toEqual([[TODAY, 20_000n, 1]]);
  });

  it('but not what failed or came back after it had left', () => {
    for (const to of ['failed', 'returned'] as const) {
      const { outcome, id } = made();
      const left = outcome.when(step(id, to === 'failed' ? 'in_transit' : 'paid')).when(step(id, to));
      left.thenAccepts({ now: { [id]: { status: to } } });
      expect(used(left.state)).toEqual([[TODAY, 50_000n, 2]]);
    }
  });

  it('does not give back what was sold for it: the exchange stands', () => {
    const world = limited([inPounds(), limit({ id: idAt('lim', 2), per: 'recipient' })], [pounds]);
    const outcome = world.when(converted(20_000n));
    const canceled = outcome.when({ type: 'cancel_payout', payout: outcome.reply.id });
    expect(used(canceled.state)).toEqual([[TODAY, 16_000n, 0]]);
    expect(used(canceled.state, idAt('lim', 2))).toEqual([[TODAY, 0n, 0]]);
  });

  it('of a limit that is gone, or that came later, changes nothing', () => {
    const { outcome, id } = made();
    const rules = outcome.state.environment.payoutRules ?? NO_RULES;
    outcome.state.environment = {
      ...outcome.state.environment,
      payoutRules: { ...rules, limits: [limit({ id: idAt('lim', 2) })] },
    };
    outcome.when({ type: 'cancel_payout', payout: id }).thenAccepts({ now: { [id]: { status: 'canceled' } } });
    expect(used(outcome.state, idAt('lim', 2))).toEqual([]);
  });
});

describe('the day', () => {
  const MONDAY = '2026-03-16';
  const later = (fields: Partial<PayoutOrder> = {}) => pay({ scheduledOn: MONDAY, amount: 30_000n, ...fields });

  it('of a planned payout is the one on which it leaves', () => {
    const outcome = limited([limit()], [account({ balance: 1_000_000n })]).when(later());
    expect(used(outcome.state)).toEqual([[MONDAY, 30_000n, 1]]);
    const today = outcome.when(pay({ amount: 50_000n }));
    expect(used(today.state)).toEqual([
      [MONDAY, 30_000n, 1],
      [TODAY, 50_000n, 1],
    ]);
    const refused = today.when(later({ amount: 20_001n }));
    refused.thenRefuses('limit_exceeded', { available_minor: 20_000n });
    expect(refused.refusal?.message).toContain(`are used on ${MONDAY}`);
    today.when(pay({ amount: 1n })).thenRefuses('limit_exceeded');
    const canceled = today.when({ type: 'cancel_payout', payout: outcome.reply.id });
    expect(used(canceled.state)).toContainEqual([MONDAY, 0n, 0]);
  });

  it('begins in the time zone of the rules', () => {
    const world = limited([limit()], [], { timeZone: 'Pacific/Pago_Pago' }); // eleven hours behind
    const outcome = world.when(pay({ amount: 50_000n }));
    expect(used(outcome.state)).toEqual([['2026-03-13', 50_000n, 1]]);
    outcome.when(pay({ amount: 1n })).thenRefuses('limit_exceeded');
    onDay(outcome.state, 1 / 12)
      .when(pay({ amount: 1n }))
      .thenAccepts({});
    expect(used(outcome.state)).toEqual([[TODAY, 1n, 1]]);
  });

  it('ends at midnight there, also where the clocks change', () => {
    const end = (day: string, zone: string) => new Date(dayEndMs(day, zone)).toISOString();
    expect(end('2026-03-28', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z');
    expect(end('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
    expect(end('2026-10-25', 'Europe/Berlin')).toBe('2026-10-25T23:00:00.000Z');
    expect(end('2026-03-14', 'Pacific/Kiritimati')).toBe('2026-03-14T10:00:00.000Z');
    expect(end('2026-03-14', 'Pacific/Pago_Pago')).toBe('2026-03-15T11:00:00.000Z');
    expect(end('2026-03-14', 'Asia/Kathmandu')).toBe('2026-03-14T18:15:00.000Z');
    expect(end('2026-03-14', 'UTC')).toBe('2026-03-15T00:00:00.000Z');
  });

  it('moves with the payout, if the other day has room', () => {
    const move = (payout: string, scheduledOn: string | null): Command => ({
      type: 'update_payout',
      payout,
      scheduledOn,
      reference: undefined,
      metadata: undefined,
      settlementDelayMs: 3000,
    });
    const outcome = limited([limit()]).when(later());
    const { id } = outcome.reply;
    const full = outcome.when(pay({ amount: 20_001n }));
    full.when(move(id, null)).thenRefuses('limit_exceeded');
    const moved = full.when(move(id, '2026-03-17'));
    expect(used(moved.state)).toEqual([
      [MONDAY, 0n, 0],
      [TODAY, 20_001n, 1],
      ['2026-03-17', 30_000n, 1],
    ]);
    const holding = limited([limit({ action: 'hold' })]).when(later());
    const onto = holding.when(pay({ amount: 20_001n })).when(move(holding.reply.id, null));
    onto.thenAccepts({
      reply: { release: { status: 'held', reasons: [LIMIT] }, shares: null, dueAt: null },
      events: ['payout.updated', 'payout.held'],
    });
    expect(used(onto.state)).toContainEqual([MONDAY, 0n, 0]);
  });

  it('of a payout that waits for money is that on which the money comes', () => {
    const waits = pay({ amount: 40_000n, waiting: { until: null } });
    const empty = limited([limit()], [account({ balance: 0n })]);
    empty.when(pay({ amount: 50_001n, waiting: { until: null } })).thenRefuses('limit_exceeded');
    const outcome = empty.when(waits).when(waits); // both would be too much for one day
    expect(used(outcome.state)).toEqual([]);
    outcome.state.put(account());
    const [first, second] = [...outcome.state.tables.payout.keys()] as [string, string];
    const fund = (payout: string): Command => ({ type: 'fund_payout', payout, settlementDelayMs: 3000 });
    const funded = outcome.when(fund(first));
    expect(used(funded.state)).toEqual([[TODAY, 40_000n, 1]]);
    funded.when(fund(second)).thenRefuses('limit_exceeded', { available_minor: 10_000n });
    onDay(funded.state, 1)
      .when(fund(second))
      .thenAccepts({ now: { [second]: { status: 'pending' } } });
    expect(used(funded.state)).toEqual([['2026-03-15', 40_000n, 1]]); // the row of a day that is over is used again
  });

  it('is held then, where the limit holds', () => {
    const waits = pay({ amount: 60_000n, waiting: { until: null } });
    const outcome = limited([limit({ action: 'hold' })], [account({ balance: 0n })]).when(waits);
    outcome.thenAccepts({ reply: { status: 'waiting', release: null } });
    outcome.state.put(account());
    outcome.when({ type: 'fund_payout', payout: outcome.reply.id, settlementDelayMs: 3000 }).thenAccepts({
      reply: { status: 'pending', release: { status: 'held', reasons: [LIMIT] }, shares: null, dueAt: null },
      events: ['balance.updated', 'payout.funded', 'payout.held'],
    });
  });

  it('of a held payout is that on which it is approved; what refuses, refuses then', () => {
    const hours = { holdNewRecipientsHours: 720 };
    const outcome = limited([limit(), limit({ id: idAt('lim', 2), action: 'hold', amount: 1n })], [], hours)
      .when(pay({ amount: 30_000n }))
      .thenAccepts({ reply: { release: { reasons: ['new_recipient'] } } });
    const two = outcome.when(pay({ amount: 30_000n }));
    expect(used(two.state)).toEqual([]);
    const approve = (payout: string): Command => ({
      type: 'approve_payout',
      payout,
      fingerprint: null,
      settlementDelayMs: 3000,
      as: 'second_person',
    });
    const approved = two.when(approve(outcome.reply.id));
    approved.thenAccepts({ reply: { release: { status: 'approved' } } });
    expect(used(approved.state)).toEqual([[TODAY, 30_000n, 1]]);
    approved.when(approve(two.reply.id)).thenRefuses('limit_exceeded', { resource_id: LIMIT });
    onDay(approved.state, 1)
      .when(approve(two.reply.id))
      .thenAccepts({ reply: { release: { status: 'approved' } } });
    expect(used(approved.state)).toEqual([['2026-03-15', 30_000n, 1]]);
  });

  it('of a limit that is younger than the payout is that on which it leaves: it stays, or is held', () => {
    const setLimits = (state: State, ...limits: readonly Limit[]) => {
      state.environment = { ...state.environment, payoutRules: { ...NO_RULES, limits } };
      state.hasUsages = true;
    };
    const leave = (payout: string): StepPayout => ({
      type: 'step_payout',
      payout,
      to: 'in_transit',
      failureCode: null,
      nextDelayMs: null,
    });
    const outcome = given(account(), recipient()).when(pay());
    const { id } = outcome.reply;
    const younger = { createdAt: AT + DAY_MS };
    setLimits(outcome.state, limit({ amount: 1n, createdAt: AT - 1 }));
    onDay(outcome.state, 2).when(leave(id)).thenAccepts({});
    const again = given(account(), recipient()).when(pay());
    setLimits(again.state, limit({ amount: 24_999n, ...younger }));
    onDay(again.state, 2).when(leave(again.reply.id)).thenRefuses('limit_exceeded');
    setLimits(again.state, limit({ amount: 24_999n, action: 'hold', ...younger }));
    onDay(again.state, 2)
      .when(leave(again.reply.id))
      .thenAccepts({
        reply: { status: 'pending', release: { status: 'held', reasons: [LIMIT] }, dueAt: null },
        events: ['payout.held'],
      });
    const fits = given(account(), recipient()).when(pay());
    setLimits(fits.state, limit(younger));
    onDay(fits.state, 2)
      .when(leave(fits.reply.id))
      .thenAccepts({ reply: { status: 'in_transit' } });
    expect(used(fits.state)).toEqual([[MONDAY, 25_000n, 1]]);
  });
});
