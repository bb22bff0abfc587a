/** Payment links and payments, field by field: their types, rows, JSON and schemas are made from these lists. */
import { feesField } from '../../core/fees.ts';
import * as field from '../../core/fields.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { PAYMENT_METHODS } from '../../core/rails/payment-schemes.ts';

export const PAYMENT_LINK_STATUSES = ['active', 'completed', 'expired', 'canceled'] as const;

const text = (value: string | null) => JSON.stringify(value);

/** A page that asks for money. */
export const PAYMENT_LINK = field.objectType('payment_link', 'plink', {
  amountType: field.derived(
    'amount_type',
    { type: 'string', enum: ['fixed', 'open'], description: '`open`: the payer says how much.' },
    ({ amount }: { readonly amount: bigint | null }) => (amount === null ? '"open"' : '"fixed"'),
  ),
  amount: field.moneyOrNull({ description: 'Major units; null where the payer says how much.' }),
  minimum: field.moneyOrNull({ prefix: 'minimum_', description: 'The least a payer may choose.' }),
  maximum: field.moneyOrNull({ prefix: 'maximum_', description: 'The most a payer may choose.' }),
  currency: field.code(),
  url: field.text({ description: 'The page. Whoever has the address can pay.' }),
  active: field.derived(
    'active',
    { type: 'boolean', description: 'Whether a payment can be started.' },
    ({ status }: { readonly status: string }) => String(status === 'active'),
  ),
  status: field.oneOf(PAYMENT_LINK_STATUSES, { mutable: true }),
  account: field.id('acct', { column: 'account_id', description: 'Account credited.' }),
  reusable: field.flag({ description: 'Whether several payments can be made.' }),
  maxPayments: field.countOrNull({ description: 'Of a reusable link; null is any number.', mutable: true }),
  paymentsCount: field.count({ description: 'Payments that were paid in full.', mutable: true }),
  openCount: field.count({
    member: 'open_payments_count',
    description: 'Payments that wait for money.',
    mutable: true,
  }),
  /** Duplicates and what was refunded later included. */
  received: field.sum('amount_received', {
    description: 'All that came in, in major units; refunds are not taken off.',
    mutable: true,
  }),
  description: field.textOrNull({ description: 'What it is for; shown to the payer.', mutable: true }),
  reference: field.textOrNull({ description: 'Your own reference; shown to the payer.', mutable: true }),
  customerEmail: field.textOrNull({ description: 'Whom it was made for.', mutable: true }),
  afterCompletion: field.derived(
    'after_completion',
    strictObject('What the payer sees once it is paid.', {
      redirect: {
        description: 'Where the payer goes on from the receipt.',
        oneOf: [
          strictObject('Where to go on.', { url: { type: 'string' } }),
          { type: 'null', description: 'Nowhere: the receipt stays.' },
        ],
      },
      message: nullableText('Words on the receipt.'),
    }),
    ({ redirectUrl, message }: { readonly redirectUrl: string | null; readonly message: string | null }) =>
      `{"redirect":${redirectUrl === null ? 'null' : `{"url":${text(redirectUrl)}}`},"message":${text(message)}}`,
  ),
  expiresAt: field.instantOrNull({
    description: 'From then on no payment can be started. Unix seconds.',
    mutable: true,
  }),
  endedAt: field.instantOrNull({ description: 'When it stopped being active. Unix seconds.', mutable: true }),
  metadata: field.metadata({ mutable: true }),
  /** Unguessable; the last part of `url`. */
  token: field.code({ hidden: true }),
  redirectUrl: field.textOrNull({ hidden: true, mutable: true }),
  message: field.textOrNull({ hidden: true, mutable: true }),
});
export type PaymentLink = field.ObjectOf<typeof PAYMENT_LINK>;

