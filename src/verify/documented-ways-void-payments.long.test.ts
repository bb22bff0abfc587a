/**
 * Over HTTP, with the keys of two people: entries are voided that paid payments of links, brought a payout back in parts, or closed each
 * other; and `bursar verify` finds no damage behind any step. At the end, damage in what this has left is found. Others:
 * `documented-ways-void.long.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Written } from '../../test/support/bank/camt.ts';
import { back, debit, documentedWays, type Ways } from '../../test/support/bank/documented-ways.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { newReference, newToken } from '../collecting/payments/tokens.ts';

let ways: Ways;
beforeAll(async () => {
  ways = await documentedWays();
});
afterAll(() => ways?.end());

const idOf = ({ id }: Json) => id as string;
/** A link, and a payer who has started to pay. */
async function started(more: object = {}): Promise<{ link: string; id: string; reference: string }> {
  const { account } = ways.bankAccount();
  const link = idOf(await ways.post('/v1/payment_links', { amount: 25, currency: 'EUR', account, ...more }));
  const { submit, sandbox } = ways.application();
  const start = { type: 'start_payment', link, method: 'bank_transfer', amount: null } as const;
  const answer = await submit(sandbox.environmentId, { ...start, reference: newReference(), token: newToken() });
  const { id, reference } = JSON.parse(answer) as { id: string; reference: string };
  return { link, id, reference };
}
const come = (amount: string, text: string): Written => ({
  amount,
  details: [{ text, name: 'Eva', iban: 'NL91ABNA0417164300' }],
});
const paymentIs = async (id: string) => {
  const { status, amount_received_minor: received } = await ways.get(`/v1/payments/${id}`);
  return [status, received];
};
const linkIs = async (id: string) => {
  const { status, active, payments_count: paid, open_payments_count: open } = await ways.get(`/v1/payment_links/${id}`);
  return [status, active, paid, open];
};
const held = async () => (await ways.get(`/v1/accounts/${ways.bankAccount().account}`))['balance'];
/** The newest entries, the newest first. */
const newest = async (count: number) => (await ways.list(`/v1/bank_entries?limit=${count}`)).map(idOf);

async function approved(entry: string, what: 'void' | 'unvoid') {
  const path = `/v1/bank_entries/${entry}`;
  const { pending_changes: asked } = await ways.post(`${path}/${what}`, { reason: 'Not ours' });
  return { path: `${path}/approve`, body: { fingerprint: (asked as Json)['fingerprint'] } };
}
async function agreed(entry: string, what: 'void' | 'unvoid'): Promise<void> {
  const { path, body } = await approved(entry, what);
  await ways.asSecond(path, body);
}
async function refused(entry: string, said: RegExp): Promise<void> {
  const { path, body } = await approved(entry, 'void');
  await expect(ways.asSecond(path, body)).rejects.toThrow(said);
}

