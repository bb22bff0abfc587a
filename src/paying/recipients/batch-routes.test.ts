/** Recipients in one request over real HTTP: all or none, faults by item, tried first, sent twice, and by whom. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

const ADA = {
  name: 'Ada Lovelace',
  type: 'individual',
  currency: 'EUR',
  country: 'DE',
  iban: 'DE89370400440532013000',
};
const ANNE = {
  name: 'Anne Frank',
  type: 'individual',
  currency: 'EUR',
  country: 'NL',
  bank_details: { iban: 'NL91ABNA0417164300' },
};

let application: Application;
let client: Client;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
}, 60_000);
afterAll(() => application?.stop());

const create = (recipients: readonly unknown[], more: object = {}, by = client, options = {}) =>
  by.post('/v1/recipients/batch', { recipients, ...more }, options);
const all = async (by = client) => must(await by.get('/v1/recipients?limit=100')).json['data'] as readonly Json[];
const errorsIn = (json: Json) =>
  ((json['error'] as Json)['errors'] as unknown as readonly { index: number; param?: string; code: string }[]).map(
    ({ index, param = '', code }) => `${index} ${param} ${code}`,
  );

it('are made in one commit, in order, each as its own request would make it', async () => {
  const { json } = must(await create([ADA, ANNE]));
  const results = json['results'] as unknown as readonly { index: number; recipient: Json }[];
  expect(results.map(({ index, recipient }) => [index, recipient['name']])).toEqual([
    [0, 'Ada Lovelace'],
    [1, 'Anne Frank'],
  ]);
  for (const { recipient } of results) {
    expect(must(await client.get(`/v1/recipients/${recipient['id'] as string}`)).json).toEqual(recipient);
    const events = must(await client.get(`/v1/events?related_object=${recipient['id'] as string}`)).json['data'];
    expect(events).toMatchObject([{ type: 'recipient.created', data: { object: recipient } }]);
  }
  const payees = [ADA, ANNE];
  const found = must(await client.post('/v1/recipients/match/batch', { payees })).json['results'];
  expect(found).toMatchObject(
    results.map(({ recipient }) => ({ status: 'found', recipient: { id: recipient['id'] } })),
  );
});

it('are none where one is wrong, and every fault is named by its item, without an account', async () => {
  const before = await all();
  const wrong = [
    ANNE,
    { ...ADA, name: '', iban: 'DE89370400440532013001' },
    { ...ANNE, bank_details: { iban: 'NL91ABNA0417164301' } },
    { ...ADA, ibn: 'x' },
    [],
    { currency: 'EUR' },
  ];
  const refused = await create(wrong, {}, client, { idempotencyKey: 'staff' });
  expect([refused.status, refused.json]).toMatchObject([
    400,
    { error: { code: 'batch_invalid', param: 'recipients' } },
  ]);
  expect(errorsIn(refused.json)).toEqual([
    '1 name parameter_invalid',
    '1 iban iban_invalid',
    '2 bank_details[iban] iban_invalid',
    '3 ibn parameter_unknown',
    '4  body_invalid',
    '5 name parameter_missing',
    '5 type parameter_missing',
    '5 country parameter_missing',
  ]);
  expect(refused.text).not.toContain('37040044053201');
  expect(await all()).toEqual(before);
  // Its key is free for the mended list.
  must(await create([{ ...ANNE, name: 'Anne Bell' }], {}, client, { idempotencyKey: 'staff' }));
});

it('are tried without being made, and then no id exists', async () => {
  const before = await all();
  const { json } = must(await create([{ ...ADA, name: 'Ada King' }, ANNE], { dry_run: true }));
  expect(json).toMatchObject({
    dry_run: true,
    object: 'recipient_batch',
    results: [
      { index: 0, recipient: { dry_run: true, id: null, name: 'Ada King', duplicate_of: before.at(-1)?.['id'] } },
      { index: 1, recipient: { dry_run: true, id: null } },
    ],
  });
  expect(await all()).toEqual(before);
});

it('sent twice under one key are made once, and another list under it is refused', async () => {
  const options = { idempotencyKey: 'list of May' };
  const first = await create([{ ...ANNE, name: 'May' }], {}, client, options);
  const again = await create([{ ...ANNE, name: 'May' }], {}, client, options);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([must(first).text, 'true']);
  const other = await create([{ ...ANNE, name: 'June' }], {}, client, options);
  expect(other.json).toMatchObject({ error: { code: 'idempotency_key_reused', param: 'recipients' } });
  expect((await all()).filter(({ name }) => name === 'May')).toHaveLength(1);
});

it('that are erased leave nothing in what was answered', async () => {
  const options = { idempotencyKey: 'erased later' };
  const { json } = must(
    await create(
      [
        { ...ANNE, name: 'Zelda Unforgettable' },
        { ...ADA, name: 'Stays' },
      ],
      {},
      client,
      options,
    ),
  );
  const [gone] = json['results'] as unknown as readonly { recipient: Json }[];
  must(await client.post(`/v1/recipients/${gone?.recipient['id'] as string}/redact`, {}));
  const again = await create(
    [
      { ...ANNE, name: 'Zelda Unforgettable' },
      { ...ADA, name: 'Stays' },
    ],
    {},
    client,
    options,
  );
  expect(again.text).not.toContain('Zelda');
});

it('may be a thousand and no more', async () => {
  const many = Array.from({ length: 1000 }, (_, n) => ({ ...ADA, name: `Person ${n}` }));
  const by = application.otherSandbox.client;
  expect(must(await create(many, {}, by)).json['results']).toHaveLength(1000);
  expect((await create([...many, ADA], {}, by)).json).toMatchObject({
    error: { code: 'parameter_invalid', param: 'recipients' },
  });
  expect((await create([], {}, by)).json).toMatchObject({ error: { code: 'parameter_invalid', param: 'recipients' } });
});

it('are made by who may write recipients, and name nobody of another tenant', async () => {
  const reader = await application.key({ scopes: ['recipients:read'] });
  expect((await create([ADA], {}, reader.client)).json).toMatchObject({ error: { code: 'scope_missing' } });
  const { json } = must(await create([ADA], {}, application.live.client));
  expect(json['results']).toMatchObject([{ recipient: { duplicate_of: null, livemode: true } }]);
});
