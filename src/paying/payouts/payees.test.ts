/** Batches to payees over real HTTP: as CSV and JSON, tried first, sent twice, by keys of all kinds, and under limits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';

const ADA = 'Ada Lovelace,DE89370400440532013000';
const BOB = 'Bob King,NL91ABNA0417164300';
const HEADER = 'name,iban,amount,currency,reference';

let application: Application;
let client: Client;
let ada: string;
let account: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  account = await funded(application.sandbox);
  const order = { name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE' };
  ada = idIn(await client.post('/v1/recipients', { ...order, iban: 'DE89370400440532013000' }));
}, 60_000);
afterAll(() => application?.stop());

async function funded({ client: by }: Holder): Promise<string> {
  const id = idIn(await by.post('/v1/accounts', { currency: 'EUR' }));
  must(await by.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 1000 }));
  return id;
}

const csv = (rows: readonly string[], query = '', by = client, options = {}) =>
  by.post(`/v1/payouts/batch?${query}`, [HEADER, ...rows].join('\n'), {
    headers: { 'content-type': 'text/csv' },
    ...options,
  });
const balance = async () => must(await client.get(`/v1/accounts/${account}`)).json['balance'] as number;
const recipients = async (by = client) =>
  must(await by.get('/v1/recipients?limit=100')).json['data'] as readonly Json[];
interface Said {
  readonly index: number;
  readonly code: string;
  readonly param?: string;
}
const errorsIn = (json: Json) => (json['error'] as Json)['errors'] as unknown as readonly Said[];

describe('a file of names and accounts', () => {
  it('is tried first, which shows who would be new, and then pays', async () => {
    const [before, known] = [await balance(), await recipients()];
    const rows = [`${ADA},5,EUR,May`, `${BOB},7.50,EUR,May`];
    const asked = await csv(rows, 'dry_run=true');
    expect(errorsIn(asked.json)).toEqual([
      {
        index: 1,
        param: 'iban',
        code: 'resource_missing',
        message: 'No recipient in EUR has the account **************4300. With create_recipients=true it is created.',
        line: 3,
        column: 2,
        column_name: 'iban',
      },
    ]);
    const tried = must(await csv(rows, 'dry_run=true&create_recipients=true')).json;
    expect(tried['results']).toMatchObject([
      { recipient_match: 'found', payout: { recipient: ada, destination: { last4: '3000' } } },
      { recipient_match: 'new', payout: { recipient: null, destination: { name: 'Bob King', last4: '4300' } } },
    ]);
    expect([await balance(), await recipients()]).toEqual([before, known]);

    const options = { idempotencyKey: 'names of May' };
    const paid = await csv(rows, 'create_recipients=true', client, options);
    const [, { payout }] = must(paid).json['results'] as [Json, { payout: Json }];
    expect(await balance()).toBe(before - 1250);
    const made = (await recipients()).find(({ id }) => id === payout['recipient']);
    expect(made).toMatchObject({ name: 'Bob King', type: 'individual', country: 'NL', currency: 'EUR' });
    // Bob is a recipient by now, and still the same is answered.
    const again = await csv(rows, 'create_recipients=true', client, options);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([paid.text, 'true']);
    expect(await balance()).toBe(before - 1250);
  });

  it('pays once under one external id, and tells the batch that has paid', async () => {
    const send = () => csv([`${ADA},1,EUR,June`], 'external_id=names-june');
    const first = must(await send()).json;
    const before = await balance();
    expect((await send()).json['error']).toMatchObject({ code: 'external_id_used', resource_id: first['id'] });
    expect(await balance()).toBe(before);
  });

  it('means the same as JSON, with all that a payee may have', async () => {
    const payee = { name: 'Carla', iban: 'ES91 2100 0418 4502 0005 1332', bic: 'CAIXESBB', email: 'c@example.com' };
    const item = { ...payee, type: 'company', country: 'ES', amount: 2, currency: 'EUR' };
    const { json } = must(await client.post('/v1/payouts/batch', { payouts: [item], create_recipients: true }));
    const [{ payout }] = json['results'] as [{ payout: Json }];
    expect(must(await client.get(`/v1/recipients/${payout['recipient'] as string}`)).json).toMatchObject({
      name: 'Carla',
      type: 'company',
      email: 'c@example.com',
      bank_details: { iban: '********************1332', bic: 'CAIXESBB' },
    });
  });

  it('is refused with all faults of all rows, none of which has a name or an account', async () => {
    const before = await balance();
    const rows = [
      'Grace Hopper,DE89370400440532013000,1,EUR,a',
      'Grace Hopper,DE89370400440532013001,x,EUR,b',
      'Grace Hopper,,1,EUR,c',
      ',DE89370400440532013000,1,EUR,d',
      'Grace Hopper,4711,1,EUR,e',
      ',,1,EUR,f',
      `${ADA},1,EUR,g`,
      `${ADA},1.00,EUR,g`,
    ];
    const refused = await csv(rows);
    expect(errorsIn(refused.json).map(({ index, code, param }) => `${index} ${code} ${param}`)).toEqual([
      '0 recipient_name_mismatch name',
      '1 amount_invalid amount',
      '1 iban_invalid iban',
      '2 parameter_missing iban',
      '3 parameter_missing name',
      '4 iban_invalid iban',
      '5 parameter_missing recipient',
      '7 payout_repeated undefined',
    ]);
    for (const secret of ['Grace', 'Ada', '370400440532']) expect(refused.text).not.toContain(secret);
    expect(await balance()).toBe(before);
    const pair = rows.slice(-2);
    expect(must(await csv(pair, 'allow_repeated=true')).json).toMatchObject({ payouts_count: 2 });
  });
});

it('somebody new in many batches at once becomes one recipient: it is looked for under the lock', async () => {
  const row = (n: number) => `Fay,FR1420041010050500013M02606,1,EUR,${n}`;
  const sent = await Promise.all(Array.from({ length: 8 }, (_, n) => csv([row(n)], 'create_recipients=true')));
  const matches = sent.map((reply) => (must(reply).json['results'] as readonly Json[])[0]?.['recipient_match']);
  expect(matches.filter((match) => match === 'new')).toHaveLength(1);
  expect((await recipients()).filter(({ name }) => name === 'Fay')).toHaveLength(1);
});

it('what is sold of another currency tells two items apart, as an amount does', async () => {
  const item = { name: 'Ada Lovelace', iban: 'DE89370400440532013000', currency: 'EUR', source_currency: 'USD' };
  const dollars = idIn(await client.post('/v1/accounts', { currency: 'USD' }));
  must(await client.post(`/v1/test_helpers/accounts/${dollars}/fund`, { amount: 100 }));
  const send = (...amounts: readonly number[]) =>
    client.post('/v1/payouts/batch', { payouts: amounts.map((amount) => ({ ...item, source_amount: amount })) });
  expect(errorsIn((await send(2, 2)).json)).toMatchObject([{ index: 1, code: 'payout_repeated' }]);
  expect(must(await send(2, 3)).json).toMatchObject({ payouts_count: 2 });
});

describe('keys', () => {
  it('need the scopes of recipients, to read them and to make them', async () => {
    const codeWith = async (query: string, ...scopes: readonly string[]) => {
      const { client: by } = await application.key({ scopes: ['payouts:write', ...scopes] as never });
      return ((await csv([`${ADA},1,EUR,${scopes.length}`], `dry_run=true&${query}`, by)).json['error'] as Json)?.[
        'code'
      ];
    };
    expect(await codeWith('')).toBe('scope_missing');
    expect(await codeWith('', 'recipients:read')).toBeUndefined();
    expect(await codeWith('create_recipients=true', 'recipients:read')).toBe('scope_missing');
    expect(await codeWith('create_recipients=true', 'recipients:write')).toBeUndefined();
  });

  it('that are restricted to accounts pay from those alone, and may make recipients', async () => {
    const scopes = ['payouts:write', 'recipients:write'] as never;
    const { client: by } = await application.key({ scopes, accounts: [account] });
    const item = { name: 'Dora', iban: 'PT50000201231234567890154', amount: 1, currency: 'EUR', account };
    const send = (change: object) =>
      by.post('/v1/payouts/batch', { payouts: [{ ...item, ...change }], create_recipients: true });
    expect((await send({ account: undefined })).json['error']).toMatchObject({ code: 'account_not_allowed' });
    expect(must(await send({})).json['results']).toMatchObject([{ recipient_match: 'new' }]);
  });

  it('of another tenant find nobody here', async () => {
    const other = application.otherSandbox;
    await funded(other);
    const { json } = must(await csv([`${ADA},1,EUR,x`], 'create_recipients=true', other.client));
    expect(json['results']).toMatchObject([{ recipient_match: 'new' }]);
    expect((await recipients()).filter(({ name }) => name === 'Ada Lovelace')).toHaveLength(1);
  });
});

it('a limit of recipients counts the account of somebody new, whoever had it before', async () => {
  const holder = await application.key({ merchant: 'limited' });
  await funded(holder);
  const { client: by } = holder;
  must(await by.post('/v1/limits', { per: 'recipient', currency: 'EUR', amount: 10, action: 'refuse' }));
  const pay = (amount: number, reference: string) =>
    csv([`${ADA},${amount},EUR,${reference}`], 'create_recipients=true', by);
  expect(errorsIn((await pay(11, 'a')).json)).toMatchObject([{ code: 'limit_exceeded' }]);
  must(await pay(6, 'b'));
  const [{ id }] = (await recipients(by)) as [Json];
  must(await by.write('DELETE', `/v1/recipients/${id as string}`, ''));
  expect(errorsIn((await pay(6, 'c')).json)).toMatchObject([{ code: 'limit_exceeded', available_minor: 400 }]);
});
