/** The operations of payments. How they come about: `collecting/checkout/routes.ts`, and the sandbox helper in `link-routes.ts`. */
import { demand } from '../../core/scopes.ts';
import { expandIn, expandQuery } from '../../platform/http/expand.ts';
import { listParams } from '../../platform/http/lists.ts';
import { boolean, currency, id, oneOf, text } from '../../platform/http/request/params.ts';
import { AMOUNT_ERRORS, PAYEE_ERRORS, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import type { Condition } from '../../platform/db/wire/page.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import type { SettlementDelay } from '../../paying/payouts/routes.ts';
import type { PaymentCommand } from './slice.ts';
import { PAYMENT_EXAMPLE } from './examples.ts';
import { refundPaymentParams, updatePaymentParams } from './parameters.ts';
import { withoutBlanks } from '../../core/rails/blanks.ts';
import { PAYMENT_METHODS } from '../../core/rails/payment-schemes.ts';
import { PAYMENT, PAYMENT_STATUSES, type Payment } from './fields.ts';
import type { PaymentLinkParts } from './link-routes.ts';
import { PAYMENT_EXPANDABLE } from './schema.ts';
import { PAYMENTS } from './sql.ts';

const route = routesOf('Payments', 'payments');

/** By the filter `duplicate`. Duplicates have an index of their own; nearly all payments are none. */
const DUPLICATES: Readonly<Record<string, readonly Condition[]>> = {
  true: [{ sql: 't.duplicate_of IS NOT NULL AND $::bool', value: true }],
  false: [{ sql: 't.duplicate_of IS NULL AND $::bool', value: true }],
};

export function paymentRoutes(
  service: Service<PaymentCommand>,
  settlementDelay: SettlementDelay,
  parts: Pick<PaymentLinkParts, 'seals'>,
): Route[] {
  const open = (stored: Payment) => parts.seals.payment.open(stored);
  const { idIn, list, retrieve } = readsOf(service, PAYMENT, PAYMENTS, { open });
  return [
    route('listPayments', 'GET /v1/payments', {
      summary: 'List payments',
      query: listParams('pay', {
        status: oneOf(PAYMENT_STATUSES, { description: 'Only in this state.' }),
        payment_link: id('plink', { description: 'Only payments through this link.' }),
        method: oneOf(PAYMENT_METHODS, { description: 'Only payments by this method.' }),
        currency: currency({ description: 'Only of this currency.' }),
        reference: text({
          kind: 'code',
          max: 25,
          description: 'Only the payment with this reference, and its duplicates.',
        }),
        duplicate: boolean({
          description: 'Only payments that are duplicates, which have `duplicate_of`; or only those that are none.',
        }),
        ...expandIn(PAYMENT_EXPANDABLE),
      }),
      response: answersList('Payment', PAYMENT_EXAMPLE),
      handle: (call) => {
        const { reference: written, duplicate, ...query } = call.query;
        const reference = written && withoutBlanks(written).toUpperCase();
        return list(
          { ...call, query: { ...query, reference } },
          { payment_link: 'link_id' },
          DUPLICATES[String(duplicate)],
        );
      },
    }),
    route('retrievePayment', 'GET /v1/payments/:id', {
      summary: 'Retrieve a payment',
      query: expandQuery(PAYMENT_EXPANDABLE),
      response: answers('Payment', PAYMENT_EXAMPLE),
      handle: retrieve,
    }),
    route('updatePayment', 'POST /v1/payments/:id', {
      summary: 'Update the metadata of a payment',
      body: updatePaymentParams,
      request: { metadata: { order: '4711' } },
      response: answers('Payment', { ...PAYMENT_EXAMPLE, metadata: { order: '4711' } }),
      errors: ['metadata_invalid'],
      handle: (call) =>
        service.write(call, { type: 'update_payment', payment: idIn(call), metadata: call.body.metadata }),
    }),
    route('refundPayment', 'POST /v1/payments/:id/refund', {
      summary: 'Refund a payment',
      mayNeed: ['payouts:write'],
      description:
        'Debits the account and sends the money back with a payout (`refund`), to the account it came from or to `recipient`, for which the key needs `payouts:write`. If that payout does not arrive, account and payment have the money again.',
      body: refundPaymentParams,
      request: {},
      response: answers('Payment', {
        ...PAYMENT_EXAMPLE,
        status: 'refunded',
        amount_refunded: 250,
        amount_refunded_minor: 25_000,
        refund: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
      }),
      errors: [
        'payment_state_invalid',
        'refund_too_large',
        'refund_recipient_missing',
        ...AMOUNT_ERRORS,
        ...PAYEE_ERRORS,
        'payouts_frozen',
        'limit_exceeded',
        'rate_unavailable',
        'payout_not_payable',
        'account_closed',
        'balance_insufficient',
      ],
      handle: (call) => {
        const { amount = null, recipient = null } = call.body;
        // Money that goes to somebody else than it came from is a payout like any other.
        if (recipient !== null) demand(call.caller.scopes, 'payouts:write', 'a refund to a recipient');
        const settlementDelayMs = settlementDelay(call.caller.livemode);
        const payment = idIn(call);
        return service.write(call, { type: 'refund_payment', payment, amount, recipient, settlementDelayMs });
      },
    }),
  ];
}
