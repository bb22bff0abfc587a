/**
 * How often a key or an address may ask: requests in one second, with headers
 * (draft-ietf-httpapi-ratelimit-headers-10), and buckets of tokens. Counted in this process, in bounded memory.
 */
const WINDOW_MS = 1000;
/** With so many counted, all are forgotten within a second too, which bounds their memory. */
const MAX_COUNTED = 100_000;

export interface RateLimit {
  /** Counts one request. Returns the requests left in this second, or -1 for one too many. */
  take(key: string, nowMs: number): number;
  /** Whether the next one would be one too many. Counts nothing. */
  isSpent(key: string, nowMs: number): boolean;
  readonly policy: string;
  /** The `RateLimit` header for what `take` returned. */
  header(left: number): string;
}

/** One second for all keys, from the first request after the one before. `requestsPerSecond` 0 switches the limit off. */
export function rateLimit(requestsPerSecond: number): RateLimit | null {
  if (requestsPerSecond === 0) return null;
  const used = new Map<string, number>();
  let startMs = Number.NEGATIVE_INFINITY;
  // A clock that was set back starts a new second too; else all would be blocked until the clock catches up.
  const isOver = (nowMs: number) => nowMs - startMs >= WINDOW_MS || nowMs < startMs;
  return {
    policy: `"default";q=${requestsPerSecond};w=${WINDOW_MS / 1000}`,
    header: (left) => `"default";r=${left > 0 ? left : 0};t=1`,
    take(key, nowMs) {
      if (isOver(nowMs) || used.size >= MAX_COUNTED) {
        used.clear();
        startMs = nowMs;
      }
      const before = used.get(key) ?? 0;
      if (before >= requestsPerSecond) return -1;
      used.set(key, before + 1);
      return requestsPerSecond - before - 1;
    },
    isSpent: (key, nowMs) => !isOver(nowMs) && (used.get(key) ?? 0) >= requestsPerSecond,
  };
}

export interface TokenBuckets {
  /** Takes a token of this key. `false`: there is none. */
  take(key: string, nowMs: number): boolean;
  /** Gives back a token that was taken for nothing. */
  giveBack(key: string): void;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** With so many kept, the key that was not used for longest is forgotten, which gives it a full bucket. */
const MAX_BUCKETS = 20_000;

/** A bucket a key, which holds `perSecond` tokens at most and as many come in a second. 0 switches the limit off. */
export function tokenBuckets(perSecond: number): TokenBuckets {
  if (perSecond === 0) return { take: () => true, giveBack: () => undefined };
  const buckets = new Map<string, Bucket>();
  return {
    take(key, nowMs) {
      const bucket = buckets.get(key) ?? { tokens: perSecond, atMs: nowMs };
      bucket.tokens = Math.min(perSecond, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000);
      bucket.atMs = nowMs;
      buckets.delete(key); // to the end of the order
      buckets.set(key, bucket);
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.tokens += 1;
    },
  };
}
