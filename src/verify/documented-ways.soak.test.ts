/**
 * Every documented way through a bank account, and `bursar verify` after each step of it: what a guide tells people to do is no damage. At the
 * end, damage is planted in what these ways have left, and is found.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt, type Written } from '../../test/support/bank/camt.ts';
import { dialectStage, type Bank } from '../../test/support/bank/dialect-stage.ts';
import { handedIn } from '../../test/support/bank/hand-in.ts';
import { type Application, type Holder, startApplication } from '../../test/support/harness/application.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { must } from '../../test/support/harness/tenant-fixture.ts';
import { audit, auditDatabase } from '../../test/support/model/audit.ts';
import { uuidOf } from '../core/values/ids.ts';
import { formatMoney } from '../core/values/money.ts';
import { DAY_MS, isoDay } from '../core/values/time.ts';

const IBAN = 'DE89370400440532013000';
const PAYEE = 'DE02120300000000202051';
const RETURNED = 'AC04';

let application: Application;
let second: Holder;
let here: Bank;
beforeAll(async () => {
  application = await startApplication();
  second = await application.key();
  here = await bank('DE', 'EUR', { iban: IBAN });
});
afterAll(() => application?.stop());

const { bank, get, list, post, sent, statusOf } = dialectStage(() => application.sandbox.client);

/** Says what was done, and that the books are in order behind it. */
async function fine(step: string): Promise<void> {
  expect([step, ...(await auditDatabase(application.databaseUrl))]).toEqual([step]);
}

const outgoing = (id: string) => id.replace('_', '').toUpperCase();
const pay = async (...amounts: number[]) => (await sent(here, 'EUR', 'DE', PAYEE, ...amounts)).payouts;

/** What the bank has on the account, minor units, and the day of its next statement. */
let held = 0;
let days = 0;
/** The next statement of the bank: on the day behind the one before, with balances that follow on. */
async function reported(...entries: readonly Written[]): Promise<void> {
  const opening = held;
  for (const { amount } of entries) held += Math.round(Number(amount) * 100);
  const day = isoDay(Date.now() + (days++ - 30) * DAY_MS);
  const major = (minor: number) => formatMoney(BigInt(minor), 'EUR').replace(/[^\d.-]/g, '');
  const file = camt([{ iban: IBAN, day, opening: major(opening), closing: major(held), entries }]);
  must(await handedIn(application.sandbox.client, file));
}
const debit = (payout: string, amount: string): Written => ({
  amount: `-${amount}`,
  details: [{ endToEndId: outgoing(payout) }],
});
const back = (payout: string, amount: string): Written => ({
  amount,
  details: [{ endToEndId: outgoing(payout), returned: RETURNED }],
});
const unmatched = async () => (await list('/v1/bank/entries?status=unmatched&limit=1'))[0]?.['id'] as string;

async function fileOf(state: string): Promise<string> {
  const [file] = await list('/v1/bank/files?limit=1');
  const id = file?.['id'] as string;
  await eventually(`file ${id} is ${state}`, async () => (await get(`/v1/bank/files/${id}`))['status'] === state);
  return id;
}
async function abandoned(): Promise<void> {
  const path = `/v1/bank/files/${await fileOf('sealed')}/abandon`;
  must(await second.client.post(path, { reason: 'The bank never got it' }));
  await fileOf('abandoned');
}
async function exported(): Promise<void> {
  await post('/v1/bank/exports', { bank_account: here.id });
  await fileOf('sealed');
}

/** Asked for by one, and approved by another. */
async function agreed(entry: string, what: 'void' | 'unvoid'): Promise<void> {
  const path = `/v1/bank/entries/${entry}`;
  const { pending_changes: asked } = await post(`${path}/${what}`, { reason: 'Booked twice' });
  must(await second.client.post(`${path}/approve`, { fingerprint: (asked as Json)['fingerprint'] }));
}

