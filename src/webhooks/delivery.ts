/**
 * A delivery in the hands of a dispatcher, and the lease it is held under. The write path hands over what it has just
 * committed; everything else is claimed from the database (`webhooks/dispatcher.ts`).
 */
import type { Key } from '../db/wire/statement.ts';

/** How long a delivery belongs to the dispatcher that claimed it; after that any other may send it. */
export const LEASE_MS = 30_000;
/** A delivery that has not been begun by then is left to the next claim: an exchange takes up to 15 s. */
export const BEGIN_WITHIN_MS = 13_000;

export interface ClaimedDelivery {
  readonly environmentId: string;
  readonly livemode: boolean;
  readonly endpointId: string;
  readonly sequence: bigint;
  readonly eventId: string;
  /** The event as it is sent: the same bytes at every attempt. */
  readonly body: string;
  /** The fence: bookkeeping counts only while the row still has this number. */
  readonly claims: number;
  /** Waits for its turn: the endpoint is ordered. */
  readonly inOrder: boolean;
  /** Failed attempts of the present run through the schedule. */
  readonly failures: number;
  readonly clockOffsetMs: number;
  /** Settings of the endpoint older than this must be read again. */
  readonly endpointsVersion: bigint;
  /** Process clock (`performance.now`). */
  readonly claimedAtMs: number;
  /** Handed over at the commit of its event: its latency is measured. */
  readonly isFresh: boolean;
}

/** What the write path notifies of its commits. */
export interface Outbox {
  /** How many more deliveries to this endpoint this process would take in hand at once. */
  roomFor(endpointId: string): number;
  /** After COMMIT; never called for what was not committed. Must not throw. */
  committed(committed: Committed): void;
}

export interface Committed {
  /** Environments in which something may be new: events, or the clock of a sandbox. */
  readonly environmentIds: readonly string[];
  /** How many commands shared the commit. */
  readonly commands: number;
  readonly handedOver: readonly ClaimedDelivery[];
  /** Ordered endpoints for which something waits in the database. */
  readonly inOrder: readonly Key[];
  /** Whether other deliveries were left in the database, without a lease. */
  readonly hasMore: boolean;
  /** Whether a replay was asked for. */
  readonly hasReplay: boolean;
}
