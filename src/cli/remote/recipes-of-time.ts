/** Recipes of events that follow when the clock of the sandbox is moved on. Part of `recipes.ts`. */
import type { Bursar } from '../../../client/src/bursar.ts';
import { newExpected } from './recipes-of-banks.ts';
import {
  advance,
  eventually,
  funded,
  inADay,
  isoDay,
  newAccount,
  parties,
  type Recipe,
  visitPage,
} from './recipe-parts.ts';

/** Its first day is tomorrow. */
export async function newOrder(bursar: Bursar, { isPoor = false, isOnce = false } = {}) {
  const order = {
    amount: '1.00',
    ...(await parties(bursar, isPoor ? newAccount : funded)),
    interval: 'month',
  } as const;
  const starts_on = isoDay(await inADay(bursar));
  return bursar.standingOrders.create({ ...order, starts_on, ...(isOnce && { count: 1 }) });
}

async function waitingPayout(bursar: Bursar) {
  const order = { amount: '5.00', ...(await parties(bursar, newAccount)), on_insufficient_funds: 'wait' } as const;
  await bursar.payouts.create(order);
  await bursar.testHelpers.accounts.fund(order.account, { amount: '5.00' });
}

async function reminded(bursar: Bursar) {
  const { payment_reminder_days: before } = await bursar.settings.retrieve();
  await bursar.settings.update({ payment_reminder_days: 1 });
  try {
    await visitPage(bursar, null);
  } finally {
    await bursar.settings.update({ payment_reminder_days: before ?? 0 });
  }
}

/** Switched on until the first one is there, where it was off. */
async function dailyStatement(bursar: Bursar) {
  const { daily_statements: wasOn } = await bursar.settings.retrieve();
  const newest = async () => (await bursar.dailyStatements.list({ limit: 1 }).page()).data[0]?.id;
  const before = await newest();
  await bursar.settings.update({ daily_statements: true });
  await advance(bursar, 1);
  await eventually('The statement', async () => ((await newest()) === before ? undefined : true)).finally(
    () => wasOn || bursar.settings.update({ daily_statements: false }),
  );
}

/** Does it, and moves the clock on. */
const daysLater =
  (days: number, act: Recipe): Recipe =>
  async (bursar) => {
    await act(bursar);
    await advance(bursar, days);
  };

export const RECIPES_OF_TIME = {
  'daily_statement.created': dailyStatement,
  'payout.funded': waitingPayout,
  'standing_order.run_succeeded': daysLater(1, (b) => newOrder(b)),
  'standing_order.run_made_up': daysLater(2, (b) => newOrder(b)),
  'standing_order.run_failed': daysLater(1, (b) => newOrder(b, { isPoor: true })),
  'standing_order.run_skipped': daysLater(1, async (b) => b.standingOrders.pause((await newOrder(b)).id)),
  'standing_order.completed': daysLater(1, (b) => newOrder(b, { isOnce: true })),
  'payment_link.expired': daysLater(1, async (b) =>
    b.paymentLinks.create({ amount: '25.00', currency: 'EUR', expires_at: await inADay(b) }),
  ),
  'payment.reminder_due': daysLater(1, reminded),
  'expected_payment.overdue': daysLater(2, async (b) => newExpected(b, { due_on: isoDay(await inADay(b)) })),
} satisfies Readonly<Record<string, Recipe>>;