describe('nothing is damage of what the guides say', () => {
  it('a file is given up, and its payouts leave in another, and in a third', async () => {
    const [one = '', two = ''] = await pay(10, 20);
    await fine('exported');
    await abandoned();
    await fine('given up');
    await exported();
    await fine('exported again');
    await abandoned();
    await exported();
    await fine('exported for the third time');
    await reported(debit(one, '10.00'));
    expect(await Promise.all([one, two].map(statusOf))).toEqual(['paid', 'in_transit']);
    await fine('one of them is booked');
  });

  it('a payout of a file that was given up is canceled, and one is entered at the bank by hand', async () => {
    const [canceled = '', byHand = ''] = await pay(11, 12);
    await abandoned();
    await post(`/v1/payouts/${canceled}/cancel`, {});
    await reported(debit(byHand, '12.00'));
    expect(await Promise.all([canceled, byHand].map(statusOf))).toEqual(['canceled', 'paid']);
    await fine('canceled and entered by hand');
  });

  it('money comes back in parts, and before its debit', async () => {
    const [parts = '', early = ''] = await pay(30, 15);
    await reported(debit(parts, '30.00'), back(parts, '10.00'));
    await fine('a part is back');
    await reported(back(parts, '20.00'), back(early, '15.00'));
    await fine('all of it is back, and another one before its debit');
    await reported(debit(early, '15.00'));
    expect(await Promise.all([parts, early].map(statusOf))).toEqual(['returned', 'returned']);
    await fine('its debit came');
  });

  it('a refund comes back in part', async () => {
    const link = await post('/v1/payment_links', { amount: 25, currency: 'EUR', account: here.account });
    const { id } = await post(`/v1/test_helpers/payment_links/${link['id'] as string}/pay`, {});
    const payee = { name: 'Eva', type: 'individual', currency: 'EUR', country: 'DE', iban: PAYEE };
    const recipient = (await post('/v1/recipients', payee))['id'];
    const { refund } = await post(`/v1/payments/${id as string}/refund`, { amount: 20, recipient });
    await fine('refunded');
    await exported();
    await reported(debit(refund as string, '20.00'), back(refund as string, '5.00'));
    expect(await get(`/v1/payments/${id as string}`)).toMatchObject({ amount_refunded_minor: 1_500 });
    await fine('five of twenty are back');
    await reported(back(refund as string, '15.00'));
    expect(await get(`/v1/payments/${id as string}`)).toMatchObject({ amount_refunded_minor: 0 });
    await fine('all of it is back');
    await post(`/v1/payments/${id as string}/refund`, { recipient });
    await fine('refunded again');
  });

  it('an entry is assigned, undone and assigned again, in parts', async () => {
    const other = (await post('/v1/accounts', { currency: 'EUR' }))['id'];
    await reported({ amount: '40.00', details: [{ text: 'No reference', name: 'Eva', iban: 'NL91ABNA0417164300' }] });
    const entry = `/v1/bank/entries/${await unmatched()}`;
    await fine('it waits');
    await post(`${entry}/assign`, { assignments: [{ to: here.account }] });
    await fine('assigned');
    await post(`${entry}/unassign`, {});
    await fine('undone');
    await post(`${entry}/assign`, {
      assignments: [
        { to: other, amount: 15 },
        { to: 'fees', amount: 5 },
      ],
    });
    await fine('assigned in parts');
    await post(`${entry}/unassign`, {});
    await post(`${entry}/assign`, { assignments: [{ to: other }] });
    expect(await get(entry)).toMatchObject({ status: 'matched' });
    await fine('a part undone, and assigned again');
  });

  it('an entry is returned to its sender, and again when that payout was canceled', async () => {
    await reported({ amount: '9.00', details: [{ text: 'Sorry', name: 'Eva', iban: 'NL91ABNA0417164300' }] });
    const entry = `/v1/bank/entries/${await unmatched()}`;
    const { return_payout: first } = await post(`${entry}/return`, {});
    await fine('on its way back');
    await post(`/v1/payouts/${first as string}/cancel`, {});
    await fine('canceled: it is in the account');
    await post(`${entry}/unassign`, {});
    await fine('without a place again');
    const { return_payout: next } = await post(`${entry}/return`, {});
    expect([typeof next, next === first]).toEqual(['string', false]);
    await fine('on its way back again');
  });

  it('an entry is voided, un-voided and placed again', async () => {
    await reported({ amount: '6.00', details: [{ text: 'Twice', name: 'Eva', iban: 'NL91ABNA0417164300' }] });
    const id = await unmatched();
    await post(`/v1/bank/entries/${id}/assign`, { assignments: [{ to: 'fees', amount: 1 }, { to: here.account }] });
    await agreed(id, 'void');
    await fine('voided, with both its parts');
    await agreed(id, 'unvoid');
    await fine('un-voided');
    await post(`/v1/bank/entries/${id}/assign`, { assignments: [{ to: here.account }] });
    await fine('assigned again');
  });

  it('a debit that paid a payout is voided, and another one pays it', async () => {
    const [one = ''] = await pay(14);
    await reported(debit(one, '14.00'));
    const [first] = await list('/v1/bank/entries?limit=1');
    await agreed(first?.['id'] as string, 'void');
    expect(await statusOf(one)).toBe('in_transit');
    await fine('under way again');
    await reported(debit(one, '14.00'));
    expect(await statusOf(one)).toBe('paid');
    await fine('paid again');
    const [byHand = ''] = await pay(16);
    await abandoned();
    await reported(debit(byHand, '16.00'));
    const [second] = await list('/v1/bank/entries?limit=1');
    await agreed(second?.['id'] as string, 'void');
    expect(await statusOf(byHand)).toBe('pending');
    await fine('pending again: it is in no file');
    await exported();
    await reported(debit(byHand, '16.00'));
    expect(await statusOf(byHand)).toBe('paid');
    await fine('exported and paid');
    await agreed(first?.['id'] as string, 'unvoid');
    await post(`/v1/bank/entries/${first?.['id'] as string}/assign`, { assignments: [{ to: 'fees' }] });
    await fine('the voided debit was right after all');
  });

  it('a return is voided, comes again, and is voided with its debit', async () => {
    const [one = ''] = await pay(21);
    await reported(debit(one, '21.00'), back(one, '21.00'));
    const [credit, first] = (await list('/v1/bank/entries?limit=2')).map(({ id }) => id as string);
    await agreed(credit as string, 'void');
    expect(await statusOf(one)).toBe('paid');
    await fine('paid: it did not come back');
    await reported(back(one, '21.00'));
    expect(await statusOf(one)).toBe('returned');
    await fine('it came back after all');
    const [again] = (await list('/v1/bank/entries?limit=1')).map(({ id }) => id as string);
    await agreed(again as string, 'void');
    await agreed(first as string, 'void');
    expect(await statusOf(one)).toBe('in_transit');
    await fine('under way');
    await reported(debit(one, '21.00'));
    expect(await statusOf(one)).toBe('paid');
    await fine('and paid');
  });

  it('an entry that paid an expected payment is voided, and the next one pays it', async () => {
    const order = { amount: 18, currency: 'EUR', account: here.account, due_on: isoDay(Date.now() + 90 * DAY_MS) };
    const { id, reference } = await post('/v1/expected_payments', order);
    const credit = (amount: string): Written => ({ amount, details: [{ creditorReference: reference as string }] });
    const state = async () => {
      const { status, amount_received: received } = await get(`/v1/expected_payments/${id as string}`);
      return [status, received];
    };
    await reported(credit('11.00'), credit('7.00'));
    expect(await state()).toEqual(['paid', 18]);
    const [last] = await list('/v1/bank/entries?limit=1');
    await agreed(last?.['id'] as string, 'void');
    expect(await state()).toEqual(['partly_paid', 11]);
    await fine('so much less came');
    await reported(credit('7.00'));
    expect(await state()).toEqual(['paid', 18]);
    await fine('paid again');
    await agreed(last?.['id'] as string, 'unvoid');
    await fine('it came, and waits for a place');
  });

  it('payouts without a report are ended by hand, and booked later', async () => {
    const [paid = '', failed = ''] = await pay(7, 8);
    await post('/v1/test_helpers/clock/advance', { seconds: 14 * 86_400 });
    const resolve = async (payout: string, outcome: string) =>
      must(await second.client.post(`/v1/bank/payouts/${payout}/resolve`, { outcome, reason: 'By phone' }));
    await resolve(paid, 'paid');
    await resolve(failed, 'failed');
    await fine('ended by hand');
    await reported(debit(paid, '7.00'), debit(failed, '8.00'));
    await fine('both are booked: one is a conflict');
    await post(`/v1/bank/entries/${await unmatched()}/assign`, { assignments: [{ to: 'fees' }], reason: 'Our loss' });
    await fine('the conflict has its place');
  });

  it('a restore is rehearsed, and goes on', async () => {
    await post('/v1/test_helpers/restored', { skip: 20 });
    await fine('restored');
    const [one = ''] = await pay(3);
    await abandoned();
    await exported();
    await reported(debit(one, '3.00'));
    await fine('a file was given up behind it');
  });
});

