/** Metadata that is unset as a whole, over real HTTP: every write that takes metadata, in a form and in JSON. */
import { stringify } from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import { type Fixtures, furnish, houseBank } from '../../../test/support/harness/fixtures.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
}, 60_000);
afterAll(() => application?.stop());

const UPDATES: Readonly<Record<string, keyof Fixtures | null>> = {
  '/v1/accounts': 'acct',
  '/v1/recipients': 'rcp',
  '/v1/exchanges': 'exc',
  '/v1/payouts': 'po',
  '/v1/standing_orders': 'so',
  '/v1/payment_links': 'plink',
  '/v1/payments': 'pay',
  '/v1/webhook_endpoints': 'we',
  '/v1/bank_accounts': 'ba',
  '/v1/settings': null,
};
/** Settings have no id in their path. */
const pathOf = (base: string, kind: keyof Fixtures | null) => (kind === null ? base : `${base}/${fixtures[kind]}`);
const PRICE = { sell_currency: 'EUR', buy_currency: 'USD', amount: '10' };
const CREATES: Readonly<Record<string, () => object>> = {
  '/v1/accounts': () => ({ currency: 'EUR' }),
  '/v1/bank_accounts': houseBank,
  '/v1/transfers': () => ({ from: fixtures.acct, to: fixtures.otherAccount, amount: '1' }),
  '/v1/recipients': () => RECIPIENT,
  '/v1/recipients/validate': () => RECIPIENT,
  '/v1/exchanges/quote': () => PRICE,
  '/v1/exchanges': () => PRICE,
  '/v1/payouts/batch': () => ({ payouts: [{ amount: '1', currency: 'EUR', recipient: fixtures.rcp }] }),
  '/v1/payouts': () => ({ amount: '1', currency: 'EUR', recipient: fixtures.rcp }),
  '/v1/standing_orders': () => ({
    amount: '1',
    currency: 'EUR',
    recipient: fixtures.rcp,
    interval: 'month',
    starts_on: '2099-01-31',
  }),
  '/v1/payment_links': () => ({ amount: '1', currency: 'EUR' }),
  '/v1/expected_payments': () => ({ amount: '1', currency: 'EUR' }),
  '/v1/webhook_endpoints': () => ({ url: 'https://hooks.example.com/metadata' }),
};
const form = (body: object) => stringify(body);

it('the cases below are all writes that take metadata', () => {
  const paths = ROUTES.filter(({ body }) => body?.fields['metadata'] !== undefined).map(({ path }) => path);
  const known = [
    ...Object.entries(UPDATES).map(([path, kind]) => (kind === null ? path : `${path}/:id`)),
    ...Object.keys(CREATES),
  ];
  expect(paths.toSorted()).toEqual(known.toSorted());
});

describe('an update', () => {
  it.each(Object.entries(UPDATES))('%s', async (base, kind) => {
    const path = pathOf(base, kind);
    const metadataAfter = async (body: object | string) =>
      must(await client.post(path, body, { form: typeof body === 'string' })).json['metadata'];
    const given = { a: '1', b: '2' };
    for (const unset of ['metadata=', { metadata: null }]) {
      expect(await metadataAfter({ metadata: given })).toMatchObject(given);
      // Neither unsets anything.
      expect(await metadataAfter({ metadata: {} })).toMatchObject(given);
      expect(await metadataAfter(unset)).toEqual({});
      expect(must(await client.get(path)).json['metadata']).toEqual({});
      expect(await metadataAfter(unset)).toEqual({});
    }
  });

  it('says in the event what the keys were', async () => {
    const path = `/v1/accounts/${fixtures.acct}`;
    must(await client.post(path, { metadata: { a: '1', b: '2' } }));
    must(await client.post(path, { metadata: null }));
    const { data } = must(await client.get('/v1/events?limit=1&type=account.updated')).json;
    expect(data).toMatchObject([
      { data: { object: { metadata: {} }, previous_attributes: { metadata: { a: '1', b: '2' } } } },
    ]);
  });

  it('is the same request in a form and in JSON, and another than one without', async () => {
    const path = `/v1/accounts/${fixtures.acct}`;
    const idempotencyKey = 'unset all';
    const first = must(await client.post(path, 'metadata=', { form: true, idempotencyKey }));
    const again = must(await client.post(path, { metadata: null }, { idempotencyKey }));
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const other = await client.post(path, { metadata: { a: '' } }, { idempotencyKey });
    expect(other.json['error']).toMatchObject({ code: 'idempotency_key_reused', param: 'metadata' });
  });
});

describe('a create has none', () => {
  it.each(Object.entries(CREATES))('%s', async (path, body) => {
    const created = [
      must(await client.post(path, { ...body(), metadata: null })),
      must(await client.post(path, form({ ...body(), metadata: '' }), { form: true })),
    ];
    for (const { json } of created) expect(json['metadata'] ?? {}).toEqual({});
  });
});

describe('what is no object is refused by name', () => {
  const wrong = ['', 'x', 5, true, [], ['a']];
  const paths = [...Object.keys(UPDATES), ...Object.keys(CREATES)];
  it.each([...new Set(paths)])('%s', async (base) => {
    const targets = [
      ...(base in UPDATES ? [[pathOf(base, UPDATES[base] ?? null), {}] as const] : []),
      ...(base in CREATES && base !== '/v1/recipients/validate' ? [[base, CREATES[base]?.() ?? {}] as const] : []),
    ];
    for (const [path, body] of targets) {
      for (const metadata of wrong) {
        const { status, json } = await client.post(path, { ...body, metadata });
        expect([status, json['error']], `${path} ${JSON.stringify(metadata)}`).toMatchObject([
          400,
          { code: 'parameter_invalid', param: 'metadata' },
        ]);
      }
      const { status, json } = await client.post(path, form({ ...body, metadata: 'x' }), { form: true });
      expect([status, json['error']]).toMatchObject([400, { code: 'parameter_invalid', param: 'metadata' }]);
    }
  });
});
