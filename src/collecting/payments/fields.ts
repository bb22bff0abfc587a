/** Payment links and payments, field by field: their types, rows, JSON and schemas are made from these lists. */
import { feesField } from '../../core/fees.ts';
import * as field from '../../core/fields.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { PAYMENT_METHODS } from '../../core/rails/payment-schemes.ts';

export const PAYMENT_LINK_STATUSES = ['active', 'completed', 'expired', 'canceled'] as const;
const ENDED_AS = ['expired', 'canceled'] as const;

const text = (value: string | null) => JSON.stringify(value);

/** A page that asks for money. */
export const PAYMENT_LINK = field.objectType('payment_link', 'plink', {
  amountType: field.derived(
    'amount_type',
    { type: 'string', enum: ['fixed', 'open'], description: '`open`: the payer chooses the amount.' },
    ({ amount }: { readonly amount: bigint | null }) => (amount === null ? '"open"' : '"fixed"'),
  ),
  amount: field.moneyOrNull({ description: 'Major units. Null if the payer chooses the amount.', example: 25_000 }),
  minimum: field.moneyOrNull({ prefix: 'minimum_', description: 'The least that a payer may choose.' }),
  maximum: field.moneyOrNull({ prefix: 'maximum_', description: 'The most that a payer may choose.' }),
  currency: field.currency(),
  url: field.text({
    description: 'The page. Everybody who has the address can pay.',
    example: 'https://pay.example.com/pay/5iZpWk3fQ0aXv7TgB2nRd9Ls',
  }),
  active: field.derived(
    'active',
    { type: 'boolean', description: 'Whether a payment can be started.' },
    ({ status }: { readonly status: string }) => String(status === 'active'),
  ),
  status: field.oneOf(PAYMENT_LINK_STATUSES, { mutable: true }),
  account: field.id('acct', { column: 'account_id', description: 'Account credited.' }),
  reusable: field.flag({ description: 'Whether several payments can be made.' }),
  maxPayments: field.countOrNull({
    description: 'How many payments a reusable link takes; null: any number.',
    mutable: true,
  }),
  paymentsCount: field.count({ description: 'Payments that were paid in full.', mutable: true }),
  openCount: field.count({
    member: 'open_payments_count',
    description: 'Payments that wait for money.',
    mutable: true,
  }),
  /** Duplicates and what was refunded later included. */
  received: field.sum('amount_received', {
    description: 'The whole amount that came in, in major units. Refunds are not taken off.',
    mutable: true,
  }),
  description: field.textOrNull({
    description: 'What the payment is for; shown to the payer.',
    example: 'Garden table',
    mutable: true,
  }),
  reference: field.textOrNull({
    description: 'Your own reference; shown to the payer.',
    example: 'Invoice 4711',
    mutable: true,
  }),
  customerEmail: field.textOrNull({ description: 'The payer’s e-mail address.', mutable: true }),
  afterCompletion: field.derived(
    'after_completion',
    strictObject('The receipt that the payer sees after paying.', {
      redirect: {
        description: 'Where the receipt leads the payer.',
        oneOf: [
          strictObject('The address.', { url: { type: 'string' } }),
          { type: 'null', description: 'The receipt leads nowhere.' },
        ],
      },
      message: nullableText('A text on the receipt.'),
    }),
    ({ redirectUrl, message }: { readonly redirectUrl: string | null; readonly message: string | null }) =>
      `{"redirect":${redirectUrl === null ? 'null' : `{"url":${text(redirectUrl)}}`},"message":${text(message)}}`,
  ),
  expiresAt: field.instantOrNull({
    description: 'From this instant no payment can be started. Unix seconds.',
    mutable: true,
  }),
  endedAt: field.instantOrNull({ description: 'When it stopped being active. Unix seconds.', mutable: true }),
  metadata: field.metadata({ mutable: true }),
  /** How it had ended before money that came late completed it; `null`: it was active until then. */
  endedAs: field.oneOfOrNull(ENDED_AS, { hidden: true, mutable: true }),
  /** Unguessable; the last part of `url`. */
  token: field.code({ hidden: true }),
  redirectUrl: field.textOrNull({ hidden: true, mutable: true }),
  message: field.textOrNull({ hidden: true, mutable: true }),
});
export type PaymentLink = field.ObjectOf<typeof PAYMENT_LINK>;

