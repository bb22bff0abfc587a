/**
 * Random payouts, exchanges, approvals, cancels and days under limits in all currencies while rates move, against a model in fractions that
 * shares no code. Controls: values that are rounded down, or given back at the rates of now, are noticed.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Limit } from '../../core/payout-rules.ts';
import type { State } from '../../core/state.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';
import type { Command } from '../../write/slices.ts';
import {
  approve,
  cancel,
  converted,
  limit,
  limited,
  pay,
  sell,
  setRates,
  step,
} from '../../../test/support/harness/currencies.ts';
import { givenAt } from '../../../test/support/harness/given.ts';
import { AT, idAt } from '../../../test/support/harness/literals.ts';
import type { Payout } from './fields.ts';

const LIMITS: readonly Limit[] = [
  limit({ amount: 10_000n }),
  limit({ id: idAt('lim', 2), currency: 'JPY', amount: 6_000n, per: 'recipient' }),
  limit({ id: idAt('lim', 3), currency: 'KWD', amount: 8_000n, per: 'key', action: 'hold' }),
  limit({ id: idAt('lim', 4), currency: 'KWD', amount: 14_000n, per: 'account' }),
  limit({ id: idAt('lim', 5), allCurrencies: false, amount: 7_000n }),
];
/** Units per EUR as text and as a fraction; all crosses end within ten digits. */
const CHOICES = {
  JPY: [
    ['100', 100n, 1n],
    ['125', 125n, 1n],
    ['160', 160n, 1n],
  ],
  KWD: [
    ['0.25', 1n, 4n],
    ['0.32', 8n, 25n],
    ['0.5', 1n, 2n],
  ],
} as const;
type Fraction = readonly [string, bigint, bigint];
interface Moving {
  readonly JPY: Fraction;
  readonly KWD: Fraction;
}
const EXPONENTS: Readonly<Record<string, bigint>> = { EUR: 2n, JPY: 0n, KWD: 3n };

function worth(amount: bigint, from: string, to: string, rates: Moving): bigint {
  const perEuro = (currency: string): readonly [bigint, bigint] =>
    currency === 'JPY' || currency === 'KWD' ? [rates[currency][1], rates[currency][2]] : [1n, 1n];
  const [[fromUp, fromDown], [toUp, toDown]] = [perEuro(from), perEuro(to)];
  const up = amount * toUp * fromDown * 10n ** (EXPONENTS[to] as bigint);
  const down = toDown * fromUp * 10n ** (EXPONENTS[from] as bigint);
  return (up + down - 1n) / down;
}

const KINDS = ['pay', 'pay', 'pay', 'convert', 'exchange', 'cancel', 'fail', 'leave', 'approve', 'move'] as const;
const life = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS, 'day' as const, 'rates' as const, 'rates' as const),
    which: fc.nat(50),
    amount: fc.integer({ min: 1, max: 4_000 }),
    days: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 20, maxLength: 60 },
);
type Step = typeof life extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

function commandOf({ kind, which, amount, days }: Step, state: State, atMs: number): Command | null {
  const scheduledOn = days === 0 ? null : isoDay(atMs + days * DAY_MS);
  const money = BigInt(amount);
  if (kind === 'pay') return pay((which % 3) as 0 | 1 | 2, money, { scheduledOn });
  if (kind === 'convert') return converted(money, { scheduledOn });
  if (kind === 'exchange') return sell(money);
  const ids = [...state.tables.payout.keys()];
  const payout = ids[which % Math.max(ids.length, 1)];
  if (payout === undefined) return null;
  if (kind === 'cancel') return cancel(payout);
  if (kind === 'fail') return step(payout, 'failed');
  if (kind === 'leave') return step(payout, 'in_transit');
  if (kind === 'approve') return approve(payout);
  const kept = { reference: undefined, metadata: undefined, settlementDelayMs: 3000 };
  return { type: 'update_payout', payout, scheduledOn, ...kept };
}

/** What one payout or exchange has used, by limit, subject and day. */
type Counted = readonly (readonly [string, bigint])[];

/** As the guide says it. */
function counted(
  {
    amount,
    currency,
    account: from,
    recipient: to,
  }: { amount: bigint; currency: string; account: string | null; recipient: string | null },
  day: string,
  rates: Moving,
): Counted {
  const [all, perRecipient, perKey, perAccount, own] = LIMITS.map(({ id }) => id);
  const value = (currencyOfLimit: string) => worth(amount, currency, currencyOfLimit, rates);
  return [
    ...(to === null
      ? []
      : ([
          [`${all} ${day}`, value('EUR')],
          [`${perKey} ${day}`, value('KWD')],
        ] as const)),
    ...(to === null ? [] : ([[`${perRecipient} ${to} ${day}`, value('JPY')]] as const)),
    ...(from === null ? [] : ([[`${perAccount} ${from} ${day}`, value('KWD')]] as const)),
    ...(currency === 'EUR' && from !== null ? ([[`${own} ${day}`, amount]] as const) : []),
  ];
}

const isFree = ({ status, release }: Payout) =>
  status === 'pending' && (release === null || release.status === 'approved');

