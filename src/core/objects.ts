/**
 * The objects Bursar keeps, as values: what a decision reads and what a change writes. Immutable: a change is a new
 * value. Amounts are minor units, instants milliseconds. Rendering for the wire is each slice's `schema.ts`.
 */
import type { EventType } from './event-types.ts';
import type { FeeRule } from './fee-rules.ts';
import type { Fx } from './fx.ts';
import type { PayingBank } from './rails/paying-banks.ts';
import type { PayoutRules } from './payout-rules.ts';

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
  readonly payoutRules: PayoutRules | null;
  readonly fees: readonly FeeRule[];
  readonly payingBanks: readonly PayingBank[];
  readonly fx: Fx;
}

/** Details of a bank account as payers need them: `account_holder`, `iban` and so on. */
export type CollectionAccount = Readonly<Record<string, string>>;

/** Every kind of object that has a table of its own and may change, by name. Slices add theirs (`declare module`). */
export interface Stored {}
export type StoredKind = keyof Stored;
export type StoredObject = Stored[StoredKind];

/** Kinds that no event is about. */
export interface Unannounced {}
/** What events show without a table of its own: parts of the environment's row. */
export interface Announced {}
export type EventObject = Stored[Exclude<StoredKind, keyof Unannounced>] | Announced[keyof Announced];

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
