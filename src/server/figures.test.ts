/** What GET /metrics tells: each metric by its name on the page about watching, the right figures, and none of them by reading a history. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { idIn, must, RECIPIENT } from '../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../core/values/ids.ts';
import { registry } from '../platform/http/metrics.ts';
import { FIGURES, startFigures, watchRates } from './figures.ts';

const PAYOUTS = 30_000;
const BLOCKS_MAX = 60; // the table has more than a thousand
const NEVER = "'01900000-0004-7000-8000-000000000000'";

let application: Application;
beforeAll(async () => {
  application = await startApplication({ config: { dataDir: tmpdir() } });
});
afterAll(() => application?.stop());

/** Samples by name and labels, as written. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const text = await registry.metrics(); // an answer would be up to a second old
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

async function familiesOf(): Promise<string[]> {
  const { text } = await application.inject({ method: 'GET', url: '/metrics' });
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name).toSorted();
}

describe('every metric', () => {
  it('is called bursar_…', async () => {
    const names = await familiesOf();
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !/^bursar_[a-z_]+$/.test(name))).toEqual([]);
  });

  it('is on the page about watching, which names no other', async () => {
    const page = readFileSync('docs/guides/operating/watching.md', 'utf8');
    const listed = [...page.matchAll(/^\| `(bursar_\w+)` \| (?:gauge|counter|histogram) \|/gm)].map(
      ([, name = '']) => name,
    );
    expect(listed.toSorted()).toEqual(await familiesOf());
  });

  it('has a value from the start, but for the routes that nobody asked for', async () => {
    const names = [...(await scrape()).keys()].map((name) =>
      name.replace(/\{.*/, '').replace(/_(?:sum|count|bucket)$/, ''),
    );
    const silent = (await familiesOf()).filter((name) => !names.includes(name));
    // By route: whether one was asked for in this process, other tests decide.
    expect(silent.filter((name) => name !== 'bursar_http_streams_open')).toEqual([]);
  });
});

it('payouts are counted by what happened to them, apart for sandbox and live', async () => {
  const { client } = application.sandbox;
  const of = (samples: ReadonlyMap<string, number>, status: string, mode = 'sandbox') =>
    samples.get(`bursar_payouts_total{mode="${mode}",status="${status}"}`) ?? -1;
  const before = await scrape();
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100 }));
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  const pay = async () => idIn(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient }));
  const [one, two] = [await pay(), await pay(), await pay()];
  must(await client.post(`/v1/payouts/${one}/cancel`, {}));
  must(await client.post(`/v1/test_helpers/payouts/${two}/fail`, {}));
  const after = await scrape();
  const more = (status: string, mode?: string) => of(after, status, mode) - of(before, status, mode);
  expect(['created', 'canceled', 'failed', 'paid'].map((status) => more(status))).toEqual([3, 1, 1, 0]);
  expect(more('created', 'live')).toBe(0);
});

it('rates that are set and not good are told, and none that are set are no fault', async () => {
  const unusable = async () => (await scrape()).get('bursar_rates_unusable');
  const at = Date.now() - 5_000;
  watchRates({ table: () => ({ at }) as never });
  expect((await scrape()).get('bursar_rates_timestamp_seconds')).toBe(at / 1000);
  expect(await unusable()).toBe(0);
  watchRates({ table: () => ({ unavailable: 'too old' }) });
  expect(await unusable()).toBe(1);
  watchRates(null);
  expect(await unusable()).toBe(0);
});

describe('with a long history', () => {
  /** Ended payouts, but for three that are held, two that wait for money, one that may have left an hour ago and all others on later days. */
  beforeAll(async () => {
    const kind =
      'CASE n WHEN 101 THEN 1 WHEN 102 THEN 1 WHEN 103 THEN 1 WHEN 201 THEN 2 WHEN 202 THEN 2 WHEN 301 THEN 3 ELSE n % 2 * 4 END';
    const columns = {
      environment_id: `'${uuidOf(application.live.environmentId)}'`,
      id: `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
      account_id: NEVER,
      recipient_id: NEVER,
      recipient_version: '1',
      amount: '100',
      currency: "'EUR'",
      status: "CASE k WHEN 0 THEN 'paid' WHEN 2 THEN 'waiting' ELSE 'pending' END",
      wait_until_on: 'CASE k WHEN 2 THEN current_date END',
      transfer_id: `CASE WHEN k <> 2 THEN ${NEVER}::uuid END`,
      created_at: "now() - n * interval '1 second'",
      release: `CASE k WHEN 1 THEN '{"status":"held"}'::jsonb WHEN 0 THEN '{"status":"approved"}'::jsonb END`,
      due_at: "CASE k WHEN 3 THEN now() - interval '1 hour' WHEN 4 THEN now() + interval '1 day' END",
      in_transit_at: 'CASE k WHEN 0 THEN now() END',
      ended_at: 'CASE k WHEN 0 THEN now() END',
    };
    await application.sql(`INSERT INTO payouts (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')}
      FROM generate_series(1, ${PAYOUTS}) AS n, LATERAL (SELECT ${kind} AS k) AS k`);
    await application.sql("INSERT INTO backups VALUES (now() - interval '60 seconds', now(), 1, 1, false)");
    await application.sql('ANALYZE payouts');
  });

  it('the figures are right', async () => {
    const faults: unknown[] = [];
    const worker = startFigures({
      rows: ({ text, values }) => application.sql(text, values),
      onFault: (_, error) => void faults.push(error),
    });
    await worker.stop(); // behind its first round
    expect(faults).toEqual([]);
    const samples = await scrape();
    const of = (name: string) => samples.get(`bursar_${name}`) ?? Number.NaN;
    expect([of('payouts_held'), of('payouts_waiting')]).toEqual([3, 2]);
    const near = (name: string, seconds: number) => {
      expect(of(name), name).toBeGreaterThanOrEqual(seconds);
      expect(of(name), name).toBeLessThan(seconds + 600);
    };
    near('payouts_oldest_held_seconds', 103);
    near('payouts_oldest_waiting_seconds', 202);
    near('payouts_oldest_due_seconds', 3_600);
    const now = Date.now() / 1000;
    expect(Math.abs(now - of('backup_last_timestamp_seconds') - 60)).toBeLessThan(600);
    expect(Math.abs(now - of('installed_timestamp_seconds'))).toBeLessThan(600);
    expect(of('database_bytes')).toBeGreaterThan(1e6);
    expect(of('data_size_bytes')).not.toBeLessThan(of('data_free_bytes'));
  });

  const blocksOf = async (text: string) => {
    const [row] = await application.sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`);
    const [{ Plan: plan }] = JSON.parse(row?.['QUERY PLAN'] as string) as [{ Plan: Record<string, number> }];
    return (plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number);
  };

  it('and cost a few blocks', async () => {
    expect(await blocksOf(FIGURES.text)).toBeLessThanOrEqual(BLOCKS_MAX);
  });

  it('control: what is asked without an index reads the table', async () => {
    expect(await blocksOf('SELECT count(*) FROM payouts WHERE metadata IS NOT NULL')).toBeGreaterThan(BLOCKS_MAX);
  });
});
