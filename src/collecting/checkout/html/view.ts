/**
 * Everything the hosted page shows, amounts in minor units. Made by `collecting/checkout/view.ts`, rendered by
 * `render.ts`.
 */
import type { Address } from '../../../core/address.ts';
import type { CollectionAccount } from '../../../core/objects.ts';
import type { Payment, PaymentLink } from '../../payments/fields.ts';

export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The states of a page. */
export type PageState = 'open' | 'waiting' | 'partially_paid' | 'paid' | 'failed' | 'expired' | 'canceled' | 'used_up';

/** Why a request of the visitor was not carried out. */
export type NoticeCode =
  | 'amount_invalid'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'form_expired'
  | 'already_paid'
  | 'card_unavailable'
  | 'try_again';

type LinkFields = 'currency' | 'amount' | 'minimum' | 'maximum' | 'description' | 'reference';

export interface PageView extends Pick<PaymentLink, LinkFields> {
  readonly language: Language;
  /** `/pay/<token>` of this page. */
  readonly path: string;
  /** Changes when the page does. `<path>/status?version=` notifies at once when it has changed. */
  readonly version: string;
  readonly csrf: string;
  readonly livemode: boolean;
  /** Environment clock. */
  readonly nowMs: number;
  readonly merchant: {
    readonly name: string;
    /** Path of the picture. */
    readonly logo: string | null;
    /** `#rrggbb`. */
    readonly accent: string | null;
  };
  readonly company: Company;
  readonly state: PageState;
  readonly notice: NoticeCode | null;
  /** The amount that was refused, as the payer typed it, to be mended in its field; null: none was. */
  readonly typed: string | null;
  readonly expiresAtMs: number | null;
  readonly methods: { readonly bankTransfer: boolean; readonly card: boolean };
  /** `null`: no payment was started. */
  readonly payment: PagePayment | null;
  readonly after: { readonly redirectUrl: string | null; readonly message: string | null };
}

/** What a company says of itself to payers; null where its settings say nothing. */
export interface Company {
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address | null;
  readonly legalUrl: string | null;
  readonly privacyUrl: string | null;
}

export interface PagePayment extends Pick<Payment, 'amount' | 'received' | 'refunded' | 'status' | 'method'> {
  /** ISO 11649, without blanks. */
  readonly rf: string;
  /** `null`: the merchant has no account for that currency. */
  readonly bank: CollectionAccount | null;
  /** Minor units that came after the payment was paid. */
  readonly duplicates: bigint;
  readonly paidAtMs: number | null;
}