describe('damage in what these ways leave is found', () => {
  const found = async (damage: string): Promise<readonly string[]> => {
    const client = new pg.Client(application.databaseUrl);
    await client.connect();
    try {
      await client.query('BEGIN'); // never committed
      expect((await client.query(damage)).rowCount).toBe(1);
      return await audit(client);
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
  };
  const one = (table: string, which: string) => `ctid = (SELECT min(ctid) FROM ${table} WHERE ${which})`;

  it('a payout that left twice, and was not free in between', async () => {
    const [left = ''] = await pay(2);
    await abandoned();
    await exported();
    expect(await statusOf(left)).toBe('in_transit');
    await fine('exported again');
    const complaints = await found(
      `UPDATE events SET previous_attributes = '{"reference":null}' WHERE type = 'payout.updated' AND object_id = '${uuidOf(left)}'`,
    );
    expect(complaints.join()).toContain('one event payout.created and one for in_transit, found 1 and 2');
  });

  it.each([
    [
      'a refund of which less came back',
      'UPDATE payouts SET amount_returned = amount_returned - 1 WHERE amount_returned = 2000 AND refund_of IS NOT NULL',
    ],
    [
      'a payment that counts a refund once more',
      `UPDATE payments SET refunded = refunded - 1 WHERE ${one('payments', 'refunded > 0')}`,
    ],
    [
      'an assignment that was not undone',
      `UPDATE bank_entries SET assignments = jsonb_set(assignments, '{0,undoneBy}', 'null') WHERE ${one('bank_entries', "assignments #>> '{0,undoneBy}' IS NOT NULL")}`,
    ],
    [
      'an entry that is voided without a transfer',
      `UPDATE bank_entries SET status = 'voided' WHERE ${one('bank_entries', "status = 'unmatched'")}`,
    ],
    [
      'a debit that was voided without a word to its payout',
      `UPDATE transfers SET cause = 'payout_settlement' WHERE ${one('transfers', "cause = 'payout_settlement_void'")}`,
    ],
    [
      'a payout ended by hand that is on its way',
      `UPDATE payouts SET status = 'in_transit', ended_at = NULL WHERE ${one('payouts', "status = 'paid' AND in_transit_at IS NOT NULL AND refund_of IS NULL")}`,
    ],
  ])('%s', async (_, damage) => expect(await found(damage)).not.toEqual([]));
});

it('a sandbox that was reset, and begins anew, is in order', async () => {
  await post('/v1/test_helpers/reset', {});
  await fine('reset');
  [held, days] = [0, 0];
  here = await bank('DE', 'EUR', { iban: IBAN });
  const [payout = ''] = await pay(5);
  await abandoned();
  await exported();
  await reported(debit(payout, '5.00'), back(payout, '5.00'));
  expect((await list('/v1/payouts')).map(({ status }: Json) => status)).toEqual(['returned']);
  await fine('begun anew');
});
