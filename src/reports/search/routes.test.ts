/** Searches over real HTTP: what is made is found by each of its marks, by whoever may read it and by nobody else, and with few reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { objectFaults } from '../../../test/support/harness/all-routes.ts';
import { furnish, type Fixtures } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { exampleId, uuidOf } from '../../core/values/ids.ts';
import { accountsBetween, currenciesOfPayouts, eventsOfRequest, newestAccounts, recordOf } from './sql.ts';

const MARK = 'Quibbleton';
let application: Application;
let client: Client;
let fixtures: Fixtures;
beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
  fixtures = await furnish(application, application.sandbox, MARK);
}, 60_000);
afterAll(() => application?.stop());

interface Hit {
  readonly object: string;
  readonly id: string;
  readonly title: string;
  readonly matched: string;
}
const look = async (q: string, by = client): Promise<Json> => {
  const { json } = must(await by.post('/v1/search', { q }));
  expect(objectFaults('SearchResult', json)).toEqual([]);
  return json;
};
const hits = async (q: string, by = client) => (await look(q, by))['data'] as unknown as readonly Hit[];
const ids = async (q: string, by = client) => (await hits(q, by)).map(({ id }) => id);

/** Kinds whose ids lead to an object of their own. */
const SHOWN = {
  acct: 'account',
  trf: 'transfer',
  rcp: 'recipient',
  exc: 'exchange',
  po: 'payout',
  pob: 'payout_batch',
  so: 'standing_order',
  sor: 'standing_order_run',
  stm: 'daily_statement',
  fee: 'fee_rule',
  ba: 'bank_account',
  pf: 'payment_file',
  br: 'bank_rule',
  sf: 'statement_file',
  bs: 'bank_statement',
  be: 'bank_entry',
  plink: 'payment_link',
  pay: 'payment',
  xp: 'expected_payment',
  evt: 'event',
  we: 'webhook_endpoint',
  dlv: 'delivery',
  rep: 'webhook_replay',
  key: 'key',
  usr: 'user',
} as const;
type Kind = keyof typeof SHOWN;

describe('an id', () => {
  it.each(Object.entries(SHOWN) as [Kind, string][])('of %s', async (kind, object) => {
    const id = fixtures[kind];
    const [hit, ...more] = await hits(id);
    expect(hit).toMatchObject({ object, id, matched: 'id' });
    expect(hit?.title).toMatch(/\S/);
    expect(hit?.title).not.toMatch(/undefined|null|object Object/);
    expect(more).toEqual([]);
    expect(await ids(id.toUpperCase())).toEqual([id]);
    expect(await ids(id, application.otherSandbox.client)).toEqual([]);
    expect(await ids(id, application.live.client)).toEqual([]);
  });
  it('that there is not finds nothing, and says so', async () => {
    expect(await look(exampleId('po'))).toEqual({
      object: 'search_result',
      data: [],
      complete: true,
      searched_until: null,
    });
  });
});

describe('a payout is found by each of its marks', () => {
  let payout: Json;
  let made: Reply;
  beforeAll(async () => {
    const recipient = idIn(
      await client.post('/v1/recipients', { ...RECIPIENT, name: 'Zoë Zwölfender', iban: 'DE02120300000000202051' }),
    );
    const body = { amount: 417.23, currency: 'EUR', recipient, account: fixtures.acct };
    const marks = { external_id: 'zw-1', reference: 'Rechnung zw' };
    made = must(await client.post('/v1/payouts', { ...body, ...marks }, { idempotencyKey: 'key-of-zw' }));
    payout = made.json;
  });
  const id = () => payout['id'] as string;
  it.each<[string, () => string, string]>([
    ['its id', id, 'id'],
    ['the id that a bank quotes', () => id().replace('_', '').toUpperCase(), 'id'],
    ['its external id', () => 'zw-1', 'external_id'],
    ['its reference', () => 'Rechnung zw', 'reference'],
    ['its idempotency key', () => 'key-of-zw', 'idempotency_key'],
    ['its request', () => made.headers['request-id'] as string, 'request'],
    ['its amount', () => '417.23', 'amount'],
    ['its amount as people write it', () => '417,23 eur', 'amount'],
    ['the account of its recipient', () => 'de02 1203 0000 0000 2020 51', 'account'],
    ['the name of its recipient, begun', () => 'zwoelf', 'recipient'],
  ])('%s', async (_, mark, matched) => {
    const found = (await hits(mark())).find((hit) => hit.id === id());
    expect(found).toMatchObject({ object: 'payout', matched, title: 'Zoë Zwölfender' });
    expect(await ids(mark(), application.otherSandbox.client)).not.toContain(id());
    expect(await ids(mark(), application.live.client)).not.toContain(id());
  });
  it('and says how much, in the digits of its currency', async () => {
    expect((await client.post('/v1/search', { q: id() })).text).toContain(
      '"amount":417.23,"amount_minor":41723,"currency":"EUR"',
    );
  });
  it('a request without a key is found too, with the event', async () => {
    const reply = must(await client.post('/v1/accounts', { currency: 'JPY' }));
    const found = await hits(reply.headers['request-id'] as string);
    expect(found.map(({ object }) => object)).toEqual(['account', 'event']);
    expect(found[0]?.id).toBe(reply.json['id']);
  });
});

