/**
 * A statement of half a million lines (or of a million) from a real server process: complete, adding up, and with at most 60 MB more
 * memory than before; beside a reader that takes nothing for a while, and without a connection held. Control: the file alone is
 * larger than that.
 */
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOf } from '../../src/core/ids.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { makeKey, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, type Tenant } from '../support/harness/tenant-fixture.ts';

/** `STATEMENT_LINES=1000000` for the long form: some 35 s of reading on 2 cores. */
const LINES = Number(process.env['STATEMENT_LINES'] ?? 500_000);
const MOST_MORE_MB = 60;
/**
 * The heap is small, so that what is measured is memory in use. Left alone, a server of Node.js grows by up to 90 MB under any load,
 * in steps and at times that it chooses, because it collects garbage late; measured from before such a step, this test failed.
 */
const HEAP = '--max-old-space-size=64';
/** Read first, so that programs are compiled and heaps have grown before memory is measured. */
const WARM_LINES = 50_000;

let database: Database;
let server: ServerProcess;
let tenant: Tenant;
let key: string;
let large: string;
let small: string;

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { NODE_OPTIONS: HEAP } });
  tenant = await createTenant(database.url, server.address);
  key = (await makeKey(database.url)).key;
  [small, large] = [await tenant.account('EUR', '1'), await tenant.account('EUR', '1')];
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  for (const [account, lines] of [
    [small, WARM_LINES],
    [large, LINES],
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

function open(account: string, format: string): Promise<IncomingMessage> {
  const url = `${server.address}/v1/accounts/${account}/statement?format=${format}`;
  return new Promise((resolve, reject) =>
    get(url, { headers: { authorization: `Bearer ${key}` } }, resolve).on('error', reject),
  );
}

/** Line breaks, and the end of the text. */
async function count(reply: IncomingMessage): Promise<{ lines: number; bytes: number; end: string; mostMb: number }> {
  let [lines, bytes, end, mostMb] = [0, 0, '', 0];
  const watch = setInterval(() => (mostMb = Math.max(mostMb, rssMb())), 50);
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    bytes += chunk.length;
    end = (end + chunk.subarray(-200).toString()).slice(-200);
  }
  clearInterval(watch);
  return { lines, bytes, end, mostMb };
}

it(`${LINES} lines take at most ${MOST_MORE_MB} MB, beside a reader who stands still`, async () => {
  await count(await open(small, 'csv'));
  await count(await open(small, 'csv'));
  const before = rssMb();
  const still = await open(large, 'csv');
  still.on('error', () => undefined).pause();
  const startedMs = performance.now();
  const { lines, bytes, end, mostMb } = await count(await open(large, 'csv'));
  const seconds = (performance.now() - startedMs) / 1000;
  process.stderr.write(
    `statement: ${Math.round(lines / seconds)} lines/s, ${before.toFixed(0)} → ${mostMb.toFixed(0)} MB\n`,
  );
  still.destroy();
  expect(lines).toBe(LINES + 4); // header, opening, funding, closing
  expect(end).toMatch(new RegExp(`\\r\\nclosing,.*,${100 + LINES},,,,,,,,,,\\r\\n$`));
  expect(bytes / 1_000_000).toBeGreaterThan(MOST_MORE_MB); // control: as one text it would not pass
  expect(mostMb - before).toBeLessThan(MOST_MORE_MB);
}, 120_000);