export const PAYMENT_STATUSES = [
  'pending',
  'partially_paid',
  'succeeded',
  'overpaid',
  'duplicate',
  'failed',
  'refunded',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_FAILURES = ['expired', 'declined', 'canceled'] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

/** Money expected or received through a link. */
export const PAYMENT = field.objectType('payment', 'pay', {
  amount: field.money({ description: 'Asked for, in major units.' }),
  received: field.sum('amount_received', { description: 'Came in, in major units.', mutable: true }),
  refunded: field.sum('amount_refunded', { description: 'Went back, in major units.', mutable: true }),
  currency: field.code(),
  status: field.oneOf(PAYMENT_STATUSES, {
    description:
      '`partially_paid`, `succeeded` and `overpaid` say how what came in compares with what was asked for; `duplicate` came when it was paid already.',
    mutable: true,
  }),
  method: field.oneOf(PAYMENT_METHODS, { mutable: true }),
  link: field.id('plink', { column: 'link_id', member: 'payment_link' }),
  account: field.id('acct', { column: 'account_id', description: 'Account credited.' }),
  /** Without blanks. A duplicate has that of what it duplicates. */
  reference: field.code({ description: 'What the payer names in the transfer (ISO 11649).' }),
  payer: field.derived(
    'payer',
    strictObject('Who paid, as far as it is known.', {
      name: nullableText('Name.'),
      account_last4: nullableText('The last four characters of the account.'),
    }),
    ({ payerName, payerIban }: { readonly payerName: string | null; readonly payerIban: string | null }) =>
      `{"name":${text(payerName)},"account_last4":${text(payerIban?.slice(-4) ?? null)}}`,
  ),
  duplicateOf: field.idOrNull('pay', { description: 'The payment that was paid already when this money came.' }),
  failureCode: field.oneOfOrNull(PAYMENT_FAILURES, { mutable: true }),
  transfer: field.idOrNull('trf', {
    column: 'transfer_id',
    description: 'The last transfer that credited the account.',
    mutable: true,
  }),
  fees: feesField('What was charged with the money that came in.', { mutable: true }),
  refund: field.idOrNull('po', { column: 'refund_id', description: 'The last payout that refunds it.', mutable: true }),
  dueAt: field.instantOrNull({
    member: 'expires_at',
    description: 'Until then it waits for money. Unix seconds.',
    mutable: true,
  }),
  paidAt: field.instantOrNull({ description: 'When it was paid in full. Unix seconds.', mutable: true }),
  metadata: field.metadata({ mutable: true }),
  /** Unguessable; opens the page of this payment. `null`: a duplicate has none. */
  token: field.textOrNull({ hidden: true }),
  payerName: field.textOrNull({ hidden: true, mutable: true }),
  /** Account it came from, for refunds. */
  payerIban: field.textOrNull({ hidden: true, mutable: true }),
  /** When an event tells that it still waits. */
  remindAt: field.instantOrNull({ hidden: true, mutable: true }),
  /** The acquirer's session. */
  session: field.textOrNull({ hidden: true, mutable: true }),
});
export type Payment = field.ObjectOf<typeof PAYMENT>;

export const EXPECTED_PAYMENT_STATUSES = ['open', 'partly_paid', 'paid', 'overdue', 'canceled'] as const;

/** A transfer that somebody is expected to make: what an invoice needs. */
export const EXPECTED_PAYMENT = field.objectType('expected_payment', 'xp', {
  amount: field.money({ description: 'What is expected, major units.' }),
  received: field.sum('amount_received', { description: 'What has come so far, in major units.', mutable: true }),
  currency: field.code(),
  status: field.oneOf(EXPECTED_PAYMENT_STATUSES, {
    description:
      '`overdue`: the day that it is due has passed by the clock of the environment, and not all of it has come. `paid`: all of it has come, or more.',
    mutable: true,
  }),
  account: field.id('acct', { column: 'account_id', description: 'Account credited.' }),
  reference: field.code({ description: 'What the transfer must name (ISO 11649).' }),
  payerName: field.textOrNull({ member: 'payer', description: 'Who is expected to pay.' }),
  description: field.textOrNull({ description: 'What for.' }),
  dueOn: field.dayOrNull({ description: 'The last day on which it is in time, in UTC.' }),
  transfer: field.idOrNull('trf', {
    column: 'transfer_id',
    description: 'The last transfer that credited the account.',
    mutable: true,
  }),
  paidAt: field.instantOrNull({ description: 'When all of it had come. Unix seconds.', mutable: true }),
  metadata: field.metadata(),
  dueAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type ExpectedPayment = field.ObjectOf<typeof EXPECTED_PAYMENT>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly expected_payment: ExpectedPayment;
    readonly payment_link: PaymentLink;
    readonly payment: Payment;
  }
}