describe('nothing is damage of what the guide says', () => {
  it('the entry of a payment is voided, un-voided, and pays it again', async () => {
    const before = await held();
    const { link, id, reference } = await started();
    await ways.reported(come('25.00', reference));
    expect([await paymentIs(id), await linkIs(link)]).toEqual([
      ['succeeded', 2_500],
      ['completed', false, 1, 0],
    ]);
    const [entry = ''] = await newest(1);
    await agreed(entry, 'void');
    expect([await paymentIs(id), await linkIs(link), await held()]).toEqual([
      ['pending', 0],
      ['active', true, 0, 1],
      before,
    ]);
    await ways.fine('voided');
    const [fee] = (await ways.get(`/v1/payments/${id}`))['fees'] as readonly Json[];
    const [moved] = await ways.list('/v1/transfers?cause=payment_void');
    const [given] = await ways.list('/v1/transfers?cause=payment_fee_reversal');
    expect(moved).toMatchObject({ from: ways.bankAccount().account, to: 'house:unmatched', amount_minor: 2_500 });
    expect(given).toMatchObject({ id: fee?.['reversal'], from: 'house:fees', amount_minor: 10 });
    const { data } = await ways.get(`/v1/events?limit=10&order=desc`);
    const said = (data as readonly Json[]).map(({ type }) => type);
    expect(said.slice(0, 4)).toEqual([
      'bank_entry.voided',
      'bank_statement.drift_detected',
      'payment_link.updated',
      'payment.updated',
    ]);

    await agreed(entry, 'unvoid');
    expect(await paymentIs(id)).toEqual(['pending', 0]);
    await ways.fine('un-voided');
    await ways.post(`/v1/bank_entries/${entry}/assign`, { assignments: [{ to: id }] });
    expect([await paymentIs(id), await linkIs(link)]).toEqual([
      ['succeeded', 2_500],
      ['completed', false, 1, 0],
    ]);
    await ways.fine('paid by the same entry');
    await agreed(entry, 'void');
    await ways.reported(come('25.00', reference));
    expect(await paymentIs(id)).toEqual(['succeeded', 2_500]);
    await ways.fine('paid by another one');
  });

  it('parts of a payment and its duplicate are voided, in any order', async () => {
    const { link, id, reference } = await started();
    await ways.reported(come('10.00', reference), come('16.00', reference), come('25.00', reference));
    expect(await paymentIs(id)).toEqual(['overpaid', 2_600]);
    const [duplicate = '', second = '', first = ''] = await newest(3);
    await agreed(first, 'void');
    expect([await paymentIs(id), await linkIs(link)]).toEqual([
      ['partially_paid', 1_600],
      ['active', true, 0, 1],
    ]);
    await ways.fine('the first part is voided');
    await agreed(duplicate, 'void');
    expect((await ways.list('/v1/payments?status=failed&limit=1'))[0]).toMatchObject({ duplicate_of: id });
    await ways.fine('the duplicate is voided');
    await agreed(second, 'void');
    expect(await paymentIs(id)).toEqual(['pending', 0]);
    await ways.fine('the second part is voided');
    for (const entry of [first, duplicate]) await agreed(entry, 'unvoid');
    await ways.post(`/v1/bank_entries/${duplicate}/assign`, { assignments: [{ to: id }] });
    await ways.post(`/v1/bank_entries/${first}/assign`, { assignments: [{ to: id }] });
    expect(await paymentIs(id)).toEqual(['succeeded', 2_500]);
    await ways.fine('it was the last that paid it, and the first came twice');
    await agreed(first, 'void');
    expect(await paymentIs(id)).toEqual(['succeeded', 2_500]);
    await ways.fine('what a person had named is voided too');
  });

  it('a link that was canceled stays canceled, and who failed fails again', async () => {
    const { link, id, reference } = await started();
    await ways.post(`/v1/payment_links/${link}/deactivate`, {});
    await ways.reported(come('25.00', reference));
    expect(await linkIs(link)).toEqual(['completed', false, 1, 0]);
    const [entry = ''] = await newest(1);
    await agreed(entry, 'void');
    expect([await paymentIs(id), await linkIs(link)]).toEqual([
      ['pending', 0],
      ['canceled', false, 0, 1],
    ]);
    await ways.fine('canceled as before');
    const { submit, sandbox } = ways.application();
    await submit(sandbox.environmentId, { type: 'fail_payment', payment: id, reason: 'declined', session: null });
    await ways.reported(come('5.00', reference));
    const [part = ''] = await newest(1);
    await agreed(part, 'void');
    expect(await paymentIs(id)).toEqual(['failed', 0]);
    await ways.fine('failed as before');
    await ways.reported(come('25.00', reference));
    expect(await paymentIs(id)).toEqual(['succeeded', 2_500]);
    const [whole = ''] = await newest(1);
    await agreed(whole, 'void');
    await submit(sandbox.environmentId, { type: 'fail_payment', payment: id, reason: 'declined', session: null });
    expect([await paymentIs(id), await linkIs(link)]).toEqual([
      ['failed', 0],
      ['canceled', false, 0, 0],
    ]);
    await ways.fine('failed once more');
  });

  it('what was refunded or spent is refused, and nothing moves', async () => {
    const { account } = ways.bankAccount();
    const { id, reference } = await started();
    await ways.reported(come('25.00', reference));
    const [entry = ''] = await newest(1);
    const other = idOf(await ways.post('/v1/accounts', { currency: 'EUR' }));
    const all = ((await held()) as number) / 100;
    await ways.post('/v1/transfers', { from: account, to: other, amount: all - 20 });
    await refused(entry, /balance_insufficient.*4\.90 EUR is missing there\./);
    await ways.post('/v1/transfers', { from: other, to: account, amount: all - 20 });
    const { refund } = await ways.post(`/v1/payments/${id}/refund`, { amount: 5 });
    await refused(entry, /bank_assignment_final.*5\.00 EUR went back to the payer/);
    expect(await paymentIs(id)).toEqual(['succeeded', 2_500]);
    await ways.fine('refused');
    await ways.post(`/v1/payouts/${refund as string}/cancel`, {});
    await agreed(entry, 'void');
    expect(await paymentIs(id)).toEqual(['failed', 0]);
    await ways.fine('voided, once the refund did not leave');
  });

  it('a payout that came back in parts: each part is voided by itself, in both orders', async () => {
    for (const index of [0, 1]) {
      const [one = ''] = await ways.pay(21);
      await ways.reported(debit(one, '21.00'), back(one, '15.00'), back(one, '6.00'));
      const entries = await newest(3);
      const came = async () => (await ways.get(`/v1/payouts/${one}`))['amount_returned'];
      expect([await ways.statusOf(one), await came()]).toEqual(['returned', 21]);
      await agreed(entries[index] as string, 'void');
      expect([await ways.statusOf(one), await came()]).toEqual(['returned', [15, 6][index]]);
      await ways.fine('so much less came back');
      await agreed(entries[1 - index] as string, 'void');
      expect(await ways.statusOf(one)).toBe('paid');
      await ways.fine('nothing came back');
      await ways.reported(back(one, '20.00'));
      expect([await ways.statusOf(one), await came()]).toEqual(['returned', 20]);
      await ways.fine('some came back after all');
    }
  });

  it('entries that close each other: one is voided, and the other is open again', async () => {
    const [one = ''] = await ways.pay(17);
    await ways.reported(debit(one, '17.00'));
    await ways.reported(debit(one, '17.00'));
    await ways.reported(back(one, '17.00'));
    const [credit = '', second = ''] = await newest(2);
    const statusOf = async (id: string) => (await ways.get(`/v1/bank_entries/${id}`))['status'];
    await agreed(credit, 'void');
    expect([await statusOf(credit), await statusOf(second), await ways.statusOf(one)]).toEqual([
      'voided',
      'unmatched',
      'paid',
    ]);
    await ways.fine('the debit is open again');
    await ways.reported(back(one, '17.00'));
    expect([await statusOf(second), await ways.statusOf(one)]).toEqual(['matched', 'paid']);
    await ways.fine('and was given back once more');
    const [again = ''] = await newest(1);
    await agreed(second, 'void');
    expect([await statusOf(again), await ways.statusOf(one)]).toEqual(['unmatched', 'paid']);
    await ways.fine('what gave it back waits');
    await ways.post(`/v1/bank_entries/${again}/assign`, { assignments: [{ to: one }] });
    expect(await ways.statusOf(one)).toBe('returned');
    await ways.fine('it was a return');
  });
});

