/** Patterns of event types: `payout.created`, a family such as `payout.*`, or `*` for all. */
import { EVENT_TYPES, type EventType } from './objects.ts';

/** The types a pattern stands for; none if it stands for nothing. */
export function typesMatching(pattern: string): readonly EventType[] {
  if (pattern === '*') return EVENT_TYPES;
  const family = pattern.endsWith('.*') ? pattern.slice(0, -1) : null;
  return EVENT_TYPES.filter((type) => (family === null ? type === pattern : type.startsWith(family)));
}
