/**
 * Random payouts, exchanges, approvals, cancels, failures and days under limits: what is used always equals a sum that is made without
 * the code, and no limit that refuses is ever passed. Controls: what is not given back, and what is counted today, are noticed.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Limit, NO_RULES } from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import type { Exchange } from '../../ledger/exchanges/fields.ts';
import type { Command } from '../../write/slices.ts';
import { given, givenAt } from '../../../test/support/harness/given.ts';
import { AT, account, idAt, payoutOrder, RECIPIENT, recipient } from '../../../test/support/harness/literals.ts';
import type { Payout } from './fields.ts';

const EUROS = account({ balance: 10_000_000n });
const POUNDS = account({ id: idAt('acct', 2), currency: 'GBP', balance: 10_000_000n });
const EMPTY = account({ id: idAt('acct', 3), balance: 0n });
const OTHER = recipient({ id: idAt('rcp', 2), createdAt: AT + 365 * DAY_MS }); // new, so its payouts are held
const base = { currency: 'EUR', allCurrencies: false, count: null, of: null, action: 'refuse', createdAt: AT } as const;
const LIMITS: readonly Limit[] = [
  { ...base, id: idAt('lim', 1), amount: 1_000n, per: 'environment' },
  { ...base, id: idAt('lim', 2), amount: 900n, currency: 'GBP', per: 'account', of: POUNDS.id },
  { ...base, id: idAt('lim', 3), amount: 800n, per: 'recipient' },
  { ...base, id: idAt('lim', 4), amount: 600n, per: 'key', action: 'hold' },
  { ...base, id: idAt('lim', 5), amount: null, currency: null, allCurrencies: true, count: 5, per: 'environment' },
];

type Kind =
  | 'pay'
  | 'convert'
  | 'wait'
  | 'exchange'
  | 'cancel'
  | 'fail'
  | 'leave'
  | 'return'
  | 'approve'
  | 'fund'
  | 'move'
  | 'day';
interface Step {
  readonly kind: Kind;
  readonly amount: number;
  readonly days: number;
  readonly which: number;
}
const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom<Kind>(
      'pay',
      'pay',
      'convert',
      'wait',
      'exchange',
      'cancel',
      'fail',
      'leave',
      'return',
      'approve',
      'fund',
      'move',
      'day',
    ),
    amount: fc.integer({ min: 1, max: 500 }),
    days: fc.integer({ min: 0, max: 2 }),
    which: fc.nat(50),
  }),
  { minLength: 20, maxLength: 60 },
);

function commandOf({ kind, amount, days, which }: Step, state: State, atMs: number): Command | null {
  const scheduledOn = days === 0 ? null : isoDay(atMs + days * DAY_MS);
  const to = which % 3 === 0 ? OTHER.id : RECIPIENT;
  const money = BigInt(amount);
  const settlementDelayMs = 3000;
  const pair = {
    sellCurrency: 'GBP',
    buyCurrency: 'EUR',
    rate: { midRate: '1.25', markupBps: 0, source: 'sandbox', at: AT },
  };
  const create = (fields: Parameters<typeof payoutOrder>[0]): Command => ({
    type: 'create_payout',
    order: payoutOrder({ amount: money, recipient: to, scheduledOn, account: EUROS.id, ...fields }),
    settlementDelayMs,
  });
  if (kind === 'pay') return create({});
  if (kind === 'wait') return create({ account: EMPTY.id, waiting: { until: null } });
  if (kind === 'convert')
    return create({ conversion: { account: POUNDS.id, quote: null, ...pair, amount: money, fixedSide: 'buy' } });
  if (kind === 'exchange') {
    const accounts = { sellAccount: POUNDS.id, buyAccount: EUROS.id };
    return {
      type: 'create_exchange',
      quote: null,
      ...pair,
      ...accounts,
      amount: money,
      fixedSide: 'sell',
      metadata: undefined,
    };
  }
  const ids = [...state.tables.payout.keys()];
  const payout = ids[which % Math.max(ids.length, 1)];
  if (payout === undefined) return null;
  const step = (end: 'failed' | 'in_transit' | 'returned'): Command => ({
    type: 'step_payout',
    payout,
    to: end,
    failureCode: 'account_closed',
    nextDelayMs: null,
  });
  if (kind === 'cancel') return { type: 'cancel_payout', payout };
  if (kind === 'fail') return step('failed');
  if (kind === 'leave') return step('in_transit');
  if (kind === 'return') return step('returned');
  if (kind === 'fund') return { type: 'fund_payout', payout, settlementDelayMs };
  if (kind === 'move')
    return {
      type: 'update_payout',
      payout,
      scheduledOn,
      reference: undefined,
      metadata: undefined,
      settlementDelayMs,
    };
  return { type: 'approve_payout', payout, fingerprint: null, settlementDelayMs, as: 'second_person' };
}

/** What counts, as the guide says it: day, and what leaves and arrives in each currency. */
interface Counted {
  readonly day: string;
  readonly currency: string;
  readonly leaves: number;
  readonly arrives: { readonly to: string; readonly amount: number } | null;
}

function usedOf(
  { id, currency, per, of }: Limit,
  counted: readonly Counted[],
  from: string,
): Record<string, [number, number]> {
  const sums: Record<string, [number, number]> = {};
  for (const { day, currency: own, leaves, arrives } of counted) {
    if (day < from || (currency !== null && currency !== own)) continue;
    if (arrives === null && (per === 'recipient' || currency === null)) continue;
    if (per === 'account' && of === POUNDS.id && own !== 'GBP') continue;
    const key = `${id} ${per === 'recipient' ? arrives?.to : ''} ${day}`;
    const [amount, count] = sums[key] ?? [0, 0];
    const added = per === 'recipient' ? (arrives?.amount ?? 0) : leaves;
    sums[key] = [amount + (currency === null ? 0 : added), count + (arrives === null ? 0 : 1)];
  }
  return sums;
}

