/**
 * What tests of the dispatcher begin with: a sandbox of its own, so that its clock can be moved and tests can run side by
 * side, with receivers and endpoints. Next: `endpoints.ts`, `receiver.ts`.
 */
import { expect, vi } from 'vitest';
import type { Application } from '../harness/application.ts';
import { nextAt } from '../faults/stop-at.ts';
import { must } from '../harness/tenant-fixture.ts';
import { type Delivery, type EndpointSettings, type MadeEndpoint, makeEndpoint } from './endpoints.ts';
import type { Client, Json } from '../harness/http.ts';
import { answers, type Behaviour, type Receiver, startReceiver } from './receiver.ts';

export interface Scene {
  readonly client: Client;
  readonly environmentId: string;
  /** A receiver and an endpoint that sends it account events, unless `settings` say otherwise. */
  endpoint(
    behaviour?: Behaviour,
    settings?: Partial<EndpointSettings>,
  ): Promise<MadeEndpoint & { readonly at: Receiver }>;
  /** So many `account.created`; one after the other, in order. */
  events(count?: number): Promise<void>;
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

let merchants = 0;

export async function startScene(application: Application): Promise<Scene> {
  const { client, environmentId } = await application.key({ merchant: `scene ${++merchants}` });
  const receivers: Receiver[] = [];
  return {
    client,
    environmentId,
    async endpoint(behaviour = answers(204), settings = {}) {
      const at = await startReceiver(behaviour);
      receivers.push(at);
      const made = await makeEndpoint(client, { url: `${at.url}/hook`, enabled_events: ['account.*'], ...settings });
      return { ...made, at };
    },
    async events(count = 1) {
      for (let i = 0; i < count; i++) must(await client.post('/v1/accounts', { currency: 'EUR' }));
    },
    async advance(seconds) {
      must(await client.post('/v1/test_helpers/clock/advance', { seconds }));
    },
    async stop() {
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    },
  };
}

/** Runs a test on a scene of its own. */
export const onScene = (application: () => Application, test: (scene: Scene) => Promise<void>) => async () => {
  const scene = await startScene(application());
  try {
    await test(scene);
  } finally {
    await scene.stop();
  }
};

/**
 * Resolves when the dispatcher of this process has gone through all that was due, from now on: the round that is under way may have
 * claimed already. What a round sends is received a moment later.
 */
export async function lookedAfter(): Promise<void> {
  await nextAt('deliveries.looked_after', 3);
}

/** Asks again until it holds. */
export const soon = (holds: () => void | Promise<void>, withinMs = 30_000) =>
  vi.waitFor(holds, { timeout: withinMs, interval: 40 });

/** Waits until each delivery of an endpoint has this status, and so many attempts if that is said; then returns them. */
export async function settled(
  endpoint: MadeEndpoint,
  status: string | readonly string[],
  attempts?: number,
): Promise<readonly Delivery[]> {
  let found: readonly Delivery[] = [];
  await soon(async () => {
    found = await endpoint.deliveries();
    expect(found.length).toBeGreaterThan(0);
    const expected = typeof status === 'string' ? found.map(() => status) : status;
    expect(found.map((each) => each.status)).toEqual(expected);
    if (attempts !== undefined) expect(found.map((each) => each.attempts.length)).toEqual(found.map(() => attempts));
  });
  return found;
}

/** Events at a receiver, as they were sent. */
export const eventsAt = (receiver: Receiver): Json[] => receiver.received.map(({ body }) => JSON.parse(body) as Json);
/** Types of events at a receiver, in order of arrival. */
export const typesAt = (receiver: Receiver): string[] => eventsAt(receiver).map(({ type }) => type as string);