describe('others', () => {
  it('a recipient by its name and its account, and a former name', async () => {
    const [recipient] = await hits('quibbl');
    expect((await ids('QUIBBLETON')).includes(fixtures.rcp)).toBe(true);
    expect(recipient).toBeDefined();
    expect(await ids(RECIPIENT.iban)).toContain(fixtures.rcp);
  });
  it('an account by its name, and by the reference under which it is paid into', async () => {
    expect((await hits('quibbleton')).filter(({ object }) => object === 'account')).toHaveLength(2);
    expect(await hits(depositReference(fixtures.acct))).toMatchObject([{ id: fixtures.acct, matched: 'reference' }]);
  });
  it('a payment, an expected payment and a payment link by their references', async () => {
    const { reference } = must(await client.get(`/v1/payments/${fixtures.pay}`)).json;
    expect(await ids(reference as string)).toContain(fixtures.pay);
    const expected = must(await client.get(`/v1/expected_payments/${fixtures.xp}`)).json['reference'];
    expect(await ids(expected as string)).toContain(fixtures.xp);
    expect(await ids(MARK)).toContain(fixtures.plink);
  });
  it('a batch by its own id', async () => {
    const order = { amount: 1, currency: 'EUR', recipient: fixtures.rcp, account: fixtures.acct };
    const batch = idIn(await client.post('/v1/payouts/batch', { payouts: [order], external_id: 'payroll-nov' }));
    expect((await hits('payroll-nov'))[0]).toMatchObject({ id: batch, object: 'payout_batch', matched: 'external_id' });
  });
  it('a request that did more than is shown', async () => {
    const order = { amount: 1, currency: 'EUR', recipient: fixtures.rcp, account: fixtures.acct };
    const payouts = Array.from({ length: 6 }, () => order);
    const few = must(await client.post('/v1/accounts', { currency: 'CHF' }));
    const many = must(await client.post('/v1/payouts/batch', { payouts }));
    const complete = async ({ headers }: Reply) => (await look(headers['request-id'] as string))['complete'];
    expect([await complete(few), await complete(many)]).toEqual([true, false]);
  });
  it('what is too much is said to be incomplete', async () => {
    const order = { amount: 3.33, currency: 'EUR', recipient: fixtures.rcp, account: fixtures.acct };
    must(await client.post('/v1/payouts/batch', { payouts: Array.from({ length: 30 }, () => order) }));
    const found = await look('3.33');
    expect((found['data'] as readonly Json[]).length).toBeLessThanOrEqual(20);
    expect(found['complete']).toBe(false);
  });
  it.each(['', ' '.repeat(3), 'x'.repeat(141), '\u0000'])('refuses %j with the name of the parameter', async (q) => {
    const { status, json } = await client.post('/v1/search', { q });
    if (q.trim() === '' && q !== '') return expect(status).toBeLessThan(500);
    expect(status).toBe(400);
    return expect(json['error']).toMatchObject({ param: 'q' });
  });
});

