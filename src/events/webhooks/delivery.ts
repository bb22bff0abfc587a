/**
 * A delivery that a dispatcher has claimed, or got from the write path at its commit, and its lease (`dispatcher.ts`).
 */
import type { Key } from '../../platform/db/wire/statement.ts';

/** How long a delivery belongs to the dispatcher that claimed it. After that any dispatcher may claim it. */
export const LEASE_MS = 30_000;
/** A delivery that has not been begun by then is left to the next claim, because an exchange takes up to 15 s of the lease. */
export const BEGIN_WITHIN_MS = 13_000;

export interface ClaimedDelivery {
  readonly environmentId: string;
  readonly livemode: boolean;
  readonly endpointId: string;
  readonly sequence: bigint;
  readonly eventId: string;
  /** The event in the newest version: the same bytes at every attempt. */
  readonly body: string;
  /** The fence: a result is written only while the row still has this number. */
  readonly claims: number;
  /** The endpoint is ordered: one delivery at a time. */
  readonly inOrder: boolean;
  /** Failed attempts since the delivery, or its last replay, began the schedule. */
  readonly failures: number;
  readonly clockOffsetMs: number;
  /** The endpoint's settings must be at least as new as this version. */
  readonly endpointsVersion: bigint;
  /** Process clock (`performance.now`). */
  readonly claimedAtMs: number;
  /** Handed over at the commit of its event, so that its latency can be measured. */
  readonly isFresh: boolean;
  /** Trace of the request that caused the event; `null`: none. */
  readonly trace: string | null;
}

/** The dispatcher as the write path sees it. */
export interface Outbox {
  /** How many more deliveries to this endpoint fit in the queue of this process. */
  roomFor(endpointId: string): number;
  /** Called after COMMIT, and only if it succeeded. Must not throw. */
  committed(committed: Committed): void;
}

export interface Committed {
  /** Environments with new events or another clock. */
  readonly environmentIds: readonly string[];
  /** How many commands shared the commit. */
  readonly commands: number;
  readonly handedOver: readonly ClaimedDelivery[];
  /** Ordered endpoints with a delivery that waits in the database. */
  readonly inOrder: readonly Key[];
  /** Whether other deliveries were left in the database, without a lease. */
  readonly hasMore: boolean;
  /** Whether a replay was created. */
  readonly hasReplay: boolean;
}
