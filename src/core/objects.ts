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
