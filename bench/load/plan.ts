/** What a load does and what it found: the words between `run-load.ts` (who asks) and `generator.ts` (who does it). */

/** Stands in a body for the key of the request, padded to this length: for peers that want their key there. */
export const KEY_IN_BODY = '{idempotency-key-of-the-request}';

/** One request to be repeated. The body is ASCII and goes over the wire as it stands, but for {@link KEY_IN_BODY}. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key: string;
  /** `null` for GET. */
  readonly body: string | null;
  readonly contentType?: string;
  /** The status that means done; 200 unless given. */
  readonly success?: number;
}

export interface Plan {
  readonly port: number;
  /** Connections, kept alive, one request in flight each. */
  readonly clients: number;
  /** Taken in turn by whichever client is free. */
  readonly requests: readonly Request[];
  /** Writes carry an `Idempotency-Key` that begins with this; `null` sends none. Must differ between loads. */
  readonly keyPrefix: string | null;
  /** Answers of this long are counted as answers but not measured. */
  readonly warmupMs: number;
  /** Ignored where `total` is given. */
  readonly measureMs: number;
  /** Stop after this many answers instead. */
  readonly total: number | null;
}

export interface Load {
  /** Every success, warm-up and the last requests under way included: what the books must show. */
  readonly answers: number;
  /** Answers within the measured time. */
  readonly measured: number;
  readonly measuredMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Other answers, and connections that broke. */
  readonly failures: number;
  /** The first of them, in words. */
  readonly firstFailure: string | null;
}
