/**
 * Requests of a key or a client address in one second, counted in this process. Only the counts of the current second are
 * kept. Headers: draft-ietf-httpapi-ratelimit-headers-10.
 */
const WINDOW_MS = 1000;
/** With so many counted, all are forgotten within a second too, which bounds their memory. */
const MAX_COUNTED = 100_000;

export interface RateLimit {
  /** Counts one request. Returns the requests left in this second, or -1 for one too many. */
  take(key: string, nowMs: number): number;
  readonly policy: string;
  /** The `RateLimit` header for what `take` returned. */
  header(left: number): string;
}

/** One second for all keys, from the first request after the one before. `requestsPerSecond` 0 switches the limit off. */
export function rateLimit(requestsPerSecond: number): RateLimit | null {
  if (requestsPerSecond === 0) return null;
  const used = new Map<string, number>();
  let startMs = Number.NEGATIVE_INFINITY;
  return {
    policy: `"default";q=${requestsPerSecond};w=${WINDOW_MS / 1000}`,
    header: (left) => `"default";r=${left > 0 ? left : 0};t=1`,
    take(key, nowMs) {
      // A clock that was set back starts a new second too; else all would be blocked until the clock catches up.
      if (nowMs - startMs >= WINDOW_MS || nowMs < startMs || used.size >= MAX_COUNTED) {
        used.clear();
        startMs = nowMs;
      }
      const before = used.get(key) ?? 0;
      if (before >= requestsPerSecond) return -1;
      used.set(key, before + 1);
      return requestsPerSecond - before - 1;
    },
  };
}

/**
 * The limit of client addresses, for pages without a key. Never trusts a forwarded address, which any client can send;
 * behind a proxy all visitors share the proxy's address, so switch the limit off there and let the proxy count.
 */
export function addressLimit(requestsPerSecond: number): RateLimit | null {
  const limit = rateLimit(requestsPerSecond);
  return limit && { ...limit, take: (address, nowMs) => limit.take(networkOf(address), nowMs) };
}

/** The network of one visitor: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1); // ::ffff:192.0.2.1
  const [before = [], behind = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0');
  return [...before, ...zeros, ...behind].slice(0, 4).join(':');
}
