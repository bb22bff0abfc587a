/** Status from sums, who is waited for, and refunds that come back. */
import { describe, expect, it } from 'vitest';
import { AT, environment, idAt, PAYMENT, payment, seededIds } from '../../test/support/harness/literals.ts';
import type { PaymentStatus } from '../collecting/payments/fields.ts';
import { isOpen, isUnpaid, paymentStatus, returnRefund } from './payments.ts';
import { Draft } from './draft.ts';
import { State } from './state.ts';

const OF = idAt('pay', 7);
const REFUND = idAt('po', 7);

describe('paymentStatus', () => {
  it.each<[received: bigint, refunded: bigint, PaymentStatus]>([
    [0n, 0n, 'pending'],
    [1n, 0n, 'partially_paid'],
    [99n, 0n, 'partially_paid'],
    [99n, 98n, 'partially_paid'],
    [99n, 99n, 'refunded'],
    [100n, 0n, 'succeeded'],
    [100n, 99n, 'succeeded'],
    [100n, 100n, 'refunded'],
    [101n, 0n, 'overpaid'],
    [101n, 1n, 'overpaid'],
    [101n, 101n, 'refunded'],
  ])('of 100, %s came and %s went back: %s', (received, refunded, status) => {
    const sums = { amount: 100n, received, refunded };
    expect(paymentStatus({ ...sums, failureCode: null })).toBe(status);
    expect(paymentStatus({ ...sums, failureCode: 'expired' })).toBe(received === 0n ? 'failed' : status);
  });

  it('says the same of a duplicate: its money came, until all of it went back', () => {
    const sums = { amount: 100n, received: 100n, failureCode: null };
    expect(paymentStatus({ ...sums, refunded: 0n })).toBe('succeeded');
    expect(paymentStatus({ ...sums, refunded: 99n })).toBe('succeeded');
    expect(paymentStatus({ ...sums, refunded: 100n })).toBe('refunded');
  });
});

describe('isUnpaid and isOpen', () => {
  const both = (fields: Parameters<typeof payment>[0]) => [isUnpaid(payment(fields)), isOpen(payment(fields))];

  it('are true while something is missing', () => {
    expect(both({})).toEqual([true, true]);
    expect(both({ received: 24_999n, status: 'partially_paid' })).toEqual([true, true]);
    expect(both({ received: 25_000n, status: 'succeeded' })).toEqual([false, false]);
    expect(both({ received: 25_001n, status: 'overpaid' })).toEqual([false, false]);
  });

  it('differ for what failed: its money counts, but nobody waits for it', () => {
    expect(both({ status: 'failed', failureCode: 'expired' })).toEqual([true, false]);
    expect(both({ received: 1n, status: 'partially_paid', failureCode: 'expired' })).toEqual([true, false]);
  });

  it('are false for good once something was sent back, even if it came back', () => {
    const part = { received: 2n, status: 'partially_paid', refund: REFUND } as const;
    expect(both({ ...part, refunded: 1n })).toEqual([false, false]);
    expect(both({ ...part, refunded: 0n })).toEqual([false, false]);
    expect(both({ ...part, refunded: 2n, status: 'refunded' })).toEqual([false, false]);
  });

  it('are false for a duplicate', () => {
    expect(both({ received: 25_000n, status: 'succeeded', duplicateOf: OF })).toEqual([false, false]);
  });
});

describe('returnRefund', () => {
  function returned(fields: Parameters<typeof payment>[0], refund: { refundOf: string | null; amount: bigint }) {
    const state = new State(environment());
    state.put(payment({ received: 25_000n, refund: REFUND, transfer: idAt('trf', 1), ...fields }));
    const draft = new Draft(state, { atMs: AT, ids: seededIds(), actor: 'worker' });
    returnRefund(draft, refund);
    const events = draft.changes.flatMap((change) => (change.kind === 'event' ? [change.event] : []));
    return { after: draft.find('payment', PAYMENT), events, changes: draft.changes.length };
  }

  it('gives the payment its money and its status again', () => {
    const { after, events } = returned(
      { refunded: 25_000n, status: 'refunded' },
      { refundOf: PAYMENT, amount: 25_000n },
    );
    expect(after).toMatchObject({ refunded: 0n, status: 'succeeded', refund: REFUND });
    expect(events).toMatchObject([{ type: 'payment.updated', object: { id: PAYMENT, status: 'succeeded' } }]);
    expect(events[0]?.previous).toEqual({ status: 'refunded', amount_refunded_minor: 25_000 });
  });

  it('names no status that stayed as it was', () => {
    const { after, events } = returned({ refunded: 300n, status: 'succeeded' }, { refundOf: PAYMENT, amount: 100n });
    expect(after).toMatchObject({ refunded: 200n, status: 'succeeded' });
    expect(events[0]?.previous).toEqual({ amount_refunded_minor: 300 });
  });

  it('lets a duplicate be one again', () => {
    const { after } = returned(
      { refunded: 25_000n, status: 'refunded', duplicateOf: OF },
      { refundOf: PAYMENT, amount: 1n },
    );
    expect(after).toMatchObject({ refunded: 24_999n, status: 'succeeded' });
  });

  it('does nothing for a payout that refunds nothing', () => {
    expect(returned({ refunded: 1n }, { refundOf: null, amount: 1n }).changes).toBe(0);
  });
});
