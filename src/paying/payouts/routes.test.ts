/** Payouts over real HTTP, grouped by status. Batches: `batch-routes.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAILURE_CODES } from '../../core/rails/failures.ts';
import { TEST_ACCOUNTS } from '../../core/rails/test-accounts.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';

const UNKNOWN = 'po_01jd3v9q4ne8v8k3w2m6r5t7xa';
const DAY_MS = 86_400_000;
const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);

let application: Application;
let client: Client;
let fixtures: Fixtures;
let account: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
  account = fixtures.acct;
});
afterAll(() => application?.stop());

const pay = (body: object = {}, options = {}): Promise<Reply> =>
  client.post('/v1/payouts', { amount: 5, currency: 'EUR', recipient: fixtures.rcp, ...body }, options);
const step = (id: string, verb: string, body: object = {}) =>
  client.post(`/v1/test_helpers/payouts/${id}/${verb}`, body);
const balance = async () => must(await client.get(`/v1/accounts/${account}`)).json['balance'] as number;
const listed = async (query: string) => must(await client.get(`/v1/payouts?${query}`)).json['data'] as readonly Json[];
const idsOf = async (query: string) => (await listed(query)).map(({ id }) => id);
const typesAbout = async (id: string) =>
  (must(await client.get(`/v1/events?related_object=${id}&order=asc&limit=100`)).json['data'] as readonly Json[]).map(
    ({ type }) => type,
  );

it('a reference with wrong check digits is refused, and the message says what is right', async () => {
  const refused = await pay({ reference: '602244', reference_type: 'kid' });
  expect(outcome(refused)).toBe('400 parameter_invalid reference');
  expect((refused.json['error'] as Json)['message']).toContain('2 to 25 digits');
  expect(outcome(await pay({ reference_type: 'kid' }))).toBe('400 parameter_missing reference');
  expect(outcome(await pay({ reference: '602243', reference_type: 'ocr' }))).toBe(
    '400 parameter_invalid reference_type',
  );
});

describe('200', () => {
  it('advance takes the steps of every test account, to the end that the list of accounts names', async () => {
    const rows = must(await client.get('/v1/test_helpers/test_accounts')).json['data'] as readonly Json[];
    expect(rows).toHaveLength(TEST_ACCOUNTS.length + 1);
    for (const { iban, outcome: end, failure_code } of rows) {
      const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, iban }));
      const id = idIn(await pay({ recipient }));
      const seen: unknown[] = [];
      let reply = await step(id, 'advance');
      for (let i = 0; reply.status === 200 && i < 5; i++) {
        seen.push(reply.json['status']);
        reply = await step(id, 'advance');
      }
      expect(outcome(reply)).toMatch(/^400 payout_state_invalid/);
      expect(seen).toEqual(['in_transit', ...(end === 'returned' ? ['paid', 'returned'] : [end])]);
      expect(must(await client.get(`/v1/payouts/${id}`)).json['failure_code']).toBe(failure_code);
    }
  });

  it('keeps a reference of a named type, whose check digits are right, and what a text shows by itself', async () => {
    const made = must(await pay({ reference: '602243', reference_type: 'kid' })).json;
    expect(made).toMatchObject({ reference: '602243', reference_type: 'kid' });
    expect(must(await client.get(`/v1/payouts/${made['id'] as string}`)).json['reference_type']).toBe('kid');
    expect(must(await pay({ reference: '602243' })).json['reference_type']).toBe('text');
    expect(must(await pay()).json['reference_type']).toBeNull();
    const change = (body: object) => client.post(`/v1/payouts/${made['id'] as string}`, body);
    expect(must(await change({ reference: 'RF18 5390 0754 7034' })).json['reference_type']).toBe('rf');
    expect(must(await change({ reference: '12 34561', reference_type: 'fi' })).json['reference_type']).toBe('fi');
    expect(outcome(await change({ reference_type: 'fi' }))).toBe('400 parameter_missing reference');
    expect(outcome(await change({ reference: '12 34562', reference_type: 'fi' }))).toBe(
      '400 parameter_invalid reference',
    );
    expect(must(await change({ reference: '' })).json).toMatchObject({ reference: null, reference_type: null });
  });

  it('creates exactly as the interface shows, with a form, and debits the oldest account at once', async () => {
    const before = await balance();
    const { json, text } = must(
      await client.post('/v1/payouts', `amount=250.00&currency=EUR&recipient=${fixtures.rcp}`, { form: true }),
    );
    expect(json).toEqual({
      id: expect.stringMatching(/^po_[0-9a-z]{26}$/),
      object: 'payout',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      amount: 250,
      amount_minor: 25_000,
      currency: 'EUR',
      recipient: fixtures.rcp,
      account,
      status: 'pending',
      reference: null,
      reference_type: null,
      statement_descriptor: null,
      external_id: null,
      scheduled_on: null,
      speed: 'standard',
      category_purpose: null,
      purpose: null,
      bank_account: null,
      wait_until_on: null,
      destination: { name: 'furniture', scheme: 'sepa', country: 'DE', bank: null, last4: '3000' },
      expected_execution_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      expected_arrival_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      batch: null,
      standing_order: null,
      exchange: null,
      fees: [],
      transfer: expect.stringMatching(/^trf_/),
      reversal: null,
      amount_returned: 0,
      amount_returned_minor: 0,
      refund_of: null,
      failure_code: null,
      failure_message: null,
      bank_reason: null,
      accepted_at: null,
      payee_check: null,
      in_transit_at: null,
      ended_at: null,
      release: null,
      created_by: application.sandbox.id,
      metadata: {},
    });
    expect(text).toContain('"amount":250.00,"amount_minor":25000,');
    expect(await balance()).toBe(before - 25_000);
    expect(must(await client.get(`/v1/payouts/${json['id'] as string}`)).text).toBe(text);
  });

  it('keeps everything that was said', async () => {
    const said = {
      account: fixtures.otherAccount,
      reference: 'Rechnung Nr. 4711 – Müller',
      statement_descriptor: 'ACME 4711',
      external_id: 'invoice-1',
      scheduled_on: day(10),
      category_purpose: 'SUPP',
      purpose: 'GDDS',
      metadata: { invoice: '1' },
    };
    expect(must(await pay(said)).json).toMatchObject(said);
    expect(await listed('external_id=invoice-1')).toMatchObject([said]);
  });

  it('looks for card numbers in what people read, and in nothing else', async () => {
    const card = '4111111111111111';
    const said = { external_id: card, metadata: { order: card, [card]: 'x' } };
    expect(must(await pay(said)).json).toMatchObject(said);
    expect(await listed(`external_id=${card}`)).toMatchObject([said]);
    expect(outcome(await pay({ reference: card }))).toBe('400 card_number_refused reference');
    expect(outcome(await pay({ statement_descriptor: card }))).toBe('400 card_number_refused statement_descriptor');
  });

  it('goes pending, in transit, paid, returned; the money comes back by a new transfer', async () => {
    const before = await balance();
    const id = idIn(await pay());
    expect(must(await step(id, 'advance')).json).toMatchObject({
      status: 'in_transit',
      in_transit_at: expect.any(Number),
      ended_at: null,
    });
    expect(must(await step(id, 'advance')).json).toMatchObject({
      status: 'paid',
      ended_at: expect.any(Number),
      reversal: null,
    });
    expect(await balance()).toBe(before - 500);
    const returned = must(await step(id, 'return', { failure_code: 'account_closed' })).json;
    expect(returned).toMatchObject({
      status: 'returned',
      failure_code: 'account_closed',
      failure_message: FAILURE_CODES.account_closed,
    });
    expect(await balance()).toBe(before);
    const reversal = must(await client.get(`/v1/transfers/${returned['reversal'] as string}`)).json;
    expect(reversal).toMatchObject({
      from: 'house:bank',
      to: account,
      amount: 5,
      cause: 'payout_reversal',
      cause_id: id,
    });
    expect(await typesAbout(id)).toEqual(['payout.created', 'payout.in_transit', 'payout.paid', 'payout.returned']);
  });

  it('is paid at once through both steps', async () => {
    const id = idIn(await pay());
    expect(must(await step(id, 'pay')).json).toMatchObject({ status: 'paid' });
    expect(await typesAbout(id)).toEqual(['payout.created', 'payout.in_transit', 'payout.paid']);
  });

  it.each(Object.keys(FAILURE_CODES))('fails with %s and gives the money back', async (code) => {
    const before = await balance();
    const id = idIn(await pay());
    expect(must(await step(id, 'fail', { failure_code: code })).json).toMatchObject({
      status: 'failed',
      failure_code: code,
    });
    expect(await balance()).toBe(before);
  });

  it('cancels while pending', async () => {
    const before = await balance();
    const id = idIn(await pay());
    const canceled = must(await client.post(`/v1/payouts/${id}/cancel`)).json;
    expect(canceled).toMatchObject({
      status: 'canceled',
      reversal: expect.stringMatching(/^trf_/),
      failure_code: null,
    });
    expect(await balance()).toBe(before);
    expect(await typesAbout(id)).toEqual(['payout.created', 'payout.canceled']);
  });

  it('updates metadata and nothing else', async () => {
    const id = idIn(await pay({ metadata: { a: 'b', c: 'd' } }));
    const updated = must(await client.post(`/v1/payouts/${id}`, 'metadata[a]=&metadata[e]=f', { form: true })).json;
    expect(updated).toMatchObject({ metadata: { c: 'd', e: 'f' } });
    expect((await typesAbout(id)).at(-1)).toBe('payout.updated');
    expect(outcome(await client.post(`/v1/payouts/${id}`, { metadata: {}, amount: 5 }))).toBe(
      '400 parameter_unknown amount',
    );
  });

  it('tries everything in a dry run and writes nothing', async () => {
    const [before, events] = [await balance(), must(await client.get('/v1/events?limit=1')).text];
    expect(must(await pay({ dry_run: true, external_id: 'dry' })).json).toMatchObject({
      dry_run: true,
      id: null,
      object: 'payout',
      status: 'pending',
      account,
      recipient: fixtures.rcp,
      transfer: null,
    });
    expect(outcome(await pay({ dry_run: true, amount: '90000000' }))).toMatch(/^400 balance_insufficient/);
    expect(await balance()).toBe(before);
    expect(must(await client.get('/v1/events?limit=1')).text).toBe(events);
    expect(await listed('external_id=dry')).toEqual([]);
  });

  it('replays success and refusal alike, byte for byte', async () => {
    const once = { idempotencyKey: 'pay once' };
    const [first, again] = [await pay({}, once), await pay({ amount: '5.00' }, { ...once, form: true })];
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const poor = { idempotencyKey: 'too much' };
    const [refused, replayed] = [await pay({ amount: 90_000_000 }, poor), await pay({ amount: 90_000_000 }, poor)];
    expect([refused.status, replayed.text, replayed.headers['idempotent-replayed']]).toEqual([
      400,
      refused.text,
      'true',
    ]);
    const other = await pay({ reference: 'other' }, once);
    expect(outcome(other)).toBe('400 idempotency_key_reused reference');
    expect(other.json['error']).toMatchObject({ type: 'idempotency_error', resource_id: first.json['id'] });
  });

  it('lists by every filter, newest first, page by page', async () => {
    const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(idIn(await pay({ recipient })));
    await step(ids[0] as string, 'pay');
    await step(ids[1] as string, 'fail');
    expect(await idsOf(`recipient=${recipient}`)).toEqual(ids);
    expect(await idsOf(`recipient=${recipient}&status=paid`)).toEqual([ids[0]]);
    expect(await idsOf(`recipient=${recipient}&status=failed`)).toEqual([ids[1]]);
    expect(await idsOf(`recipient=${recipient}&currency=eur&limit=2`)).toEqual(ids.slice(0, 2));
    expect(await idsOf(`recipient=${recipient}&currency=usd`)).toEqual([]);
    expect(await idsOf(`recipient=${recipient}&limit=2&starting_after=${ids[1]}`)).toEqual(ids.slice(2, 4));
    expect(await idsOf(`recipient=${recipient}&order=asc&limit=2`)).toEqual([ids[4], ids[3]]);
    expect(await idsOf(`batch=${fixtures.pob}`)).toHaveLength(2);
    expect(await idsOf(`recipient=${recipient}&created[gt]=4000000000`)).toEqual([]);
  });
});

describe('400', () => {
  it.each<[string, () => object]>([
    ['parameter_missing amount', () => ({ amount: undefined })],
    ['parameter_missing recipient', () => ({ recipient: undefined })],
    ['parameter_invalid recipient', () => ({ recipient: fixtures.acct })],
    ['amount_invalid amount', () => ({ amount: '5.001' })],
    ['amount_invalid amount', () => ({ amount: '1e3' })],
    ['amount_too_small amount', () => ({ amount: 0 })],
    ['amount_too_large amount', () => ({ amount: '10000000000000' })],
    ['currency_unsupported currency', () => ({ currency: 'EURO' })],
    ['recipient_currency_mismatch currency', () => ({ currency: 'USD' })],
    ['text_too_long reference', () => ({ reference: 'x'.repeat(141) })],
    ['text_too_long statement_descriptor', () => ({ statement_descriptor: 'x'.repeat(23) })],
    ['parameter_invalid category_purpose', () => ({ category_purpose: 'RENT' })],
    ['parameter_invalid purpose', () => ({ purpose: 'rent' })],
    ['parameter_invalid scheduled_on', () => ({ scheduled_on: '2026-02-31' })],
    ['scheduled_on_invalid scheduled_on', () => ({ scheduled_on: day(-2) })],
    ['scheduled_on_invalid scheduled_on', () => ({ scheduled_on: day(368) })],
    ['parameter_invalid dry_run', () => ({ dry_run: 'yes' })],
  ])('%s', async (what, change) => {
    const before = await balance();
    expect(outcome(await pay(change()))).toBe(`400 ${what}`);
    expect(await balance()).toBe(before);
  });

  it('an external id that was used, for ever, with the payout that has it', async () => {
    const id = idIn(await pay({ external_id: 'once for ever' }));
    await client.post(`/v1/payouts/${id}/cancel`);
    const again = await pay({ external_id: 'once for ever' });
    expect(outcome(again)).toBe('400 external_id_used external_id');
    expect(again.json['error']).toMatchObject({ resource_id: id });
  });

  it('no funds, no account, a closed one, one of another currency', async () => {
    const short = await pay({ amount: 90_000_000 });
    expect(outcome(short)).toMatch(/^400 balance_insufficient/);
    expect(short.json['error']).toMatchObject({ available_minor: await balance() });
    const yen = { ...RECIPIENT, currency: 'JPY', bic: 'COBADEFFXXX' };
    const recipient = idIn(await client.post('/v1/recipients', yen));
    expect(outcome(await pay({ recipient, currency: 'JPY' }))).toMatch(/^400 account_missing/);
    expect(outcome(await pay({ recipient, currency: 'JPY', account }))).toBe('400 account_currency_mismatch account');
    const closed = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    await client.post(`/v1/accounts/${closed}/close`);
    expect(outcome(await pay({ account: closed }))).toBe('400 account_closed account');
  });

  it('a recipient that was deleted; older payouts go on', async () => {
    const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
    const id = idIn(await pay({ recipient }));
    await client.write('DELETE', `/v1/recipients/${recipient}`, '');
    expect(outcome(await pay({ recipient }))).toBe('400 recipient_archived recipient');
    expect(outcome(await step(id, 'pay'))).toBe('200');
  });

  it('steps that do not follow', async () => {
    const id = idIn(await pay());
    expect(outcome(await step(id, 'return'))).toBe('400 payout_state_invalid');
    must(await step(id, 'pay'));
    for (const verb of ['advance', 'pay', 'fail']) {
      const reply = await step(id, verb);
      expect(outcome(reply)).toBe('400 payout_state_invalid');
      expect(reply.json['error']).toMatchObject({ current_status: 'paid' });
    }
    const late = await client.post(`/v1/payouts/${id}/cancel`);
    expect(outcome(late)).toBe('400 payout_not_cancelable');
    expect(late.json['error']).toMatchObject({ current_status: 'paid', allowed: ['waiting', 'pending'] });
    must(await step(id, 'return'));
    expect(outcome(await step(id, 'return'))).toBe('400 payout_state_invalid');
    expect(outcome(await step(id, 'fail', { failure_code: 'mood' }))).toBe('400 parameter_invalid failure_code');
  });

  it('filters that are not', async () => {
    expect(outcome(await client.get('/v1/payouts?status=lost'))).toBe('400 parameter_invalid status');
    expect(outcome(await client.get('/v1/payouts?statuss=paid'))).toBe('400 parameter_unknown statuss');
  });
});

describe('401, 403, 404, 405', () => {
  it('keys that may not', async () => {
    expect(outcome(await client.send('GET', '/v1/payouts', '', { authorization: 'Bearer x' }))).toBe(
      '401 api_key_invalid',
    );
    const reader = await application.key({ scopes: ['payouts:read'] });
    expect(outcome(await reader.client.get('/v1/payouts'))).toBe('200');
    expect(outcome(await reader.client.post('/v1/payouts', { amount: 5 }))).toBe('403 scope_missing');
    const writer = await application.key({ scopes: ['payouts:write'] });
    expect(outcome(await writer.client.post(`/v1/test_helpers/payouts/${fixtures.po}/pay`))).toBe('403 scope_missing');
    expect(outcome(await application.live.client.post(`/v1/test_helpers/payouts/${fixtures.po}/pay`))).toBe(
      '403 sandbox_only',
    );
  });

  it('what does not exist', async () => {
    expect(outcome(await client.get(`/v1/payouts/${UNKNOWN}`))).toBe('404 resource_missing id');
    expect(outcome(await client.post(`/v1/payouts/${UNKNOWN}`, { metadata: {} }))).toMatch(/^404 resource_missing/);
    expect(outcome(await client.post(`/v1/payouts/${UNKNOWN}/cancel`))).toMatch(/^404 resource_missing/);
    for (const verb of ['advance', 'pay', 'fail', 'return'])
      expect(outcome(await step(UNKNOWN, verb))).toMatch(/^404 resource_missing/);
    expect(outcome(await pay({ recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa' }))).toBe('404 resource_missing recipient');
    expect(outcome(await pay({ account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa' }))).toBe('404 resource_missing account');
  });

  it('a payout is never deleted', async () => {
    expect(outcome(await client.send('DELETE', `/v1/payouts/${fixtures.po}`, '', {}))).toBe('405 method_not_allowed');
  });
});
