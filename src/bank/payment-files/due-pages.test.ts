/** A page of due payouts costs what is on the page, also on tables of which PostgreSQL knows nothing yet: as at the first export of a company. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { duePage } from './sql.ts';

const PAYOUTS = 1_000;
const LIMIT = 50;

let application: Application;
beforeAll(async () => {
  application = await startApplication();
  const { client, environmentId } = application.sandbox;
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  await application.submit(environmentId, { type: 'fund_account', account, amount: '100000' });
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  const payout = { amount: 1, currency: 'EUR', account, recipient };
  must(await client.post('/v1/payouts/batch', { payouts: Array.from({ length: PAYOUTS }, () => payout) }));
});
afterAll(() => application?.stop());

/** What is read of each table, in rows. */
async function readBy({ text, values }: Statement): Promise<ReadonlyMap<string, number>> {
  const client = new pg.Client(application.databaseUrl);
  await client.connect();
  // As on large tables: one recipient is quicker kept than looked up.
  await client.query('SET enable_seqscan = off; SET enable_material = off; SET enable_memoize = off');
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  await client.end();
  const read = new Map<string, number>();
  const walk = (node: Record<string, unknown>): void => {
    const [relation, count, loops] = [node['Relation Name'], node['Actual Rows'], node['Actual Loops']];
    if (typeof relation === 'string')
      read.set(relation, (read.get(relation) ?? 0) + (count as number) * (loops as number));
    for (const each of (node['Plans'] ?? []) as Record<string, unknown>[]) walk(each);
  };
  walk(
    (rows[0] as { readonly 'QUERY PLAN': readonly { readonly Plan: Record<string, unknown> }[] })['QUERY PLAN'][0]
      ?.Plan ?? {},
  );
  return read;
}

it('looks up creditors and batches of its own payouts only', async () => {
  const { environmentId } = application.sandbox;
  const page = duePage(environmentId, { currency: 'EUR', speed: null, withinMs: 0, after: null, limit: LIMIT });
  const read = await readBy(page);
  expect(read.get('payouts')).toBeGreaterThanOrEqual(LIMIT);
  expect([read.get('recipient_versions'), read.get('payout_batches')]).toEqual([LIMIT, LIMIT]);
});
