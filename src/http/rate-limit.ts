/**
 * Requests of a key in one second, counted in this process. Only existing keys are counted, so the number of keys bounds
 * the memory. Headers: draft-ietf-httpapi-ratelimit-headers-10.
 */
const WINDOW_MS = 1000;

interface Window {
  startMs: number;
  used: number;
}

export interface RateLimit {
  /** Counts one request. Returns the requests left in this second, or -1 for one too many. */
  take(keyId: string, nowMs: number): number;
  /** The `RateLimit-Policy` header. */
  readonly policy: string;
  /** The `RateLimit` header for what `take` returned. */
  header(left: number): string;
}

/** `requestsPerSecond` 0 switches the limit off. */
export function rateLimit(requestsPerSecond: number): RateLimit | null {
  if (requestsPerSecond === 0) return null;
  const windows = new Map<string, Window>();
  return {
    policy: `"default";q=${requestsPerSecond};w=${WINDOW_MS / 1000}`,
    header: (left) => `"default";r=${left > 0 ? left : 0};t=1`,
    take(keyId, nowMs) {
      let window = windows.get(keyId);
      if (window === undefined) {
        window = { startMs: nowMs, used: 0 };
        windows.set(keyId, window);
      }
      // A clock that was set back starts a new window too; else the key would be blocked until the clock catches up.
      if (nowMs - window.startMs >= WINDOW_MS || nowMs < window.startMs) {
        window.startMs = nowMs;
        window.used = 0;
      }
      if (window.used >= requestsPerSecond) return -1;
      window.used += 1;
      return requestsPerSecond - window.used;
    },
  };
}
