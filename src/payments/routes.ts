/** The operations of payments. How they come about: `checkout/routes.ts`, and the sandbox helper in `link-routes.ts`. */
import { uuidOf } from '../core/ids.ts';
import { listParams } from '../http/lists.ts';
import { currency, id, oneOf, optional, ref, text } from '../http/request/params.ts';
import { type Route, routesOf } from '../http/route.ts';
import { readsOf, type Service } from '../http/service.ts';
import type { SettlementDelay } from '../payouts/routes.ts';
import type { PaymentCommand } from './commands.ts';
import { PAYMENT_EXAMPLE } from './examples.ts';
import { refundPaymentParams, updatePaymentParams } from './parameters.ts';
import { PAYMENT, PAYMENT_METHODS, PAYMENT_STATUSES } from './fields.ts';
import { PAYMENTS } from './sql.ts';

const route = routesOf('Payments', 'payments');

export function paymentRoutes(service: Service<PaymentCommand>, settlementDelay: SettlementDelay): Route[] {
  const { idIn, list, retrieve } = readsOf(service, PAYMENT, PAYMENTS);
  return [
    route('listPayments', 'GET /v1/payments', {
      summary: 'List payments',
      query: listParams('pay', 'payment', {
        status: optional(oneOf(PAYMENT_STATUSES, { description: 'Only payments in this state.' })),
        payment_link: optional(id('plink', 'payment link', { description: 'Only payments through this link.' })),
        method: optional(oneOf(PAYMENT_METHODS, { description: 'Only payments made so.' })),
        currency: optional(currency({ description: 'Only payments in this currency.' })),
        reference: optional(
          text({ max: 25, description: 'Only the payment with this reference, and its duplicates.' }),
        ),
      }),
      response: ref('PaymentList'),
      example: { response: { data: [PAYMENT_EXAMPLE] } },
      handle: (call) => {
        const { status, payment_link: link, method, currency: of, reference } = call.query;
        const link_id = link && uuidOf(link);
        const written = reference?.replaceAll(' ', '').toUpperCase();
        return list(call, { status, link_id, method, currency: of?.code, reference: written });
      },
    }),
    route('retrievePayment', 'GET /v1/payments/:id', {
      summary: 'Retrieve a payment',
      response: ref('Payment'),
      example: { response: PAYMENT_EXAMPLE },
      handle: retrieve,
    }),
    route('updatePayment', 'POST /v1/payments/:id', {
      summary: 'Update the metadata of a payment',
      body: updatePaymentParams,
      response: ref('Payment'),
      errors: ['metadata_invalid'],
      example: {
        request: { metadata: { order: '4711' } },
        response: { ...PAYMENT_EXAMPLE, metadata: { order: '4711' } },
      },
      handle: (call) =>
        service.write(call, { type: 'update_payment', payment: idIn(call), metadata: call.body.metadata }),
    }),
    route('refundPayment', 'POST /v1/payments/:id/refund', {
      summary: 'Refund a payment',
      description:
        'Debits the account and sends the money back with a payout (`refund`), to the account it came from or to `recipient`. If that payout does not arrive, account and payment have the money again.',
      body: refundPaymentParams,
      response: ref('Payment'),
      errors: [
        'payment_state_invalid',
        'refund_too_large',
        'refund_recipient_missing',
        'amount_invalid',
        'amount_too_small',
        'amount_too_large',
        'recipient_archived',
        'recipient_currency_mismatch',
        'account_closed',
        'balance_insufficient',
      ],
      example: {
        request: {},
        response: {
          ...PAYMENT_EXAMPLE,
          status: 'refunded',
          amount_refunded: 250,
          amount_refunded_minor: 25_000,
          refund: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
        },
      },
      handle: (call) => {
        const { amount = null, recipient = null } = call.body;
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        return service.write(call, {
          type: 'refund_payment',
          payment: idIn(call),
          amount,
          recipient,
          settlementDelayMs,
        });
      },
    }),
  ];
}
