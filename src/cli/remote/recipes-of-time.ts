/**
 * Recipes of events that follow when time passes: they move the clock of the sandbox on, and the workers of the service do the rest within
 * seconds. Part of `recipes.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bursar } from '../../../client/src/bursar.ts';
import { newExpected } from './recipes-of-banks.ts';
import {
  advance,
  clockOf,
  DAY_SECONDS,
  funded,
  isoDay,
  newAccount,
  newLink,
  newRecipient,
  type Recipe,
  visitPage,
} from './recipe-parts.ts';

const LOOK_MS = 200;
const MOST_LOOKS = 100;

/** Its first day is tomorrow. */
export async function newOrder(bursar: Bursar, { isPoor = false, isOnce = false } = {}) {
  const { id: account } = await (isPoor ? newAccount(bursar) : funded(bursar));
  const { id: recipient } = await newRecipient(bursar);
  const first = isoDay((await clockOf(bursar)) + DAY_SECONDS);
  const order = { amount: '1.00', currency: 'EUR', recipient, account, interval: 'month', first } as const;
  return bursar.standingOrders.create({ ...order, ...(isOnce && { count: 1 }) });
}

async function waitingPayout(bursar: Bursar) {
  const [{ id: account }, { id: recipient }] = [await newAccount(bursar), await newRecipient(bursar)];
  await bursar.payouts.create({ amount: '5.00', currency: 'EUR', recipient, account, on_insufficient_funds: 'wait' });
  await bursar.testHelpers.accounts.fund(account, { amount: '5.00' });
}

async function reminded(bursar: Bursar) {
  const { payment_reminder_days: before } = await bursar.settings.retrieve();
  const { url } = await newLink(bursar);
  await bursar.settings.update({ payment_reminder_days: 1 });
  try {
    await visitPage(url, null);
  } finally {
    await bursar.settings.update({ payment_reminder_days: before ?? 0 });
  }
  await advance(bursar, 1);
}

/** Switched on until the first one is there, where it was off. */
async function dailyStatement(bursar: Bursar) {
  const { daily_statements: wasOn } = await bursar.settings.retrieve();
  const newest = async () => (await bursar.statements.list({ limit: 1 }).page()).data[0]?.id;
  const before = await newest();
  await bursar.settings.update({ daily_statements: true });
  await advance(bursar, 1);
  for (let looks = 0; looks < MOST_LOOKS && (await newest()) === before; looks += 1) await sleep(LOOK_MS);
  if (!wasOn) await bursar.settings.update({ daily_statements: false });
}

export const RECIPES_OF_TIME = {
  'statement.created': dailyStatement,
  'payout.funded': waitingPayout,
  'standing_order.run_succeeded': async (b) => {
    await newOrder(b);
    await advance(b, 1);
  },
  'standing_order.run_made_up': async (b) => {
    await newOrder(b);
    await advance(b, 2);
  },
  'standing_order.run_failed': async (b) => {
    await newOrder(b, { isPoor: true });
    await advance(b, 1);
  },
  'standing_order.run_skipped': async (b) => {
    await b.standingOrders.pause((await newOrder(b)).id);
    await advance(b, 1);
  },
  'standing_order.completed': async (b) => {
    await newOrder(b, { isOnce: true });
    await advance(b, 1);
  },
  'payment_link.expired': async (b) => {
    const expires = (await clockOf(b)) + DAY_SECONDS;
    await b.paymentLinks.create({ amount: '25.00', currency: 'EUR', expires_at: expires });
    await advance(b, 1);
  },
  'payment.reminder_due': reminded,
  'expected_payment.overdue': async (b) => {
    await newExpected(b, { due_on: isoDay((await clockOf(b)) + DAY_SECONDS) });
    await advance(b, 2);
  },
} satisfies Readonly<Record<string, Recipe>>;
