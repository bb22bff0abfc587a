/** Examples of the API reference. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { PAYMENT, PAYMENT_LINK } from './fields.ts';

export const LINK_EXAMPLE = exampleOf(PAYMENT_LINK, {
  amount_type: 'fixed',
  amount: 250,
  amount_minor: 25_000,
  currency: 'EUR',
  url: 'https://pay.example.com/pay/5iZpWk3fQ0aXv7TgB2nRd9Ls',
  active: true,
  status: 'active',
  account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  reusable: false,
  payments_count: 0,
  open_payments_count: 0,
  amount_received: 0,
  amount_received_minor: 0,
  description: 'Garden table',
  reference: 'Invoice 4711',
  after_completion: { redirect: { url: 'https://shop.example.com/thanks' }, message: null },
});

export const PAYMENT_EXAMPLE = exampleOf(PAYMENT, {
  created: 1_732_184_600,
  amount: 250,
  amount_minor: 25_000,
  amount_received: 250,
  amount_received_minor: 25_000,
  amount_refunded: 0,
  amount_refunded_minor: 0,
  currency: 'EUR',
  status: 'succeeded',
  method: 'bank_transfer',
  payment_link: LINK_EXAMPLE.id,
  account: LINK_EXAMPLE.account,
  reference: 'RF28K3W2M6R5T7XA1',
  payer: { name: 'Grace Hopper', account_last4: '3000' },
  transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
  paid_at: 1_732_190_000,
});
