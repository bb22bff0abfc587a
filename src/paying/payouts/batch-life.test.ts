/** What becomes of payout batches, over real HTTP: found again, run once only, canceled, and told as a CSV file. */
import { randomUUID as newUuid } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { textCell } from '../../core/values/csv.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { equal, page } from '../../platform/db/wire/page.ts';
import { placesOf, readCsv } from '../../platform/http/request/csv.ts';
import { orderFields } from './schema.ts';

let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
});
afterAll(() => application?.stop());

const order = (change: object = {}) => ({ amount: 5, currency: 'EUR', recipient: fixtures.rcp, ...change });
const create = async (payouts: readonly object[], more: object = {}) =>
  must(await client.post('/v1/payouts/batch', { payouts, ...more })).json;
const csv = (text: string, query = '') =>
  client.post(`/v1/payouts/batch${query}`, text, { headers: { 'content-type': 'text/csv' } });
const balance = async () => must(await client.get(`/v1/accounts/${fixtures.acct}`)).json['balance'] as number;
const payoutsOf = async (batch: unknown) =>
  must(await client.get(`/v1/payouts?batch=${batch as string}&limit=100&order=asc`)).json['data'] as readonly Json[];
const help = async (payout: unknown, verb: string) =>
  must(await client.post(`/v1/test_helpers/payouts/${payout as string}/${verb}`));
const listed = async (query: string) =>
  (must(await client.get(`/v1/payout_batches?limit=100&${query}`)).json['data'] as readonly Json[]).map(({ id }) => id);

describe('the list', () => {
  it('has every batch, newest first, and by each filter those that fit and no other', async () => {
    const externalId = newUuid();
    const atomic = await create([order()], { external_id: externalId });
    const partial = await create([order()], { mode: 'partial' });
    const failed = await create([order({ amount: 'x' })], { mode: 'partial' });
    const ids = [failed, partial, atomic].map(({ id }) => id);
    expect((await listed('')).slice(0, 3)).toEqual(ids);
    expect(await listed(`external_id=${externalId}`)).toEqual([atomic['id']]);
    for (const [query, expected] of [
      ['mode=atomic', [atomic]],
      ['mode=partial', [failed, partial]],
      ['status=processing', [partial, atomic]],
      ['status=completed_with_failures', [failed]],
      ['status=processing&mode=partial', [partial]],
      ['created[lt]=1', []],
      [`created[gte]=${atomic['created'] as number}`, [failed, partial, atomic]],
    ] as const) {
      const found = (await listed(query)).filter((id) => ids.includes(id));
      expect([query, found]).toEqual([query, expected.map(({ id }) => id)]);
    }
    expect(outcome(await client.get('/v1/payout_batches?mode=mostly'))).toBe('400 parameter_invalid mode');
    expect(outcome(await client.get('/v1/payout_batches?batch=1'))).toBe('400 parameter_unknown batch');
    const first = must(await client.get('/v1/payout_batches?limit=1'));
    const { results: _, ...shown } = failed;
    expect(first.json).toEqual({ data: [shown], has_more: true });
  });

  it('finds by index what a filter asks for; control: without an index it looks at all', async () => {
    const environment = uuidOf(application.live.environmentId);
    await application.sql(
      `INSERT INTO payout_batches (environment_id, id, status, mode, payouts_count, rejected_count, open_count, failed_count,
         metadata, created_at, completed_at, external_id)
       SELECT $1, gen_random_uuid(), CASE WHEN n % 500 = 0 THEN 'completed_with_failures' ELSE 'completed' END,
         CASE WHEN n % 700 = 0 THEN 'partial' ELSE 'atomic' END, 1, n % 900, 0, 0, '{}', now(), now(), 'run ' || n
       FROM generate_series(1, 20000) AS n`,
      [environment],
    );
    await application.sql('ANALYZE payout_batches');
    const planOf = async (filters: Readonly<Record<string, unknown>>) => {
      const source = { from: 'payout_batches AS t', columns: 't.*', environmentId: application.live.environmentId };
      const { text, values } = page({ ...source, conditions: equal(filters) }, { limit: 10, order: 'desc' });
      const plan = await application.sql(`EXPLAIN ${text}`, [...values]);
      return /payout_batches_\w+/.exec(plan.map((row) => String(row['QUERY PLAN'])).join('\n'))?.[0];
    };
    expect(await planOf({ 't.status': 'completed_with_failures' })).toMatch(/^payout_batches_status/);
    expect(await planOf({ 't.mode': 'partial' })).toBe('payout_batches_mode');
    expect(await planOf({ 't.status': 'completed_with_failures', 't.mode': 'partial' })).toBe(
      'payout_batches_status_mode',
    );
    expect(await planOf({ 't.external_id': 'run 7' })).toBe('payout_batches_external_id');
    expect([undefined, 'payout_batches_pkey']).toContain(await planOf({ 't.rejected_count': 7 }));
  });

  it('of another environment has none of these', async () => {
    const other = must(await application.otherSandbox.client.get('/v1/payout_batches')).json['data'];
    expect(other).toEqual([]);
  });
});

