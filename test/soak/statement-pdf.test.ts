/**
 * A long statement as PDF from a real server process: all of its pages, and no more memory than a shorter one takes. (Measured: 180 MB for
 * 2,000 lines, 183 for 10,000, of which the thread has some 60.)
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOf } from '../../src/core/ids.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { makeKey, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, type Tenant } from '../support/harness/tenant-fixture.ts';

/** `STATEMENT_LINES=100000` for the long form: about a minute on two cores. */
const LINES = Number(process.env['STATEMENT_LINES'] ?? 6_000);
const SHORT_LINES = 1_500;
const MOST_MORE_MB = 30;

let database: Database;
let server: ServerProcess;
let tenant: Tenant;
let key: string;
let short: string;
let long: string;

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { NODE_OPTIONS: '--max-old-space-size=64' } });
  tenant = await createTenant(database.url, server.address);
  key = (await makeKey(database.url)).key;
  [short, long] = [await tenant.account('EUR', '1'), await tenant.account('EUR', '1')];
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  for (const [account, lines] of [
    [short, SHORT_LINES],
    [long, LINES],
  ] as const) {
    // Behind the funding of the account, by one cent each.
    await owner.query(
      `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, credit_balance_after, created_at)
       SELECT t.environment_id, (left(t.id::text, 13) || '-7fff-8000-' || lpad(to_hex(n), 12, '0'))::uuid, t.debit_account,
         t.credit_account, 1, 'EUR', 'funding', t.credit_balance_after + n, t.created_at
       FROM transfers t, generate_series(1, ${lines}) n WHERE t.credit_account = $1`,
      [uuidOf(account)],
    );
    await owner.query(`UPDATE accounts SET balance = balance + ${lines} WHERE id = $1`, [uuidOf(account)]);
  }
  await owner.query('ANALYZE transfers');
  await owner.end();
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const rssMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_000;

async function read(account: string): Promise<{ bytes: Buffer; mostMb: number; seconds: number }> {
  const startedMs = performance.now();
  let mostMb = 0;
  const watch = setInterval(() => (mostMb = Math.max(mostMb, rssMb())), 50);
  const reply = await fetch(`${server.address}/v1/accounts/${account}/statement?format=pdf`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  clearInterval(watch);
  return { bytes, mostMb, seconds: (performance.now() - startedMs) / 1000 };
}

const pagesOf = (bytes: Buffer) => Number(/\/Type \/Pages\n\/Count (\d+)/.exec(bytes.toString('latin1'))?.[1]);

it(`${LINES} lines take at most ${MOST_MORE_MB} MB more than ${SHORT_LINES}, and every page is there`, async () => {
  const before = rssMb();
  await read(short); // programs are compiled
  const less = await read(short);
  const more = await read(long);
  process.stderr.write(
    `statement as PDF: ${Math.round(LINES / more.seconds)} lines/s, ${pagesOf(more.bytes)} pages, ${before.toFixed(0)} → ${less.mostMb.toFixed(0)} → ${more.mostMb.toFixed(0)} MB\n`,
  );
  for (const { bytes } of [less, more]) expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
  // A line of this kind takes two lines of text.
  expect(pagesOf(more.bytes) / pagesOf(less.bytes)).toBeCloseTo(LINES / SHORT_LINES, 0);
  expect(pagesOf(more.bytes)).toBeGreaterThan(LINES / 40);
  expect(more.mostMb - less.mostMb).toBeLessThan(MOST_MORE_MB);
}, 180_000);
