/**
 * Subscriptions as they were read last, by environment. The version on the environment's row, which every batch reads
 * under its lock, says whether they still hold: no process can act on old ones. Bounded; the oldest entry goes first.
 */
import type { Environment } from '../core/objects.ts';
import type { Subscription } from '../core/state.ts';

const MAX_ENVIRONMENTS = 10_000;
const cachedSandbox = new Map<string, { readonly version: bigint; readonly subscriptions: readonly Subscription[] }>();

const NONE: readonly Subscription[] = [];

/** `undefined`: they must be read. */
export function knownSubscriptions({ id, endpointsVersion }: Environment): readonly Subscription[] | undefined {
  if (endpointsVersion === 0n) return NONE; // there never was an endpoint
  const known = cachedSandbox.get(id);
  return known?.version === endpointsVersion ? known.subscriptions : undefined;
}

export function keepSubscriptions({ id, endpointsVersion }: Environment, subscriptions: readonly Subscription[]): void {
  if (!cachedSandbox.has(id) && cachedSandbox.size >= MAX_ENVIRONMENTS) {
    const oldest = cachedSandbox.keys().next();
    if (!oldest.done) cachedSandbox.delete(oldest.value);
  }
  cachedSandbox.set(id, { version: endpointsVersion, subscriptions });
}
