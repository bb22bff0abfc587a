/** Fees over HTTP: set, shown before, taken in the commit of what they are for, given back. In the ledger's model: `test/soak/ledger.property.test.ts`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
let euros: string;
let recipient: string;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  recipient = idIn(must(await client.post('/v1/recipients', RECIPIENT)));
});
beforeEach(async () => {
  euros = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
  must(await client.post(`/v1/test_helpers/accounts/${euros}/fund`, { amount: 1000 }));
});
afterEach(async () => {
  for (const { id } of await list('/v1/fee_rules'))
    must(await client.write('DELETE', `/v1/fee_rules/${id as string}`, ''));
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application.stop();
});

const list = async (path: string) => must(await client.get(path)).json['data'] as Json[];
const get = async (path: string) => must(await client.get(path)).json;
const balance = async (id: string) => (await get(`/v1/accounts/${id}`))['balance'] as number;
const charge = async (body: object) => idIn(must(await client.post('/v1/fee_rules', body)));
const order = (body: object = {}) => ({ amount: 100, currency: 'EUR', recipient, account: euros, ...body });
const pay = async (body: object = {}) => must(await client.post('/v1/payouts', order(body))).json;
const step = async (id: unknown, name: string) =>
  must(await client.post(`/v1/test_helpers/payouts/${id as string}/${name}`));
const feesOf = ({ fees }: Json) => fees as Json[];

describe('rules', () => {
  it('are made, listed, looked up and deleted, and the audit log says so', async () => {
    const made = must(
      await client.post('/v1/fee_rules', {
        on: 'payout',
        scheme: 'sepa',
        currency: 'eur',
        amount: '0.25',
        basis_points: 10,
      }),
    ).json;
    expect(made).toEqual({
      id: expect.stringMatching(/^fee_[0-9a-z]{26}$/),
      object: 'fee_rule',
      created: expect.closeTo(Date.now() / 1000, -2),
      livemode: false,
      on: 'payout',
      currency: 'EUR',
      scheme: 'sepa',
      buy_currency: null,
      method: null,
      payment_link: null,
      amount: 0.25,
      amount_minor: 25,
      basis_points: 10,
    });
    expect(await list('/v1/fee_rules')).toEqual([made]);
    expect(await get(`/v1/fee_rules/${made['id'] as string}`)).toEqual(made);
    const deleted = must(await client.write('DELETE', `/v1/fee_rules/${made['id'] as string}`, '')).json;
    expect(deleted).toEqual({ id: made['id'], object: 'fee_rule', deleted: true });
    expect(outcome(await client.get(`/v1/fee_rules/${made['id'] as string}`))).toBe('404 resource_missing id');
    expect(await list('/v1/audit_log?limit=2')).toMatchObject([
      { action: 'fee_rule.deleted', subject: made['id'] },
      {
        action: 'fee_rule.created',
        subject: made['id'],
        details: { on: 'payout', amount_minor: '25', basis_points: 10 },
      },
    ]);
  });

  it.each([
    [{ on: 'payout' }, '400 parameter_missing amount'],
    [{ on: 'payout', amount: 1 }, '400 parameter_missing currency'],
    [{ on: 'payout', method: 'card', basis_points: 1 }, '400 parameter_conflict method'],
    [{ on: 'exchange', scheme: 'sepa', basis_points: 1 }, '400 parameter_conflict scheme'],
    [{ on: 'payment', buy_currency: 'USD', basis_points: 1 }, '400 parameter_conflict buy_currency'],
    [{ on: 'exchange', currency: 'EUR', buy_currency: 'EUR', basis_points: 1 }, '400 parameter_conflict buy_currency'],
    [
      { on: 'payment', payment_link: 'plink_01jd3v9q4ne8v8k3w2m6r5t7xa', basis_points: 1 },
      '404 resource_missing payment_link',
    ],
    [{ on: 'refund', basis_points: 1 }, '400 parameter_invalid on'],
    [{ on: 'payout', basis_points: 10_001 }, '400 parameter_invalid basis_points'],
    [{ on: 'payout', basis_points: -1 }, '400 parameter_invalid basis_points'],
    [{ on: 'payout', currency: 'JPY', amount: '0.5' }, '400 amount_invalid amount'],
    [{ on: 'payout', currency: 'EUR', amount: '0' }, '400 amount_too_small amount'],
  ])('%j is refused: %s', async (body, refused) => {
    expect(outcome(await client.post('/v1/fee_rules', body))).toBe(refused);
    expect(await list('/v1/fee_rules')).toEqual([]);
  });

  it('no two are for the same, and there are at most 100', async () => {
    const id = await charge({ on: 'payout', currency: 'EUR', basis_points: 10 });
    const again = await client.post('/v1/fee_rules', { on: 'payout', currency: 'EUR', basis_points: 20 });
    expect([outcome(again), again.json['error']]).toMatchObject(['400 fee_exists', { resource_id: id }]);
    const codes = 'EUR USD GBP CHF JPY PLN SEK NOK DKK CZK HUF'.split(' ');
    const pairs = codes.flatMap((currency) =>
      codes.filter((other) => other !== currency).map((other) => ({ currency, buy_currency: other })),
    );
    for (const pair of pairs.slice(0, 99)) await charge({ on: 'exchange', ...pair, basis_points: 1 });
    expect(outcome(await client.post('/v1/fee_rules', { on: 'payment', basis_points: 1 }))).toBe('400 fee_count');
  });

  it('need the scope', async () => {
    const reader = await application.key({ scopes: ['fee_rules:read', 'payouts:write'] });
    expect(outcome(await reader.client.post('/v1/fee_rules', { on: 'payout', basis_points: 1 }))).toBe(
      '403 scope_missing',
    );
    expect(must(await reader.client.get('/v1/fee_rules')).json['data']).toEqual([]);
  });
});

describe('a payout', () => {
  it('bears its fee beside its amount, by a transfer of its own, and says so before', async () => {
    const fee = await charge({ on: 'payout', scheme: 'sepa', currency: 'EUR', amount: '0.25', basis_points: 10 });
    const dry = await pay({ dry_run: true });
    const shown = { fee_rule: fee, amount: 0.35, amount_minor: 35, currency: 'EUR', reversal: null };
    expect(feesOf(dry)).toEqual([{ ...shown, transfer: null }]);
    const payout = await pay();
    expect(feesOf(payout)).toEqual([{ ...shown, transfer: expect.stringMatching(/^trf_/) }]);
    expect(await balance(euros)).toBe(100_000 - 10_035);
    expect(await get(`/v1/transfers/${feesOf(payout)[0]?.['transfer'] as string}`)).toMatchObject({
      from: euros,
      to: 'house:fees',
      amount: 0.35,
      cause: 'payout_fee',
      cause_id: payout['id'],
    });
    const [created] = await list(`/v1/events?related_object=${payout['id'] as string}&type=payout.created`);
    expect(created).toMatchObject({ data: { object: payout } });
    expect(await get(`/v1/payouts/${payout['id'] as string}`)).toEqual(payout);
    const lines = (await get(`/v1/accounts/${euros}/statement`))['lines'] as Json[];
    expect(lines.slice(-2)).toMatchObject([
      { cause: 'payout', amount: -100 },
      { cause: 'payout_fee', amount: -0.35, counterparty: 'fees', cause_id: payout['id'], recipient },
    ]);
  });

  it.each([
    ['canceled', 100_000, true],
    ['failed', 100_000, true],
    ['returned', 99_950, false],
  ] as const)('that was %s leaves %d', async (end, left, isBack) => {
    await charge({ on: 'payout', currency: 'EUR', amount: '0.50' });
    const { id } = await pay();
    if (end === 'canceled') must(await client.post(`/v1/payouts/${id as string}/cancel`));
    if (end === 'failed') await step(id, 'fail');
    if (end === 'returned') for (const name of ['pay', 'return']) await step(id, name);
    expect(await balance(euros)).toBe(left);
    const after = await get(`/v1/payouts/${id as string}`);
    expect(after['status']).toBe(end);
    expect(feesOf(after)[0]?.['reversal'] !== null).toBe(isBack);
  });

  it('is refused where the account holds it and not its fee; the message says which part that is', async () => {
    await charge({ on: 'payout', currency: 'EUR', amount: '0.50' });
    const refused = await client.post('/v1/payouts', order({ amount: '999.51' }));
    expect(outcome(refused)).toBe('400 balance_insufficient');
    expect((refused.json['error'] as Json)['message']).toContain('1000.01 EUR is needed, of which 0.50 is the fee.');
    expect(await balance(euros)).toBe(100_000);
    await pay({ amount: '999.50' });
    expect(await balance(euros)).toBe(0);
  });

  it('waits for its fee too', async () => {
    await charge({ on: 'payout', currency: 'EUR', amount: '0.50' });
    const waiting = await pay({ amount: 1000, on_insufficient_funds: 'wait' });
    expect(waiting).toMatchObject({ status: 'waiting', fees: [{ amount: 0.5, transfer: null }] });
    const id = waiting['id'] as string;
    const fund = async (account: string, amount: string) =>
      must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount }));
    const isTakenUp = (payout: string) =>
      eventually('it is taken up', async () => (await get(`/v1/payouts/${payout}`))['status'] === 'pending');
    await fund(euros, '0.49');
    // One whose money comes later is taken up: so the worker has looked at this one.
    const other = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
    const later = await pay({ account: other, amount: 1, on_insufficient_funds: 'wait' });
    await fund(other, '1.50');
    await isTakenUp(later['id'] as string);
    expect((await get(`/v1/payouts/${id}`))['status']).toBe('waiting');
    await fund(euros, '0.01');
    await isTakenUp(id);
    expect(feesOf(await get(`/v1/payouts/${id}`))[0]?.['transfer']).toMatch(/^trf_/);
    expect(await balance(euros)).toBe(0);
  });

  it('in a batch: each bears its own, and what the batch lacks counts them', async () => {
    await charge({ on: 'payout', currency: 'EUR', amount: '0.50' });
    const both = (amount: string) => ({ payouts: [order({ amount }), order({ amount })] });
    const refused = await client.post('/v1/payouts/batch', both('500'));
    expect((refused.json['error'] as Json)['errors']).toMatchObject([
      { index: 1, code: 'balance_insufficient', needed_minor: 100_100, available_minor: 100_000 },
    ]);
    const unknown = { payouts: [order({ amount: '999.60' }), order({ recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa' })] };
    const faults = (await client.post('/v1/payouts/batch', unknown)).json['error'] as Json;
    expect(faults['errors']).toContainEqual(
      expect.objectContaining({ code: 'balance_insufficient', needed_minor: 110_010 }),
    );
    must(await client.post('/v1/payouts/batch', both('499.50')));
    expect(await balance(euros)).toBe(0);
  });

  it('keeps what it was charged when the rule goes', async () => {
    const fee = await charge({ on: 'payout', currency: 'EUR', amount: '0.50' });
    const { id } = await pay();
    must(await client.write('DELETE', `/v1/fee_rules/${fee}`, ''));
    must(await client.post(`/v1/payouts/${id as string}/cancel`));
    expect(await balance(euros)).toBe(100_000);
    expect(feesOf(await pay())).toEqual([]);
  });
});

describe('a payout from another currency', () => {
  let pounds: string;
  beforeEach(async () => {
    pounds = idIn(must(await client.post('/v1/accounts', { currency: 'GBP' })));
    must(await client.post(`/v1/test_helpers/accounts/${pounds}/fund`, { amount: 1000 }));
    must(await client.post(`/v1/accounts/${euros}`, { name: 'bought' }));
    await charge({ on: 'payout', currency: 'EUR', amount: '0.50', basis_points: 100 });
  });
  const bought = ({ exchange }: Json) => get(`/v1/exchanges/${exchange as string}`);
  const source = () => ({ account: euros, source_account: pounds });

  it('what arrives fixed: the fee is bought with it', async () => {
    const payout = await pay(source());
    expect(payout).toMatchObject({ amount: 100, fees: [{ amount: 1.5 }] });
    expect(await bought(payout)).toMatchObject({ buy_amount: 101.5, fixed_side: 'buy' });
    expect(await balance(euros)).toBe(100_000);
  });

  it('what is taken fixed: the fee is taken off what it comes to', async () => {
    const payout = await pay({ ...source(), amount: undefined, source_amount: 100 });
    const { buy_amount_minor: came } = await bought(payout);
    const [fee] = feesOf(payout);
    const left = (came as number) - (payout['amount_minor'] as number) - (fee?.['amount_minor'] as number);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThanOrEqual(1);
    expect(await balance(euros)).toBe(100_000 + left);
  });

  it('on a quote: the amount beside it is what arrives', async () => {
    const pair = { sell_currency: 'GBP', buy_currency: 'EUR', amount: '101.50', fixed_side: 'buy' };
    const quote = idIn(must(await client.post('/v1/exchanges/quote', pair)));
    const wrong = await client.post('/v1/payouts', order({ ...source(), amount: '101.50', quote }));
    expect(outcome(wrong)).toBe('400 quote_mismatch amount');
    expect((wrong.json['error'] as Json)['allowed']).toEqual(['100.00']);
    expect(await pay({ ...source(), amount: 100, quote })).toMatchObject({ amount: 100, fees: [{ amount: 1.5 }] });
  });

  it('a fee that eats all of it is refused', async () => {
    const refused = await client.post('/v1/payouts', order({ ...source(), amount: undefined, source_amount: '0.40' }));
    expect(outcome(refused)).toMatch(/^400 amount_too_small/);
    expect(await balance(pounds)).toBe(100_000);
  });
});

describe('an exchange', () => {
  it('bears the fee that its quote promised, in what is sold', async () => {
    const fee = await charge({ on: 'exchange', currency: 'EUR', buy_currency: 'USD', basis_points: 50 });
    const pair = { sell_currency: 'EUR', buy_currency: 'USD', amount: 100 };
    const quote = must(await client.post('/v1/exchanges/quote', pair)).json;
    expect(feesOf(quote)).toEqual([
      { fee_rule: fee, amount: 0.5, amount_minor: 50, currency: 'EUR', transfer: null, reversal: null },
    ]);
    must(await client.write('DELETE', `/v1/fee_rules/${fee}`, ''));
    const booked = must(await client.post('/v1/exchanges', { quote: quote['id'], sell_account: euros })).json;
    expect(feesOf(booked)).toEqual([{ ...feesOf(quote)[0], transfer: expect.stringMatching(/^trf_/) }]);
    expect(await balance(euros)).toBe(100_000 - 10_050);
    const now = must(await client.post('/v1/exchanges', { ...pair, sell_account: euros })).json;
    expect(feesOf(now)).toEqual([]);
  });

  it('is refused where the account does not hold the fee', async () => {
    await charge({ on: 'exchange', basis_points: 50 });
    const all = { sell_currency: 'EUR', buy_currency: 'USD', amount: 1000, sell_account: euros };
    expect(outcome(await client.post('/v1/exchanges', all))).toBe('400 balance_insufficient');
    expect(await balance(euros)).toBe(100_000);
  });
});

describe('a payment', () => {
  const link = async () =>
    idIn(must(await client.post('/v1/payment_links', { amount: 10, currency: 'EUR', account: euros })));
  const payIn = async (plink: string, amount?: string) =>
    must(await client.post(`/v1/test_helpers/payment_links/${plink}/pay`, amount === undefined ? {} : { amount })).json;

  it('bears it out of what came: the fixed part once, and never more than came', async () => {
    await charge({ on: 'payment', currency: 'EUR', amount: '0.30', basis_points: 100 });
    const plink = await link();
    const first = await payIn(plink, '0.20');
    expect(feesOf(first)).toMatchObject([{ amount: 0.2 }]);
    const second = await payIn(plink);
    expect(second).toMatchObject({
      status: 'succeeded',
      amount_received: 10,
      fees: [{ amount: 0.2 }, { amount: 0.1 }],
    });
    expect(await balance(euros)).toBe(100_000 + 1_000 - 30);
    const refund = must(await client.post(`/v1/payments/${second['id'] as string}/refund`)).json;
    const payout = await get(`/v1/payouts/${refund['refund'] as string}`);
    expect(payout).toMatchObject({ amount: 10, fees: [] }); // refunds bear none, and the fee stays
    expect(await balance(euros)).toBe(100_000 - 30);
  });

  it('through a link with a fee of its own', async () => {
    const plink = await link();
    await charge({ on: 'payment', basis_points: 100 });
    const own = await charge({ on: 'payment', payment_link: plink, basis_points: 0 });
    expect(feesOf(await payIn(plink))).toEqual([]);
    expect(feesOf(await payIn(await link()))).toMatchObject([{ amount: 0.1 }]);
    expect((await list('/v1/fee_rules')).map(({ id }) => id)).toContain(own);
  });
});

it('a payout sent again under its key is charged once', async () => {
  await charge({ on: 'payout', currency: 'EUR', amount: '0.50' });
  const send = () => client.post('/v1/payouts', order(), { idempotencyKey: 'once' });
  const answers = await Promise.all([send(), send(), send(), send()]);
  expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(1);
  expect(await balance(euros)).toBe(100_000 - 10_050);
});
