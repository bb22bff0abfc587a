/**
 * Every documented way of money that comes in, what leaves of it again, and the erasure of who paid and was paid; and `bursar verify` after
 * each step. At the end, damage in what these ways have left is found. What leaves: `documented-ways.long.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Written } from '../../test/support/bank/camt.ts';
import { back, debit, documentedWays, PAYEE, type Ways } from '../../test/support/bank/documented-ways.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { quickRounds } from '../../test/support/harness/quick-rounds.ts';
import { newReference, newToken } from '../collecting/payments/tokens.ts';
import { DAY_MS, isoDay } from '../core/values/time.ts';

quickRounds();
let ways: Ways;
beforeAll(async () => {
  ways = await documentedWays();
});
afterAll(() => ways?.end());

const idOf = ({ id }: Json) => id as string;
const come = (amount: string, ...texts: readonly string[]): Written => ({
  amount,
  details: texts.map((text) => ({ text, name: 'Eva', iban: 'NL91ABNA0417164300' })),
});
const expected = (amount: number, more: object = {}) =>
  ways.post('/v1/expected_payments', { amount, currency: 'EUR', payer: 'Eva', ...more });
const expectedNow = async (payment: Json) => ways.get(`/v1/expected_payments/${idOf(payment)}`);
const recipient = async (name: string) => {
  const payee = { name, type: 'individual', currency: 'EUR', country: 'DE', iban: PAYEE };
  return idOf(await ways.post('/v1/recipients', payee));
};
async function started(link: string): Promise<Json> {
  const { submit, sandbox } = ways.application();
  const start = { type: 'start_payment', link, method: 'bank_transfer', amount: null } as const;
  const payment = await submit(sandbox.environmentId, { ...start, reference: newReference(), token: newToken() });
  return JSON.parse(payment) as Json;
}

describe('nothing is damage of what the guides say', () => {
  it('an expected payment is paid in parts, by a person too, and more comes', async () => {
    const invoice = await expected(10);
    const reference = invoice['reference'] as string;
    await ways.fine('expected');
    await ways.reported(come('4.00', reference));
    expect(await expectedNow(invoice)).toMatchObject({ status: 'partially_paid' });
    await ways.fine('a part came');
    await ways.reported(come('6.50', 'No reference'));
    const entry = `/v1/bank_entries/${await ways.unmatched()}`;
    const assignments = [{ to: idOf(invoice), amount: 6 }];
    await ways.post(`${entry}/assign`, { assignments });
    expect(await expectedNow(invoice)).toMatchObject({ status: 'paid', amount_received_minor: 1_000 });
    await ways.fine('a person gave the rest, and a part of that entry waits');
    await ways.post(`${entry}/assign`, { assignments: [{ to: 'fees' }] });
    await ways.post(`${entry}/unassign`, {});
    await ways.post(`${entry}/assign`, { assignments: [{ to: ways.bankAccount().account }] });
    await ways.reported(come('1.00', reference));
    expect(await expectedNow(invoice)).toMatchObject({ status: 'paid', amount_received_minor: 1_100 });
    await ways.fine('more came');
  });

  it('one entry pays two, one of them is overdue, and one is canceled with a part of its money', async () => {
    const day = isoDay(Date.now());
    const [late, canceled] = [await expected(10, { due_on: day }), await expected(20, { due_on: day })];
    await ways.reported(come('5.00', canceled['reference'] as string));
    await ways.post(`/v1/expected_payments/${idOf(canceled)}/cancel`, {});
    await ways.fine('canceled');
    await ways.post('/v1/test_helpers/clock/advance', { seconds: 2 * 86_400 });
    await eventually('it is overdue', async () => (await expectedNow(late))['status'] === 'overdue');
    await ways.fine('overdue');
    await ways.reported(come('3.00', late['reference'] as string), come('15.00', canceled['reference'] as string));
    expect(await expectedNow(late)).toMatchObject({ status: 'overdue', amount_received_minor: 300 });
    await ways.fine('a part of the late one came, and money for the canceled one waits');
    const assignments = [{ to: idOf(late), amount: 7 }, { to: ways.bankAccount().account }];
    await ways.post(`/v1/bank_entries/${await ways.unmatched()}/assign`, { assignments });
    expect(await expectedNow(late)).toMatchObject({ status: 'paid' });
    await ways.fine('assigned in parts');
  });

  it('the reference of an account finds it, closed as well', async () => {
    const account = idOf(await ways.post('/v1/accounts', { currency: 'EUR' }));
    const { reference } = await ways.get(`/v1/accounts/${account}/deposit_instructions`);
    await ways.post(`/v1/accounts/${account}/close`, {});
    await ways.reported(come('2.00', reference as string));
    expect(await ways.get(`/v1/accounts/${account}`)).toMatchObject({ status: 'open', balance: 200 });
    await ways.fine('it is open again');
  });

  it('a link is paid in parts, too much and twice, and refunded in parts that end in every way', async () => {
    const { account } = ways.bankAccount();
    const link = idOf(await ways.post('/v1/payment_links', { amount: 25, currency: 'EUR', account }));
    const payment = await started(link);
    const reference = payment['reference'] as string;
    const now = async () => ways.get(`/v1/payments/${idOf(payment)}`);
    for (const [amount, status] of [
      ['10.00', 'partially_paid'],
      ['16.00', 'overpaid'],
    ] as const) {
      await ways.reported(come(amount, reference));
      expect(await now()).toMatchObject({ status });
      await ways.fine(`${amount} came`);
    }
    await ways.reported(come('25.00', reference));
    await ways.fine('it came twice');
    const payee = await recipient('Eva');
    const refund = async (amount: number) =>
      (await ways.post(`/v1/payments/${idOf(payment)}/refund`, { amount, recipient: payee }))['refund'] as string;
    const [paid, canceled, failed, returned] = [await refund(1), await refund(2), await refund(3), await refund(4)];
    await ways.fine('refunded in parts');
    await ways.post(`/v1/payouts/${canceled}/cancel`, {});
    await ways.exported();
    await ways.post('/v1/test_helpers/clock/advance', { seconds: 14 * 86_400 });
    await ways.asSecond(`/v1/payouts/${failed}/resolve`, { outcome: 'failed', reason: 'By phone' });
    await ways.fine('one is canceled, and one failed');
    await ways.reported(debit(paid, '1.00'), debit(returned, '4.00'), back(returned, '3.00'), debit(failed, '3.00'));
    expect(await now()).toMatchObject({ amount_refunded_minor: 200 });
    await ways.fine('one came back in part, and the failed one is booked');
    await ways.reported(back(failed, '3.00'), back(returned, '1.00'));
    expect(await now()).toMatchObject({ amount_refunded_minor: 100 });
    await ways.fine('all but one are back');
  });

  it('an exchange, a payout that books one, and a standing order', async () => {
    const { account } = ways.bankAccount();
    const order = { currency: 'EUR', recipient: await recipient('Grace'), account };
    await ways.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: 10 });
    await ways.fine('exchanged');
    const dollars = (await ways.list('/v1/accounts?currency=USD'))[0]?.['id'];
    await ways.post('/v1/payouts', { ...order, account: undefined, amount: 3, source_account: dollars });
    await ways.fine('paid in another currency');
    const first = isoDay(Date.now() + 60 * DAY_MS);
    const standing = await ways.post('/v1/standing_orders', { ...order, amount: 2, interval: 'day', starts_on: first });
    await ways.post('/v1/test_helpers/clock/advance', { seconds: 62 * 86_400 });
    const now = async () => ways.get(`/v1/standing_orders/${idOf(standing)}`);
    await eventually('it has run', async () => ((await now())['runs_count'] as number) > 1);
    await ways.post(`/v1/standing_orders/${idOf(standing)}/cancel`, {});
    await ways.fine('it has run');
    await ways.exported();
    await ways.fine('and its payouts have left');
  });
});

describe('a person who is erased', () => {
  const erase = (...sought: readonly string[]) =>
    ways.bursar(['redact', '--merchant', 'first', ...sought, '--yes'], { BURSAR_RECORDS_RETENTION_YEARS: '0' });

  it('was paid in every way, and money comes back afterwards', async () => {
    const payee = await recipient('Ada Byron');
    const order = { currency: 'EUR', recipient: payee, account: ways.bankAccount().account };
    const payouts: string[] = [];
    for (const amount of [31, 32, 33, 34]) payouts.push(idOf(await ways.post('/v1/payouts', { ...order, amount })));
    const [paid = '', returned = '', canceled = '', twice = ''] = payouts;
    await ways.exported();
    await ways.abandoned();
    await ways.post(`/v1/payouts/${canceled}/cancel`, {});
    await ways.exported();
    await ways.reported(debit(paid, '31.00'), debit(returned, '32.00'), back(returned, '12.00'), debit(twice, '34.00'));
    await ways.reported(debit(twice, '34.00'));
    await erase('--recipient', payee);
    expect(await ways.get(`/v1/recipients/${payee}`)).toMatchObject({ name: 'Redacted' });
    await ways.fine('erased');
    await ways.reported(back(twice, '34.00'), back(returned, '20.00'), back(paid, '1.00'));
    expect(await Promise.all(payouts.map((each) => ways.statusOf(each)))).toEqual([
      'returned',
      'returned',
      'canceled',
      'paid',
    ]);
    await ways.fine('money came back behind it');
  });

  it('paid, was refunded, and pays once more', async () => {
    await erase('--name', 'Eva');
    await ways.fine('erased');
    const [payment] = await ways.list('/v1/payments?limit=1&order=asc');
    await ways.reported(come('1.00', payment?.['reference'] as string));
    await ways.fine('paid once more');
  });
});

describe('damage in what these ways leave is found', () => {
  it.each([
    [
      'an expected payment received what entries of banks assign to it',
      "UPDATE expected_payments SET received = received + 1 WHERE status = 'canceled'",
    ],
    [
      'an expected payment has the status of its sums, and names the transfer that credited its account last',
      "UPDATE expected_payments SET transfer_id = gen_random_uuid() WHERE status = 'canceled'",
    ],
    [
      'a payment refunded what its payouts took and did not bring back',
      'UPDATE payments SET refunded = refunded + 300 WHERE refunded = 100',
    ],
    [
      'where texts are sealed, none is clear',
      `UPDATE recipients SET bank_details = '{"iban": "DE02120300000000202051"}' WHERE name = 'Grace'`,
    ],
    [
      'a standing order counts its runs, and is where they have brought it',
      'UPDATE standing_orders SET runs_count = runs_count + 1, planned_index = planned_index + 1',
    ],
  ])('not so: %s', async (rule, damage) => {
    expect(await ways.found(damage)).toContainEqual(expect.stringContaining(`Not so: ${rule}.`));
  });
});

it('a sandbox that has all of this is reset, with and without a seed', async () => {
  await ways.post('/v1/test_helpers/reset', { seed: true });
  await ways.fine('reset and filled');
  await ways.post('/v1/test_helpers/reset', {});
  await ways.post('/v1/test_helpers/restore', { skip: 20 });
  await ways.fine('reset, and a restore rehearsed at once');
  await ways.begin();
  const invoice = await expected(10);
  await ways.reported(come('10.00', invoice['reference'] as string));
  expect(await expectedNow(invoice)).toMatchObject({ status: 'paid' });
  await ways.fine('begun anew');
});
