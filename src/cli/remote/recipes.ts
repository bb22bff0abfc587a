/**
 * How each event is made in the sandbox: by doing the real thing, with objects of its own. What recipes share: `recipe-parts.ts`.
 * Next: `recipes-of-time.ts`, `recipes-of-banks.ts`, `trigger.ts`.
 */
import type { Bursar, EventType } from '../../../client/src/bursar.ts';
import {
  eventually,
  funded,
  NAMED,
  newAccount,
  newBatch,
  newExchange,
  newLink,
  newPayment,
  newPayout,
  newRecipient,
  parties,
  payoutThatLeft,
  type Recipe,
  TRIGGER,
  visitPage,
  clockOf,
} from './recipe-parts.ts';
import { RECIPES_OF_BANKS } from './recipes-of-banks.ts';
import { newOrder, RECIPES_OF_TIME } from './recipes-of-time.ts';

/** Where something is held for a second person, a limit goes once one agreed. */
async function deleteLimit(bursar: Bursar, id: string): Promise<void> {
  const { deleted } = await bursar.limits.delete(id);
  if (!deleted) await bursar.testHelpers.limits.approve(id);
}

/** A payout that a limit of its recipient holds. */
async function heldPayout(bursar: Bursar) {
  const order = { amount: '5.00', ...(await parties(bursar)) } as const;
  const { recipient } = order;
  const limit = await bursar.limits.create({ count: 0, per: 'recipient', recipient, action: 'hold' });
  try {
    return await bursar.payouts.create(order);
  } finally {
    await deleteLimit(bursar, limit.id); // there is room for twenty
  }
}

/** `.invalid` is never given to anybody: RFC 6761, 6.4. */
const NOBODY = 'https://bursar-trigger.invalid/';
const SOMEBODY = 'https://example.com/bursar-trigger';

async function endpointThen(bursar: Bursar, act: (id: string) => Promise<unknown>, more: object = {}): Promise<void> {
  const settings = { url: SOMEBODY, enabled_events: ['ping'], description: TRIGGER, ...more };
  const { id } = await bursar.webhookEndpoints.create(settings);
  try {
    await act(id);
  } finally {
    await bursar.webhookEndpoints.delete(id).catch(() => undefined); // there is room for sixteen
  }
}

/** Until an attempt of a ping leads to the event, by the schedule of retries. */
const failingUntil = (bursar: Bursar, type: EventType, ordered: boolean) =>
  endpointThen(bursar, (id) => failed(bursar, id, type), { url: NOBODY, ordered });

async function failed(bursar: Bursar, endpoint: string, type: EventType): Promise<void> {
  const { id } = await bursar.webhookEndpoints.test(endpoint);
  for (let attempts = 1; ; attempts += 1) {
    const next = await eventually(`Attempt ${attempts} to deliver ${id}`, async () => {
      const { data } = await bursar.events.list({ type, related_object: endpoint }).page();
      if (data.length > 0) return null; // written after the attempt that led to it
      const delivery = await bursar.deliveries.retrieve(id);
      return delivery.attempts.length >= attempts ? (delivery.next_attempt_at ?? undefined) : undefined;
    });
    if (next === null) return;
    const waits = next - (await clockOf(bursar));
    if (waits > 0) await bursar.testHelpers.clock.advance({ seconds: waits });
  }
}

const RECIPES_OF_WEBHOOKS = {
  ping: (b) => endpointThen(b, (id) => b.webhookEndpoints.test(id)),
  'webhook_endpoint.created': (b) => endpointThen(b, async () => undefined),
  'webhook_endpoint.updated': (b) =>
    endpointThen(b, (id) => b.webhookEndpoints.update(id, { description: 'triggered' })),
  'webhook_endpoint.disabled': (b) => endpointThen(b, (id) => b.webhookEndpoints.disable(id)),
  'webhook_endpoint.deleted': (b) => endpointThen(b, async () => undefined),
  'webhook_endpoint.failing': (b) => failingUntil(b, 'webhook_endpoint.failing', false),
  'webhook_endpoint.delivery_parked': (b) => failingUntil(b, 'webhook_endpoint.delivery_parked', true),
} satisfies Readonly<Record<string, Recipe>>;

/** A key that can do next to nothing, and nothing for long. */
const newKey = (bursar: Bursar) => bursar.keys.create({ name: TRIGGER, scopes: ['transfers:read'] });

async function keyThen(bursar: Bursar, act: (id: string) => Promise<unknown> = async () => undefined): Promise<void> {
  const { id } = await newKey(bursar);
  await act(id);
  await bursar.keys.revoke(id).catch(() => undefined); // `act` may have ended it
}

async function newRules(bursar: Bursar): Promise<void> {
  const { time_zone: before } = await bursar.payoutRules.retrieve();
  await bursar.payoutRules.update({ time_zone: before === 'UTC' ? 'Europe/Berlin' : 'UTC' });
  await bursar.payoutRules.update({ time_zone: before });
}

