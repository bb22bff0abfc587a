/**
 * A cache of the subscriptions of each environment. The version on the environment's row, which every batch reads under its
 * lock, says whether an entry still holds, so no process can act on old ones. Bounded; the oldest entry goes first.
 */
import type { Environment } from '../core/objects.ts';
import type { Subscription } from '../core/state.ts';

const MAX_ENVIRONMENTS = 10_000;
const cache = new Map<string, { readonly version: bigint; readonly subscriptions: readonly Subscription[] }>();

const NONE: readonly Subscription[] = [];

/** `undefined`: they must be read. */
export function knownSubscriptions({ id, endpointsVersion }: Environment): readonly Subscription[] | undefined {
  if (endpointsVersion === 0n) return NONE; // there never was an endpoint
  const known = cache.get(id);
  return known?.version === endpointsVersion ? known.subscriptions : undefined;
}

export function keepSubscriptions({ id, endpointsVersion }: Environment, subscriptions: readonly Subscription[]): void {
  if (!cache.has(id) && cache.size >= MAX_ENVIRONMENTS) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.set(id, { version: endpointsVersion, subscriptions });
}

/**
 * Call when the database may be another or an earlier one than before. After a restore the version on the row counts through
 * numbers that it has had, and an entry under one of them would name endpoints that do not exist.
 */
export function forgetSubscriptions(): void {
  cache.clear();
}