export const PAYMENT_STATUSES = ['pending', 'partially_paid', 'succeeded', 'overpaid', 'failed', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const PAYMENT_FAILURES = ['expired', 'declined', 'canceled'] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

/** Money expected or received through a link. */
export const PAYMENT = field.objectType('payment', 'pay', {
  amount: field.money({ description: 'The amount asked for, in major units.' }),
  received: field.sum('amount_received', { description: 'The amount that came in, in major units.', mutable: true }),
  refunded: field.sum('amount_refunded', { description: 'The amount that went back, in major units.', mutable: true }),
  currency: field.currency(),
  status: field.oneOf(PAYMENT_STATUSES, {
    description:
      '`partially_paid`, `succeeded`, `overpaid`: less, exactly, or more than the amount asked for has come.',
    mutable: true,
  }),
  method: field.oneOf(PAYMENT_METHODS, { mutable: true }),
  link: field.id('plink', { column: 'link_id', member: 'payment_link' }),
  account: field.id('acct', { column: 'account_id', description: 'Account credited.' }),
  /** Without blanks. A duplicate has that of what it duplicates. */
  reference: field.code({
    description: 'The reference that the payer names in the transfer (ISO 11649).',
    example: 'RF28K3W2M6R5T7XA1',
  }),
  payer: field.derived(
    'payer',
    strictObject('The payer, as far as known.', {
      name: nullableText('Name.'),
      account_last4: nullableText('The last four characters of the account.'),
    }),
    ({ payerName, payerIban }: { readonly payerName: string | null; readonly payerIban: string | null }) =>
      `{"name":${text(payerName)},"account_last4":${text(payerIban?.slice(-4) ?? null)}}`,
  ),
  duplicateOf: field.idOrNull('pay', {
    description:
      'The payment that was already paid when this money came, so that this one is a duplicate. `null`: it is none.',
  }),
  failureCode: field.oneOfOrNull(PAYMENT_FAILURES, { mutable: true }),
  transfer: field.idOrNull('trf', {
    column: 'transfer_id',
    description: 'The last transfer that credited the account.',
    mutable: true,
  }),
  fees: feesField('Fees charged with the incoming money.', { mutable: true }),
  refund: field.idOrNull('po', { column: 'refund_id', description: 'The last payout that refunds it.', mutable: true }),
  dueAt: field.instantOrNull({
    member: 'expires_at',
    description: 'It waits for money until this instant. Unix seconds.',
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

export const EXPECTED_PAYMENT_STATUSES = ['open', 'partially_paid', 'paid', 'overdue', 'canceled'] as const;

/** A transfer that somebody is expected to make, for example for an invoice. */
export const EXPECTED_PAYMENT = field.objectType('expected_payment', 'xp', {
  amount: field.money({ description: 'The expected amount, major units.', example: 11_900 }),
  received: field.sum('amount_received', {
    description: 'The amount that has come so far, in major units.',
    mutable: true,
  }),
  currency: field.currency(),
  status: field.oneOf(EXPECTED_PAYMENT_STATUSES, {
    description:
      '`overdue`: the due day has passed by the clock of the environment, and money is missing. `paid`: the whole amount has come, or more.',
    mutable: true,
  }),
  account: field.id('acct', { column: 'account_id', description: 'Account credited.' }),
  reference: field.code({
    description: 'The reference that the transfer must name (ISO 11649).',
    example: 'RF28K3W2M6R5T7XA1',
  }),
  payerName: field.textOrNull({
    member: 'payer',
    description: 'Who is expected to pay.',
    example: 'Example AG',
    mutable: true,
  }),
  description: field.textOrNull({ description: 'What the payment is for.', example: 'Invoice 2026-17' }),
  dueOn: field.dayOrNull({
    description: 'The last day on which the payment is in time, in UTC.',
    example: '2026-12-20',
  }),
  transfer: field.idOrNull('trf', {
    column: 'transfer_id',
    description: 'The last transfer that credited the account.',
    mutable: true,
  }),
  paidAt: field.instantOrNull({ description: 'When the whole amount had come. Unix seconds.', mutable: true }),
  metadata: field.metadata({ mutable: true }),
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
