/** Updates of what a user may write: what differs is written and announced once; where nothing differs, nothing happens. */
import { type Decision, isRefusal } from './decision.ts';
import type { EventType } from './event-types.ts';
import { snakeCase } from './fields.ts';
import { mergeMetadata, previousMetadata } from './metadata.ts';
import type { EventObject, Metadata, Stored, StoredObject } from './objects.ts';
import type { Draft } from './draft.ts';

type Noted = EventObject & StoredObject & { readonly metadata: Metadata };

/** Properties as a command gives them: `undefined` says nothing about it, `null` unsets it. */
export type Given<T, K extends keyof T> = { readonly [P in K]: T[P] | undefined };

export function withGiven<T, K extends keyof T>(object: T, given: Partial<Given<T, K>>, properties: readonly K[]): T {
  const changes = properties.filter((property) => given[property] !== undefined);
  return { ...object, ...Object.fromEntries(changes.map((property) => [property, given[property]])) };
}

/** Sets and unsets metadata. Refuses `metadata_invalid`. */
export function updateMetadata(draft: Draft, object: Noted, given: Metadata | undefined, event: EventType): Decision {
  const metadata = mergeMetadata(object.metadata, given);
  if (isRefusal(metadata)) return metadata;
  return update(draft, object, { ...object, metadata }, {}, event);
}

/** Writes `after`. The event has the former values: `previous` by wire names, and the changed keys of the metadata. */
export function update<T extends Noted>(
  draft: Draft,
  before: T,
  after: T,
  previous: Readonly<Record<string, unknown>>,
  event: EventType,
): Decision {
  const keys = previousMetadata(before.metadata, after.metadata);
  const all = { ...previous, ...(Object.keys(keys).length > 0 && { metadata: keys }) };
  if (Object.keys(all).length === 0) return before;
  return draft.update(after, event, all);
}

/** Those of the properties that differ, as they were. `nameOf`: of the object's type, where members are not called as properties are. */
export function previousOf<T>(
  before: T,
  after: T,
  properties: readonly (keyof T & string)[],
  nameOf: (property: string) => string = snakeCase,
): Record<string, unknown> {
  const changed = properties.filter((property) => before[property] !== after[property]);
  return Object.fromEntries(changed.map((property) => [nameOf(property), before[property]]));
}

/** Compares members, not JSON: jsonb does not keep the order of members. */
export function sameMembers(one: object, other: object): boolean {
  const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return before.size === after.size && [...before].every(([name, value]) => after.get(name) === value);
}

/** How a standing order ends before its last day: somebody cancels it, or the person that it pays is erased. */
export function cancelOrder(
  draft: Draft,
  order: Stored['standing_order'],
  why: Stored['standing_order']['canceledReason'],
): Stored['standing_order'] {
  const ended = { status: 'canceled', pausedReason: null, next: null, dueAt: null, endedAt: draft.atMs } as const;
  const after: Stored['standing_order'] = { ...order, ...ended, canceledReason: why };
  return draft.update(after, 'standing_order.canceled', { status: order.status, next_run_on: order.next });
}
