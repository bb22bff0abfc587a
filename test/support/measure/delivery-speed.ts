/**
 * How soon and how fast deliveries arrive (T17 of the bar): one endpoint for everything, first at a steady 100 events a
 * second, then a backlog at full speed. The moment of a commit is seen by nobody outside; it lies after the sending of the
 * request, so latencies are counted from there and are upper bounds. Beside peak writes: `npm run bench -- --only webhooks`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createTenant, must } from '../harness/tenant-fixture.ts';
import { createDatabase } from '../harness/database.ts';
import { makeEndpoint } from '../webhooks/endpoints.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { startServer } from '../harness/server-process.ts';

const EVENTS_PER_SECOND = 100;
const EVENTS_PER_PAYOUT = 2;
const BATCH_ITEMS = 1_000;
const PATIENCE_MS = 120_000;
/** How long the receiver of a control run takes for each. */
const SLOW_RECEIVER_MS = 30;

export interface Speed {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the backlog. */
  readonly deliveriesPerSecond: number;
}

/** `events` at a steady rate, then a backlog of so many. `control`: one exchange at a time, with a slow receiver. */
export async function deliverySpeed(options: {
  readonly events: number;
  readonly backlog: number;
  readonly control: boolean;
}): Promise<Speed> {
  const payouts = Math.ceil(options.events / EVENTS_PER_PAYOUT);
  const database = await createDatabase();
  const receiver = await startReceiver((_received, response) => {
    const answer = () => void response.writeHead(204).end();
    if (options.control) setTimeout(answer, SLOW_RECEIVER_MS);
    else answer();
  }, performance.now.bind(performance));
  const stops: (() => unknown)[] = [() => receiver.stop(), () => database.drop()];
  const arrived = async (count: number) => {
    const untilMs = performance.now() + PATIENCE_MS;
    while (receiver.received.length < count && performance.now() < untilMs) await sleep(5);
    if (receiver.received.length < count) throw new Error(`${receiver.received.length} of ${count} deliveries came.`);
  };
  try {
    const concurrency = options.control ? { BURSAR_WEBHOOK_CONCURRENCY: '1' } : {};
    const env = { BURSAR_SANDBOX_STEP_SECONDS: '0', ...concurrency };
    const server = await startServer({ databaseUrl: database.url, env });
    stops.unshift(() => server.kill());
    const tenant = await createTenant(database.url, server.address);
    stops.unshift(() => tenant.client.close());
    const [account, recipient] = [await tenant.account('EUR', '10000000'), await tenant.recipient()];
    const endpoint = await makeEndpoint(tenant.client, { url: receiver.url });
    const order = { amount: '1.00', currency: 'EUR', account, recipient };

    const sentMs = new Map<string, number>();
    const replies: Promise<unknown>[] = [];
    const startMs = performance.now();
    for (let number = 0; number < payouts; number++) {
      const dueMs = startMs + (number * EVENTS_PER_PAYOUT * 1000) / EVENTS_PER_SECOND;
      await sleep(Math.max(0, dueMs - performance.now()));
      const idempotencyKey = `speed-${number}`;
      sentMs.set(idempotencyKey, performance.now());
      replies.push(tenant.client.post('/v1/payouts', order, { idempotencyKey }).then(must));
    }
    await Promise.all(replies);
    await arrived(payouts * EVENTS_PER_PAYOUT);
    const latencies = receiver.received
      .map(({ body, atMs }) => atMs - (sentMs.get(/"idempotency_key":"([^"]*)"/.exec(body)?.[1] ?? '') ?? Number.NaN))
      .toSorted((a, b) => a - b);

    await endpoint.ask('disable');
    for (let left = Math.ceil(options.backlog / EVENTS_PER_PAYOUT); left > 0; left -= BATCH_ITEMS) {
      const items = Array.from({ length: Math.min(BATCH_ITEMS, left) }, () => order);
      must(await tenant.client.post('/v1/payouts/batch', { payouts: items }));
    }
    await endpoint.ask('enable');
    receiver.received.length = 0;
    const drainedFromMs = performance.now();
    await endpoint.ask('replay', { only: 'failed', after_sequence: 0 });
    await arrived(options.backlog); // those of the batches themselves may be among them
    const seconds = (performance.now() - drainedFromMs) / 1000;
    const percentile = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN;
    return { p50Ms: percentile(0.5), p99Ms: percentile(0.99), deliveriesPerSecond: options.backlog / seconds };
  } finally {
    for (const stop of stops) await stop();
  }
}
