/**
 * Requests of a client address in one second, for pages without a key. Keeps the counts of the current second only. Never
 * trusts a forwarded address, which any client can send; behind a proxy all visitors share the proxy's address, so switch
 * the limit off there and let the proxy count. Next: `rate-limit.ts`.
 */
import { type RateLimit, rateLimit } from './rate-limit.ts';

const WINDOW_MS = 1000;
/** Requests after which the counts are cleared within a second too, which bounds their memory. */
const MAX_COUNTED = 100_000;

/** A rate limit by address, with one window for all addresses. `requestsPerSecond` 0 switches it off. */
export function addressLimit(requestsPerSecond: number): RateLimit | null {
  let counts = rateLimit(requestsPerSecond);
  if (counts === null) return null;
  const { policy, header } = counts;
  let startMs = Number.NEGATIVE_INFINITY;
  let counted = 0;
  return {
    policy,
    header,
    take(address, nowMs) {
      if (counts === null || nowMs - startMs >= WINDOW_MS || counted >= MAX_COUNTED) {
        counts = rateLimit(requestsPerSecond) as RateLimit;
        startMs = nowMs;
        counted = 0;
      }
      counted += 1;
      return counts.take(networkOf(address), nowMs);
    },
  };
}

/** The network of one visitor: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1); // ::ffff:192.0.2.1
  const [before = [], behind = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0');
  return [...before, ...zeros, ...behind].slice(0, 4).join(':');
}
