/**
 * What is kept of the past of a recipient, and what becomes of it when the person is erased: the one command that changes rows which
 * are otherwise only ever added. It runs on a connection of the tables' owner, since the server may not change them (decision 0032).
 */

/** An event about the recipient; texts are JSON. */
export interface PastEvent {
  readonly sequence: bigint;
  readonly object: string;
  readonly previous: string | null;
}

/** Loaded for the command, under the environment's lock. */
export interface Past {
  /** Payouts that are waiting, pending or in transit. */
  readonly openPayouts: number;
  /** When the last payout to it was paid, milliseconds; `null`: none was. */
  readonly lastPaidAt: number | null;
  readonly events: readonly PastEvent[];
  readonly versions: readonly {
    readonly version: number;
    readonly name: string;
    readonly bankDetails: Readonly<Record<string, string>>;
  }[];
  /** The keys of the idempotency records of its requests. */
  readonly keys: readonly string[];
}

/** How all of that is rewritten. `versions` keep their former names, by which the destinations of payouts are found. */
export interface Erasure extends Omit<Past, 'openPayouts' | 'lastPaidAt'> {
  readonly recipient: string;
  /** The name that takes the place of the person's. */
  readonly name: string;
}
