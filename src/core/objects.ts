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

/**
 * Every kind of object that lives in a table of its own and may change, by name. A slice adds its kinds to this interface
 * (`declare module`), so that drafts and the write path know them and `core` knows no slice.
 */
export interface Stored {}
export type StoredKind = keyof Stored;
export type StoredObject = Stored[StoredKind];

/** Kinds that no event is about. */
export interface Unannounced {}
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
