/**
 * What a card acquirer must be able to do: make a page for one payment, say later what became of it, and vouch for its
 * notifications. A card number must never come near this service. Next: `stripe.ts`.
 */

/** One payment as the acquirer is to collect it. */
export interface CardOrder {
  readonly paymentId: string;
  readonly environmentId: string;
  readonly livemode: boolean;
  /** Minor units by ISO 4217, above zero. What an acquirer counts in is its connector's business. */
  readonly amount: bigint;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** What the payer reads on the acquirer's page. */
  readonly description: string;
  readonly customerEmail: string | null;
  readonly language: 'en' | 'de' | 'fr' | 'es';
  /** Where the payer comes back to when it is done, and when they change their mind: absolute addresses. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** By the real clock, not an environment's. A wish: acquirers have shortest and longest times, and late money counts. */
  readonly expiresAtMs: number | null;
}

export interface CardSession {
  readonly id: string;
  /** Where to send the payer: a page on one of {@link Acquirer.hosts}, or `returnUrl` when the order is paid already. */
  readonly url: string;
}

/**
 * What became of a session. The connector has checked that it is about this payment and that what was paid was ordered.
 * Whether the payment exists, and in that currency, only its reader knows.
 */
export type CardFact =
  | (OfPayment & {
      readonly kind: 'paid';
      /** Minor units by ISO 4217. */
      readonly amount: bigint;
      readonly currency: string;
      readonly payerName: string | null;
    })
  | (OfPayment & {
      readonly kind: 'failed';
      /** `declined`: a payment that takes days did not come. A card that is declined leaves the session open. */
      readonly reason: 'expired' | 'declined';
    })
  | {
      readonly kind: 'open';
      readonly sessionId: string;
      /** Where the payer can go on; `null` while money is under way and there is nothing to do but wait. */
      readonly url: string | null;
    };

type OfPayment = Readonly<Record<'sessionId' | 'paymentId' | 'environmentId', string>>;

export interface Acquirer {
  /** Lower case, as in the path of its notifications. */
  readonly name: string;
  /** Hosts the payer is sent to, for `form-action` of the page's policy: browsers hold it against redirects of a form too. */
  readonly hosts: readonly string[];
  /** Whether its key is for environments of this mode. */
  serves(livemode: boolean): boolean;
  /** Whether it takes this currency, and this amount of it if one is given; never rounds. */
  supports(currency: string, amount?: bigint): boolean;
  /** The same order twice gives the same session as long as it is open. Throws {@link AcquirerError}. */
  createSession(order: CardOrder): Promise<CardSession>;
  /** Throws {@link AcquirerError}, also for a session that does not fit what was ordered. */
  session(id: string): Promise<CardFact>;
  /** `null`: nothing to us. Throws {@link NotificationRefused} when it may be forged, {@link AcquirerError} if unbelievable. */
  notification(rawBody: Buffer, header: (name: string) => string | undefined, nowMs: number): CardFact | null;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** Could not be reached, refused, or said something strange. The message is for logs: no secrets, nothing of the payer. */
export class AcquirerError extends Error {
  override name = 'AcquirerError';
}

/** Signature, time or form of a notification is wrong. The sender gets 400, and nothing may change. */
export class NotificationRefused extends Error {
  override name = 'NotificationRefused';
}
