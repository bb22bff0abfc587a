/** Payment links over real HTTP, grouped by status. Payments: `routes.test.ts`; what payers see: `collecting/checkout/routes.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { MAX_HELD_MINOR } from '../../core/values/money.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { BANK_ACCOUNT, idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { Payer, tokenIn } from '../../../test/support/browser/payer.ts';

const PATH = '/v1/payment_links';
const UNKNOWN = 'plink_01jd3v9q4ne8v8k3w2m6r5t7xa';
const UNKNOWN_ACCOUNT = 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa';
const EVERYTHING = {
  amount_type: 'open',
  minimum_amount: 5,
  maximum_amount: 500,
  currency: 'EUR',
  reusable: true,
  max_payments: 3,
  expires_at: 4_000_000_000,
  description: 'Gartentisch – für Müller',
  reference: 'Invoice 4711',
  customer_email: 'ada@example.com',
  after_completion: { redirect: { url: 'http://localhost:3000/thanks?a=b#c' }, message: 'Thank you!' },
  metadata: { order: '1' },
};

let application: Application;
let client: Client;
let payer: Payer;
let account: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  payer = new Payer(application.address);
  account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
});
afterAll(async () => {
  payer?.close();
  await application?.stop();
});

const create = (body: object = {}, options = {}): Promise<Reply> =>
  client.post(PATH, { amount: 250, currency: 'EUR', ...body }, options);
const created = async (body: object = {}) => must(await create(body)).json as Json & { id: string; url: string };
const retrieve = async (id: string) => must(await client.get(`${PATH}/${id}`)).json;
const update = (id: string, body: object) => client.post(`${PATH}/${id}`, body);
const pay = (id: string, body: object = {}) => client.post(`/v1/test_helpers/payment_links/${id}/pay`, body);
const eventsAbout = async (id: string) =>
  must(await client.get(`/v1/events?related_object=${id}&order=asc&limit=100`)).json['data'] as readonly Json[];
const typesAbout = async (id: string) => (await eventsAbout(id)).map(({ type }) => type);
const lastAbout = async (id: string) => (await eventsAbout(id)).at(-1) as Json;
const sequence = async () =>
  ((must(await client.get('/v1/events?limit=1')).json['data'] as readonly Json[])[0]?.['sequence'] ?? 0) as number;
/** What happened since, in order. */
const since = async (last: number) =>
  must(await client.get(`/v1/events?after_sequence=${last}&order=asc&limit=100`)).json['data'] as readonly Json[];
const typesSince = async (last: number) => (await since(last)).map(({ type }) => type);
const previousIn = (event: Json) => (event['data'] as Json)['previous_attributes'];
const idsOf = async (query: string, from = client) =>
  (must(await from.get(`${PATH}?${query}`)).json['data'] as readonly Json[]).map(({ id }) => id);
/** Everything that a refused or tried request could have written; refusals are kept under their keys. */
const written = async () => {
  const tables = ['payment_links', 'payment_tokens', 'payments', 'accounts', 'events'];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  return application.sql(`SELECT ${counts.join(', ')}`);
};