describe('an external id', () => {
  it('runs a batch once, for ever and whatever the key; the refusal names the batch', async () => {
    const externalId = newUuid();
    const { id, external_id: shown } = await create([order()], { external_id: externalId });
    expect(shown).toBe(externalId);
    const before = await balance();
    for (const again of [
      await client.post('/v1/payouts/batch', { payouts: [order({ amount: 7 })], external_id: externalId }),
      await client.post('/v1/payouts/batch', { payouts: [order()], external_id: externalId, mode: 'partial' }),
      await csv(`amount,currency,recipient\n5,EUR,${fixtures.rcp}`, `?external_id=${externalId}`),
    ]) {
      expect(outcome(again)).toBe('400 external_id_used external_id');
      expect((again.json['error'] as Json)['resource_id']).toBe(id);
    }
    expect(await balance()).toBe(before);
    // Each environment has its own.
    const { client: other } = application.otherSandbox;
    const mine = await furnish(application, application.otherSandbox);
    const theirs = { payouts: [{ ...order(), recipient: mine.rcp }], external_id: externalId };
    expect(outcome(await other.post('/v1/payouts/batch', theirs))).toBe('200');
  });

  it('of twenty that come at once one is made; control: without it all are', async () => {
    const race = async (more: object) => {
      const before = await balance();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => client.post('/v1/payouts/batch', { payouts: [order(), order()], ...more })),
      );
      return [answers.filter(({ status }) => status === 200).length, before - (await balance())];
    };
    expect(await race({ external_id: newUuid() })).toEqual([1, 1_000]);
    expect(await race({})).toEqual([20, 20_000]);
  });

  it('is free after a refused batch and after a dry run', async () => {
    const externalId = newUuid();
    const more = { external_id: externalId };
    expect(outcome(await client.post('/v1/payouts/batch', { payouts: [order({ amount: 'x' })], ...more }))).toBe(
      '400 batch_invalid payouts',
    );
    expect(outcome(await client.post('/v1/payouts/batch', { payouts: [order()], ...more, dry_run: true }))).toBe('200');
    expect(outcome(await client.post('/v1/payouts/batch', { payouts: [order()], ...more }))).toBe('200');
  });
});

