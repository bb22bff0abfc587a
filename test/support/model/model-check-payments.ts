/**
 * What must hold of payment links and payments after every command: they are the model's, and their sums are those of
 * transfers and payouts. A part of the rehearsal; who runs it: `model-check.ts`.
 */
import assert from 'node:assert/strict';
import type { Payment, PaymentLink } from '../../../src/collecting/payments/fields.ts';
import type { State } from '../../../src/core/state.ts';
import type { Model } from './model.ts';
import type { ModelLink, ModelPayment } from './model-objects.ts';

/** `cameIn` is what the transfers of a payment come to. */
export function agreeOnPayments(
  { tables }: State,
  { payments: model }: Model,
  cameIn: (payment: string) => bigint,
): void {
  const refunds = new Map<string, bigint>();
  for (const { refundOf, amount, status } of tables.payout.values()) {
    const cameBack = status === 'failed' || status === 'canceled' || status === 'returned';
    if (refundOf !== null && !cameBack) refunds.set(refundOf, (refunds.get(refundOf) ?? 0n) + amount);
  }
  assert.equal(tables.payment.size, model.payments.size, 'as many payments as in the model');
  const sessions = new Set<string>();
  for (const [id, payment] of tables.payment) {
    assert.equal(payment.received, cameIn(id), `payment ${id} received what its transfers brought`);
    assert.equal(payment.refunded, refunds.get(id) ?? 0n, `payment ${id} is refunded by its payouts`);
    agreeOnPayment(
      payment,
      model.payments.get(id) as ModelPayment,
      model.statusOf(model.payments.get(id) as ModelPayment),
    );
    const { session, method, received } = payment;
    if (session === null || method !== 'card' || received === 0n) continue;
    assert.ok(!sessions.has(session), `session ${session} is booked once`);
    sessions.add(session);
  }
  assert.equal(tables.payment_link.size, model.links.size, 'as many links as in the model');
  for (const [id, link] of tables.payment_link) {
    const { paid, open, received } = model.countsOf(id);
    const { paymentsCount, openCount } = link;
    const reported = { paid: paymentsCount, open: openCount, received: link.received };
    assertSame(reported, { paid, open, received }, `link ${id} counts its payments`);
    assert.ok(link.reusable || openCount <= 1, 'a link for one payment waits for one at the most');
    agreeOnLink(link, model.links.get(id) as ModelLink);
  }
}

/** Like `assert.deepEqual` on objects of plain values, which costs too much to be asked after every command. */
function assertSame<T extends object>(reported: T, known: T, message: string): void {
  for (const key in known) if (reported[key] !== known[key]) assert.deepEqual(reported, known, message);
}

function agreeOnPayment(payment: Payment, known: ModelPayment, status: string): void {
  const { id, method, session, duplicateOf, failureCode, received, refunded, amount, metadata, dueAt, paidAt } =
    payment;
  assert.equal(payment.status, status, `the status of ${id} is as its sums say`);
  assertSame(
    { link: payment.link, amount, method, session, duplicateOf, failure: failureCode },
    {
      link: known.link,
      amount: known.amount,
      method: known.method,
      session: known.session,
      duplicateOf: known.duplicateOf,
      failure: known.failure,
    },
    `payment ${id} is the model’s`,
  );
  assertSame({ name: payment.payerName, iban: payment.payerIban }, known.payer, `the payer of ${id}`);
  const charged = payment.fees.map((fee) => fee.amount);
  assertSame(
    charged,
    known.fees.filter((fee) => fee > 0n),
    `the fees of ${id}`,
  );
  assert.equal(charged.length, known.fees.filter((fee) => fee > 0n).length);
  assert.equal(metadata['k'], known.tag);
  assert.ok(refunded >= 0n && refunded <= received, 'nothing is refunded that did not come');
  assert.equal(payment.transfer !== null, received > 0n, 'money has a transfer');
  assert.equal(payment.refund, known.refunds.at(-1) ?? null, 'the last refund');
  assert.equal(dueAt !== null, status === 'pending', 'only what is pending waits');
  assert.equal(paidAt !== null, received >= amount, 'paid when nothing is missing');
  assert.equal(payment.token === null, duplicateOf !== null, 'a duplicate has no page');
}

function agreeOnLink(link: PaymentLink, known: ModelLink): void {
  const { id, account, currency, status, maxPayments, expiresAt, description, metadata, endedAt } = link;
  assertSame(
    { account, currency, status, maxPayments, expiresAt, description, tag: metadata['k'] },
    {
      account: known.account,
      currency: known.currency,
      status: known.status,
      maxPayments: known.maxPayments,
      expiresAt: known.expiresAt,
      description: known.description,
      tag: known.tag,
    },
    `link ${id} is the model’s`,
  );
  assert.equal(endedAt === null, status === 'active');
}