describe('the wall of scopes', () => {
  const asKey = async (scopes: readonly string[], more: object = {}): Promise<Holder> =>
    application.key({ scopes: ['search:read', ...scopes], ...more });
  const OF: Partial<Record<Kind, string>> = {
    acct: 'accounts:read',
    usr: 'users:read',
    trf: 'transfers:read',
    rcp: 'recipients:read',
    exc: 'exchanges:read',
    po: 'payouts:read',
    pob: 'payouts:read',
    so: 'standing_orders:read',
    fee: 'fee_rules:read',
    ba: 'bank_accounts:read',
    pf: 'payment_files:read',
    sf: 'statement_files:read',
    be: 'bank_entries:read',
    plink: 'payment_links:read',
    pay: 'payments:read',
    we: 'webhook_endpoints:read',
    key: 'keys:read',
  };
  it('is closed without search:read', async () => {
    const { client: blind } = await application.key({ scopes: ['payouts:read'] });
    expect((await blind.post('/v1/search', { q: MARK })).status).toBe(403);
  });
  it('shows each kind with its own scope only', async () => {
    const { client: blind } = await asKey([]);
    for (const [kind, scope] of Object.entries(OF) as [Kind, string][]) {
      expect(await ids(fixtures[kind], blind), kind).toEqual([]);
      const { client: reader } = await asKey([scope]);
      expect(await ids(fixtures[kind], reader), kind).toEqual([fixtures[kind]]);
    }
    for (const mark of [MARK, RECIPIENT.iban, '5.00', depositReference(fixtures.acct)])
      expect(await ids(mark, blind), mark).toEqual([]);
  });
  it('a name shows recipients only, or also their payouts', async () => {
    const { client: people } = await asKey(['recipients:read']);
    const { client: both } = await asKey(['recipients:read', 'payouts:read']);
    const kinds = async (by: Client) => [...new Set((await hits(MARK, by)).map(({ object }) => object))];
    expect(await kinds(people)).toEqual(['recipient']);
    expect((await kinds(both)).toSorted()).toEqual(['payout', 'recipient']);
  });
  it('a key that is restricted to accounts finds what belongs to these', async () => {
    const { client: elsewhere } = await asKey(['payouts:read', 'accounts:read'], { accounts: [fixtures.otherAccount] });
    expect(await ids(fixtures.po, elsewhere)).toEqual([]);
    expect(await ids(fixtures.acct, elsewhere)).toEqual([]);
    expect(await ids('5.00', elsewhere)).toEqual([]);
    expect(await ids(MARK, elsewhere)).toEqual([fixtures.otherAccount]);
    const { client: here } = await asKey(['payouts:read'], { accounts: [fixtures.acct] });
    expect(await ids(fixtures.po, here)).toEqual([fixtures.po]); // the control
  });
  it('finds an account behind others of its name that the key may not see, and says nothing of these', async () => {
    const own = idIn(await client.post('/v1/accounts', { currency: 'EUR', name: 'Namesake' }));
    for (let n = 0; n < 6; n += 1) must(await client.post('/v1/accounts', { currency: 'EUR', name: 'Namesake' }));
    expect(await look('Namesake')).toMatchObject({ complete: false }); // the control
    const { client: one } = await asKey(['accounts:read'], { accounts: [own] });
    expect(await look('Namesake', one)).toMatchObject({ data: [{ id: own }], complete: true });
    const { client: none } = await asKey(['payouts:read']);
    expect(await look('Namesake', none)).toMatchObject({ data: [], complete: true });
  });
  it('whom a salary pays is found by nobody without payroll:read, by no mark of it', async () => {
    const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: 'Salaria Lohn' }));
    const salary = { amount: 2.77, currency: 'EUR', recipient, account: fixtures.acct, category_purpose: 'SALA' };
    const marks = { external_id: 'sal-1', reference: 'Salary of Lohn' };
    const id = idIn(await client.post('/v1/payouts', { ...salary, ...marks }, { idempotencyKey: 'sal-key' }));
    const { client: reader } = await asKey(['payouts:read', 'recipients:read', 'events:read']);
    const { client: payroll } = await asKey(['payouts:read', 'recipients:read', 'events:read', 'payroll:read']);
    for (const mark of ['sal-1', 'Salary of Lohn', 'sal-key', 'Salaria']) {
      expect(await ids(mark, reader), mark).not.toContain(id);
      expect(await ids(mark, payroll), mark).toContain(id); // the control
    }
    expect((await hits(id, reader))[0]).toMatchObject({ id, title: 'Payout' });
    expect((await hits(id, payroll))[0]).toMatchObject({ id, title: 'Salaria Lohn' });
  });
});

it('its own reads are few, whatever the length of the tables', async () => {
  const { environmentId } = application.live;
  const uuid = uuidOf(environmentId);
  await application.sql(
    `INSERT INTO payouts (environment_id, id, account_id, recipient_id, recipient_version, amount, currency, status, transfer_id, created_at, in_transit_at, ended_at)
      SELECT $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, n, CASE WHEN n % 2 = 0 THEN 'EUR' ELSE 'USD' END, 'paid', gen_random_uuid(), now(), now(), now()
      FROM generate_series(1, 30000) AS n`,
    [uuid],
  );
  await application.sql('ANALYZE payouts; ANALYZE accounts; ANALYZE events; ANALYZE idempotency_records');
  const plans = await readPlans(application.databaseUrl);
  const range = { from: uuidOf(fixtures.acct), to: uuidOf(fixtures.otherAccount) };
  for (const statement of [
    currenciesOfPayouts(environmentId),
    newestAccounts(environmentId, null),
    newestAccounts(environmentId, new Set([fixtures.acct])),
    accountsBetween(environmentId, range),
    recordOf(environmentId, 'x'),
    eventsOfRequest(environmentId, exampleId('req'), { after: 1n, until: 100n }),
  ])
    for (const { blocks } of await plans.costs(statement)) expect(blocks, statement.text).toBeLessThan(60);
  await plans.client.query('BEGIN; DROP INDEX payouts_amount');
  const [walked] = await plans.costs(currenciesOfPayouts(environmentId));
  await plans.client.query('ROLLBACK');
  await plans.end();
  expect(walked?.blocks).toBeGreaterThan(60);
});