/** What the rows say, of today and later; days without anything are left out. */
function rowsOf({ tables }: State, { id, per }: Limit, from: string): Record<string, [number, number]> {
  const rows = [...tables.limit_usage.values()].filter(({ limit, day }) => limit === id && day >= from);
  const used = rows.filter(({ usedAmount, usedCount }) => usedAmount > 0n || usedCount > 0);
  return Object.fromEntries(
    used.map(({ subject, day, usedAmount, usedCount }) => {
      return [`${id} ${per === 'recipient' ? subject : ''} ${day}`, [Number(usedAmount), usedCount]];
    }),
  );
}

const isFree = ({ status, release }: Payout) =>
  status === 'pending' && (release === null || release.status === 'approved');

interface Tally {
  accepted: number;
  exceeded: number;
}

/** Throws where rows and sums differ, or a limit is passed. `tamper`: what a fault would do to the rows after a command. */
function check(
  all: readonly Step[],
  tally: Tally,
  tamper: (state: State, command: Command) => void = () => undefined,
): void {
  const { state } = given(EUROS, POUNDS, EMPTY, recipient(), OTHER);
  state.environment = { ...state.environment, payoutRules: { ...NO_RULES, holdNewRecipientsHours: 1, limits: LIMITS } };
  state.hasUsages = true;
  let atMs = AT;
  const exchanges: Counted[] = [];
  const payouts = new Map<string, Counted>();
  for (const each of all) {
    atMs += each.kind === 'day' ? DAY_MS : 60_000;
    if (each.kind === 'fund') state.put({ ...(state.tables.account.get(EMPTY.id) ?? EMPTY), balance: 1_000_000n });
    const command = each.kind === 'day' ? null : commandOf(each, state, atMs);
    const before = new Map(state.tables.payout);
    const known = new Set(state.tables.exchange.keys());
    if (command !== null) {
      const outcome = Object.assign(givenAt(atMs, recipient(), OTHER), { state }).when(command);
      if (outcome.refusal === undefined) tally.accepted += 1;
      else if (outcome.refusal.code === 'limit_exceeded') tally.exceeded += 1;
      if (outcome.refusal === undefined) tamper(state, command);
    }
    if (each.kind === 'fund') state.put({ ...(state.tables.account.get(EMPTY.id) ?? EMPTY), balance: 0n });
    const today = isoDay(atMs);
    for (const exchange of state.tables.exchange.values()) {
      if (!known.has(exchange.id)) exchanges.push(sale(exchange, today));
    }
    for (const payout of state.tables.payout.values()) {
      const was = before.get(payout.id);
      if (isFree(payout) && (was === undefined || !isFree(was) || was.scheduledOn !== payout.scheduledOn)) {
        const day = payout.scheduledOn !== null && payout.scheduledOn > today ? payout.scheduledOn : today;
        const amount = Number(payout.amount);
        const leaves = payout.exchange === null ? amount : 0;
        payouts.set(payout.id, { day, currency: 'EUR', leaves, arrives: { to: payout.recipient, amount } });
      } else if (was && isFree(was) && !isFree(payout) && payout.inTransitAt === null) payouts.delete(payout.id);
    }
    for (const limit of LIMITS) {
      const used = rowsOf(state, limit, today);
      expect(used).toEqual(usedOf(limit, [...exchanges, ...payouts.values()], today));
      if (limit.action === 'hold') continue;
      for (const [amount, count] of Object.values(used)) {
        if (limit.amount !== null) expect(amount).toBeLessThanOrEqual(Number(limit.amount));
        if (limit.count !== null) expect(count).toBeLessThanOrEqual(limit.count);
      }
    }
  }
}

const sale = ({ sellCurrency: currency, sellAmount }: Exchange, day: string): Counted => ({
  day,
  currency,
  leaves: Number(sellAmount),
  arrives: null,
});

const RUNS = { seed: 1, numRuns: 60 };

it('what is used equals an independent sum, and no limit is passed', () => {
  const tally: Tally = { accepted: 0, exceeded: 0 };
  fc.assert(
    fc.property(steps, (all) => check(all, tally)),
    RUNS,
  );
  expect(tally.accepted).toBeGreaterThan(1_000);
  expect(tally.exceeded).toBeGreaterThan(50);
});

it.each([
  [
    'keeps what was canceled',
    (state: State, command: Command) => {
      if (command.type !== 'cancel_payout') return;
      for (const { usage, amount, day } of state.tables.payout.get(command.payout)?.shares ?? []) {
        const row = state.tables.limit_usage.get(usage);
        if (row?.day === day)
          state.put({ ...row, usedAmount: row.usedAmount + BigInt(amount), usedCount: row.usedCount + 1 });
      }
    },
  ],
  [
    'counts nothing that is sold',
    (state: State, command: Command) => {
      if (command.type !== 'create_exchange') return;
      for (const row of state.tables.limit_usage.values())
        if (row.limit === LIMITS[1]?.id) state.put({ ...row, usedAmount: 0n });
    },
  ],
])('control: a service that %s is noticed', (_, tamper) => {
  const property = fc.property(steps, (all) => check(all, { accepted: 0, exceeded: 0 }, tamper));
  expect(() => fc.assert(property, { ...RUNS, endOnFailure: true })).toThrow(/Property failed/);
});
