/** A wrong booking is voided by two people, and `bursar verify` finds no damage behind any step. Other ways: `documented-ways.long.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Written } from '../../test/support/bank/camt.ts';
import { back, debit, documentedWays, type Ways } from '../../test/support/bank/documented-ways.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { DAY_MS, isoDay } from '../core/values/time.ts';

let ways: Ways;
beforeAll(async () => {
  ways = await documentedWays();
});
afterAll(() => ways?.end());

/** Asked for by one, and approved by another. */
async function agreed(entry: string, what: 'void' | 'unvoid'): Promise<void> {
  const path = `/v1/bank_entries/${entry}`;
  const { pending_changes: asked } = await ways.post(`${path}/${what}`, { reason: 'Booked twice' });
  await ways.asSecond(`${path}/approve`, { fingerprint: (asked as Json)['fingerprint'] });
}

describe('nothing is damage of what the guide says', () => {
  it('an entry is voided, un-voided and placed again', async () => {
    await ways.reported({ amount: '6.00', details: [{ text: 'Twice', name: 'Eva', iban: 'NL91ABNA0417164300' }] });
    const id = await ways.unmatched();
    await ways.post(`/v1/bank_entries/${id}/assign`, {
      assignments: [{ to: 'fees', amount: 1 }, { to: ways.bankAccount().account }],
    });
    await agreed(id, 'void');
    await ways.fine('voided, with both its parts');
    await agreed(id, 'unvoid');
    await ways.fine('un-voided');
    await ways.post(`/v1/bank_entries/${id}/assign`, { assignments: [{ to: ways.bankAccount().account }] });
    await ways.fine('assigned again');
  });

  it('a debit that paid a payout is voided, and another one pays it', async () => {
    const [one = ''] = await ways.pay(14);
    await ways.reported(debit(one, '14.00'));
    const [first] = await ways.list('/v1/bank_entries?limit=1');
    await agreed(first?.['id'] as string, 'void');
    expect(await ways.statusOf(one)).toBe('in_transit');
    await ways.fine('under way again');
    await ways.reported(debit(one, '14.00'));
    expect(await ways.statusOf(one)).toBe('paid');
    await ways.fine('paid again');
    const [byHand = ''] = await ways.pay(16);
    await ways.abandoned();
    await ways.reported(debit(byHand, '16.00'));
    const [second] = await ways.list('/v1/bank_entries?limit=1');
    await agreed(second?.['id'] as string, 'void');
    expect(await ways.statusOf(byHand)).toBe('pending');
    await ways.fine('pending again: it is in no file');
    await ways.exported();
    await ways.reported(debit(byHand, '16.00'));
    expect(await ways.statusOf(byHand)).toBe('paid');
    await ways.fine('exported and paid');
    await agreed(first?.['id'] as string, 'unvoid');
    await ways.post(`/v1/bank_entries/${first?.['id'] as string}/assign`, { assignments: [{ to: 'fees' }] });
    await ways.fine('the voided debit was right after all');
  });

  it('a return is voided, comes again, and is voided with its debit', async () => {
    const [one = ''] = await ways.pay(21);
    await ways.reported(debit(one, '21.00'), back(one, '21.00'));
    const [credit, first] = (await ways.list('/v1/bank_entries?limit=2')).map(({ id }) => id as string);
    await agreed(credit as string, 'void');
    expect(await ways.statusOf(one)).toBe('paid');
    await ways.fine('paid: it did not come back');
    await ways.reported(back(one, '21.00'));
    expect(await ways.statusOf(one)).toBe('returned');
    await ways.fine('it came back after all');
    const [again] = (await ways.list('/v1/bank_entries?limit=1')).map(({ id }) => id as string);
    await agreed(again as string, 'void');
    await agreed(first as string, 'void');
    expect(await ways.statusOf(one)).toBe('in_transit');
    await ways.fine('under way');
    await ways.reported(debit(one, '21.00'));
    expect(await ways.statusOf(one)).toBe('paid');
    await ways.fine('and paid');
  });

  it('an entry that paid an expected payment is voided, and the next one pays it', async () => {
    const order = {
      amount: 18,
      currency: 'EUR',
      account: ways.bankAccount().account,
      due_on: isoDay(Date.now() + 90 * DAY_MS),
    };
    const { id, reference } = await ways.post('/v1/expected_payments', order);
    const credit = (amount: string): Written => ({ amount, details: [{ creditorReference: reference as string }] });
    const state = async () => {
      const { status, amount_received: received } = await ways.get(`/v1/expected_payments/${id as string}`);
      return [status, received];
    };
    await ways.reported(credit('11.00'), credit('7.00'));
    expect(await state()).toEqual(['paid', 18]);
    const [last] = await ways.list('/v1/bank_entries?limit=1');
    await agreed(last?.['id'] as string, 'void');
    expect(await state()).toEqual(['partially_paid', 11]);
    await ways.fine('so much less came');
    await ways.reported(credit('7.00'));
    expect(await state()).toEqual(['paid', 18]);
    await ways.fine('paid again');
    await agreed(last?.['id'] as string, 'unvoid');
    await ways.fine('it came, and waits for a place');
  });
});

it('control: a debit that was voided without a word to its payout is found', async () => {
  const one = "SELECT ctid FROM transfers WHERE cause = 'payout_settlement_void' LIMIT 1";
  const damage = `UPDATE transfers SET cause = 'payout_settlement' WHERE ctid = (${one})`;
  expect(await ways.found(damage)).not.toEqual([]);
});