describe('beside a CSV file', () => {
  const file = () => `amount,currency,recipient\n5,EUR,${fixtures.rcp}\n5,EUR,rcp_01jd3v9q4ne8v8k3w2m6r5t7xa`;

  it('the query says mode, external id, metadata and dry run', async () => {
    const externalId = newUuid();
    const query = `?mode=partial&external_id=${externalId}&metadata[run]=7`;
    const before = await balance();
    expect(must(await csv(file(), `${query}&dry_run=true`)).json).toMatchObject({ payouts_count: 1 });
    expect(await balance()).toBe(before);
    expect(must(await csv(file(), query)).json).toMatchObject({
      mode: 'partial',
      external_id: externalId,
      metadata: { run: '7' },
      payouts_count: 1,
      results: [
        { status: 'created' },
        { status: 'rejected', error: { code: 'resource_missing', line: 3, column: 3, column_name: 'recipient' } },
      ],
    });
  });

  it('the template has the names of a payout', () => {
    const { payouts } = readCsv(readFileSync('examples/payouts.csv', 'utf8'), 8) as unknown as { payouts: object[] };
    const names = placesOf(payouts)?.columns.map((name) => name.replace(/\[.*/, ''));
    expect(names).toContain('recipient');
    expect(names?.filter((name) => !Object.hasOwn(orderFields, name))).toEqual([]);
  });

  it('what is said twice is refused, and another query under the same key is another request', async () => {
    const body = { payouts: [order()], mode: 'atomic' };
    expect(outcome(await client.post('/v1/payouts/batch?mode=partial', body))).toBe('400 parameter_conflict mode');
    const send = (query: string) =>
      client.post(`/v1/payouts/batch${query}`, file(), {
        headers: { 'content-type': 'text/csv' },
        idempotencyKey: 'one file',
      });
    expect(outcome(await send('?mode=partial'))).toBe('200');
    expect(outcome(await send(''))).toBe('400 idempotency_key_reused mode');
    expect((await send('?mode=partial')).headers['idempotent-replayed']).toBe('true');
  });

  it('a malformed batch leaves its idempotency key free', async () => {
    const options = { idempotencyKey: newUuid() };
    const bad = await client.post('/v1/payouts/batch', { payouts: [order({ amount: 'x' })] }, options);
    expect(outcome(bad)).toBe('400 batch_invalid payouts');
    expect(outcome(await client.post('/v1/payouts/batch', { payouts: [order()] }, options))).toBe('200');
  });
});

describe('cancel', () => {
  const cancel = (id: unknown) => client.post(`/v1/payout_batches/${id as string}/cancel`);

  it('what is pending is credited back in one commit, what has left stays', async () => {
    const before = await balance();
    const { id } = await create([order(), order(), order(), order()]);
    const [first, second] = await payoutsOf(id);
    await help(first?.['id'], 'advance');
    await help(second?.['id'], 'pay');
    const { json } = must(await cancel(id));
    expect(json).toMatchObject({ id, status: 'processing', canceled_count: 2, kept_count: 2, open_count: 1 });
    expect((await payoutsOf(id)).map(({ status }) => status)).toEqual(['in_transit', 'paid', 'canceled', 'canceled']);
    expect(await balance()).toBe(before - 1_000);
    const events = must(await client.get('/v1/events?limit=4&order=desc')).json['data'] as readonly Json[];
    expect(events.map(({ type }) => type)).toEqual([
      'payout.canceled',
      'balance.updated',
      'payout.canceled',
      'balance.updated',
    ]);
    expect(new Set(events.map(({ request }) => (request as Json)['id'])).size).toBe(1);
    expect(outcome(await cancel(id))).toBe('400 payout_not_cancelable');
    await help(first?.['id'], 'pay');
    expect(must(await client.get(`/v1/payout_batches/${id as string}`)).json).toMatchObject({
      status: 'completed_with_failures',
      failed_count: 2,
    });
  });

  it('completes a batch of which nothing had left', async () => {
    const { id } = await create(Array.from({ length: 1_000 }, () => order({ amount: '0.01' })));
    expect(must(await cancel(id)).json).toMatchObject({
      status: 'completed_with_failures',
      canceled_count: 1_000,
      kept_count: 0,
      failed_count: 1_000,
    });
  });

  it('races with the bank: for each payout exactly one wins, and the money says the same', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await balance();
      const { id } = await create(Array.from({ length: 30 }, () => order()));
      const made = await payoutsOf(id);
      const steps = made.map(
        ({ id: payout }) =>
          () =>
            client.post(`/v1/test_helpers/payouts/${payout as string}/pay`),
      );
      steps.splice(6 * round, 0, () => cancel(id));
      const answers = await Promise.all(steps.map((step) => step()));
      const canceled = answers.find(({ json }) => 'canceled_count' in json)?.json ?? { canceled_count: 0 };
      const paid = answers.filter(({ json }) => json['status'] === 'paid').length;
      expect(paid + (canceled['canceled_count'] as number)).toBe(30);
      expect(before - (await balance())).toBe(paid * 500);
      const ends = (await payoutsOf(id)).map(({ status }) => status);
      expect(ends.filter((status) => status === 'paid').length).toBe(paid);
      expect(ends.filter((status) => status === 'canceled').length).toBe(30 - paid);
    }
  });

  it('is for keys that may, and for batches that exist', async () => {
    const { id } = await create([order()]);
    const reader = await application.key({ scopes: ['payouts:read'] });
    expect(outcome(await reader.client.post(`/v1/payout_batches/${id as string}/cancel`))).toBe('403 scope_missing');
    expect(outcome(await application.otherSandbox.client.post(`/v1/payout_batches/${id as string}/cancel`))).toBe(
      '404 resource_missing',
    );
    expect(outcome(await cancel(fixtures.po))).toBe('404 resource_missing id');
  });

  it('of another account changes nothing; control: with a key of the account it does', async () => {
    const { id } = await create([order({ account: fixtures.acct })]);
    const empty = must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    const before = await balance();
    const other = await application.key({ scopes: ['payouts:write'], accounts: [empty] });
    expect(outcome(await other.client.post(`/v1/payout_batches/${id as string}/cancel`))).toBe('404 resource_missing');
    expect(await balance()).toBe(before);
    const own = await application.key({ scopes: ['payouts:write'], accounts: [fixtures.acct] });
    expect(outcome(await own.client.post(`/v1/payout_batches/${id as string}/cancel`))).toBe('200');
    expect(await balance()).toBe(before + 500);
  });
});

