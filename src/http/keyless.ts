/**
 * Requests that no valid key stands behind, counted by client address: pages of the API, unknown paths, no key, made-up keys.
 * One too many is answered late, so that a connection which asks without pause gets few answers. Requests with a valid key are
 * never counted here, whatever else comes from their address. Payment pages have limits of their own (`page.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestError } from '../core/errors.ts';
import type { ClientAddresses, Origin } from './client-address.ts';
import { tokenBuckets } from './rate-limit.ts';

export interface Keyless {
  /** Whether an unknown key from this address may be looked up, which counts it. */
  mayLookUp(request: Origin): boolean;
  /** The look-up found a valid key, or failed: the request does not count. */
  forgive(request: Origin): void;
  /** Counts a request. Rejects with `rate_limited`, late, when it is one too many. */
  count(request: Origin): Promise<void>;
}

/** `perSecond` 0 switches the limit off. */
export function keyless(clients: ClientAddresses, perSecond: number): Keyless {
  const buckets = tokenBuckets(perSecond);
  const take = (request: Origin) => buckets.take(clients.networkOf(request), performance.now());
  return {
    mayLookUp: take,
    forgive: (request) => buckets.giveBack(clients.networkOf(request)),
    async count(request) {
      if (take(request)) return;
      await holdBack();
      throw new RequestError('rate_limited', 'Too many requests without a valid API key. Retry after 1 second.');
    },
  };
}

const HOLD_MS = 1_000;
/** With so many held back, further ones are answered at once: each keeps some kilobytes. */
const MAX_HELD = 1_000;
let held = 0;

/** Resolves a second later; at once when a thousand requests are held back already. */
export async function holdBack(): Promise<void> {
  if (held >= MAX_HELD) return;
  held += 1;
  await sleep(HOLD_MS);
  held -= 1;
}