describe('200', () => {
  it('creates exactly as the interface shows, with a form, for the oldest account', async () => {
    const { json, text } = must(await client.post(PATH, 'amount=250.00&currency=eur', { form: true }));
    expect(json).toEqual({
      id: expect.stringMatching(/^plink_[0-9a-z]{26}$/),
      object: 'payment_link',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      amount_type: 'fixed',
      amount: 250,
      amount_minor: 25_000,
      minimum_amount: null,
      minimum_amount_minor: null,
      maximum_amount: null,
      maximum_amount_minor: null,
      currency: 'EUR',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9A-Za-z]{24}$/),
      active: true,
      status: 'active',
      account,
      reusable: false,
      max_payments: null,
      payments_count: 0,
      open_payments_count: 0,
      amount_received: 0,
      amount_received_minor: 0,
      description: null,
      reference: null,
      customer_email: null,
      after_completion: { redirect: null, message: null },
      expires_at: null,
      ended_at: null,
      metadata: {},
    });
    expect(text).toContain('"amount":250.00,"amount_minor":25000,');
    expect(must(await client.get(`${PATH}/${json['id'] as string}`)).text).toBe(text);
    expect(await lastAbout(json['id'] as string)).toMatchObject({
      type: 'payment_link.created',
      data: { object: json },
    });
    expect((await payer.open(json['url'] as string)).state).toBe('open');
  });

  it('keeps everything that was said, and says it in a form as well', async () => {
    const other = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    const said = { ...EVERYTHING, account: other };
    expect((await create({ ...said, amount: undefined })).json).toMatchObject(said);
    expect((await create({ ...said, amount: undefined }, { form: true })).json).toMatchObject(said);
  });

  it('opens an account where there is none of the currency', async () => {
    const link = await created({ currency: 'CHF' });
    const opened = must(await client.get(`/v1/accounts/${link['account'] as string}`)).json;
    expect(opened).toMatchObject({ currency: 'CHF', balance: 0 });
    expect((await created({ currency: 'CHF' }))['account']).toBe(link['account']);
  });

  it.each([
    ['JPY', '250', 250, '250'],
    ['BHD', '1.5', 1500, '1.500'],
    ['EUR', '0.01', 1, '0.01'],
    ['EUR', '9999999999999.99', 999_999_999_999_999, '9999999999999.99'],
    ['EUR', '12.5000', 1250, '12.50'],
  ])('%s %s is %i minor units', async (currency, amount, minor, major) => {
    const { text } = must(await create({ currency, amount }));
    expect(text).toContain(`"amount":${major},"amount_minor":${minor},`);
  });

  it('tries everything in a dry run and writes nothing: its page is not there', async () => {
    const before = await written();
    const tried = await created({ ...EVERYTHING, amount: undefined, currency: 'SEK', dry_run: true });
    // SEK has no account yet: one would be opened.
    const unmade = { dry_run: true, id: null, url: null, account: null };
    expect(tried).toMatchObject({ object: 'payment_link', status: 'active', currency: 'SEK', ...unmade });
    expect(outcome(await create({ dry_run: true, expires_at: 1 }))).toBe('400 expires_at_invalid expires_at');
    expect(await written()).toEqual(before);
  });

  it('replays the same address, byte for byte', async () => {
    const once = { idempotencyKey: 'link once' };
    const [first, again] = [await create({}, once), await create({ amount: '250.0' }, { ...once, form: true })];
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(outcome(await create({ amount: 251 }, once))).toBe('400 idempotency_key_reused amount');
    expect((await created()).url).not.toBe(first.json['url']);
  });

  it('names the public address, not the one it was asked at', async () => {
    const { url } = must(await client.post(PATH, { amount: 1, currency: 'EUR' }, { headers: { host: 'evil.example' } }))
      .json as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it('lists by every filter, newest first, page by page', async () => {
    const own = (await application.key({ merchant: 'lister of links' })).client;
    const make = async (body: object) => idIn(await own.post(PATH, { amount: 5, currency: 'EUR', ...body }));
    const fixed = await make({ reference: 'one' });
    const several = await make({ reusable: true, reference: 'two' });
    const dollars = await make({ currency: 'USD' });
    const gone = await make({ reference: 'one' });
    must(await own.post(`${PATH}/${gone}/deactivate`));
    const credited = must(await own.get(`${PATH}/${dollars}`)).json['account'] as string;
    expect(await idsOf('', own)).toEqual([gone, dollars, several, fixed]);
    expect(await idsOf('status=active', own)).toEqual([dollars, several, fixed]);
    expect(await idsOf('status=canceled', own)).toEqual([gone]);
    expect(await idsOf('status=completed', own)).toEqual([]);
    expect(await idsOf('currency=usd', own)).toEqual([dollars]);
    expect(await idsOf(`account=${credited}`, own)).toEqual([dollars]);
    expect(await idsOf('reusable=true', own)).toEqual([several]);
    expect(await idsOf('reusable=false&order=asc', own)).toEqual([fixed, dollars, gone]);
    expect(await idsOf('reference=one', own)).toEqual([gone, fixed]);
    expect(await idsOf('reference=one&status=active', own)).toEqual([fixed]);
    expect(await idsOf(`limit=2&starting_after=${dollars}`, own)).toEqual([several, fixed]);
    expect(must(await own.get(`${PATH}?limit=1`)).json).toMatchObject({ has_more: true });
    expect(await idsOf('', application.otherSandbox.client)).toEqual([]);
  });

  it('updates what was sent, unsets by an empty text, says what was before', async () => {
    const { id } = await created({ ...EVERYTHING, amount: undefined });
    const changes = {
      description: 'Chairs',
      reference: '',
      customer_email: '',
      after_completion: { redirect: { url: '' } },
      max_payments: 9,
      expires_at: 4_000_000_001,
      metadata: { order: '', note: 'x' },
    };
    const { json } = must(await update(id, changes));
    expect(json).toMatchObject({
      ...changes,
      reference: null,
      customer_email: null,
      after_completion: { redirect: null, message: 'Thank you!' },
      metadata: { note: 'x' },
    });
    const event = await lastAbout(id);
    const { description, reference, customer_email, after_completion, max_payments, expires_at } = EVERYTHING;
    const before = { description, reference, customer_email, after_completion, max_payments, expires_at };
    expect(event).toMatchObject({ type: 'payment_link.updated', data: { object: json } });
    expect(previousIn(event)).toEqual({ ...before, metadata: { order: '1', note: null } });
    must(await update(id, { description: 'Chairs' }));
    expect((await lastAbout(id))['id'], 'nothing changed, nothing is told').toBe(event['id']);
  });

  it('unsets by null, parts of the receipt one by one or together', async () => {
    const { id } = await created({ ...EVERYTHING, amount: undefined });
    const change = async (body: Json) => must(await update(id, body)).json;
    const limits = { max_payments: null, expires_at: null, description: null, metadata: {} };
    expect(await change({ ...limits, metadata: null })).toMatchObject(limits);
    const { after_completion: before } = EVERYTHING;
    expect(await change({ after_completion: { message: null } })).toMatchObject({
      after_completion: { ...before, message: null },
    });
    expect(await change({ after_completion: { redirect: null } })).toMatchObject({
      after_completion: { redirect: null, message: null },
    });
    await change({ after_completion: before });
    expect(await change({ after_completion: null })).toMatchObject({
      after_completion: { redirect: null, message: null },
    });
  });

  it('completes a link whose limit is brought down to what was paid', async () => {
    const { id } = await created({ reusable: true });
    must(await pay(id));
    expect(must(await update(id, { max_payments: 1 })).json).toMatchObject({ status: 'completed', active: false });
    expect((await typesAbout(id)).slice(-2)).toEqual(['payment_link.updated', 'payment_link.completed']);
  });

  it('changes words of an ended link, which its receipt shows', async () => {
    const { id, url } = await created();
    must(await pay(id));
    must(await update(id, { after_completion: { message: 'See you soon' } }));
    expect((await payer.open(url)).words).toContain('See you soon');
  });

  it('deactivates once', async () => {
    const { id, url } = await created();
    const { json } = must(await client.post(`${PATH}/${id}/deactivate`));
    expect(json).toMatchObject({ status: 'canceled', active: false, ended_at: expect.closeTo(Date.now() / 1000, -2) });
    const event = await lastAbout(id);
    expect(event).toMatchObject({ type: 'payment_link.canceled', data: { object: json } });
    expect(previousIn(event)).toEqual({ status: 'active', active: true });
    const again = await client.post(`${PATH}/${id}/deactivate`);
    expect(outcome(again)).toBe('400 payment_link_ended');
    expect(again.json['error']).toMatchObject({ current_status: 'canceled', allowed: ['active'] });
    expect((await payer.open(url)).state).toBe('canceled');
  });

  it('takes live money once payers are told where to send it', async () => {
    const live = (await application.key({ merchant: 'lives', livemode: true })).client;
    const link = { amount: 5, currency: 'EUR' };
    expect(outcome(await live.post(PATH, link))).toBe('400 payment_method_not_configured currency');
    must(await live.post('/v1/bank_accounts', { ...BANK_ACCOUNT, holder: 'Live GmbH' }));
    const { json } = must(await live.post(PATH, link));
    expect(json).toMatchObject({ livemode: true, status: 'active' });
    expect((await payer.start(json['url'] as string)).words).toContain('Live GmbH');
    expect(outcome(await live.post(PATH, { ...link, currency: 'USD' }))).toBe(
      '400 payment_method_not_configured currency',
    );
  });
});

