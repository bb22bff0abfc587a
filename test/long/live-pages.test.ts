/**
 * How soon whoever follows live is told: streams of events and open payment pages, from this process and from another one, and how soon
 * they end. And the reader that is cut at any byte, at full size. Small and without a clock: `src/events/log/stream.long.test.ts`,
 * `src/collecting/checkout/status-stream.test.ts`, `test/soak/stream-gaps.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Payer, pathOf } from '../support/browser/payer.ts';
import { complaintsOfCutReader } from '../support/faults/cut-reader.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { createDatabase } from '../support/harness/database.ts';
import { openStream } from '../support/harness/event-stream.ts';
import { startSecondServer, type SecondServer } from '../support/harness/second-server.ts';
import { makeKey, startServer } from '../support/harness/server-process.ts';
import { createTenant, must } from '../support/harness/tenant-fixture.ts';

/** A revoked key: within two seconds. */
const REVOKED_MS = 2_200;
/** What another process commits. */
const ELSEWHERE_MS = 1_500;
const STOP_MS = 2_000;
/** An open page shows a payment after at most so long. */
const PAGE_MS = 2_000;
const PAGES_STOP_MS = 5_000;
const ARRIVES_MS = 2_000;

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return performance.now() - fromMs;
}

describe('streams of events', () => {
  it('tell what another process wrote, and do not hold up a stop', async () => {
    const database = await createDatabase();
    const start = () => startServer({ databaseUrl: database.url });
    const servers = await Promise.all([start(), start()]);
    try {
      const [here, there] = servers;
      const tenant = await createTenant(database.url, there.address);
      const { key } = await makeKey(database.url);
      const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(here.address, key)));
      for (let i = 1; i <= 20; i++) {
        await tenant.account('EUR');
        const tookMs = await timeMs(async () => {
          for (const stream of streams) expect(await stream.until(({ events }) => events.length === i)).toBe(true);
        });
        expect(tookMs).toBeLessThan(ELSEWHERE_MS);
      }
      streams[0]?.pause();
      expect(await timeMs(() => here.stop())).toBeLessThan(STOP_MS);
      tenant.client.close();
    } finally {
      await Promise.all(servers.map((server) => server.kill()));
      await database.drop();
    }
  });

  it('end soon when their key is revoked', async () => {
    const application = await startApplication();
    try {
      for (let round = 0; round < 5; round++) {
        const holder = await application.key();
        const stream = await openStream(application.address, holder.key);
        await application.revoke(holder);
        expect(await timeMs(() => stream.closed)).toBeLessThan(REVOKED_MS);
      }
    } finally {
      await application.stop();
    }
  });

  it('of a reader that is cut twenty times while 32 clients pay: each event, in order, once', async () => {
    for (const seed of [1, 2, 3]) {
      expect(await complaintsOfCutReader({ payouts: 2_000, withinMs: ARRIVES_MS, seed })).toEqual([]);
    }
  });
});

describe('open payment pages', () => {
  let application: Application;
  let second: SecondServer;
  beforeAll(async () => {
    application = await startApplication();
    second = await startSecondServer(application);
  });
  afterAll(async () => {
    await second?.stop();
    await application?.stop();
  });
  const link = async () => {
    const { json } = must(await application.sandbox.client.post('/v1/payment_links', { amount: 250, currency: 'EUR' }));
    return { id: json['id'] as string, path: pathOf(json['url'] as string) };
  };
  const listening = async (payer: Payer, path: string) => {
    const live = await payer.follow(await payer.start(path));
    await live.until(({ isWaiting }) => isWaiting);
    return live;
  };

  it.each(['the same', 'another'])('are told of what happens on %s server', async (which) => {
    const payer = new Payer(application.address);
    const watcher = which === 'another' ? new Payer(second.address) : payer;
    const { path } = await link();
    const live = await listening(watcher, path);
    for (const [i, outcome] of ['partial', 'exact', 'twice'].entries()) {
      await payer.press(await payer.open(path), outcome);
      expect(await timeMs(() => live.until(({ changes }) => changes.length === i + 1))).toBeLessThan(PAGE_MS);
    }
    live.cut();
    payer.close();
    if (watcher !== payer) watcher.close();
  });

  it('are told at once of what happened before they listened', async () => {
    const payer = new Payer(application.address);
    const { id, path } = await link();
    const page = await payer.start(path);
    must(await application.sandbox.client.post(`/v1/test_helpers/payment_links/${id}/pay`, {}));
    const live = await payer.follow(page);
    expect(await timeMs(() => live.until(({ changes }) => changes.length === 1))).toBeLessThan(PAGE_MS);
    live.cut();
    payer.close();
  });

  it('are told of what the merchant does', async () => {
    const payer = new Payer(application.address);
    const { id, path } = await link();
    const { client } = application.sandbox;
    const paid = must(await client.post(`/v1/test_helpers/payment_links/${id}/pay`, {})).json['id'] as string;
    const live = await payer.follow(await payer.open(path));
    await live.until(({ isWaiting }) => isWaiting);
    must(await client.post(`/v1/payments/${paid}/refund`, { amount: 5 }));
    expect(await timeMs(() => live.until(({ changes }) => changes.length === 1))).toBeLessThan(PAGE_MS);
    live.cut();
    payer.close();
  });

  it('do not hold up a stop', async () => {
    const third = await startSecondServer(application);
    const watcher = new Payer(third.address);
    await listening(watcher, (await link()).path);
    expect(await timeMs(() => third.stop())).toBeLessThan(PAGES_STOP_MS);
    watcher.close();
  });
});
