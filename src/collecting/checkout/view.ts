/** From what a token opened to what the page shows. Pure. Reading: `sql.ts`; rendering: `collecting/checkout/html/render.ts`. */
import type { CollectionAccount } from '../../core/objects.ts';
import { isAwaited } from '../../core/payments.ts';
import type { PaymentMethod } from '../../core/rails/payment-schemes.ts';
import type { Opened } from './sql.ts';
import type { Language, NoticeCode, PagePayment, PageState, PageView } from './html/view.ts';
import { sandboxAccount } from '../payments/sandbox-bank.ts';

export interface Request {
  readonly token: string;
  readonly language: Language;
  readonly csrf: string;
  readonly notice: NoticeCode | null;
  /** A refused amount as it was typed. */
  readonly typed: string | null;
  readonly hasCard: boolean;
  /** Shows the page for this method instead of the payment's, so that a card payer may see the bank details. */
  readonly method: PaymentMethod | null;
}

export function viewOf(opened: Opened, { token, language, csrf, notice, typed, hasCard, method }: Request): PageView {
  const { link, merchant, livemode, accent, nowMs } = opened;
  const state = stateOf(opened);
  const bank = bankOf(opened);
  const path = `/pay/${token}`;
  return {
    language,
    path,
    version: versionOf(opened),
    csrf,
    livemode,
    nowMs,
    merchant: { name: merchant, logo: opened.hasLogo ? `${path}/logo` : null, accent },
    company: opened.company,
    state,
    notice,
    typed,
    currency: link.currency,
    amount: link.amount,
    minimum: link.minimum,
    maximum: link.maximum,
    description: link.description,
    reference: link.reference,
    expiresAtMs: link.expiresAt,
    methods: { bankTransfer: bank !== null, card: hasCard },
    payment: paymentOf(opened, bank, method),
    after: { redirectUrl: link.redirectUrl, message: link.message },
  };
}

/** The version of a page: what a visitor sees changes when, and only when, this text does. */
export function versionOf(opened: Opened): string {
  const { payment } = opened;
  const sums = payment ? [payment.status, payment.method, payment.received, payment.refunded, payment.duplicates] : [];
  return [stateOf(opened), ...sums].join('-');
}

/** Where payers send money; in a sandbox without a bank account, a made-up one. */
function bankOf({ bank, livemode, link, merchant }: Opened): CollectionAccount | null {
  return bank ?? (livemode ? null : sandboxAccount(link.currency, merchant));
}

function paymentOf(
  { payment }: Opened,
  bank: CollectionAccount | null,
  shown: PaymentMethod | null,
): PagePayment | null {
  if (payment === null) return null;
  const { amount, received, refunded, status, reference: rf, duplicates } = payment;
  const method = shown ?? payment.method;
  return { amount, received, refunded, status, method, rf, bank, duplicates, paidAtMs: payment.paidAt };
}

/**
 * Money that came decides first. Then an ended link keeps a payer from paying, who may have started while others paid. A failed
 * payment may be started again.
 */
export function stateOf({ link, payment, nowMs }: Opened): PageState {
  if (payment !== null && payment.received > 0n) {
    if (payment.status !== 'partially_paid') return 'paid';
    return payment.refund !== null ? 'failed' : 'partially_paid';
  }
  const isOver = link.status === 'active' && link.expiresAt !== null && link.expiresAt <= nowMs;
  const status = isOver ? 'expired' : link.status;
  if (status === 'canceled' || status === 'expired') return status;
  if (status === 'completed') return 'used_up';
  if (payment === null) return 'open';
  return isAwaited(payment) ? 'waiting' : 'failed';
}
