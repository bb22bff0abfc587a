/** Examples of the API reference. */
import { exampleId } from '../../core/values/ids.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { PAYMENT, PAYMENT_LINK } from './fields.ts';

export const LINK_EXAMPLE = exampleOf(PAYMENT_LINK, {
  active: true,
  after_completion: { redirect: { url: 'https://shop.example.com/thanks' }, message: null },
});

export const PAYMENT_EXAMPLE = exampleOf(PAYMENT, {
  created: 1_732_184_600,
  amount_received: 250,
  amount_received_minor: 25_000,
  status: 'succeeded',
  paid_at: 1_732_190_000,
  payer: { name: 'Grace Hopper', account_last4: '3000' },
  transfer: exampleId('trf'),
});
