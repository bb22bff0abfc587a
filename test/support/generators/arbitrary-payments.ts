/**
 * Random commands of payment links and payments: the half of `arbitraries.ts` that knows links, payers, banks and
 * acquirers. An acquirer takes the whole amount or nothing, so a session never brings a part; a bank brings anything.
 */
import { never } from '../../../src/core/values/assert.ts';
import type { PaymentMethod } from '../../../src/core/rails/payment-schemes.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import type { CreatePaymentLink } from '../../../src/collecting/payments/link-decide.ts';
import type { ReceivePayment } from '../../../src/collecting/payments/decide.ts';
import { choose, currencyAt, type Known, metadataOf, type MoneyCommand, textOf, type Throw } from './random-choices.ts';

export const PAYMENT_COMMANDS = [
  'create_payment_link',
  'update_payment_link',
  'deactivate_payment_link',
  'expire_payment_link',
  'start_payment',
  'receive_payment',
  'pay_payment_link',
  'fail_payment',
  'attach_session',
  'update_payment',
  'refund_payment',
] as const;
type Type = (typeof PAYMENT_COMMANDS)[number];
export type PaymentCommand = Extract<MoneyCommand, { readonly type: Type }>;

const TYPES: ReadonlySet<string> = new Set(PAYMENT_COMMANDS);
export const isPaymentCommand = (command: MoneyCommand): command is PaymentCommand => TYPES.has(command.type);
export const isPaymentType = (type: MoneyCommand['type']): type is Type => TYPES.has(type);
/** A throw that comes to one of them. */
export type PaymentThrow = Throw & { readonly type: Type };

const NEEDS_PAYMENT: ReadonlySet<Type> = new Set([
  'receive_payment',
  'refund_payment',
  'fail_payment',
  'attach_session',
]);

const PAYER = { payerName: 'Grace Hopper', payerIban: 'DE89370400440532013000' } as const;

export function paymentCommandOf(choices: PaymentThrow, known: Known, atMs: number): PaymentCommand {
  const { type, pick, other, variant, amount } = choices;
  // Much happens to few: only then do several start on a link for one, or is money told twice, comes late, and goes back.
  const isStart = type === 'start_payment' && pick < 10;
  const link = choose('plink', isStart ? known.links.slice(-1) : known.links, pick);
  const payment = choose('pay', pick < 10 ? known.payments.slice(-2) : known.payments, pick);
  const metadata = metadataOf(variant);
  const start = { ...startOf(link, known), method: methodOf(other), amount: variant % 4 === 0 ? null : amount };
  // Before the first payment there is nothing to pay or refund: somebody starts one instead.
  if (NEEDS_PAYMENT.has(type) && known.payments.length === 0 && pick !== 15) return { type: 'start_payment', ...start };
  switch (type) {
    case 'create_payment_link':
      return linkOf(choices, known, atMs);
    case 'update_payment_link': {
      const expiresAtMs = variant % 5 === 0 ? soon(other, atMs) : undefined;
      const maxPayments = variant % 4 === 1 ? 1 + (other % 3) : undefined;
      const description = [undefined, null, 'Rent'][variant % 3];
      const rest = { reference: undefined, customerEmail: undefined, redirectUrl: undefined, message: undefined };
      return { type, link, description, ...rest, maxPayments, expiresAtMs, metadata };
    }
    case 'deactivate_payment_link':
    case 'expire_payment_link':
      return { type, link };
    case 'start_payment':
      return { type, ...start };
    case 'pay_payment_link': {
      const text = variant % 3 === 0 ? null : textOf(amount, known.currencyOf(link), variant);
      return { type, start: { ...startOf(link, known), method: 'bank_transfer' }, amount: text, ...PAYER };
    }
    case 'receive_payment':
      return creditOf(choices, payment, known);
    case 'fail_payment': {
      const reason = (['expired', 'declined', 'canceled'] as const)[variant % 3] as 'expired';
      return { type, payment, reason, session: other > 9 ? sessionOf(payment, other) : null };
    }
    case 'attach_session':
      return { type, payment, session: sessionOf(payment, other) };
    case 'update_payment':
      return { type, payment, metadata };
    case 'refund_payment': {
      const { received, refunded } = known.sumsOf(payment);
      const left = received - refunded;
      const much = [null, left, left / 2n, left - 1n, left + 1n, amount][variant % 6] ?? null;
      const text = much === null || much < 1n ? null : textOf(much, known.currencyOf(payment), variant);
      const named = known.recipients.filter((id) => known.currencyOf(id) === known.currencyOf(payment));
      const recipient = other < 8 ? null : choose('rcp', other === 8 ? known.recipients : named, other);
      return { type, payment, amount: text, recipient, settlementDelayMs: 3000 };
    }
    default:
      return never(type);
  }
}

