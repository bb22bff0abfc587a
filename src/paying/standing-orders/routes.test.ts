/** Standing orders over HTTP: what may be asked, by whom, and what is said of what may not. Planned days: `runs.soak.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPerson } from '../../operator/person-export.ts';
import { atRest } from '../../write/at-rest.ts';
import type { Run } from '../../tenancy/keys/keys.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../../test/support/harness/application.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { DAY_MS, isoDay } from '../../core/values/time.ts';

let application: Application;
let account = '';
let other = '';
let recipient = '';
const later = isoDay(Date.now() + 30 * DAY_MS);
const wanted = (fields: object = {}) => ({
  amount: '850.00',
  currency: 'EUR',
  recipient,
  interval: 'month',
  starts_on: later,
  ...fields,
});
const post = (path: string, body: object = {}, options = {}) => application.sandbox.client.post(path, body, options);

beforeAll(async () => {
  application = await startApplication();
  account = idIn(await post('/v1/accounts', { currency: 'EUR' }));
  other = idIn(await post('/v1/accounts', { currency: 'EUR' }));
  recipient = idIn(await post('/v1/recipients', RECIPIENT));
});
afterAll(() => application?.stop());

describe('create', () => {
  it('answers with the plan, needs no money, and is found again', async () => {
    const made = must(await post('/v1/standing_orders', wanted({ reference: 'Rent', metadata: { flat: '4' } }))).json;
    expect(made).toMatchObject({
      object: 'standing_order',
      amount: 850,
      amount_minor: 85_000,
      account,
      status: 'active',
      interval: 'month',
      interval_count: 1,
      starts_on: later,
      ends_on: null,
      count: null,
      next_run_on: later,
      runs_count: 0,
      reference: 'Rent',
      metadata: { flat: '4' },
    });
    expect(made['id']).toMatch(/^so_/);
    expect(Object.keys(made)).not.toContain('planned_index');
    expect(must(await application.sandbox.client.get(`/v1/standing_orders/${made['id'] as string}`)).json).toEqual(
      made,
    );
    const filters = [
      `ordered_by=${application.sandbox.id}`,
      'status=active',
      `recipient=${recipient}`,
      `account=${account}`,
      'currency=EUR',
    ];
    for (const filter of filters) {
      const { data } = must(await application.sandbox.client.get(`/v1/standing_orders?${filter}`)).json;
      expect(data, filter).toContainEqual(made);
    }
    expect(must(await application.sandbox.client.get('/v1/standing_orders?status=paused')).json['data']).toEqual([]);
  });

  it('says what its payouts are for and what its reference is; an update changes and unsets it', async () => {
    const said = { category_purpose: 'SALA', purpose: 'BONU', reference: '2345676', reference_type: 'kid' };
    const made = must(await post('/v1/standing_orders', wanted(said))).json;
    expect(made).toMatchObject(said);
    const path = `/v1/standing_orders/${made['id'] as string}`;
    const words = { reference: 'Rent', category_purpose: null };
    expect(must(await post(path, words)).json).toMatchObject({ ...words, purpose: 'BONU', reference_type: 'text' });
    const form = must(await application.sandbox.client.post(path, 'purpose=&reference=', { form: true })).json;
    expect(form).toMatchObject({ purpose: null, reference: null, reference_type: null });
  });

  it.each([
    [{ category_purpose: 'SALARY' }, 'parameter_invalid category_purpose'],
    [{ purpose: 'sala' }, 'parameter_invalid purpose'],
    [{ reference_type: 'rf' }, 'parameter_missing reference'],
    [{ reference_type: 'isbn', reference: '1' }, 'parameter_invalid reference_type'],
    [{ reference_type: 'kid', reference: '2345677' }, 'parameter_invalid reference'],
  ])('%j is refused, to create and to update', async (fields, why) => {
    const id = idIn(await post('/v1/standing_orders', wanted()));
    expect(outcome(await post('/v1/standing_orders', wanted(fields)))).toBe(`400 ${why}`);
    expect(outcome(await post(`/v1/standing_orders/${id}`, fields))).toBe(`400 ${why}`);
  });

  it('is found by every key of the line that ordered it', async () => {
    const key = await application.key();
    const rolled = must(await key.client.post(`/v1/keys/${key.id}/roll`, { expires_in: 3600 })).json;
    const successor = new Client(application.address, rolled['secret'] as string);
    const made = must(await successor.post('/v1/standing_orders', wanted({ reference: 'By a line' }))).json;
    successor.close();
    for (const id of [key.id, rolled['id'] as string]) {
      const { data } = must(await application.sandbox.client.get(`/v1/standing_orders?ordered_by=${id}`)).json;
      expect(data).toEqual([made]);
    }
  });

  it('answers a repeated request with the same order, and a dry run makes none', async () => {
    const send = () => post('/v1/standing_orders', wanted({ reference: 'once' }), { idempotencyKey: 'the rent' });
    expect((await send()).text).toBe((await send()).text);
    must(await post('/v1/standing_orders', wanted({ reference: 'dry', dry_run: true })));
    const named = "SELECT reference FROM standing_orders WHERE reference IN ('once', 'dry')";
    expect(await application.sql(named)).toEqual([{ reference: 'once' }]);
  });

  it.each([
    [{ interval: 'fortnight' }, '400 parameter_invalid interval'],
    [{ interval_count: 0 }, '400 parameter_invalid interval_count'],
    [{ interval_count: 367 }, '400 parameter_invalid interval_count'],
    [{ starts_on: '2020-01-31' }, '400 parameter_invalid starts_on'],
    [{ starts_on: '2099-02-29' }, '400 parameter_invalid starts_on'],
    [{ ends_on: '2020-01-31' }, '400 parameter_invalid ends_on'],
    [{ count: 0 }, '400 parameter_invalid count'],
    [{ count: 3, ends_on: '2099-01-01' }, '400 parameter_conflict count'],
    [{ amount: 0 }, '400 amount_too_small amount'],
    [{ amount: '1.001' }, '400 amount_invalid amount'],
    [{ amount: '9999999999999999' }, '400 amount_too_large amount'],
    [{ currency: 'USD' }, '400 recipient_currency_mismatch currency'],
    [{ account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa' }, '404 resource_missing account'],
    [{ recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa' }, '404 resource_missing recipient'],
    [{ external_id: 'x' }, '400 parameter_unknown external_id'],
  ])('refuses %j with %s', async (fields, expected) => {
    expect(outcome(await post('/v1/standing_orders', wanted(fields)))).toBe(expected);
  });

  it('names every parameter that is missing', async () => {
    for (const name of ['amount', 'currency', 'recipient', 'interval', 'starts_on'] as const) {
      const { [name]: _, ...rest } = wanted();
      expect(outcome(await post('/v1/standing_orders', rest))).toBe(`400 parameter_missing ${name}`);
    }
  });
});

describe('update', () => {
  it('changes what it names, one kind of end for the other, and nothing else', async () => {
    const id = idIn(await post('/v1/standing_orders', wanted({ count: 12, reference: 'Rent' })));
    const change = async (body: object) => must(await post(`/v1/standing_orders/${id}`, body)).json;
    expect(await change({ amount: 875 })).toMatchObject({ amount_minor: 87_500, count: 12, reference: 'Rent' });
    expect(await change({ ends_on: '2099-01-01' })).toMatchObject({ count: null, ends_on: '2099-01-01' });
    const endless = { count: null, ends_on: null, reference: null };
    expect(await change({ ends_on: null, reference: '' })).toMatchObject(endless);
    expect(await change({ count: 3, ends_on: null }), 'as an answer shows it').toMatchObject({ ...endless, count: 3 });
    expect(await change({ ends_on: null }), 'null ends nothing but itself').toMatchObject({ ...endless, count: 3 });
    expect(await change({ count: null })).toMatchObject(endless);
    expect(outcome(await post(`/v1/standing_orders/${id}`, { amount: null }))).toBe('400 parameter_invalid amount');
    expect(await change({ count: 2, metadata: { a: 'b' } })).toMatchObject({ count: 2, metadata: { a: 'b' } });
    expect(outcome(await post(`/v1/standing_orders/${id}`, { ends_on: '2020-01-01' }))).toBe(
      '400 parameter_invalid ends_on',
    );
    expect(outcome(await post(`/v1/standing_orders/${id}`, { starts_on: later }))).toBe(
      '400 parameter_unknown starts_on',
    );
    expect(outcome(await post(`/v1/standing_orders/${id}`, { amount: '0.001' }))).toBe('400 amount_invalid amount');
    const [event] = must(
      await application.sandbox.client.get(`/v1/events?related_object=${id}&type=standing_order.updated&order=asc`),
    ).json['data'] as readonly Json[];
    expect(event).toMatchObject({ data: { previous_attributes: { amount_minor: 85_000 } } });
    const { data: changes } = must(
      await application.sandbox.client.get(`/v1/events?related_object=${id}&type=standing_order.updated`),
    ).json as unknown as { readonly data: readonly { readonly data: Readonly<Record<string, object>> }[] };
    const named = changes.flatMap(({ data }) => Object.keys(data['previous_attributes'] ?? {}));
    expect(named.filter((name) => !(name in (changes[0]?.data['object'] ?? {})))).toEqual([]);
    expect(named).toContain('ends_on');
  });

  it('goes from state to state, with an event each, and refuses the rest', async () => {
    const id = idIn(await post('/v1/standing_orders', wanted()));
    const act = async (verb: string) => outcome(await post(`/v1/standing_orders/${id}/${verb}`));
    expect(await act('resume')).toBe('400 standing_order_state_invalid');
    expect(await act('pause')).toBe('200');
    expect(await act('pause')).toBe('400 standing_order_state_invalid');
    expect(await act('resume')).toBe('200');
    expect(await act('cancel')).toBe('200');
    for (const verb of ['pause', 'resume', 'cancel']) expect(await act(verb)).toBe('400 standing_order_state_invalid');
    expect(outcome(await post(`/v1/standing_orders/${id}`, { amount: 5 }))).toBe('400 standing_order_state_invalid');
    const { data } = must(await application.sandbox.client.get(`/v1/events?related_object=${id}&order=asc`)).json;
    expect((data as readonly Json[]).map(({ type }) => type)).toEqual(
      ['created', 'paused', 'resumed', 'canceled'].map((what) => `standing_order.${what}`),
    );
    const [order, canceled] = [data as readonly Json[]]
      .flatMap((all) => [all[0], all[3]])
      .map((each) => each?.['data']);
    const { next_run_on } = (order as { readonly object: Json }).object;
    expect(canceled).toMatchObject({ previous_attributes: { status: 'active', next_run_on } });
  });
});

describe('a restricted key', () => {
  it('needs the scope of payouts too for what moves money', async () => {
    const id = idIn(await post('/v1/standing_orders', wanted()));
    const ask = async (scopes: string[]) => {
      const { client } = await application.key({ scopes });
      const said = [
        await client.post('/v1/standing_orders', wanted()),
        await client.post(`/v1/standing_orders/${id}`, { amount: 900 }),
        await client.post(`/v1/standing_orders/${id}/pause`, {}),
        await client.post(`/v1/standing_orders/${id}/resume`, {}),
        await client.get(`/v1/standing_orders/${id}`),
      ].map(outcome);
      if (said[2] === '200' && said[3] !== '200') must(await post(`/v1/standing_orders/${id}/resume`));
      return said;
    };
    const no = '403 scope_missing';
    expect(await ask(['payouts:write'])).toEqual([no, no, no, no, no]);
    expect(await ask(['standing_orders:read'])).toEqual([no, no, no, no, '200']);
    expect(await ask(['standing_orders:write'])).toEqual([no, no, '200', no, '200']);
    expect(await ask(['standing_orders:write', 'payouts:write'])).toEqual(['200', '200', '200', '200', '200']);
  });

  it('of certain accounts sees and changes their orders alone, and names the account', async () => {
    const own = idIn(await post('/v1/standing_orders', wanted({ account })));
    const theirs = idIn(await post('/v1/standing_orders', wanted({ account: other })));
    const { client } = await application.key({
      scopes: ['standing_orders:write', 'payouts:write'],
      accounts: [account],
    });
    expect(outcome(await client.get(`/v1/standing_orders/${own}`))).toBe('200');
    expect(outcome(await client.get(`/v1/standing_orders/${theirs}`))).toBe('404 resource_missing id');
    expect(outcome(await application.sandbox.client.get(`/v1/standing_orders/${theirs}`))).toBe('200'); // control
    const environment = uuidOf(application.sandbox.environmentId);
    await application.sql(
      `INSERT INTO standing_order_runs (environment_id, id, standing_order_id, number, day, status, made_up, code, message, created_at)
       SELECT $1, gen_random_uuid(), id, 1, '2026-11-28', 'failed', false, 'no_account', 'Ada', now() FROM unnest($2::uuid[]) AS o (id)`,
      [environment, [own, theirs].map(uuidOf)],
    );
    const runsOf = async (who: Client, query: string) =>
      must(await who.get(`/v1/standing_order_runs?limit=100&${query}`)).json['data'] as readonly Json[];
    expect((await runsOf(client, '')).map((run) => run['standing_order'])).toEqual([own]);
    expect(await runsOf(client, `standing_order=${theirs}`)).toEqual([]);
    const [run] = (await runsOf(application.sandbox.client, `standing_order=${theirs}`)) as [Json]; // control
    expect(run).toMatchObject({ standing_order: theirs, status: 'failed', message: 'Ada' });
    const one = (who: Client) => who.get(`/v1/standing_order_runs/${run['id'] as string}`);
    expect(outcome(await one(client))).toBe('404 resource_missing id');
    expect(must(await one(application.sandbox.client)).json).toEqual(run);
    const { data } = must(await client.get('/v1/standing_orders?limit=100')).json;
    expect((data as readonly Json[]).every((each) => each['account'] === account)).toBe(true);
    const before = await application.sql('SELECT * FROM standing_orders ORDER BY id');
    for (const verb of ['', '/pause', '/resume', '/cancel']) {
      expect(outcome(await client.post(`/v1/standing_orders/${theirs}${verb}`, verb === '' ? { amount: 1 } : {}))).toBe(
        '404 resource_missing',
      );
    }
    expect(outcome(await client.post('/v1/standing_orders', wanted({ account: other })))).toBe(
      '403 account_not_allowed account',
    );
    expect(outcome(await client.post('/v1/standing_orders', wanted()))).toBe('403 account_not_allowed account');
    expect(await application.sql('SELECT * FROM standing_orders ORDER BY id')).toEqual(before);
    expect(outcome(await client.post(`/v1/standing_orders/${own}`, { amount: 1 }))).toBe('200');
    expect(outcome(await client.post('/v1/standing_orders', wanted({ account })))).toBe('200');
  });
});

it('what is stored about a person names the standing orders that pay them', async () => {
  const { environmentId } = application.sandbox;
  const id = idIn(await post('/v1/standing_orders', wanted({ reference: 'For Ada' })));
  const run: Run = ({ text, values }) => application.sql(text, values);
  const sealing = atRest({ current: SERVER_SECRET, previous: [] });
  const environments = [{ environmentId, livemode: false, merchant: 'first' }];
  const found = await exportPerson(run, sealing, environments, { recipient });
  expect(found).toMatchObject({
    recipients: [
      { id: recipient, standing_orders: expect.arrayContaining([expect.objectContaining({ id })]) as unknown },
    ],
  });
});