describe('200, paid by the test helper', () => {
  it('pays what is missing: link, payment, balance and events agree', async () => {
    const { id } = await created({ currency: 'NOK', amount: 99, description: 'Paid' });
    const before = await sequence();
    const { json } = must(await pay(id));
    expect(json).toMatchObject({ status: 'succeeded', amount: 99, amount_received: 99, payment_link: id });
    const link = await retrieve(id);
    expect(link).toMatchObject({
      status: 'completed',
      active: false,
      payments_count: 1,
      open_payments_count: 0,
      amount_received: 99,
      ended_at: json['paid_at'],
    });
    const credited = must(await client.get(`/v1/accounts/${link['account'] as string}`)).json;
    expect(credited['balance']).toBe(9900);
    expect(await typesSince(before)).toEqual([
      'payment.pending',
      'balance.updated',
      'payment.succeeded',
      'payment_link.completed',
    ]);
    const [pending, , paid, completed] = (await since(before)) as [Json, Json, Json, Json];
    expect((pending['data'] as Json)['object']).toMatchObject({
      id: json['id'],
      status: 'pending',
      amount_received: 0,
    });
    expect((paid['data'] as Json)['object']).toEqual(json);
    expect(previousIn(paid)).toEqual({ status: 'pending', amount_received_minor: 0 });
    expect((completed['data'] as Json)['object']).toEqual(link);
    expect(previousIn(completed)).toEqual({ status: 'active', active: true });
  });

  it('pays a part, then the rest, through one payment', async () => {
    const { id } = await created();
    const before = await sequence();
    const part = must(await pay(id, { amount: '100.00' })).json;
    expect(part).toMatchObject({ status: 'partially_paid', amount: 250, amount_received: 100, paid_at: null });
    expect(await retrieve(id)).toMatchObject({ status: 'active', payments_count: 0, open_payments_count: 1 });
    expect(must(await pay(id)).json).toMatchObject({ id: part['id'], status: 'succeeded', amount_received: 250 });
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payments_count: 1, open_payments_count: 0 });
    expect(await typesSince(before)).toEqual([
      'payment.pending',
      'balance.updated',
      'payment.partially_paid',
      'balance.updated',
      'payment.succeeded',
      'payment_link.completed',
    ]);
    const rest = (await since(before))[4] as Json;
    expect(previousIn(rest)).toEqual({ status: 'partially_paid', amount_received_minor: 10_000 });
  });

  it('pays too much: overpaid, told as succeeded', async () => {
    const { id } = await created();
    const before = await sequence();
    expect(must(await pay(id, { amount: 300 })).json).toMatchObject({ status: 'overpaid', amount_received: 300 });
    expect(await retrieve(id)).toMatchObject({ status: 'completed', amount_received: 300 });
    expect(await typesSince(before)).toContain('payment.succeeded');
  });

  it('pays an open amount within its bounds', async () => {
    const { id } = await created({ ...EVERYTHING, amount: undefined });
    expect(outcome(await pay(id))).toBe('400 amount_invalid amount');
    expect(outcome(await pay(id, { amount: '4.99' }))).toBe('400 amount_too_small amount');
    expect(outcome(await pay(id, { amount: '500.01' }))).toBe('400 amount_too_large amount');
    for (const amount of [5, 500, 5]) expect(must(await pay(id, { amount })).json).toMatchObject({ amount });
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payments_count: 3, amount_received: 510 });
    expect(outcome(await pay(id, { amount: 5 }))).toBe('400 payment_link_ended');
  });
});