interface Tally {
  counted: number;
  exceeded: number;
  returned: number;
}
interface Fault {
  readonly rounding?: 'down';
  readonly tamper?: (state: State, command: Command) => void;
}

function check(steps: readonly Step[], tally: Tally, { rounding, tamper }: Fault = {}): void {
  const { state } = limited(LIMITS, null);
  let rates: Moving = { JPY: CHOICES.JPY[0], KWD: CHOICES.KWD[0] };
  let atMs = AT;
  const exchanges = new Map<string, Counted>();
  const payouts = new Map<string, Counted>();
  for (const each of steps) {
    atMs += each.kind === 'day' ? DAY_MS : 60_000;
    if (each.kind === 'rates') {
      const [jpy, kwd] = [CHOICES.JPY[each.which % 3], CHOICES.KWD[each.amount % 3]];
      rates = { JPY: jpy as Fraction, KWD: kwd as Fraction };
    }
    setRates(state, { JPY: rates.JPY[0], KWD: rates.KWD[0] }, rounding);
    const before = new Map(state.tables.payout);
    const command = each.kind === 'day' || each.kind === 'rates' ? null : commandOf(each, state, atMs);
    if (command !== null) {
      const outcome = Object.assign(givenAt(atMs), { state }).when(command);
      if (outcome.refusal === undefined) tamper?.(state, command);
      else if (outcome.refusal.code === 'limit_exceeded') tally.exceeded += 1;
    }
    const today = isoDay(atMs);
    for (const { id, sellAmount: amount, sellCurrency: currency, sellAccount } of state.tables.exchange.values()) {
      if (exchanges.has(id)) continue;
      exchanges.set(id, counted({ amount, currency, account: sellAccount, recipient: null }, today, rates));
    }
    for (const payout of state.tables.payout.values()) {
      const was = before.get(payout.id);
      if (isFree(payout) && (was === undefined || !isFree(was) || was.scheduledOn !== payout.scheduledOn)) {
        const day = payout.scheduledOn !== null && payout.scheduledOn > today ? payout.scheduledOn : today;
        const from = payout.exchange === null ? payout.account : null;
        payouts.set(payout.id, counted({ ...payout, account: from }, day, rates));
        tally.counted += 1;
      } else if (was && isFree(was) && !isFree(payout) && payout.inTransitAt === null) {
        payouts.delete(payout.id);
        tally.returned += 1;
      }
    }
    expect(rowsOf(state, today)).toEqual(sumsOf([...exchanges.values(), ...payouts.values()], today));
    for (const usage of state.tables.limit_usage.values()) {
      const { amount, action } = LIMITS.find(({ id }) => id === usage.limit) as Limit;
      if (action === 'refuse') expect(usage.usedAmount <= (amount as bigint)).toBe(true);
    }
  }
}

function sumsOf(all: readonly Counted[], today: string): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  for (const [name, amount] of all.flat()) {
    if (name.slice(-10) >= today && amount > 0n) sums[name] = (sums[name] ?? 0n) + amount;
  }
  return sums;
}

function rowsOf({ tables }: State, today: string): Readonly<Record<string, bigint>> {
  const rows = [...tables.limit_usage.values()].filter(({ day, usedAmount }) => day >= today && usedAmount > 0n);
  const nameOf = (id: string, subject: string) =>
    LIMITS.some(({ id: of, per }) => of === id && (per === 'recipient' || per === 'account')) ? `${id} ${subject}` : id;
  return Object.fromEntries(rows.map((row) => [`${nameOf(row.limit, row.subject)} ${row.day}`, row.usedAmount]));
}

const RUNS = { seed: 7, numRuns: 80 };
const tallied = (): Tally => ({ counted: 0, exceeded: 0, returned: 0 });

it('uses what an independent sum says, passes no limit, and gives back what was counted', () => {
  const tally = tallied();
  fc.assert(
    fc.property(life, (steps) => check(steps, tally)),
    RUNS,
  );
  expect(tally.counted).toBeGreaterThan(500);
  expect(tally.returned).toBeGreaterThan(80);
  expect(tally.exceeded).toBeGreaterThan(100);
});

/** Puts back what the payout is worth now, and not what was counted. */
function atTheRateOfNow(state: State, command: Command): void {
  if (command.type !== 'cancel_payout') return;
  const { shares, amount, currency } = state.tables.payout.get(command.payout) as Payout;
  for (const share of shares ?? []) {
    const row = state.tables.limit_usage.get(share.usage);
    const value = state.valueIn(LIMITS.find(({ id }) => id === share.limit)?.currency ?? 'EUR', { amount, currency });
    if (row?.day === share.day && value !== null)
      state.put({ ...row, usedAmount: row.usedAmount + BigInt(share.amount) - value });
  }
}

it.each<[string, Fault]>([
  ['rounds values down', { rounding: 'down' }],
  ['gives back at the rate of now', { tamper: atTheRateOfNow }],
])('control: a service that %s is noticed', (_, fault) => {
  const property = fc.property(life, (steps) => check(steps, tallied(), fault));
  expect(() => fc.assert(property, { ...RUNS, endOnFailure: true })).toThrow(/Property failed/);
});
