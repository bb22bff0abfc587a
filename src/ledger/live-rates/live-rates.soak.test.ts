/** Fixings: each is stored once for every live environment before a price names it, and found again by its instant. On a real database. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { loadConfig } from '../../config.ts';
import { asOwner } from '../../platform/db/owner.ts';
import type { LiveRates } from '../exchanges/rate-source.ts';
import { type LiveRatesWorker, startLiveRates } from './live-rates.ts';

/** For what comes by itself: a slow machine does not decide a test. */
const PATIENCE = { timeout: 20_000 };
const HOUR_MS = 3_600_000;
const begunMs = Math.floor(Date.now() / 1000) * 1000 - 2 * HOUR_MS;
let application: Application;
let folder: string;
let path: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fixings-'));
  path = join(folder, 'rates.json');
  put(begunMs, { USD: '1.10', JPY: '163.90' });
  application = await startApplication({ config: { ratesFile: path, ratesBusinessDays: 1 } });
});
afterAll(async () => {
  await application.stop();
  rmSync(folder, { recursive: true });
});

function put(atMs: number, rates: object, more: object = {}) {
  const at = new Date(atMs).toISOString();
  writeFileSync(`${path}.new`, JSON.stringify({ source: 'treasury', at, base: 'EUR', rates, markup_bps: 0, ...more }));
  renameSync(`${path}.new`, path);
}

const stored = () =>
  application.sql(
    `SELECT source, extract(epoch FROM at)::int8 AS at, currency, rate::text, count(*)::int AS n FROM fixings WHERE source = 'treasury' GROUP BY 1, 2, 3, 4 ORDER BY at, currency`,
  );
const PAIR = { sell_currency: 'EUR', buy_currency: 'USD', amount: 100 };
const quote = async () => application.live.client.post('/v1/exchanges/quote', PAIR);
const rates = async (at: number | string) =>
  must(await application.live.client.get(`/v1/rates?at=${at}`)).json['data'] as Json[];
const seconds = (ms: number) => Math.floor(ms / 1000);

