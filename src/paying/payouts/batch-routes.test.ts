/** Payout batches over real HTTP: all or nothing, item by item, as JSON, form and CSV, up to a thousand items. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;
const UNKNOWN = 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa';

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
});
afterAll(() => application?.stop());

const order = (change: object = {}) => ({ amount: 5, currency: 'EUR', recipient: fixtures.rcp, ...change });
const send = (payouts: readonly object[], more: object = {}, options = {}) =>
  client.post('/v1/payouts/batch', { payouts, ...more }, options);
const csv = (text: string) => client.post('/v1/payouts/batch', text, { headers: { 'content-type': 'text/csv' } });
const balance = async () => must(await client.get(`/v1/accounts/${fixtures.acct}`)).json['balance'] as number;
const payoutsOf = async (batch: unknown) =>
  must(await client.get(`/v1/payouts?batch=${batch as string}&limit=100&order=asc`)).json['data'] as readonly Json[];

describe('200', () => {
  it('creates all in the order sent, in one event sequence', async () => {
    const before = await balance();
    const { json } = must(
      await send([order(), order({ amount: '7.50', reference: 'second' })], { metadata: { run: '1' } }),
    );
    expect(json).toMatchObject({
      object: 'payout_batch',
      status: 'processing',
      mode: 'atomic',
      payouts_count: 2,
      rejected_count: 0,
      open_count: 2,
      failed_count: 0,
      completed_at: null,
      metadata: { run: '1' },
      results: [
        { index: 0, status: 'created', payout: { amount_minor: 500, batch: json['id'] } },
        { index: 1, status: 'created', payout: { amount_minor: 750, reference: 'second' } },
      ],
    });
    expect(await balance()).toBe(before - 1_250);
    const { results: _, ...batch } = json;
    expect(must(await client.get(`/v1/payout_batches/${json['id'] as string}`)).json).toEqual(batch);
    expect((await payoutsOf(json['id'])).map(({ amount_minor: minor }) => minor)).toEqual([500, 750]);
  });

  it('says for all of its payouts what they are for; an item goes first, and then the recipient', async () => {
    const { currency, country } = { currency: 'EUR', country: 'DE' };
    const landlord = { name: 'Landlord', type: 'individual', iban: 'DE02120300000000202051', purpose: 'RENT' };
    const made = must(await client.post('/v1/recipients', { ...landlord, currency, country })).json;
    expect(made).toMatchObject({ category_purpose: null, purpose: 'RENT' });
    const cleared = must(await client.post(`/v1/recipients/${made['id'] as string}`, { purpose: null })).json;
    expect(cleared['purpose']).toBeNull();
    must(await client.post(`/v1/recipients/${made['id'] as string}`, { purpose: 'RENT', category_purpose: 'SUPP' }));
    const items = [order(), order({ purpose: 'BONU', category_purpose: 'BONU' }), order({ recipient: made['id'] })];
    const purposesOf = async (more: object) => {
      const { json } = must(await send(items, more));
      const said = await payoutsOf(json['id']);
      return [json['batch_booking'], ...said.map((each) => [each['category_purpose'], each['purpose']])];
    };
    const all = { category_purpose: 'SALA', purpose: 'SALA', batch_booking: false };
    expect(await purposesOf({})).toEqual([null, [null, null], ['BONU', 'BONU'], ['SUPP', 'RENT']]);
    expect(await purposesOf(all)).toEqual([false, ['SALA', 'SALA'], ['BONU', 'BONU'], ['SALA', 'SALA']]);
    const rows = `amount,currency,recipient,category_purpose\n5,EUR,${fixtures.rcp},\n5,EUR,${fixtures.rcp},PENS\n`;
    const path = '/v1/payouts/batch?category_purpose=SALA&batch_booking=true';
    const file = must(await client.post(path, rows, { headers: { 'content-type': 'text/csv' } })).json;
    expect(file).toMatchObject({ category_purpose: 'SALA', purpose: null, batch_booking: true });
    expect((await payoutsOf(file['id'])).map((each) => each['category_purpose'])).toEqual(['SALA', 'PENS']);
  });

  it('means the same as a form and as CSV, and shares an idempotency key with JSON', async () => {
    const options = { idempotencyKey: 'batch once' };
    const [first, form] = [await send([order()], {}, options), await send([order()], {}, { ...options, form: true })];
    expect([form.text, form.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const rows = [`5.00,eur,${fixtures.rcp},"Rent, ""May""",a`, '', `6,EUR,${fixtures.rcp},,`];
    const { json } = must(await csv(`amount,currency,recipient,reference,metadata[x]\r\n${rows.join('\r\n')}`));
    const created = (json['results'] as readonly Json[]).map(({ payout }) => payout as Json);
    expect(created).toMatchObject([
      { amount_minor: 500, reference: 'Rent, "May"', metadata: { x: 'a' } },
      { amount_minor: 600, reference: null, metadata: {} },
    ]);
  });

  it('takes the type of a reference in a column, and names all that is wrong with it', async () => {
    const head = 'amount,currency,recipient,reference,reference_type';
    const { json } = must(
      await csv(`${head}\r\n5,EUR,${fixtures.rcp},602243,kid\r\n6,EUR,${fixtures.rcp},12 34561,fi`),
    );
    const created = (json['results'] as readonly Json[]).map(({ payout }) => payout as Json);
    expect(created).toMatchObject([{ reference_type: 'kid' }, { reference: '12 34561', reference_type: 'fi' }]);
    const refused = await csv(`${head}\r\nx,EUR,${fixtures.rcp},602244,kid\r\n6,EUR,${fixtures.rcp},,fi`);
    expect((refused.json['error'] as Json)['errors']).toMatchObject([
      { index: 0, param: 'amount' },
      { index: 0, param: 'reference', code: 'parameter_invalid', line: 2, column: 4 },
      { index: 1, param: 'reference', code: 'parameter_missing', line: 3 },
    ]);
  });

  it('partial: one result an item', async () => {
    const faults = [
      order(),
      order({ amount: '5.001' }),
      order({ currency: 'USD' }),
      order({ amount: 90_000_000 }),
      order({ amout: 5 }),
    ];
    const { json } = must(await send(faults, { mode: 'partial' }));
    expect(json).toMatchObject({ mode: 'partial', payouts_count: 1, rejected_count: 4 });
    expect(json['results']).toMatchObject([
      { index: 0, status: 'created' },
      { index: 1, status: 'rejected', error: { code: 'amount_invalid', param: 'amount' } },
      { index: 2, status: 'rejected', error: { code: 'recipient_currency_mismatch' } },
      { index: 3, status: 'rejected', error: { code: 'balance_insufficient' } },
      { index: 4, status: 'rejected', error: { code: 'parameter_unknown' } },
    ]);
    const none = must(await send([order({ amount: 'x' })], { mode: 'partial' })).json;
    expect(none).toMatchObject({
      status: 'completed_with_failures',
      payouts_count: 0,
      completed_at: expect.any(Number),
    });
  });

  it('completes with its last payout', async () => {
    const finish = async (verbs: readonly string[]) => {
      const { json } = must(await send(verbs.map(() => order())));
      const created = await payoutsOf(json['id']);
      for (const [at, verb] of verbs.entries())
        must(await client.post(`/v1/test_helpers/payouts/${created[at]?.['id'] as string}/${verb}`));
      const about = must(await client.get(`/v1/events?related_object=${json['id'] as string}&order=asc`)).json[
        'data'
      ] as readonly Json[];
      return [
        must(await client.get(`/v1/payout_batches/${json['id'] as string}`)).json,
        about.map(({ type }) => type),
      ] as const;
    };
    const types = ['payout_batch.created', 'payout_batch.completed'];
    expect(await finish(['pay', 'pay'])).toEqual([
      expect.objectContaining({ status: 'completed', open_count: 0, failed_count: 0 }),
      types,
    ]);
    expect(await finish(['pay', 'fail'])).toEqual([
      expect.objectContaining({ status: 'completed_with_failures', failed_count: 1 }),
      types,
    ]);
  });

  it('takes a thousand items', async () => {
    const before = await balance();
    const { json } = must(await send(Array.from({ length: 1_000 }, () => order({ amount: '0.01' }))));
    expect(json).toMatchObject({ payouts_count: 1_000, open_count: 1_000 });
    expect(await balance()).toBe(before - 1_000);
  });

  it('tries everything in a dry run and writes nothing', async () => {
    const before = await balance();
    const { json } = must(await send([order(), order()], { dry_run: true }));
    const payout = { dry_run: true, id: null, batch: null, transfer: null };
    expect(json).toMatchObject({ dry_run: true, id: null, payouts_count: 2, results: [{ payout }, { payout }] });
    expect(await balance()).toBe(before);
  });
});

describe('400', () => {
  it('names every fault of every item and creates nothing', async () => {
    const before = await balance();
    const malformed = await send([
      order(),
      order({ amount: '1e3' }),
      order({ metadata: { a: 5 } }),
      order({ amout: 5 }),
    ]);
    expect(outcome(malformed)).toBe('400 batch_invalid payouts');
    expect((malformed.json['error'] as Json)['errors']).toMatchObject([
      { index: 1, param: 'amount', code: 'amount_invalid' },
      { index: 2, param: 'metadata[a]', code: 'metadata_invalid' },
      { index: 3, param: 'amout', code: 'parameter_unknown' },
    ]);
    const both = await send([
      order({ amount: '1e3', recipient: UNKNOWN }),
      order({ recipient: UNKNOWN }),
      { amount: 5 },
    ]);
    expect(outcome(both)).toBe('400 batch_invalid payouts');
    expect((both.json['error'] as Json)['errors']).toMatchObject([
      { index: 0, param: 'amount', code: 'amount_invalid' },
      { index: 0, param: 'recipient', code: 'resource_missing' },
      { index: 1, param: 'recipient', code: 'resource_missing' },
      { index: 2, param: 'currency', code: 'parameter_missing' },
      { index: 2, param: 'recipient', code: 'parameter_missing' },
    ]);
    const impossible = await send([order(), order({ currency: 'USD' }), order({ amount: 90_000_000 })]);
    expect(outcome(impossible)).toBe('400 batch_invalid payouts');
    expect((impossible.json['error'] as Json)['errors']).toMatchObject([
      { index: 1, code: 'recipient_currency_mismatch' },
      { index: 2, code: 'balance_insufficient', account: fixtures.acct, available_minor: before },
    ]);
    expect(await balance()).toBe(before);
  });

  it('a bank account that is not there, named for all of them', async () => {
    const items = [order({ speed: 'fast' }), order({ bank_account: UNKNOWN.replace('rcp', 'ba') }), order()];
    const { status, json } = await send(items, { bank_account: UNKNOWN.replace('rcp', 'ba') });
    const { errors } = json['error'] as unknown as { readonly errors: readonly Json[] };
    const wrong = [0, 1, 2].map((index) => [index, 'bank_account', 'resource_missing']);
    expect([status, errors.map((each) => [each['index'], each['param'], each['code']])]).toEqual([
      400,
      [[0, 'speed', 'parameter_invalid'], ...wrong],
    ]);
  });

  it('funds are counted from item to item', async () => {
    const half = (await balance()) / 100 / 2 + 1;
    const { json } = await send([order({ amount: half.toFixed(2) }), order({ amount: half.toFixed(2) })]);
    expect((json['error'] as Json)['errors']).toMatchObject([{ index: 1, code: 'balance_insufficient' }]);
  });

  it('an external id twice in one batch', async () => {
    const { json } = await send([order({ external_id: 'same' }), order({ external_id: 'same' })]);
    expect((json['error'] as Json)['errors']).toMatchObject([{ index: 1, code: 'external_id_used' }]);
  });

  it('no items, too many, no list, a mode that is none', async () => {
    expect(outcome(await send([]))).toBe('400 parameter_invalid payouts');
    expect(outcome(await send(Array.from({ length: 1_001 }, () => order())))).toBe('400 parameter_invalid payouts');
    expect(outcome(await client.post('/v1/payouts/batch', { payouts: { 0: order() } }))).toBe(
      '400 parameter_invalid payouts',
    );
    expect(outcome(await send([order()], { mode: 'mostly' }))).toBe('400 parameter_invalid mode');
    expect(outcome(await client.post('/v1/payouts/batch', {}))).toBe('400 parameter_missing payouts');
  });

  it('CSV by row, and at most a thousand of them', async () => {
    const { json } = await csv(`amount,currency,recipient\n5,EUR,${fixtures.rcp}\n5,EUR\nx,EUR,${fixtures.rcp}`);
    expect((json['error'] as Json)['errors']).toMatchObject([
      { index: 1, line: 3, code: 'body_invalid' },
      { index: 2, line: 4, column: 1, column_name: 'amount', param: 'amount', code: 'amount_invalid' },
    ]);
    const rows = (count: number) => csv(`amount,currency,recipient\n${`0.01,EUR,${fixtures.rcp}\n`.repeat(count)}`);
    expect(outcome(await rows(1_001))).toBe('400 parameter_invalid payouts');
    expect(outcome(await csv(`${'a,'.repeat(101)}a`))).toBe('400 parameter_invalid payouts');
    expect(outcome(await rows(1_000))).toBe('200');
  });
});

describe('403, 404, 415', () => {
  it('keys, ids and types that may not', async () => {
    const reader = await application.key({ scopes: ['payouts:read'] });
    expect(outcome(await reader.client.post('/v1/payouts/batch', { payouts: [order()] }))).toBe('403 scope_missing');
    expect(outcome(await client.get('/v1/payout_batches/pob_01jd3v9q4ne8v8k3w2m6r5t7xa'))).toBe(
      '404 resource_missing id',
    );
    expect(outcome(await client.get(`/v1/payout_batches/${fixtures.po}`))).toBe('404 resource_missing id');
    const tsv = await client.post('/v1/payouts/batch', 'amount\t5', {
      headers: { 'content-type': 'text/tab-separated-values' },
    });
    expect(outcome(tsv)).toBe('415 content_type_unsupported');
  });
});
