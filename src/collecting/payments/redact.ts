/**
 * The decisions that erase a payer from links, payments and expected payments, and from their past. What stays is the record of the
 * business: amounts, days, references, and what the link or the invoice was for. Pure. Decision record 0032.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type Members, redact, redactedName, redactedParty } from '../../core/redact.ts';
import { missing } from '../../core/values/errors.ts';
import { paymentMissing } from './decide.ts';
import type { ExpectedPayment, Payment, PaymentLink } from './fields.ts';
import { linkMissing } from './link-decide.ts';

interface Redact<T extends string> {
  readonly type: T;
  readonly id: string;
  /** For so long after money last came the records are kept; 0: no time. */
  readonly retentionYears: number;
}
export type RedactPaymentLink = Redact<'redact_payment_link'>;
export type RedactPayment = Redact<'redact_payment'>;
export type RedactExpectedPayment = Redact<'redact_expected_payment'>;

const redactedLink = () => ({ customerEmail: null, redirectUrl: null, message: null, metadata: {} });
/** Without an account nothing is refunded by itself. */
const redactedPayment = ({ payerName }: Pick<Payment, 'payerName'>) => ({
  payerName: redactedName(payerName),
  payerIban: null,
  metadata: {},
});
const redactedExpected = ({ payerName }: Pick<ExpectedPayment, 'payerName'>) => ({
  payerName: redactedName(payerName),
  metadata: {},
});

const metadata = () => ({});
const OF_LINK: Members = {
  customer_email: () => null,
  after_completion: () => ({ redirect: null, message: null }),
  metadata,
};
const OF_PAYMENT: Members = { payer: redactedParty, metadata };
const OF_EXPECTED: Members = { payer: redactedName, metadata };

/** Refuses `resource_missing` and `retention_required`. */
export function redactPaymentLink(draft: Draft, { id, retentionYears }: RedactPaymentLink): Decision {
  const link: PaymentLink | undefined = draft.find('payment_link', id);
  if (!link) return linkMissing(id);
  const names = { audit: 'payment_link.redacted', event: 'payment_link.updated' } as const;
  return redact(draft, link, { to: redactedLink(), members: OF_LINK, ...names, retentionYears });
}

/** Refuses `resource_missing` and `retention_required`. */
export function redactPayment(draft: Draft, { id, retentionYears }: RedactPayment): Decision {
  const payment = draft.find('payment', id);
  if (!payment) return paymentMissing(id);
  const names = { audit: 'payment.redacted', event: 'payment.updated' } as const;
  return redact(draft, payment, { to: redactedPayment(payment), members: OF_PAYMENT, ...names, retentionYears });
}

/** Refuses `resource_missing` and `retention_required`. */
export function redactExpectedPayment(draft: Draft, { id, retentionYears }: RedactExpectedPayment): Decision {
  const expected = draft.find('expected_payment', id);
  if (!expected) return missing('expected payment', id);
  const audit = 'expected_payment.redacted';
  return redact(draft, expected, { to: redactedExpected(expected), members: OF_EXPECTED, audit, retentionYears });
}