async function newLimit(bursar: Bursar): Promise<void> {
  const { id: account } = await newAccount(bursar);
  const { id } = await bursar.limits.create({ count: 1_000, per: 'account', account, action: 'hold' });
  await deleteLimit(bursar, id);
}

/** Of a link of its own, so that nothing is charged. */
async function newFee(bursar: Bursar): Promise<void> {
  const { id: payment_link } = await newLink(bursar);
  const { id } = await bursar.feeRules.create({ on: 'payment', payment_link, basis_points: 0 });
  await bursar.feeRules.delete(id);
}

const RECIPES_OF_SETTINGS = {
  'settings.updated': (b) => b.settings.update({ metadata: { triggered_at: new Date().toISOString() } }),
  'key.created': (b) => keyThen(b),
  'key.rolled': (b) => keyThen(b, async (id) => b.keys.revoke((await b.keys.roll(id, { expires_in: 0 })).id)),
  'key.updated': (b) => keyThen(b, (id) => b.keys.update(id, { name: `${TRIGGER} again` })),
  'key.revoked': (b) => keyThen(b),
  'payout_rules.updated': newRules,
  'limit.created': newLimit,
  'limit.updated': newLimit,
  'limit.deleted': newLimit,
  'fee_rule.created': newFee,
  'fee_rule.deleted': newFee,
} satisfies Readonly<Record<string, Recipe>>;

export const RECIPES: Readonly<Record<EventType, Recipe>> = {
  ...RECIPES_OF_BANKS,
  ...RECIPES_OF_TIME,
  ...RECIPES_OF_WEBHOOKS,
  ...RECIPES_OF_SETTINGS,
  'payout.held': (b) => heldPayout(b),
  'payout.approved': async (b) => b.testHelpers.payouts.approve((await heldPayout(b)).id),
  'payout.rejected': async (b) => b.payouts.reject((await heldPayout(b)).id, { reason: TRIGGER }),
  'payment.failed': (b) => visitPage(b, 'fail'),
  'payment.duplicate': (b) => visitPage(b, 'twice'),
  'account.created': (b) => newAccount(b),
  'account.updated': async (b) => b.accounts.update((await newAccount(b)).id, { name: 'renamed' }),
  'account.closed': async (b) => b.accounts.close((await newAccount(b)).id),
  'balance.updated': (b) => funded(b),
  'exchange.created': newExchange,
  'exchange.completed': newExchange,
  'exchange.updated': async (b) => b.exchanges.update((await newExchange(b)).id, NAMED),
  'payout.created': newPayout,
  'payout.in_transit': payoutThatLeft,
  'payout.paid': async (b) => b.testHelpers.payouts.pay((await payoutThatLeft(b)).id),
  'payout.failed': async (b) => b.testHelpers.payouts.fail((await payoutThatLeft(b)).id),
  'payout.canceled': async (b) => b.payouts.cancel((await newPayout(b)).id),
  'payout.returned': async (b) =>
    b.testHelpers.payouts.return((await b.testHelpers.payouts.pay((await payoutThatLeft(b)).id)).id),
  'payout.updated': async (b) => b.payouts.update((await newPayout(b)).id, NAMED),
  'payout_batch.created': newBatch,
  'payout_batch.completed': async (b) => {
    for (const each of (await newBatch(b)).results)
      if (each.status === 'created')
        await b.testHelpers.payouts.pay((await b.testHelpers.payouts.advance(each.payout.id)).id);
  },
  'standing_order.created': (b) => newOrder(b),
  'standing_order.updated': async (b) => b.standingOrders.update((await newOrder(b)).id, NAMED),
  'standing_order.paused': async (b) => b.standingOrders.pause((await newOrder(b)).id),
  'standing_order.resumed': async (b) =>
    b.standingOrders.resume((await b.standingOrders.pause((await newOrder(b)).id)).id),
  'standing_order.canceled': async (b) => b.standingOrders.cancel((await newOrder(b)).id),
  'recipient.created': newRecipient,
  'recipient.updated': async (b) => b.recipients.update((await newRecipient(b)).id, NAMED),
  'recipient.archived': async (b) => b.recipients.delete((await newRecipient(b)).id),
  'recipient.redacted': async (b) => b.recipients.redact((await newRecipient(b)).id),
  'payment_link.created': newLink,
  'payment_link.updated': async (b) => b.paymentLinks.update((await newLink(b)).id, NAMED),
  'payment_link.completed': newPayment,
  'payment_link.canceled': async (b) => b.paymentLinks.deactivate((await newLink(b)).id),
  'payment.pending': async (b) => b.testHelpers.paymentLinks.pay((await newLink(b)).id),
  'payment.partially_paid': async (b) => b.testHelpers.paymentLinks.pay((await newLink(b)).id, { amount: '5.00' }),
  'payment.succeeded': newPayment,
  'payment.updated': async (b) => b.payments.update((await newPayment(b)).id, NAMED),
  'payment.refunded': async (b) =>
    b.payments.refund((await newPayment(b)).id, { recipient: (await newRecipient(b)).id }),
  'environment.restored': (b) => b.testHelpers.restore(),
};
