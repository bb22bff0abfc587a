/**
 * What the page says, a set for each language; the compiler names what one of them lacks. It must never hold a number or a
 * name: they come as parameters. German and Spanish address the payer politely; French has no-break spaces before
 * : ; ! and ?. Next: `words-en.ts`, then `render.ts`.
 */
import type { PaymentMethod } from '../../payments/fields.ts';
import type { Html } from './html.ts';
import type { NoticeCode, PageState } from './view.ts';

/** What is answered instead of a page: nothing there, too often asked, our own failure. */
export type Fault = 'not_found' | 'too_many' | 'unavailable';

export const BANK_FIELDS = [
  'account_holder',
  'iban',
  'bic',
  'account_number',
  'routing_number',
  'sort_code',
  'bsb',
  'ifsc',
  'clabe',
  'bank_name',
] as const;
export type BankField = (typeof BANK_FIELDS)[number];

/** A sentence with the merchant's name in it. */
type Named = (merchant: Html) => Html;
/** A sentence with an amount in it. */
type Sum = (amount: string) => string;

export interface Words {
  /** In the title of the window, beside the merchant's name. */
  readonly title: Readonly<Record<PageState, string>>;
  /** The headline; the amount follows in the first four. */
  readonly headline: Readonly<Record<PageState | 'card_waiting' | 'refunded', string>>;
  readonly testMode: string;
  readonly languages: string;
  readonly amount: string;
  /** What the merchant wants paid: "Invoice 4711". */
  readonly regarding: string;
  readonly validUntil: string;
  /** `{}` is hours, minutes and seconds. */
  readonly timeLeft: string;
  readonly between: (minimum: string, maximum: string) => string;
  readonly atLeast: Sum;
  readonly atMost: Sum;
  readonly how: string;
  readonly payBy: Readonly<Record<PaymentMethod, string>>;
  readonly payByNote: Readonly<Record<PaymentMethod, string>>;
  readonly noWay: Named;
  readonly otherWay: string;
  readonly insteadBy: Readonly<Record<PaymentMethod, string>>;
  readonly cardAgain: string;
  readonly bankDetails: string;
  readonly bankFields: Readonly<Record<BankField, string>>;
  readonly noBankDetails: Named;
  /** What the payer's bank calls the reference of a transfer. */
  readonly rf: string;
  readonly rfHint: string;
  readonly qr: string;
  readonly qrHint: string;
  readonly waiting: string;
  readonly cardWaiting: string;
  readonly checkAgain: string;
  readonly partlyPaid: (received: string, amount: string) => string;
  readonly receipt: string;
  readonly paidTo: string;
  readonly paidOn: string;
  readonly paidBy: string;
  readonly method: Readonly<Record<PaymentMethod, string>>;
  readonly received: string;
  readonly refunded: string;
  readonly overpaid: (amount: string, merchant: Html) => Html;
  readonly duplicates: (amount: string, merchant: Html) => Html;
  readonly continueTo: (host: string) => string;
  /** Of a payment that was given up after a part of it had come. */
  readonly givenUp: Named;
  /** Why it ended, and what can be done. */
  readonly ended: Readonly<Record<'failed' | 'expired' | 'canceled' | 'used_up', Named>>;
  readonly simulate: string;
  readonly simulateNote: string;
  readonly outcome: Readonly<Record<'exact' | 'partial' | 'twice' | 'fail', string>>;
  /** On a page that is paid already. */
  readonly onceMore: string;
  readonly copy: string;
  readonly copyOf: (label: string) => string;
  readonly copied: string;
  readonly notice: Readonly<Record<NoticeCode, string>>;
  readonly fault: Readonly<Record<Fault, { readonly title: string; readonly text: string }>>;
}
