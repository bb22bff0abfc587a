/**
 * The subscriptions of environments, by the version on the environment's row, which every batch reads under its lock.
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

/** Call when the database may be an earlier one: after a restore, versions count through numbers that they had. */
export function forgetSubscriptions(): void {
  cache.clear();
}
