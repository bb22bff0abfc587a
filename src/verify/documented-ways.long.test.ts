/**
 * Every documented way of a payout through a bank, and `bursar verify` after each step of it: what a guide tells people to do is no damage. At
 * the end, damage is planted in what these ways have left, and is found. Money that comes in, and erasure: `documented-ways-in.long.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { back, debit, documentedWays, PAYEE, type Ways } from '../../test/support/bank/documented-ways.ts';
import { pain002 } from '../../test/support/bank/pain002.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { uuidOf } from '../core/values/ids.ts';
import { CHECKS } from './verify.ts';

const outgoing = (id: string) => id.replace('_', '').toUpperCase();

let ways: Ways;
beforeAll(async () => {
  ways = await documentedWays();
});
afterAll(() => ways?.end());

const resolve = (payout: string, outcome: 'paid' | 'failed') =>
  ways.asSecond(`/v1/payouts/${payout}/resolve`, { outcome, reason: 'By phone' });
const states = (...payouts: readonly string[]) => Promise.all(payouts.map((payout) => ways.statusOf(payout)));

describe('nothing is damage of what the guides say', () => {
  it('a file is given up, and its payouts leave in another, and in a third', async () => {
    const [one = '', two = ''] = await ways.pay(10, 20);
    await ways.fine('exported');
    await ways.abandoned();
    await ways.fine('given up');
    await ways.exported();
    await ways.fine('exported again');
    await ways.abandoned();
    await ways.exported();
    await ways.fine('exported for the third time');
    await ways.reported(debit(one, '10.00'));
    expect(await states(one, two)).toEqual(['paid', 'in_transit']);
    await ways.fine('one of them is booked');
  });

  it('a payout of a file that was given up is canceled, and one is entered at the bank by hand', async () => {
    const [canceled = '', byHand = ''] = await ways.pay(11, 12);
    await ways.abandoned();
    await ways.post(`/v1/payouts/${canceled}/cancel`, {});
    await ways.reported(debit(byHand, '12.00'));
    expect(await states(canceled, byHand)).toEqual(['canceled', 'paid']);
    await ways.fine('canceled and entered by hand');
  });

  it('money comes back in parts, and before its debit', async () => {
    const [parts = '', early = ''] = await ways.pay(30, 15);
    await ways.reported(debit(parts, '30.00'), back(parts, '10.00'));
    await ways.fine('a part is back');
    await ways.reported(back(parts, '20.00'), back(early, '15.00'));
    await ways.fine('all of it is back, and another one before its debit');
    await ways.reported(debit(early, '15.00'));
    expect(await states(parts, early)).toEqual(['returned', 'returned']);
    await ways.fine('its debit came');
  });

  it('two entries that only quote a payout are assigned to it, a part of it each', async () => {
    const [payout = ''] = await ways.pay(40);
    const quoting = (amount: string) => ({ ...back(payout, amount), details: [{ endToEndId: outgoing(payout) }] });
    await ways.reported(debit(payout, '40.00'), quoting('10.00'), quoting('30.00'));
    expect(await states(payout)).toEqual(['paid']);
    await ways.fine('both wait');
    for (const status of ['returned', 'returned']) {
      const assignments = [{ to: payout }];
      await ways.post(`/v1/bank_entries/${await ways.unmatched()}/assign`, { assignments, reason: 'The bank says so' });
      expect(await states(payout)).toEqual([status]);
      await ways.fine('one more is assigned');
    }
    expect(await ways.get(`/v1/payouts/${payout}`)).toMatchObject({ amount_returned_minor: 4_000 });
  });

  it('a file that was given up was sent after all: the second debit is closed, and the payout comes back', async () => {
    const [payout = ''] = await ways.pay(13);
    await ways.abandoned();
    await ways.exported();
    await ways.reported(debit(payout, '13.00'));
    await ways.reported(debit(payout, '13.00'));
    await ways.fine('debited twice');
    await ways.reported(back(payout, '5.00'));
    await ways.fine('a part of the second debit is closed');
    await ways.reported(back(payout, '8.00'));
    expect(await states(payout)).toEqual(['paid']);
    await ways.fine('the second debit is closed');
    await ways.reported(back(payout, '13.00'));
    expect(await states(payout)).toEqual(['returned']);
    await ways.fine('the first one came back as well');
  });

  it('a payout is rejected, booked nevertheless, and given back', async () => {
    const [payout = ''] = await ways.pay(14);
    const file = outgoing(await ways.fileIs('sealed'));
    await ways.handIn(
      pain002({ messageId: file, answers: [{ endToEndId: outgoing(payout), status: 'RJCT', reason: 'AC04' }] }),
    );
    expect(await states(payout)).toEqual(['failed']);
    await ways.fine('rejected');
    await ways.reported(debit(payout, '14.00'));
    await ways.fine('booked nevertheless');
    await ways.reported(back(payout, '14.00'));
    expect([await states(payout), await ways.unmatched()]).toEqual([['failed'], undefined]);
    await ways.fine('given back');
  });

  it('a file is booked as one entry, and another is assigned by hand', async () => {
    const booked = await ways.pay(3, 4);
    const file = outgoing(await ways.fileIs('sealed'));
    await ways.reported({ amount: '-7.00', batch: { messageId: file, count: 2 } });
    expect(await states(...booked)).toEqual(['paid', 'paid']);
    await ways.fine('booked as one');
    const assigned = await ways.pay(5, 6);
    const to = await ways.fileIs('sealed');
    await ways.reported({ amount: '-11.00' });
    await ways.fine('it waits');
    await ways.post(`/v1/bank_entries/${await ways.unmatched()}/assign`, { assignments: [{ to }] });
    expect(await states(...assigned)).toEqual(['paid', 'paid']);
    await ways.fine('assigned to its file');
  });

  it('a refund comes back in part', async () => {
    const link = await ways.post('/v1/payment_links', {
      amount: 25,
      currency: 'EUR',
      account: ways.bankAccount().account,
    });
    const { id } = await ways.post(`/v1/test_helpers/payment_links/${link['id'] as string}/pay`, {});
    const payee = { name: 'Eva', type: 'individual', currency: 'EUR', country: 'DE', iban: PAYEE };
    const recipient = (await ways.post('/v1/recipients', payee))['id'];
    const { refund } = await ways.post(`/v1/payments/${id as string}/refund`, { amount: 20, recipient });
    await ways.fine('refunded');
    await ways.exported();
    await ways.reported(debit(refund as string, '20.00'), back(refund as string, '5.00'));
    expect(await ways.get(`/v1/payments/${id as string}`)).toMatchObject({ amount_refunded_minor: 1_500 });
    await ways.fine('five of twenty are back');
    await ways.reported(back(refund as string, '15.00'));
    expect(await ways.get(`/v1/payments/${id as string}`)).toMatchObject({ amount_refunded_minor: 0 });
    await ways.fine('all of it is back');
    await ways.post(`/v1/payments/${id as string}/refund`, { recipient });
    await ways.fine('refunded again');
  });

  it('an entry is assigned, undone and assigned again, in parts', async () => {
    const other = (await ways.post('/v1/accounts', { currency: 'EUR' }))['id'];
    await ways.reported({
      amount: '40.00',
      details: [{ text: 'No reference', name: 'Eva', iban: 'NL91ABNA0417164300' }],
    });
    const entry = `/v1/bank_entries/${await ways.unmatched()}`;
    await ways.fine('it waits');
    await ways.post(`${entry}/assign`, { assignments: [{ to: ways.bankAccount().account }] });
    await ways.fine('assigned');
    await ways.post(`${entry}/unassign`, {});
    await ways.fine('undone');
    await ways.post(`${entry}/assign`, {
      assignments: [
        { to: other, amount: 15 },
        { to: 'fees', amount: 5 },
      ],
    });
    await ways.fine('assigned in parts');
    await ways.post(`${entry}/unassign`, {});
    await ways.post(`${entry}/assign`, { assignments: [{ to: other }] });
    expect(await ways.get(entry)).toMatchObject({ status: 'matched' });
    await ways.fine('a part undone, and assigned again');
  });

  it('an entry is returned to its sender, and again when that payout was canceled', async () => {
    await ways.reported({ amount: '9.00', details: [{ text: 'Sorry', name: 'Eva', iban: 'NL91ABNA0417164300' }] });
    const entry = `/v1/bank_entries/${await ways.unmatched()}`;
    const { return_payout: first } = await ways.post(`${entry}/return`, {});
    await ways.fine('on its way back');
    await ways.post(`/v1/payouts/${first as string}/cancel`, {});
    await ways.fine('canceled: it is in the account');
    await ways.post(`${entry}/unassign`, {});
    await ways.fine('without a place again');
    const { return_payout: next } = await ways.post(`${entry}/return`, {});
    expect([typeof next, next === first]).toEqual(['string', false]);
    await ways.fine('on its way back again');
  });

  it('payouts without a report are ended by hand, and booked later', async () => {
    const [paid = '', failed = ''] = await ways.pay(7, 8);
    await ways.post('/v1/test_helpers/clock/advance', { seconds: 14 * 86_400 });
    await resolve(paid, 'paid');
    await resolve(failed, 'failed');
    await ways.fine('ended by hand');
    await ways.reported(debit(paid, '7.00'), debit(failed, '8.00'));
    await ways.fine('both are booked: one is a conflict');
    await ways.post(`/v1/bank_entries/${await ways.unmatched()}/assign`, {
      assignments: [{ to: 'fees' }],
      reason: 'Our loss',
    });
    await ways.fine('the conflict has its place');
  });

  it('one that was ended by hand comes back before its debit, and one that came back is ended by hand', async () => {
    const [late = '', early = ''] = await ways.pay(16, 17);
    await ways.reported(back(early, '17.00'));
    await ways.post('/v1/test_helpers/clock/advance', { seconds: 14 * 86_400 });
    await resolve(late, 'paid');
    await resolve(early, 'paid');
    expect(await states(late, early)).toEqual(['paid', 'returned']);
    await ways.fine('ended by hand');
    await ways.reported(back(late, '6.00'));
    await ways.fine('a part is back before the debit');
    await ways.reported(debit(late, '16.00'), debit(early, '17.00'));
    await ways.fine('the debits came');
    await ways.reported(back(late, '10.00'));
    expect([await states(late, early), await ways.unmatched()]).toEqual([['returned', 'returned'], undefined]);
    await ways.fine('all of it is back');
  });

  it('payouts of a batch that wait for money, are canceled, and leave', async () => {
    const account = (await ways.post('/v1/accounts', { currency: 'EUR' }))['id'] as string;
    const payee = { name: 'Eva', type: 'individual', currency: 'EUR', country: 'DE', iban: PAYEE };
    const recipient = (await ways.post('/v1/recipients', payee))['id'];
    const order = { currency: 'EUR', account, recipient, on_insufficient_funds: 'wait' };
    const payouts = [1, 2, 3].map((amount) => ({ ...order, amount }));
    const { id } = await ways.post('/v1/payouts/batch', { payouts });
    await ways.fine('they wait');
    const waiting = (await ways.list(`/v1/payouts?batch=${id as string}&order=asc`)).map(
      (each) => each['id'] as string,
    );
    await ways.post(`/v1/payouts/${waiting[1]}/cancel`, {});
    await ways.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 10 });
    await eventually(
      'they have their money',
      async () => (await states(...waiting)).map(String).join() === 'pending,canceled,pending',
    );
    await ways.exported();
    await ways.abandoned();
    await ways.exported();
    await ways.fine('exported, given up and exported again');
    await ways.reported(
      debit(waiting[0] as string, '1.00'),
      debit(waiting[2] as string, '3.00'),
      back(waiting[2] as string, '1.00'),
    );
    expect(await states(...waiting)).toEqual(['paid', 'canceled', 'returned']);
    await ways.fine('a part of one is back');
  });

  it('the helpers of the sandbox end payouts of a file, and the bank books them', async () => {
    const [paid = '', failed = '', returned = ''] = await ways.pay(21, 22, 23);
    await ways.post(`/v1/test_helpers/payouts/${paid}/pay`, {});
    await ways.post(`/v1/test_helpers/payouts/${failed}/fail`, { failure_code: 'declined' });
    await ways.post(`/v1/test_helpers/payouts/${returned}/pay`, {});
    await ways.post(`/v1/test_helpers/payouts/${returned}/return`, { failure_code: 'account_closed' });
    await ways.fine('ended');
    await ways.reported(
      debit(paid, '21.00'),
      debit(failed, '22.00'),
      debit(returned, '23.00'),
      back(returned, '23.00'),
    );
    expect(await ways.get(`/v1/payouts/${returned}`)).toMatchObject({ amount_returned_minor: 2_300 });
    expect(await states(paid, failed, returned)).toEqual(['paid', 'failed', 'returned']);
    await ways.fine('booked');
  });

  it('a rule places an entry', async () => {
    await ways.post('/v1/bank_rules', { name: 'Charges', direction: 'debit', text: '*account fee*', to: 'fees' });
    await ways.reported({ amount: '-2.00', details: [{ text: 'Account fee of May' }] });
    expect((await ways.list('/v1/bank_entries?limit=1'))[0]).toMatchObject({ status: 'matched' });
    await ways.fine('placed');
  });

  it('a restore is rehearsed, and goes on', async () => {
    await ways.post('/v1/test_helpers/restore', { skip: 20 });
    await ways.fine('restored');
    const [one = ''] = await ways.pay(3);
    await ways.abandoned();
    await ways.exported();
    await ways.reported(debit(one, '3.00'));
    await ways.fine('a file was given up behind it');
  });
});

describe('damage in what these ways leave is found', () => {
  const one = (table: string, which: string) => `ctid = (SELECT min(ctid) FROM ${table} WHERE ${which})`;

  it('a payout that left twice, and was not free in between', async () => {
    const [left = ''] = await ways.pay(2);
    await ways.abandoned();
    await ways.exported();
    expect(await ways.statusOf(left)).toBe('in_transit');
    await ways.fine('exported again');
    const complaints = await ways.found(
      `UPDATE events SET previous_attributes = '{"reference":null}' WHERE type = 'payout.updated' AND object_id = '${uuidOf(left)}'`,
    );
    expect(complaints.join()).toContain('one event payout.created and one for in_transit, found 1 and 2');
  });

  /** Damage → one row that it is done to, by the rule that finds it. */
  const DAMAGES: Readonly<Record<string, readonly string[]>> = {
    'a payout has its debit': [`UPDATE payouts SET amount = amount + 1 WHERE ${one('payouts', "status = 'paid'")}`],
    'a payout has its reversal exactly if it came back': [
      'UPDATE payouts SET amount_returned = amount_returned - 1 WHERE amount_returned = 2000 AND refund_of IS NOT NULL',
    ],
    'a payout has left the house exactly if it was paid': [
      `UPDATE payouts SET status = 'in_transit', ended_at = NULL WHERE ${one('payouts', "status = 'paid' AND in_transit_at IS NOT NULL AND refund_of IS NULL")}`,
    ],
    'a transfer of a payout belongs to its payout': [
      `UPDATE payouts SET reversal_id = gen_random_uuid() WHERE ${one('payouts', "status = 'failed'")}`,
    ],
    'a batch counts its payouts': ['UPDATE payout_batches SET payouts_count = payouts_count + 1'],
    'a payout of a batch has its batch': [
      'UPDATE payouts SET batch_id = gen_random_uuid() WHERE amount_returned = 100',
    ],
    'every fee of an object is a transfer between its account and the fees, and every such transfer is the fee of an object':
      [`UPDATE payouts SET fees = '[]' WHERE ${one('payouts', "status = 'returned' AND fees <> '[]'")}`],
    'a payout has paid its fee when it has its money, and has it back when it failed or was canceled': [
      `UPDATE payouts SET fees = jsonb_set(fees, '{0,reversal}', 'null') WHERE ${one('payouts', "status = 'canceled' AND fees #>> '{0,reversal}' IS NOT NULL")}`,
    ],
    'a payment refunded what its payouts took and did not bring back': [
      `UPDATE payments SET refunded = refunded - 1 WHERE ${one('payments', 'refunded > 0')}`,
    ],
    'a payment file counts what is claimed into it, and a sealed one has its bytes': [
      `UPDATE payment_files SET total = total + 1 WHERE ${one('payment_files', "status = 'sealed'")}`,
      `UPDATE bank_instructions SET position = 1 WHERE ${one('bank_instructions', "status = 'claimed' AND position = 2")}`,
    ],
    'a sealed payment file has the hash that the audit log names': [
      `UPDATE payment_files SET sha256 = repeat('0', 64) WHERE ${one('payment_files', "status = 'abandoned'")}`,
    ],
    'a payout in a payment file has left, and its file is there': [
      "UPDATE bank_instructions SET status = 'claimed' WHERE id = (SELECT id FROM payouts WHERE status = 'canceled' AND amount = 1100)",
    ],
    'a bank account holds what its entries come to, and what its transfers come to': [
      'UPDATE bank_accounts SET balance = balance + 1',
    ],
    'what has no place yet lies in unmatched, and nothing else does': [
      `UPDATE bank_entries SET assignments = jsonb_set(assignments, '{0,undoneBy}', 'null') WHERE ${one('bank_entries', "assignments #>> '{0,undoneBy}' IS NOT NULL")}`,
    ],
    'an entry is unmatched as long as a part of it has no place, and never gives more than it has': [
      `UPDATE bank_entries SET status = 'matched' WHERE ${one('bank_entries', "status = 'unmatched'")}`,
    ],
    'a voided entry was taken out once more than it was put back, and any other one as often': [
      `UPDATE bank_entries SET status = 'voided' WHERE ${one('bank_entries', "status = 'unmatched'")}`,
    ],
    'an entry has its statement and its bank account': [
      `UPDATE bank_entries SET statement_id = gen_random_uuid() WHERE ${one('bank_entries', 'true')}`,
    ],
    'a statement counts its entries': [
      `UPDATE bank_statements SET new_count = new_count + 1 WHERE ${one('bank_statements', 'true')}`,
    ],
    'a rule for entries of banks leads to an account that is there, and is of a bank account that is there': [
      "UPDATE bank_rules SET target = 'fx2'",
    ],
    'an entry has details of its own bank account, amount, sign and day, from one document alone': [
      `INSERT INTO bank_entry_details SELECT environment_id, gen_random_uuid(), bank_account_id, gen_random_uuid(), 'camt.054', direction, amount + 1, '2026-03-02', '', true, false, false, id, '', now()
        FROM bank_entries WHERE ${one('bank_entries', "kind = 'entry'")}`,
    ],
    'money that goes back to who sent it came in, and leaves by a payout of its own from where it was assigned': [
      'UPDATE bank_entries SET return_payout_id = gen_random_uuid() WHERE return_payout_id IS NOT NULL',
    ],
    'what came back of a payout before its debit is a credit that is there, and a second debit a debit': [
      `UPDATE bank_instructions SET early = second_debits, second_debits = '[]' WHERE ${one('bank_instructions', "second_debits <> '[]'")}`,
    ],
    'of two entries that close each other both say so, and one came in and the other went out': [
      `UPDATE bank_entries SET assignments = jsonb_set(assignments, '{0,amount}', '"1"') WHERE ${one('bank_entries', "assignments #>> '{0,to}' LIKE 'be\\_%'")}`,
    ],
    'every customer side of a transfer has one balance.updated with the balance after it, and there are no others': [
      `DELETE FROM events WHERE ${one('events', "type = 'balance.updated'")}`,
    ],
    'an event has a delivery to every endpoint that asks for it': [
      `DELETE FROM deliveries WHERE ${one('deliveries', 'true')}`,
    ],
  };

  it.each(Object.entries(DAMAGES).flatMap(([rule, damages]) => damages.map((damage) => [rule, damage] as const)))(
    'not so: %s, %s',
    async (rule, damage) => {
      const complaints = await ways.found(damage);
      expect(complaints).toContainEqual(expect.stringContaining(`Not so: ${rule}.`));
    },
  );

  it('every rule about payouts and banks has its damage', () => {
    const kinds = new Set(['payout', 'batch', 'bank', 'payment_file']);
    const rules = CHECKS.filter(({ kind }) => kinds.has(kind)).map(({ rule }) => rule);
    expect(rules.filter((rule) => DAMAGES[rule] === undefined)).toEqual([]);
  });
});

it('a sandbox that was reset, and begins anew, is in order', async () => {
  await ways.post('/v1/test_helpers/reset', {});
  await ways.fine('reset');
  await ways.begin();
  const [payout = ''] = await ways.pay(5);
  await ways.abandoned();
  await ways.exported();
  await ways.reported(debit(payout, '5.00'), back(payout, '5.00'));
  expect((await ways.list('/v1/payouts')).map(({ status }: Json) => status)).toEqual(['returned']);
  await ways.fine('begun anew');
});
