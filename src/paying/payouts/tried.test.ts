/** What the dry run of a batch says over real HTTP: sums, balances, doubles; to whom; and what the look back reads. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { loadPaidBefore } from './sql.ts';

let application: Application;
let client: Client;
let account: string;
let ada: string;
let bob: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10_000 }));
  ada = await person('Ada Lovelace', 'DE89370400440532013000', 'DE');
  bob = await person('Bob King', 'NL91ABNA0417164300', 'NL');
}, 60_000);
afterAll(() => application?.stop());

const person = async (name: string, iban: string, country: string) =>
  idIn(await client.post('/v1/recipients', { name, type: 'individual', currency: 'EUR', country, iban }));
const pay = (payouts: readonly object[], more: object = {}, by = client) =>
  by.post('/v1/payouts/batch', { payouts, ...more });
const tryOut = async (payouts: readonly object[], more: object = {}, by = client) =>
  must(await pay(payouts, { ...more, dry_run: true }, by)).json;
const to = (recipient: string, amount: number, more: object = {}) => ({ amount, currency: 'EUR', recipient, ...more });
const warningsIn = (json: Json) =>
  (json['warnings'] as unknown as readonly Json[]).map(({ index, code, item, payout }) => [index, code, item, payout]);
const madeBy = (json: Json) =>
  (json['results'] as unknown as readonly { payout: { id: string } }[]).map(({ payout }) => payout.id);

describe('a batch that is tried', () => {
  it('shows sums, the balance before and after, and rows that stand twice', async () => {
    const tried = await tryOut([to(ada, 12.5), to(bob, 7.49), to(ada, 12.5, { reference: 'once more' })]);
    expect(tried).toMatchObject({
      totals: [
        { currency: 'EUR', payouts_count: 3, amount: 32.49, amount_minor: 3249, fees: 0, fees_minor: 0, held_count: 0 },
      ],
      accounts: [
        { account, currency: 'EUR', balance: 1_000_000, balance_after: 996_751, balance_after_minor: 996_751 },
      ],
      warnings: [{ index: 2, code: 'repeated_in_batch', item: 0, payout: null }],
    });
  });

  it('shows a new account without an id, and new recipients as nobody who was paid', async () => {
    const payee = { name: 'Rosa', iban: 'FR1420041010050500013M02606' };
    const tried = await tryOut([{ ...payee, amount: 1, currency: 'EUR' }], { create_recipients: true });
    expect(tried).toMatchObject({ totals: [{ payouts_count: 1 }], warnings: [] });
  });

  it('is warned of what was paid before, but not of what failed', async () => {
    const rows = [to(ada, 101), to(bob, 102), to(bob, 103)];
    const [first, second, third] = madeBy(must(await pay(rows)).json);
    must(await client.post(`/v1/test_helpers/payouts/${second}/fail`, {}));
    expect(warningsIn(await tryOut([...rows, to(bob, 101)]))).toEqual([
      [0, 'paid_before', null, first],
      [2, 'paid_before', null, third],
    ]);
    // Beside those of the batch itself.
    expect(warningsIn(await tryOut([rows[0] as object, rows[0] as object]))).toEqual([
      [1, 'repeated_in_batch', 0, null],
      [0, 'paid_before', null, first],
      [1, 'paid_before', null, first],
    ]);
  });

  it('has none of it once it is made, and is made all the same', async () => {
    const { json } = must(await pay([to(ada, 101)]));
    expect(Object.keys(json)).not.toContain('warnings');
    expect(Object.keys(json)).not.toContain('totals');
  });
});

describe('who sees what', () => {
  it('no balance without accounts:read', async () => {
    const payer = await application.key({ scopes: ['payouts:write'] });
    expect(await tryOut([to(ada, 1)], {}, payer.client)).toMatchObject({ accounts: null, totals: [{ amount: 1 }] });
  });

  it('no salary of somebody else without payroll:read, but one’s own', async () => {
    const [clerk, other] = [
      await application.key({ scopes: ['payouts:write'] }),
      await application.key({ scopes: ['payouts:write'] }),
    ];
    const salary = [to(ada, 3214.07)];
    const [paid] = madeBy(must(await pay(salary, { category_purpose: 'SALA' }, clerk.client)).json);
    expect(warningsIn(await tryOut(salary))).toEqual([[0, 'paid_before', null, paid]]);
    expect(warningsIn(await tryOut(salary, {}, clerk.client))).toEqual([[0, 'paid_before', null, paid]]);
    expect(warningsIn(await tryOut(salary, {}, other.client))).toEqual([]);
  });

  it('no payout of an account that the key may not see', async () => {
    const own = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await client.post(`/v1/test_helpers/accounts/${own}/fund`, { amount: 1000 }));
    const [paid] = madeBy(must(await pay([to(bob, 55, { account })])).json);
    const restricted = await application.key({ scopes: ['payouts:write'], accounts: [own] });
    const row = [to(bob, 55, { account: own })];
    expect(warningsIn(await tryOut(row))).toEqual([[0, 'paid_before', null, paid]]);
    expect(warningsIn(await tryOut(row, {}, restricted.client))).toEqual([]);
  });
});

describe('the look back', () => {
  const BLOCKS_MAX = 200; // fifty payouts and their index; the table has thousands
  let reader: pg.Client;
  const [busy, rare, now] = ['01900000-0001-7000-8000-000000000000', '01900000-0002-7000-8000-000000000000', 30_000];

  beforeAll(async () => {
    const id = `overlay('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0') placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid`;
    await application.sql(
      `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status, transfer_id, created_at, in_transit_at, ended_at)
       SELECT $1, ${id}, '${busy}', CASE WHEN n % 1000 = 500 THEN '${rare}' ELSE '${busy}' END::uuid, 1, n, 'EUR', 'paid', '${busy}', now(), now(), now()
         FROM generate_series(1, ${now}) AS n`,
      [uuidOf(application.otherLive.environmentId)],
    );
    await application.sql('ANALYZE payouts');
    reader = new pg.Client(application.databaseUrl);
    await reader.connect();
  }, 120_000);
  afterAll(() => reader?.end());

  /** Blocks of one item, by the plan that is kept for all values. */
  async function blocksOf(recipient: string, amount: number): Promise<number> {
    const { text } = loadPaidBefore([]);
    await reader.query(`DEALLOCATE ALL; PREPARE kept AS ${text}`);
    await reader.query('SET plan_cache_mode = force_generic_plan');
    const environment = uuidOf(application.otherLive.environmentId);
    const { rows } = await reader.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE kept ('{${environment}}', '{0}', '{${recipient}}', '{${amount}}', '{EUR}', '{01900000-0000-7000-8000-000000000000}')`,
    );
    const plan = rows[0]['QUERY PLAN'][0].Plan as Record<string, number>;
    return (plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number);
  }

  it.each([
    ['whom thousands were paid', busy, now],
    ['whom a few were paid', rare, 29_500],
    ['whom this was never paid', busy, 999_999],
  ])('at somebody %s is short', async (_, recipient, amount) => {
    expect(await blocksOf(recipient, amount)).toBeLessThanOrEqual(BLOCKS_MAX);
  });
  it('the control: without the index all payouts are read', async () => {
    await reader.query('BEGIN; DROP INDEX payouts_recipient');
    expect(await blocksOf(rare, 29_500)).toBeGreaterThan(BLOCKS_MAX);
    await reader.query('ROLLBACK');
  });
});
