/**
 * Requests that a client address may make in one second, for what needs no key. Remembers the addresses of the last
 * second only. Behind a proxy the address is that of the proxy, and all visitors share its limit: there, switch it off
 * and let the proxy count. Must never believe a forwarded address, since anybody can send one. Next: `rate-limit.ts`.
 */
import { type RateLimit, rateLimit } from './rate-limit.ts';

const WINDOW_MS = 1000;
/** Requests after which everything is counted anew within a second too, so that the memory it takes is bounded. */
const MAX_COUNTED = 100_000;

/** Takes addresses instead of keys; counts for all of them begin at once. `requestsPerSecond` 0 switches the limit off. */
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

/** What one visitor cannot easily leave: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1); // ::ffff:192.0.2.1
  const [before = [], behind = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - behind.length }, () => '0');
  return [...before, ...zeros, ...behind].slice(0, 4).join(':');
}