describe('damage in what this has left', () => {
  const one = (table: string, where: string) => `ctid = (SELECT ctid FROM ${table} WHERE ${where} LIMIT 1)`;

  it.each([
    [
      'a payment received what its transfers brought to its account, and nothing is below zero',
      `UPDATE transfers SET cause = 'payment' WHERE ${one('transfers', "cause = 'payment_void'")}`,
    ],
    [
      'what was taken back from a payment had come to it, and went to unmatched',
      `UPDATE transfers SET amount = amount + 1 WHERE ${one('transfers', "cause = 'payment_void'")}`,
    ],
    [
      'what was taken back from a payment had come to it, and went to unmatched',
      `UPDATE transfers SET credit_account = gen_random_uuid() WHERE ${one('transfers', "cause = 'payment_void'")}`,
    ],
    [
      'every fee of an object is a transfer between its account and the fees, and every such transfer is the fee of an object',
      `UPDATE payments SET fees = jsonb_set(fees, '{0,reversal}', 'null') WHERE ${one('payments', "fees #>> '{0,reversal}' IS NOT NULL")}`,
    ],
    [
      'a payment has one event for how it began, one for being paid, and one for each refund',
      `UPDATE events SET type = 'payment.updated' WHERE ${one('events', "type = 'payment.succeeded' AND object_id IN (SELECT id FROM payments WHERE status = 'succeeded') ORDER BY sequence DESC")}`,
    ],
    [
      'a link has one event for being created and one for how it ended',
      `UPDATE events SET type = 'payment_link.updated' WHERE ${one('events', "type = 'payment_link.completed' AND object_id IN (SELECT id FROM payment_links WHERE status = 'completed') ORDER BY sequence DESC")}`,
    ],
    [
      'a duplicate is of a payment of its link that no more money was expected for',
      `UPDATE payments SET received = 1, status = 'succeeded', transfer_id = id, failure_code = NULL WHERE ${one('payments', 'duplicate_of IS NOT NULL AND received = 0')}`,
    ],
    [
      'a transfer of a payout belongs to its payout',
      `UPDATE transfers SET cause_id = gen_random_uuid() WHERE ${one('transfers', "cause = 'payout_reversal'")}`,
    ],
    [
      'of two entries that close each other both say so, and one came in and the other went out',
      `UPDATE bank_entries SET assignments = jsonb_set(assignments, '{0,undoneBy}', 'null') WHERE ${one('bank_entries', "status = 'voided' AND assignments #>> '{0,to}' LIKE 'be\\_%'")}`,
    ],
  ])('is found by: %s (%#)', async (rule, damage) => {
    expect(await ways.found(damage)).toContainEqual(expect.stringContaining(`Not so: ${rule}.`));
  });
});