describe('results as CSV', () => {
  const results = (id: unknown, query = '') => client.get(`/v1/payout_batches/${id as string}/results${query}`);
  const rowsOf = (text: string) =>
    (readCsv(text, 8) as unknown as { payouts: readonly Record<string, string>[] }).payouts;

  it('has a row an item, the rejected ones in their places', async () => {
    const externalId = newUuid();
    const { id } = await create(
      [
        order({ amount: 'x' }),
        order({ reference: '=HYPERLINK("http://a.example")', external_id: externalId }),
        order({ recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa', amount: '7.50' }),
        order({ reference: 'Rent, "May"' }),
      ],
      { mode: 'partial' },
    );
    const [, last] = await payoutsOf(id);
    await help(last?.['id'], 'fail');
    const answer = await results(id, '?format=csv');
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="${id as string}.csv"`,
    ]);
    expect(answer.text.split('\r\n')[0]).toBe(
      'index,status,id,external_id,recipient,amount,currency,failure_code,failure_message,reference,amount_returned',
    );
    const rows = rowsOf(answer.text);
    expect(rows).toMatchObject([
      {
        index: '0',
        status: 'rejected',
        failure_code: 'amount_invalid',
        recipient: fixtures.rcp,
        currency: 'EUR',
      },
      {
        index: '1',
        status: 'pending',
        external_id: externalId,
        amount: '5.00',
        amount_returned: '0.00',
        reference: `'=HYPERLINK("http://a.example")`,
      },
      { index: '2', status: 'rejected', failure_code: 'resource_missing', amount: '7.50' },
      { index: '3', status: 'failed', id: last?.['id'], failure_code: expect.any(String), reference: 'Rent, "May"' },
    ]);
    expect(rows[2]?.['failure_message']).toContain('rcp_01jd3v9q4ne8v8k3w2m6r5t7xa');
    expect(rows[3]?.['failure_message']).toBeTruthy();
    expect((await results(id)).text).toBe(answer.text);
    expect(outcome(await results(id, '?format=xlsx'))).toBe('400 parameter_invalid format');
  });

  it('keeps nothing of what could not be read', async () => {
    const secret = 'Ada Lovelace of Berlin';
    const { id } = await create([order({ currency: secret }), order({ amount: secret })], { mode: 'partial' });
    const [row] = await application.sql('SELECT rejected_items::text AS kept FROM payout_batches WHERE id = $1', [
      uuidOf(id as string),
    ]);
    expect(row?.['kept']).toContain('currency_unsupported');
    expect(row?.['kept']).not.toContain('Ada');
    expect((await results(id)).text).not.toContain('Ada');
  });

  it('has no index where a batch is older than the keeping of rejected items', async () => {
    const { id } = await create([order({ amount: 'x' }), order()], { mode: 'partial' });
    await application.sql('UPDATE payout_batches SET rejected_items = NULL WHERE id = $1', [uuidOf(id as string)]);
    const [row, ...others] = rowsOf((await results(id)).text);
    expect([row?.['index'], row?.['status'], others]).toEqual([undefined, 'pending', []]);
  });

  it('is seen by those who see the batch', async () => {
    const { id } = await create([order({ account: fixtures.acct })]);
    const path = `/v1/payout_batches/${id as string}/results`;
    expect(outcome(await application.otherSandbox.client.get(path))).toBe('404 resource_missing id');
    const empty = must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    const other = await application.key({ scopes: ['payouts:read'], accounts: [empty] });
    expect(outcome(await other.client.get(path))).toBe('404 resource_missing id');
    const own = await application.key({ scopes: ['payouts:read'], accounts: [fixtures.acct] });
    expect((await own.client.get(path)).status).toBe(200);
  });

  it('every text comes back, with an apostrophe where a spreadsheet would run it; control: unquoted ones do not', () => {
    const comesBack = (write: (text: string) => string) => (text: string) => {
      const bare = (cell = '') => cell.replaceAll("'", '');
      try {
        const [row] = rowsOf(`a,b\n${write(text)},x`);
        return bare(row?.['a']) === bare(text) && row?.['b'] === 'x';
      } catch {
        return false;
      }
    };
    const texts = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n;",\' ab1') });
    fc.assert(fc.property(texts, comesBack(textCell)), { numRuns: 2_000 });
    expect(
      fc.check(
        fc.property(
          texts,
          comesBack((text) => text),
        ),
        { numRuns: 2_000 },
      ).failed,
    ).toBe(true);
  });
});
