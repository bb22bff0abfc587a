/** How metadata changes: keys in the request are set, an empty value unsets its key, other keys stay. Contract, section 2. */
import { type Refusal, refusal } from './values/errors.ts';
import type { Metadata } from './objects.ts';

export const MAX_METADATA_KEYS = 50;

/** The update that unsets every key: the empty key, which no client can send, stands for all keys. A create ignores it. */
export const UNSET_ALL: Metadata = Object.freeze({ '': '' });

/** The metadata after an update, or `metadata_invalid` where it would hold more than 50 keys. */
export function mergeMetadata(before: Metadata, update: Metadata | undefined): Metadata | Refusal {
  if (!update) return before;
  if (update[''] !== undefined) return {};
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(update)) {
    if (value === '') merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > MAX_METADATA_KEYS) {
    return refusal(
      'metadata_invalid',
      `The object would hold ${merged.size} metadata keys, at most ${MAX_METADATA_KEYS} are allowed. Unset some with an empty value.`,
      { param: 'metadata' },
    );
  }
  return Object.fromEntries(merged);
}

/** Metadata of a new object: nothing to unset, so empty values are dropped. */
export function newMetadata(given: Metadata | undefined): Metadata {
  return given ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) : {};
}

/** What the changed keys were before, for an event: `null` where a key did not exist. */
export function previousMetadata(before: Metadata, after: Metadata): Record<string, string | null> {
  // Maps, because `__proto__` and `constructor` are keys like any other.
  const [old, fresh] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changed = [...new Set([...old.keys(), ...fresh.keys()])].filter((key) => old.get(key) !== fresh.get(key));
  return Object.fromEntries(changed.map((key) => [key, old.get(key) ?? null]));
}
