/** Payment links and payments as they are answered. What requests may say: `parameters.ts`. */
import { currencyOf } from '../core/currencies.ts';
import { amountMembers, formatMinor } from '../core/money.ts';
import {
  PAYMENT_FAILURES,
  PAYMENT_LINK_STATUSES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentLink,
} from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import { commonMembers, nullableText, strictObject } from '../http/object-schema.ts';
import { type JsonSchema, ref } from '../http/request/params.ts';

const textOrNull = (value: string | null) => JSON.stringify(value);
const seconds = (atMs: number | null) => (atMs === null ? 'null' : String(unixSeconds(atMs)));
const amountsOrNull = (minor: bigint | null, currency: string, prefix = '') =>
  minor === null ? `"${prefix}amount":null,"${prefix}amount_minor":null` : amountMembers(minor, currency, prefix);

/** `"amount_received":250.00,"amount_received_minor":25000`. */
function sumMembers(what: 'received' | 'refunded', minor: bigint, currency: string): string {
  const exponent = currencyOf(currency)?.exponent ?? 0;
  return `"amount_${what}":${formatMinor(minor, exponent)},"amount_${what}_minor":${minor}`;
}

export function renderPaymentLink(link: PaymentLink, livemode: boolean): string {
  const { currency, redirectUrl } = link;
  const head = `"id":"${link.id}","object":"payment_link","created":${unixSeconds(link.createdAt)},"livemode":${livemode}`;
  const asked = `"amount_type":"${link.amount === null ? 'open' : 'fixed'}",${amountsOrNull(link.amount, currency)},${amountsOrNull(link.minimum, currency, 'minimum_')},${amountsOrNull(link.maximum, currency, 'maximum_')},"currency":"${currency}"`;
  const state = `"url":${JSON.stringify(link.url)},"active":${link.status === 'active'},"status":"${link.status}","account":"${link.account}","reusable":${link.reusable},"max_payments":${link.maxPayments},"payments_count":${link.paymentsCount},"open_payments_count":${link.openCount},${sumMembers('received', link.received, currency)}`;
  const redirect = redirectUrl === null ? 'null' : `{"url":${JSON.stringify(redirectUrl)}}`;
  const words = `"description":${textOrNull(link.description)},"reference":${textOrNull(link.reference)},"customer_email":${textOrNull(link.customerEmail)},"after_completion":{"redirect":${redirect},"message":${textOrNull(link.message)}}`;
  return `{${head},${asked},${state},${words},"expires_at":${seconds(link.expiresAt)},"ended_at":${seconds(link.endedAt)},"metadata":${JSON.stringify(link.metadata)}}`;
}

export function renderPayment(payment: Payment, livemode: boolean): string {
  const { currency, payerName, payerIban } = payment;
  const idOrNull = (id: string | null) => (id === null ? 'null' : `"${id}"`);
  const head = `"id":"${payment.id}","object":"payment","created":${unixSeconds(payment.createdAt)},"livemode":${livemode}`;
  const moved = `${sumMembers('received', payment.received, currency)},${sumMembers('refunded', payment.refunded, currency)}`;
  const sums = `${amountMembers(payment.amount, currency)},${moved},"currency":"${currency}"`;
  const payer = `"payer":{"name":${textOrNull(payerName)},"account_last4":${textOrNull(payerIban?.slice(-4) ?? null)}}`;
  return `{${head},${sums},"status":"${payment.status}","method":"${payment.method}","payment_link":"${payment.link}","account":"${payment.account}","reference":"${payment.reference}",${payer},"duplicate_of":${idOrNull(payment.duplicateOf)},"failure_code":${textOrNull(payment.failureCode)},"transfer":${idOrNull(payment.transfer)},"refund":${idOrNull(payment.refund)},"expires_at":${seconds(payment.dueAt)},"paid_at":${seconds(payment.paidAt)},"metadata":${JSON.stringify(payment.metadata)}}`;
}

