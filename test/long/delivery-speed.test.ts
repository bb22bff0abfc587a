/**
 * How soon and how fast deliveries arrive (T17 of the bar), how quick a good endpoint is beside bad ones, and what an answer without an
 * end costs. That all of it arrives, without a clock: `src/events/webhooks/dispatcher.soak.test.ts`, `src/events/webhooks/send.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { createSender } from '../../src/events/webhooks/send.ts';
import { startApplication } from '../support/harness/application.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { deliverySpeed } from '../support/measure/delivery-speed.ts';
import { startReceiver as startRawReceiver } from '../support/webhooks/raw-receivers.ts';
import { answers, startReceiver } from '../support/webhooks/receiver.ts';
import { makeEndpoint } from '../support/webhooks/endpoints.ts';

const [P50_MS, P99_MS, PER_SECOND] = [20, 250, 2_000];
/** Beside bad neighbours: so many times as long as alone, or this. */
const [TIMES, LEAST_MS] = [5, 100];
const ANSWER_MB = 64;

describe('deliveries', () => {
  it('arrive soon at 100 events a second, and fast from a backlog', async () => {
    const { p50Ms, p99Ms, deliveriesPerSecond } = await deliverySpeed({
      events: 6_000,
      backlog: 20_000,
      control: false,
    });
    expect(p50Ms).toBeLessThanOrEqual(P50_MS);
    expect(p99Ms).toBeLessThanOrEqual(P99_MS);
    expect(deliveriesPerSecond).toBeGreaterThanOrEqual(PER_SECOND);
  });

  it('control: with a slow receiver and one exchange at a time they do not', async () => {
    const { p50Ms, deliveriesPerSecond } = await deliverySpeed({ events: 200, backlog: 200, control: true });
    expect(p50Ms).toBeGreaterThan(P50_MS);
    expect(deliveriesPerSecond).toBeLessThan(PER_SECOND);
  });

  it('to a healthy endpoint are as quick beside five that hang and five that fail', async () => {
    const application = await startApplication();
    const { client } = application.sandbox;
    const receivers = [await startReceiver(answers(204), () => performance.now())];
    const [healthy] = receivers as [(typeof receivers)[0]];
    const made = (url: string) => makeEndpoint(client, { url: `${url}/hook`, enabled_events: ['account.*'] });
    const medianMs = async () => {
      const from = healthy.received.length;
      const sentAtMs = new Map<string, number>();
      for (let i = 0; i < 60; i++) {
        const atMs = performance.now();
        sentAtMs.set(must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string, atMs);
      }
      await healthy.count(from + 60);
      const idOf = (body: string) => (JSON.parse(body) as { data: { object: { id: string } } }).data.object.id;
      const latenciesMs = healthy.received
        .slice(from)
        .map(({ body, atMs }) => atMs - (sentAtMs.get(idOf(body)) as number));
      return latenciesMs.toSorted((a, b) => a - b)[30] as number;
    };
    try {
      await made(healthy.url);
      await medianMs(); // warms up
      const aloneMs = await medianMs();
      for (let i = 0; i < 5; i++) {
        for (const behaviour of [() => undefined, answers(500)]) {
          const bad = await startReceiver(behaviour);
          receivers.push(bad);
          await made(bad.url);
        }
      }
      expect(await medianMs()).toBeLessThan(Math.max(LEAST_MS, aloneMs * TIMES));
      expect(new Set(healthy.ids()).size).toBe(180);
    } finally {
      await Promise.all(receivers.map((receiver) => receiver.stop()));
      await application.stop();
    }
  });
});

describe('an answer of a gigabyte', () => {
  it.each([200, 500])('with status %d is cut at the same memory', async (status) => {
    const receiver = await startRawReceiver((request, response) => {
      request.resume();
      const chunk = Buffer.alloc(65_536, 0x61);
      let written = 0;
      response.writeHead(status);
      const push = () => {
        while (written < 2 ** 30 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', push);
      push();
    });
    const sender = createSender({ privateTargets: () => 'loopback', keepsPrivateAnswers: () => true });
    const before = process.memoryUsage().rss;
    const sent = await sender.send({ url: `http://127.0.0.1:${receiver.port}/`, livemode: false }, {}, '{}');
    expect(sent.response).toBe('a'.repeat(4096));
    expect(process.memoryUsage().rss - before).toBeLessThan(ANSWER_MB * 2 ** 20);
    await sender.close();
    await receiver.close();
  });
});