describe('400', () => {
  it.each<[string, object]>([
    ['parameter_missing amount', { amount: undefined }],
    ['parameter_missing currency', { currency: undefined }],
    ['amount_invalid amount', { amount: '5.001' }],
    ['amount_invalid amount', { amount: '1e3' }],
    ['amount_invalid amount', { amount: '-5' }],
    ['amount_invalid amount', { amount: '1,000.00' }],
    ['amount_invalid amount', { amount: '0x10' }],
    ['parameter_missing amount', { amount: null }],
    ['amount_invalid amount', { amount: ['5'] }],
    ['amount_invalid amount', { amount: '250.5', currency: 'JPY' }],
    ['amount_too_small amount', { amount: 0 }],
    ['amount_too_large amount', { amount: '10000000000000' }],
    ['amount_too_small minimum_amount', { amount: undefined, amount_type: 'open', minimum_amount: 0 }],
    ['amount_invalid maximum_amount', { amount: undefined, amount_type: 'open', maximum_amount: '5.001' }],
    ['currency_unsupported currency', { currency: 'EURO' }],
    ['currency_unsupported currency', { currency: 'XAU' }],
    ['parameter_conflict amount', { amount_type: 'open' }],
    ['parameter_conflict minimum_amount', { minimum_amount: 5 }],
    ['parameter_conflict maximum_amount', { maximum_amount: 5 }],
    [
      'parameter_conflict maximum_amount',
      { amount: undefined, amount_type: 'open', minimum_amount: 6, maximum_amount: 5 },
    ],
    ['parameter_conflict max_payments', { max_payments: 5 }],
    ['parameter_invalid max_payments', { reusable: true, max_payments: 0 }],
    ['parameter_invalid max_payments', { reusable: true, max_payments: 1_000_001 }],
    ['parameter_invalid amount_type', { amount_type: 'any' }],
    ['parameter_invalid reusable', { reusable: 'yes' }],
    ['parameter_invalid dry_run', { dry_run: 'yes' }],
    ['parameter_invalid account', { account: 'acct_1' }],
    ['parameter_unknown token', { token: 'a'.repeat(24) }],
    ['parameter_unknown url', { url: 'https://example.com' }],
    ['expires_at_invalid expires_at', { expires_at: 1_700_000_000 }],
    ['parameter_invalid expires_at', { expires_at: 253_402_300_800 }],
    ['text_too_long description', { description: 'x'.repeat(501) }],
    ['text_too_long reference', { reference: 'x'.repeat(141) }],
    ['text_too_long after_completion[message]', { after_completion: { message: 'x'.repeat(501) } }],
    ['text_invalid description', { description: 'a\u202eb' }],
    ['text_invalid reference', { reference: 'a\u0000b' }],
    ['card_number_refused description', { description: 'card 4111 1111 1111 1111' }],
    ['card_number_refused reference', { reference: '4111111111111111' }],
    ['card_number_refused after_completion[message]', { after_completion: { message: '4111-1111-1111-1111' } }],
    ['parameter_invalid customer_email', { customer_email: 'nobody' }],
  ])('%s', async (what, body) => {
    const before = await written();
    expect(outcome(await create(body))).toBe(`400 ${what}`);
    expect(await written()).toEqual(before);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//evil.example.com/',
    '/thanks',
    'thanks',
    'https://',
    'https://ada:secret@example.com/',
    'https://ada@example.com/',
    'ftp://example.com/',
    `https://example.com/${'x'.repeat(2000)}`,
  ])('a redirect to %s', async (url) => {
    const { id } = await created({ after_completion: { redirect: { url: 'https://example.com/' } } });
    const refused = /^400 (?:redirect_url_invalid|text_invalid|text_too_long) after_completion\[redirect\]\[url\]$/;
    expect(outcome(await create({ after_completion: { redirect: { url } } }))).toMatch(refused);
    expect(outcome(await update(id, { after_completion: { redirect: { url } } }))).toMatch(refused);
    expect(await retrieve(id)).toMatchObject({ after_completion: { redirect: { url: 'https://example.com/' } } });
  });

  it('a redirect in clear where money is real', async () => {
    must(await application.live.client.post('/v1/bank_accounts', BANK_ACCOUNT));
    const link = (url: string) => ({ amount: 5, currency: 'EUR', after_completion: { redirect: { url } } });
    expect(outcome(await application.live.client.post(PATH, link('http://example.com/')))).toBe(
      '400 redirect_url_invalid after_completion[redirect][url]',
    );
    expect(outcome(await application.live.client.post(PATH, link('https://example.com/')))).toBe('200');
  });

  it('an account that is closed or of another currency', async () => {
    const dollars = idIn(await client.post('/v1/accounts', { currency: 'USD' }));
    expect(outcome(await create({ account: dollars }))).toBe('400 account_currency_mismatch account');
    const closed = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await client.post(`/v1/accounts/${closed}/close`));
    expect(outcome(await create({ account: closed }))).toBe('400 account_closed account');
  });

  it('what cannot be changed', async () => {
    const { id } = await created();
    for (const name of ['amount', 'currency', 'account', 'reusable', 'url', 'status'])
      expect(outcome(await update(id, { [name]: '5' }))).toBe(`400 parameter_unknown ${name}`);
    expect(outcome(await update(id, { max_payments: 5 }))).toBe('400 parameter_conflict max_payments');
    expect(outcome(await update(id, { expires_at: 1 }))).toBe('400 expires_at_invalid expires_at');
    expect(outcome(await update(id, { metadata: { [`k${'x'.repeat(41)}`]: 'v' } }))).toMatch(/^400 \w+ metadata/);
    const { id: several } = await created({ reusable: true });
    must(await pay(several));
    must(await pay(several));
    expect(outcome(await update(several, { max_payments: 1 }))).toBe('400 parameter_invalid max_payments');
    must(await client.post(`${PATH}/${several}/deactivate`));
    expect(outcome(await update(several, { max_payments: 9 }))).toBe('400 payment_link_ended');
    expect(outcome(await update(several, { expires_at: 4_000_000_000 }))).toBe('400 payment_link_ended');
  });

  it('paying what is ended, and not what others have only started to pay', async () => {
    const { id } = await created();
    must(await pay(id));
    const late = await pay(id);
    expect(outcome(late)).toBe('400 payment_link_ended');
    expect(late.json['error']).toMatchObject({ current_status: 'completed', allowed: ['active'] });
    const taken = await created({ reusable: true, max_payments: 1 });
    await payer.start(taken.url);
    expect(await retrieve(taken.id)).toMatchObject({ status: 'active', open_payments_count: 1 });
    must(await pay(taken.id));
    expect(await retrieve(taken.id)).toMatchObject({ status: 'completed', open_payments_count: 1 });
    const { id: last } = await created();
    expect(outcome(await pay(last, { amount: '1.001' }))).toBe('400 amount_invalid amount');
    expect(outcome(await pay(last, { amount: 0 }))).toBe('400 amount_too_small amount');
    expect(await retrieve(last)).toMatchObject({ open_payments_count: 0, amount_received: 0 });
  });

  it('money that no account could hold: what no column does', async () => {
    const full = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    const { id } = await created({ account: full, amount: '9999999999999.99', reusable: true });
    for (let i = 0; i < 10; i++) must(await pay(id)); // money that comes is not refused, also above 2^53
    const { text } = must(await client.get(`/v1/accounts/${full}`));
    expect(text).toContain('"balance":9999999999999990,');
    await application.sql('UPDATE accounts SET balance = $2 WHERE id = $1', [uuidOf(full), MAX_HELD_MINOR]);
    expect(outcome(await pay(id))).toMatch(/^400 balance_too_large/);
    expect(await retrieve(id)).toMatchObject({ payments_count: 10, open_payments_count: 0 });
  });

  it('filters that are not', async () => {
    expect(outcome(await client.get(`${PATH}?status=lost`))).toBe('400 parameter_invalid status');
    expect(outcome(await client.get(`${PATH}?token=${'a'.repeat(24)}`))).toBe('400 parameter_unknown token');
  });
});

