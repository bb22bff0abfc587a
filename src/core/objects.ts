/**
 * The objects Bursar keeps, as values: what a decision reads and what a change writes. Immutable: a change is a new
 * value. Amounts are minor units, instants milliseconds. Rendering for the wire is each slice's `schema.ts`.
 */
import type { EventType } from './event-types.ts';

export type Metadata = Readonly<Record<string, string>>;

export interface Environment {
  readonly id: string;
  readonly livemode: boolean;
  /** Sequence of the newest event. */
  readonly lastSequence: bigint;
  /** Instant of the newest batch; the next one is later. */
  readonly lastAtMs: number;
  /** Sandbox clock: ahead of the database clock by this much. */
  readonly clockOffsetMs: number;
  /** Counts up with every change of a webhook endpoint; 0: there never was one. */
  readonly endpointsVersion: bigint;
}

/** Why a transfer happened. */
export const CAUSES = [
  'funding',
  'transfer',
  'exchange',
  'payout',
  'payout_settlement',
  'payout_reversal',
  'payment',
] as const;
export type Cause = (typeof CAUSES)[number];

export interface Transfer {
  readonly object: 'transfer';
  readonly id: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly cause: Cause;
  /** The exchange, payout or payment it belongs to. */
  readonly causeId: string | null;
  /** `null` for a house account. */
  readonly debitBalanceAfter: bigint | null;
  readonly creditBalanceAfter: bigint | null;
  readonly description: string | null;
  readonly metadata: Metadata | null;
  readonly createdAt: number;
}

/** Details of a bank account as payers need them: `account_holder`, `iban` and so on. */
export type BankAccount = Readonly<Record<string, string>>;

export const PAYMENT_LINK_STATUSES = ['active', 'completed', 'expired', 'canceled'] as const;
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number];

export interface PaymentLink {
  readonly object: 'payment_link';
  readonly id: string;
  /** Unguessable; the last part of `url`. */
  readonly token: string;
  readonly url: string;
  readonly account: string;
  readonly currency: string;
  /** `null`: the payer says how much, between the bounds. */
  readonly amount: bigint | null;
  readonly minimum: bigint | null;
  readonly maximum: bigint | null;
  readonly reusable: boolean;
  /** Of a reusable link; `null` is any number. */
  readonly maxPayments: number | null;
  readonly status: PaymentLinkStatus;
  /** Payments that were paid in full. */
  readonly paymentsCount: number;
  /** Payments that wait for money. */
  readonly openCount: number;
  /** All that came in, duplicates and what was refunded later included. */
  readonly received: bigint;
  readonly description: string | null;
  readonly reference: string | null;
  readonly customerEmail: string | null;
  readonly redirectUrl: string | null;
  readonly message: string | null;
  readonly metadata: Metadata;
  readonly expiresAt: number | null;
  /** When it stopped being active. */
  readonly endedAt: number | null;
  readonly createdAt: number;
}

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

export const PAYMENT_METHODS = ['bank_transfer', 'card'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Money expected or received through a link. */
export interface Payment {
  readonly object: 'payment';
  readonly id: string;
  readonly link: string;
  /** Unguessable; opens the page of this payment. `null`: a duplicate has none. */
  readonly token: string | null;
  /** What the payer must name: ISO 11649, without blanks. A duplicate has that of what it duplicates. */
  readonly reference: string;
  readonly account: string;
  readonly method: PaymentMethod;
  readonly currency: string;
  /** Asked for. */
  readonly amount: bigint;
  readonly received: bigint;
  readonly refunded: bigint;
  readonly status: PaymentStatus;
  /** The payment that was paid already when this money came. */
  readonly duplicateOf: string | null;
  readonly failureCode: PaymentFailure | null;
  readonly payerName: string | null;
  /** Account it came from, for refunds: an IBAN. */
  readonly payerIban: string | null;
  /** The acquirer's session. */
  readonly session: string | null;
  /** The last transfer that credited the account. */
  readonly transfer: string | null;
  /** The last payout that refunds it. */
  readonly refund: string | null;
  readonly metadata: Metadata;
  /** Until then it waits for money; `null`: it waits no longer. */
  readonly dueAt: number | null;
  /** When it was paid in full. */
  readonly paidAt: number | null;
  readonly createdAt: number;
}

export const PAYMENT_FAILURES = ['expired', 'declined', 'canceled'] as const;
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number];

export const DISABLED_REASONS = ['requested', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A signing secret as it is kept: sealed, never in clear. */
export interface SealedSecret {
  readonly sealed: string;
  /** When it stops signing; `null` is the current one. */
  readonly expiresAt: number | null;
}

export interface WebhookEndpoint {
  readonly object: 'webhook_endpoint';
  readonly id: string;
  readonly url: string;
  /** Types and families of types, as asked for. */
  readonly enabledEvents: readonly string[];
  readonly description: string | null;
  /** One delivery in flight, in order of sequence. */
  readonly ordered: boolean;
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: number | null;
  /** Newest first. */
  readonly secrets: readonly SealedSecret[];
  readonly metadata: Metadata;
  readonly createdAt: number;
  readonly deletedAt: number | null;
}

/** What a replay sends again: what did not succeed, all that the endpoint asks for, or the named event whatever its type. */
export const REPLAY_KINDS = ['failed', 'all', 'named'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** A job that sends the events of a range again. How far it is, only the dispatcher knows. */
export interface WebhookReplay {
  readonly object: 'webhook_replay';
  readonly id: string;
  readonly endpoint: string;
  /** Events after this sequence, up to and with `until`. */
  readonly after: bigint;
  readonly until: bigint;
  readonly which: ReplayKind;
  readonly createdAt: number;
}

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held', 'parked'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt, as it is kept and as it is answered. */
export interface DeliveryAttempt {
  /** Unix seconds, environment clock. */
  readonly started: number;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

/** One event on its way to one endpoint, for answers. The dispatcher keeps it (`webhooks/delivery-sql.ts`). */
export interface Delivery {
  readonly object: 'delivery';
  readonly id: string;
  readonly endpoint: string;
  /** `null` once the event is older than what is kept. */
  readonly event: string | null;
  readonly eventType: EventType | null;
  readonly sequence: bigint;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: number | null;
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdAt: number;
}

/**
 * Every kind of object that lives in a table of its own and may change, by name. A slice adds its kinds to this interface
 * (`declare module`), so that drafts and the write path know them and `core` knows no slice.
 */
export interface Stored {
  readonly webhook_endpoint: WebhookEndpoint;
  readonly webhook_replay: WebhookReplay;
  readonly payment_link: PaymentLink;
  readonly payment: Payment;
}
export type StoredKind = keyof Stored;
export type StoredObject = Stored[StoredKind];

/** Kinds that no event is about. */
export interface Unannounced {
  readonly webhook_replay: WebhookReplay;
}
/** Objects an event can be about. */
export type EventObject = Stored[Exclude<StoredKind, keyof Unannounced>];

/** An event before it is rendered: what happened to which object, in which order. */
export interface Event {
  readonly id: string;
  readonly sequence: bigint;
  readonly type: EventType;
  readonly object: EventObject;
  /** Wire names to what they were before. */
  readonly previous: Readonly<Record<string, unknown>> | null;
  /** The transfer behind a `balance.updated`. */
  readonly transfer: string | null;
  readonly createdAt: number;
}
