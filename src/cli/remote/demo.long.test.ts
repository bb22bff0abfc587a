/**
 * `bursar demo` on a real server: what it leaves is whole by `bursar verify`, each list that a page shows has something in it, and it reaches
 * the present. The same story where the sandbox's own worker takes steps beside it. What it refuses, it leaves as it was.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/bursar.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { demoCommand, fill } from './demo.ts';

const LISTS = [
  'accounts',
  'audit_log',
  'bank_accounts',
  'bank_entries',
  'bank_statements',
  'events',
  'exchanges',
  'expected_payments',
  'keys',
  'limits',
  'payment_files',
  'payment_links',
  'payments',
  'payout_batches',
  'payouts',
  'recipients',
  'request_logs',
  'standing_order_runs',
  'standing_orders',
  'statement_files',
  'transfers',
  'users',
  'webhook_endpoints',
];

const dataOf = async (client: Client, path: string) =>
  must(await client.get(path)).json['data'] as readonly Readonly<Record<string, unknown>>[];

/** All of a list, in pages of 100. */
async function all(client: Client, path: string): Promise<Readonly<Record<string, unknown>>[]> {
  const found: Readonly<Record<string, unknown>>[] = [];
  for (let after = ''; ; after = `&starting_after=${found.at(-1)?.['id'] as string}`) {
    const page = await dataOf(client, `${path}${path.includes('?') ? '&' : '?'}limit=100${after}`);
    found.push(...page);
    if (page.length < 100) return found;
  }
}

const counted = (values: readonly unknown[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(values)].map((value) => [value, values.filter((each) => each === value).length]));

describe.each([0, 1])('a sandbox that takes a step each %i s', (sandboxStepSeconds) => {
  let application: Application;
  let client: Client;

  beforeAll(async () => {
    application = await startApplication({ config: { sandboxStepSeconds, requestLogDays: 7 } });
    ({ client } = application.sandbox);
    const { key } = application.sandbox;
    await fill(createClient({ url: application.address, apiKey: key }));
  }, 180_000);
  afterAll(() => application?.stop());

  it('is whole, and its clock shows the present', async () => {
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
    const clock = must(await client.post('/v1/test_helpers/clock/advance', { seconds: 1 })).json;
    expect(clock['offset_seconds']).toBe(1);
  });

  it.each(LISTS)('has %s', async (list) => {
    expect(await dataOf(client, `/v1/${list}?limit=1`)).toHaveLength(1);
  });

  it('has what a small company has', async () => {
    const payouts = await all(client, '/v1/payouts');
    const paid = payouts.filter(({ status }) => status === 'paid');
    expect(paid.length).toBeGreaterThan(50);
    const held = payouts.filter(({ release }) => (release as Json | null)?.['status'] === 'held');
    expect(new Set(held.map(({ amount_minor: minor }) => minor))).toEqual(new Set([189_000, 2_480_000, 2_130_000]));
    const { failed, returned, canceled, waiting } = counted(payouts.map(({ status }) => status));
    expect({ failed, returned, canceled, waiting }).toEqual({ failed: 1, returned: 1, canceled: 1, waiting: 1 });
    for (const again of ['KM-2291', 'BS 10/318']) {
      const tries = payouts.filter(({ reference }) => reference === again);
      expect(counted(tries.map(({ status }) => status))['paid']).toBe(1);
      expect(tries).toHaveLength(2);
    }
    const batches = await all(client, '/v1/payout_batches');
    expect([2, 3, 4]).toContain(batches.length);
    expect(batches.map(({ status, payouts_count: count }) => [status, count])).toEqual(
      batches.map(() => ['completed', 9]),
    );
    const expected = await all(client, '/v1/expected_payments');
    expect(counted(expected.map(({ status }) => status))).toMatchObject({ paid: 22, partially_paid: 1 });
    expect(expected).toHaveLength(26);
    expect(expected.some(({ status }) => status === 'overdue')).toBe(true);
    const unmatched = await all(client, '/v1/bank_entries?status=unmatched');
    expect(unmatched.map(({ name, payer_name: payer = name }) => payer)).toHaveLength(3);
    const statements = await all(client, '/v1/bank_statements');
    expect(counted(statements.map(({ proof }) => proof))).toEqual({ ok: statements.length });
  });

  it('is whole when the events of its first days are deleted, as they are within the hour', async () => {
    const old = await application.sql(`SELECT 1 FROM events WHERE created_at < now() - interval '90 days' LIMIT 1`);
    expect(old).toHaveLength(1);
    for (const table of ['idempotency_records', 'deliveries', 'events'])
      await application.sql(`DELETE FROM ${table} WHERE created_at < now() - interval '90 days'`);
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  });
});

describe('what it refuses', () => {
  let application: Application;
  beforeAll(async () => {
    application = await startApplication();
  });
  afterAll(() => application?.stop());

  const demo = (key: string) =>
    demoCommand()
      .exitOverride()
      .parseAsync(['--url', application.address, '--key', key], { from: 'user' })
      .then(
        () => 'done',
        (error: Error) => error.message,
      );

  it('live, and a sandbox in which somebody works', async () => {
    expect(await demo(application.live.key)).toMatch(/^This key is for live/);
    const narrow = await application.key({ scopes: ['test_helpers:write', 'payouts:write'] });
    expect(await demo(narrow.key)).toMatch(/^This key may not do all/);
    const { client, key } = application.sandbox;
    const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    for (let more = 0; more < 3; more++) must(await client.post('/v1/accounts', { currency: 'EUR' }));
    expect(await demo(key)).toMatch(/has accounts already.* bursar demo --reset\..*--merchant demo$/);
    must(await client.get(`/v1/accounts/${account}`));
  });
});
