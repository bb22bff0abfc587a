/**
 * What is kept of the past of an object that is about a person, and what becomes of it when the person is erased: the commands that
 * change rows which are otherwise only ever added. They run on a connection of the tables' owner, since the server may not change
 * them (decision 0032). Next: `redact.ts`.
 */

/** An event about the object; texts are JSON. */
export interface PastEvent {
  readonly sequence: bigint;
  readonly object: string;
  readonly previous: string | null;
}

/** Loaded for the command, under the environment's lock. */
export interface Past {
  /** Payouts to a recipient that are waiting, pending or in transit. */
  readonly openPayouts: number;
  /** When money last moved: a payout to it was paid, or money came in. Milliseconds; `null`: none did. */
  readonly lastMovedAt: number | null;
  readonly events: readonly PastEvent[];
  /** Of a recipient. */
  readonly versions: readonly {
    readonly version: number;
    readonly name: string;
    readonly bankDetails: Readonly<Record<string, string>>;
  }[];
  /** The keys of the idempotency records of its requests. */
  readonly keys: readonly string[];
}

/** How all of that is rewritten. `versions` keep their former names, by which the destinations of payouts are found. */
export interface Erasure extends Omit<Past, 'openPayouts' | 'lastMovedAt'> {
  readonly id: string;
  /** The name that takes the place of the person's. */
  readonly name: string;
  /** Of a user: the person who was it. It goes where it is no other user. */
  readonly person?: string | null;
}