const maybe = (type: 'number' | 'integer', description: string): JsonSchema => ({ type: [type, 'null'], description });

export const PAYMENT_LINK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PaymentLink: strictObject('A page that asks for money.', {
    ...commonMembers('payment_link', 'plink_…'),
    amount_type: { type: 'string', enum: ['fixed', 'open'], description: '`open`: the payer says how much.' },
    amount: maybe('number', 'Major units; null where the payer says how much.'),
    amount_minor: maybe('integer', 'The same in minor units.'),
    minimum_amount: maybe('number', 'The least a payer may choose.'),
    minimum_amount_minor: maybe('integer', 'The same in minor units.'),
    maximum_amount: maybe('number', 'The most a payer may choose.'),
    maximum_amount_minor: maybe('integer', 'The same in minor units.'),
    currency: { type: 'string' },
    url: { type: 'string', description: 'The page. Whoever has the address can pay.' },
    active: { type: 'boolean', description: 'Whether a payment can be started.' },
    status: { type: 'string', enum: PAYMENT_LINK_STATUSES },
    account: { type: 'string', description: 'Account credited.' },
    reusable: { type: 'boolean', description: 'Whether several payments can be made.' },
    max_payments: maybe('integer', 'Of a reusable link; null is any number.'),
    payments_count: { type: 'integer', description: 'Payments that were paid in full.' },
    open_payments_count: { type: 'integer', description: 'Payments that wait for money.' },
    amount_received: { type: 'number', description: 'All that came in, in major units; refunds are not taken off.' },
    amount_received_minor: { type: 'integer' },
    description: nullableText('What it is for; shown to the payer.'),
    reference: nullableText('Your own reference; shown to the payer.'),
    customer_email: nullableText('Whom it was made for.'),
    after_completion: strictObject('What the payer sees once it is paid.', {
      redirect: {
        oneOf: [
          strictObject('Where to go on.', { url: { type: 'string' } }),
          { type: 'null', description: 'Nowhere: the receipt stays.' },
        ],
      },
      message: nullableText('Words on the receipt.'),
    }),
    expires_at: maybe('integer', 'From then on no payment can be started. Unix seconds.'),
    ended_at: maybe('integer', 'When it stopped being active. Unix seconds.'),
    metadata: ref('Metadata'),
  }),
  Payment: strictObject('Money expected or received through a payment link.', {
    ...commonMembers('payment', 'pay_…'),
    amount: { type: 'number', exclusiveMinimum: 0, description: 'Asked for, in major units.' },
    amount_minor: { type: 'integer', minimum: 1 },
    amount_received: { type: 'number', description: 'Came in, in major units.' },
    amount_received_minor: { type: 'integer' },
    amount_refunded: { type: 'number', description: 'Went back, in major units.' },
    amount_refunded_minor: { type: 'integer' },
    currency: { type: 'string' },
    status: {
      type: 'string',
      enum: PAYMENT_STATUSES,
      description:
        '`partially_paid`, `succeeded` and `overpaid` say how what came in compares with what was asked for; `duplicate` came when it was paid already.',
    },
    method: { type: 'string', enum: PAYMENT_METHODS },
    payment_link: { type: 'string' },
    account: { type: 'string', description: 'Account credited.' },
    reference: { type: 'string', description: 'What the payer names in the transfer (ISO 11649).' },
    payer: strictObject('Who paid, as far as it is known.', {
      name: nullableText('Name.'),
      account_last4: nullableText('The last four characters of the account.'),
    }),
    duplicate_of: nullableText('The payment that was paid already when this money came.'),
    failure_code: { type: ['string', 'null'], enum: [...PAYMENT_FAILURES, null] },
    transfer: nullableText('The last transfer that credited the account.'),
    refund: nullableText('The last payout that refunds it.'),
    expires_at: maybe('integer', 'Until then it waits for money. Unix seconds.'),
    paid_at: maybe('integer', 'When it was paid in full. Unix seconds.'),
    metadata: ref('Metadata'),
  }),
};