/** Of every payment two, so that a payer can have gone to the acquirer twice. */
const sessionOf = (payment: string, n: number) => `session ${n % 2} of ${payment}`;
const methodOf = (n: number): PaymentMethod => (n % 3 === 0 ? 'card' : 'bank_transfer');
/** Past, after a few jumps of the clock, after a long one. In whole seconds, as requests say it. */
const soon = (n: number, atMs: number) =>
  Math.floor(atMs / 1000) * 1000 + ([-5000, 100_000, 20 * DAY_MS][n % 3] as number);

function startOf(link: string, known: Known) {
  return { link, token: known.fresh(), reference: `RF ${known.fresh()}` };
}

function linkOf({ pick, currency, other, variant, amount }: Throw, known: Known, atMs: number): CreatePaymentLink {
  const reusable = pick % 2 === 1;
  const token = known.fresh();
  const open = { amount: null, minimum: null, maximum: null };
  const asked = [
    { ...open, amount },
    { ...open, amount },
    open,
    { ...open, minimum: amount, maximum: amount + 2000n },
    { ...open, minimum: amount },
    { ...open, maximum: amount },
  ];
  return {
    type: 'create_payment_link',
    token,
    url: `https://pay.example.com/pay/${token}`,
    account: variant > 25 ? choose('acct', known.accounts, other) : null,
    currency: currencyAt(currency),
    asked: asked[other % asked.length] as (typeof asked)[number],
    reusable,
    maxPayments: reusable && variant % 3 !== 0 ? variant % 3 : null,
    description: null,
    reference: null,
    customerEmail: null,
    redirectUrl: null,
    message: null,
    expiresAtMs: variant % 3 === 0 ? null : soon(variant % 7 === 0 ? 0 : variant, atMs),
    metadata: metadataOf(variant),
    hasCard: false,
  };
}

/** What a bank or an acquirer says: what is missing, a part of it, more, anything; with and without a payer's account. */
function creditOf({ other, variant, amount }: Throw, payment: string, known: Known): ReceivePayment {
  const { amount: asked, received } = known.sumsOf(payment);
  const missing = received < asked ? asked - received : asked;
  const half = missing > 1n ? missing / 2n : missing;
  const by = { type: 'receive_payment', payment } as const;
  if (other > 9) {
    const whole = variant % 8 === 0 ? asked + 1n : asked;
    const card = { method: 'card', session: sessionOf(payment, other) } as const;
    return { ...by, ...card, amount: whole, payerName: 'Grace Hopper', payerIban: null };
  }
  const came = [missing, missing, missing, half, half, missing + 1n, missing + amount, amount][variant % 8] as bigint;
  const payer = [
    PAYER,
    PAYER,
    PAYER,
    { payerName: 'Grace Hopper', payerIban: null },
    { payerName: null, payerIban: null },
  ];
  return { ...by, method: 'bank_transfer', session: null, amount: came, ...(payer[other % 5] as typeof PAYER) };
}