describe('401, 403, 404, 405', () => {
  it('keys that may not', async () => {
    const nobody = { authorization: 'Bearer x' };
    expect(outcome(await client.send('GET', PATH, '', nobody))).toBe('401 api_key_invalid');
    const reader = (await application.key({ scopes: ['payment_links:read'] })).client;
    expect(outcome(await reader.get(PATH))).toBe('200');
    expect(outcome(await reader.post(PATH, { amount: 5, currency: 'EUR' }))).toBe('403 scope_missing');
    expect(outcome(await reader.get('/v1/payments'))).toBe('403 scope_missing');
    const writer = (await application.key({ scopes: ['payment_links:write'] })).client;
    const { id } = await created();
    expect(outcome(await writer.post(`/v1/test_helpers/payment_links/${id}/pay`))).toBe('403 scope_missing');
    expect(outcome(await application.live.client.post(`/v1/test_helpers/payment_links/${id}/pay`))).toBe(
      '403 sandbox_only',
    );
  });

  it('what does not exist, and what is somebody else’s', async () => {
    const { id } = await created();
    const others = application.otherSandbox.client;
    for (const [who, link] of [
      [client, UNKNOWN],
      [others, id],
      [application.live.client, id],
    ] as const) {
      expect(outcome(await who.get(`${PATH}/${link}`))).toBe('404 resource_missing id');
      expect(outcome(await who.post(`${PATH}/${link}`, { description: 'x' }))).toMatch(/^404 resource_missing/);
      expect(outcome(await who.post(`${PATH}/${link}/deactivate`))).toMatch(/^404 resource_missing/);
    }
    for (const [who, link] of [[client, UNKNOWN] as const, [others, id] as const])
      expect(outcome(await who.post(`/v1/test_helpers/payment_links/${link}/pay`))).toMatch(/^404 resource_missing/);
    expect(outcome(await create({ account: UNKNOWN_ACCOUNT }))).toBe('404 resource_missing account');
    expect(outcome(await others.post(PATH, { amount: 5, currency: 'EUR', account }))).toBe(
      '404 resource_missing account',
    );
    expect(await retrieve(id)).toMatchObject({ status: 'active', description: null });
  });

  it('a link is never deleted', async () => {
    const { id } = await created();
    expect(outcome(await client.send('DELETE', `${PATH}/${id}`, '', {}))).toBe('405 method_not_allowed');
  });

  it('its token is nowhere but in its address', async () => {
    const { id, url } = await created();
    must(await pay(id));
    const token = tokenIn(url);
    const payments = must(await client.get(`/v1/payments?payment_link=${id}`)).text;
    expect(payments).not.toContain(token);
    const [newest] = must(await client.get('/v1/events?type=payment.succeeded&limit=1')).json[
      'data'
    ] as readonly Json[];
    expect(newest).toMatchObject({ data: { object: { payment_link: id } } });
    expect(JSON.stringify(newest)).not.toContain(token);
  });
});
