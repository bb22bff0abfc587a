/**
 * The summary of a million payouts of 400 days: each answer within 20 ms on an idle machine, its sums made of two million transfers in
 * seconds, and what it says is what all transfers come to. Small: `src/reports/summary/routes.test.ts`, `kills.long.test.ts`.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOf } from '../../src/core/values/ids.ts';
import { TYPES } from '../../src/platform/db/wire/types.ts';
import type { Statement } from '../../src/platform/db/wire/statement.ts';
import { rollUpOnce } from '../../src/reports/summary/roll-up.ts';
import { environmentsBehind, forgetSums } from '../../src/reports/summary/sql.ts';
import { DAILY_SUM_CHECKS } from '../../src/verify/daily-sums.ts';
import { type Application, type Holder, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { timed } from '../support/measure/timed.ts';

const PAYOUTS = 1_000_000;
const DAYS = 399;
const MOST_MS = 20;
const MOST_ROLL_UP_SECONDS = 15;
const ANSWERS = 50;

let application: Application;
let holder: Holder;
let client: pg.Client;
const run = (statement: Statement) => client.query({ ...statement, values: [...statement.values] });
const rows = async (statement: Statement) => (await run(statement)).rows as Record<string, unknown>[];

/** Of `n` from 1: the instant in the id is `n` seconds of the last 400 days, and so is `created_at`. */
const SECONDS = (DAYS * 86_400) / PAYOUTS;
const instant = `(1_000 * (extract(epoch FROM now())::int8 - ${DAYS * 86_400} + (n * ${SECONDS})::int8))`.replaceAll(
  '_',
  '',
);
const id = (kind: number) =>
  `(lpad(to_hex(${instant}), 12, '0') || '7000800${kind}' || lpad(to_hex(n), 12, '0'))::uuid`;
const at = `to_timestamp(${instant} / 1000.0)`;
const CURRENCY = "(ARRAY['EUR', 'USD', 'JPY'])[n % 3 + 1]";
const house = (kind: number) =>
  `('00000000-0000-8000-8000-00000${kind}' || encode(convert_to(${CURRENCY}, 'UTF8'), 'hex'))::uuid`;

beforeAll(async () => {
  application = await startApplication();
  holder = await application.key({ merchant: 'large', livemode: true });
  const environment = `'${uuidOf(holder.environmentId)}'::uuid`;
  client = new pg.Client({ connectionString: application.databaseUrl, types: TYPES });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'; SET synchronous_commit = off");
  // Of a hundred payouts 95 are paid, two failed, one came back, one is held, one waits.
  await client.query(`INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status, transfer_id, reversal_id,
      failure_code, created_at, in_transit_at, ended_at, release, wait_until_on)
    SELECT ${environment}, ${id(0)}, ${environment}, ${environment}, 1, 100 + n % 9000, ${CURRENCY}, s.status, CASE WHEN s.status <> 'waiting' THEN ${environment} END,
      CASE WHEN s.status IN ('failed', 'returned') THEN ${environment} END, CASE WHEN s.status IN ('failed', 'returned') THEN 'account_closed' END,
      ${at}, CASE WHEN s.status IN ('paid', 'returned') THEN ${at} END, CASE WHEN s.status IN ('paid', 'failed', 'returned') THEN ${at} END,
      CASE WHEN s.status = 'pending' THEN '{"status":"held"}'::jsonb END, CASE WHEN s.status = 'waiting' THEN current_date + 30 END
    FROM generate_series(1, ${PAYOUTS}) AS n,
      LATERAL (SELECT CASE n % 100 WHEN 0 THEN 'failed' WHEN 1 THEN 'failed' WHEN 2 THEN 'returned' WHEN 3 THEN 'pending' WHEN 4 THEN 'waiting' ELSE 'paid' END AS status) AS s`);
  const transfers = `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, debit_balance_after, created_at)`;
  await client.query(`${transfers} SELECT ${environment}, ${id(1)}, ${environment}, ${house(2)}, 100 + n % 9000, ${CURRENCY}, 'payout', 0, ${at}
    FROM generate_series(1, ${PAYOUTS}) AS n`);
  await client.query(`${transfers} SELECT ${environment}, ${id(2)}, ${house(2)}, ${house(1)}, 100 + n % 9000, ${CURRENCY}, 'payout_settlement', NULL, ${at}
    FROM generate_series(1, ${PAYOUTS}) AS n WHERE n % 100 > 4`);
  await client.query('ANALYZE payouts, transfers');
});
afterAll(async () => {
  await client?.end();
  await application?.stop();
});

it(`the sums of all transfers are made within ${MOST_ROLL_UP_SECONDS} s of work`, async () => {
  const counted = async () =>
    Number((await client.query("SELECT sum(count) AS n FROM daily_sums WHERE day = '-infinity'")).rows[0].n);
  for (const statement of forgetSums(null)) await run(statement);
  const parts = { rows, keep: run, onLag: () => undefined };
  let rounds = 0;
  const ms = await timed(async () => {
    // The worker of the server may have the row just then.
    for (; (await rows(environmentsBehind(1))).length > 0; rounds += 1) await rollUpOnce(parts);
  });
  const all = await counted();
  process.stderr.write(
    `summary: ${all} transfers in ${rounds} rounds, ${Math.round(ms)} ms, ${((ms * 1000) / all).toFixed(2)} µs each\n`,
  );
  expect(all).toBe(Number((await client.query('SELECT count(*) AS n FROM transfers')).rows[0].n));
  for (const { sql } of DAILY_SUM_CHECKS) expect((await client.query(sql)).rows).toEqual([]);
  expect(ms / 1000).toBeLessThan(MOST_ROLL_UP_SECONDS);
});

it.each([
  ['30 days', ''],
  ['400 days', `?from=${new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 10)}`],
])(`an answer about %s takes at most ${MOST_MS} ms`, async (name, query) => {
  await client.query('ANALYZE daily_sums');
  const ask = async () => must(await holder.client.get(`/v1/summary${query}`));
  const { json } = await ask();
  const times: number[] = [];
  for (let n = 0; n < ANSWERS; n += 1) times.push(await timed(ask));
  const sorted = times.toSorted((one, other) => one - other);
  const [median, worst] = [sorted[ANSWERS / 2] as number, sorted[ANSWERS - 1] as number];
  process.stderr.write(`summary of ${name}: ${median.toFixed(1)} ms, at worst ${worst.toFixed(1)} ms\n`);
  const eur = (json['currencies'] as Json[]).find(({ currency }) => currency === 'EUR') as Json;
  const counts = (json['currencies'] as Json[]).map((each) => (each['in_flight'] as Json)['count'] as number);
  const count = counts.reduce((sum, each) => sum + each, 0);
  expect(count).toBe(Math.floor(PAYOUTS / 100) * 5);
  expect((eur['days'] as Json[]).length).toBeGreaterThan(28);
  expect(median).toBeLessThan(MOST_MS);
});

it('control: the same from the transfers takes longer', async () => {
  const ms = await timed(() =>
    client.query(
      'SELECT currency, created_at::date, sum(amount) FROM transfers WHERE environment_id = $1 GROUP BY 1, 2',
      [uuidOf(holder.environmentId)],
    ),
  );
  expect(ms).toBeGreaterThan(MOST_MS);
});