describe('a fixing', () => {
  it('is stored for each live environment, with the digits of its source, and named by quotes', async () => {
    await expect
      .poll(async () => (await stored()).map(({ currency, rate, n }) => [currency, rate, n]), PATIENCE)
      .toEqual([
        ['JPY', '163.90', 2],
        ['USD', '1.10', 2],
      ]);
    const fixing = { source: 'treasury', at: seconds(begunMs) };
    expect(must(await quote()).json).toMatchObject({ rate: '1.1', rate_at: fixing.at, fixing });
    expect(must(await application.sandbox.client.post('/v1/exchanges/quote', PAIR)).json).toMatchObject({
      fixing: { source: 'sandbox' },
    });
  });

  it('is followed by the next; each is found by instants from its own on, and nothing before the first', async () => {
    const nextMs = begunMs + HOUR_MS;
    put(nextMs, { USD: '1.20' });
    await expect.poll(async () => must(await quote()).json['rate'], PATIENCE).toBe('1.2');
    const usd = async (at: number) =>
      (await rates(at)).map(({ id, rate, fixing }) => [id, rate, (fixing as Json)['at']]);
    expect(await usd(seconds(begunMs) - 1)).toEqual([]);
    const first = [
      ['EUR_JPY', '163.9', seconds(begunMs)],
      ['EUR_USD', '1.1', seconds(begunMs)],
    ];
    expect(await usd(seconds(begunMs))).toEqual(first);
    expect(await usd(seconds(nextMs) - 1)).toEqual(first);
    expect(await usd(seconds(nextMs))).toEqual([['EUR_USD', '1.2', seconds(nextMs)]]);
    expect(await usd(seconds(Date.now()) - 1)).toEqual([['EUR_USD', '1.2', seconds(nextMs)]]);
    const later = await application.live.client.get(`/v1/rates?at=${seconds(Date.now()) + 3600}`);
    expect(outcome(later)).toBe('400 parameter_invalid at');
    expect((await application.live.client.get('/v1/rates?at=2020-01-01')).json['data']).toEqual([]);
  });

  it('is stored once: other rates for the same instant are not used, and the answer says why', async () => {
    const before = await stored();
    put(begunMs + HOUR_MS, { USD: '1.30' });
    await expect.poll(async () => outcome(await quote()), PATIENCE).toBe('503 rate_unavailable');
    const error = (await quote()).json['error'] as Json;
    expect(error['message']).toContain('the source gives other rates than before for the same instant');
    expect(await stored()).toEqual(before);
    put(begunMs + HOUR_MS, { USD: '1.20' });
    await expect.poll(async () => outcome(await quote()), PATIENCE).toBe('200');
    expect(await stored()).toEqual(before);
  });

  it('that is stale refuses, and says since when', async () => {
    put(begunMs - 20 * 24 * HOUR_MS, { USD: '1.05' });
    await expect.poll(async () => outcome(await quote()), PATIENCE).toBe('503 rate_unavailable');
    expect(((await quote()).json['error'] as Json)['message']).toMatch(
      /There is no current rate from EUR to USD: the newest rates are of .* and were good until the end of \d{4}-\d\d-\d\d \(UTC\)\./,
    );
    const [old] = await stored();
    expect(old).toMatchObject({ currency: 'USD', rate: '1.05' });
    expect(await rates(seconds(begunMs - 20 * 24 * HOUR_MS))).toMatchObject([{ rate: '1.05' }]);
    // Good then; not ten days later, although nothing newer was there.
    expect(await rates(seconds(begunMs - 10 * 24 * HOUR_MS))).toEqual([]);
  });

  it('cannot be changed, erased or added by the server’s own role', async () => {
    const may = await application.sql(
      `SELECT has_table_privilege(r.rolname, 'fixings', 'UPDATE') OR has_table_privilege(r.rolname, 'fixings', 'DELETE')
        OR has_table_privilege(r.rolname, 'fixings', 'INSERT') AS may FROM pg_roles r WHERE r.rolname LIKE 'bursar_server%'`,
    );
    expect(may.every((row) => row['may'] === false)).toBe(true);
  });
});

describe('what is fetched', () => {
  const rows = async ({ text, values }: { text: string; values: readonly unknown[] }) =>
    application.sql(text, values) as Promise<readonly Record<string, unknown>[]>;
  const started = (fetch: () => Promise<string>, faults: string[]): Promise<LiveRatesWorker> =>
    startLiveRates({
      settings: loadConfig({
        BURSAR_RATES_URL: 'https://rates.example.com/?key=secret',
        BURSAR_RATES_MARKUP_BPS: '15',
      }),
      rows,
      asOwner: (work) => asOwner(application.databaseUrl, pino({ level: 'silent' }), work),
      onFault: (message) => faults.push(message),
      fetcher: { fetch, close: async () => undefined },
    });

  it('is used with the markup of the setting', async () => {
    const faults: string[] = [];
    const day = new Date().toISOString().slice(0, 10);
    const document = `<a><Cube time='${day}'><Cube currency='USD' rate='1.1580'/></Cube></a>`;
    const worker = await started(async () => document, faults);
    const live = worker.live as LiveRates;
    await expect.poll(() => live(Date.now()), PATIENCE).toHaveProperty('table');
    const found = live(Date.now());
    if ('unavailable' in found) throw new Error(found.unavailable);
    expect(found.table.rate('EUR', 'USD', found.at)).toMatchObject({ midRate: '1.158', markupBps: 15, source: 'ecb' });
    await worker.stop();
    expect(faults).toEqual([]);
  });

  it('cannot be used: the reason is told to the operator once, the address never', async () => {
    const faults: string[] = [];
    const worker = await started(async () => '<html>not found</html>', faults);
    const live = worker.live as LiveRates;
    await expect.poll(() => faults.length, PATIENCE).toBe(1);
    await expect.poll(() => live(Date.now()), PATIENCE).toEqual({ unavailable: 'the live rates could not be fetched' });
    expect(faults[0]).toContain('No day of rates is in it');
    expect(faults[0]).not.toContain('secret');
    await worker.stop();
  });
});
