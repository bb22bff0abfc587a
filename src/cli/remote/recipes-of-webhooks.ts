/**
 * Recipes of events about webhook endpoints. One that fails is sent to a name that cannot exist; the clock of the sandbox is moved to each
 * attempt, and the dispatcher does the rest. Part of `recipes.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bursar, Delivery, EventType } from '../../../client/src/bursar.ts';
import { Exit } from '../../operator/exit.ts';
import { clockOf, type Recipe, TRIGGER } from './recipe-parts.ts';

/** `.invalid` is never given to anybody: RFC 6761, 6.4. */
const NOBODY = 'https://bursar-trigger.invalid/';
const SOMEBODY = 'https://example.com/bursar-trigger';
const LOOK_MS = 200;
/** An attempt takes 15 s at most. */
const PATIENCE_MS = 30_000;

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
  const said = async () => (await bursar.events.list({ type, related_object: endpoint }).page()).data.length > 0;
  for (let attempts = 1; ; attempts += 1) {
    const delivery = await attempted(bursar, endpoint, id, attempts, said);
    if (delivery === null) return;
    const waits = (delivery.next_attempt_at ?? 0) - (await clockOf(bursar));
    if (waits > 0) await bursar.testHelpers.clock.advance({ seconds: waits });
  }
}

/** The delivery after so many attempts; `null` once the event is there, which is written after the attempt that led to it. */
async function attempted(
  bursar: Bursar,
  endpoint: string,
  id: string,
  attempts: number,
  said: () => Promise<boolean>,
): Promise<Delivery | null> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    if (await said()) return null;
    const delivery = await bursar.webhookEndpoints.retrieveDelivery(endpoint, id);
    if (delivery.attempts.length >= attempts && delivery.next_attempt_at !== null) return delivery;
    await sleep(LOOK_MS);
  }
  throw new Exit('failed', `Attempt ${attempts} to deliver ${id} has not come within ${PATIENCE_MS / 1_000} s.`);
}

export const RECIPES_OF_WEBHOOKS = {
  ping: (b) => endpointThen(b, (id) => b.webhookEndpoints.test(id)),
  'webhook_endpoint.created': (b) => endpointThen(b, async () => undefined),
  'webhook_endpoint.updated': (b) =>
    endpointThen(b, (id) => b.webhookEndpoints.update(id, { description: 'triggered' })),
  'webhook_endpoint.disabled': (b) => endpointThen(b, (id) => b.webhookEndpoints.disable(id)),
  'webhook_endpoint.deleted': (b) => endpointThen(b, async () => undefined),
  'webhook_endpoint.failing': (b) => failingUntil(b, 'webhook_endpoint.failing', false),
  'webhook_endpoint.delivery_parked': (b) => failingUntil(b, 'webhook_endpoint.delivery_parked', true),
} satisfies Readonly<Record<string, Recipe>>;
