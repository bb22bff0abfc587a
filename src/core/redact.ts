/** What erasing a person from an object is, whatever its kind: the object, its events, its records. Pure. Decision record 0032. */
import type { AuditAction } from './audit.ts';
import type { Decision } from './decision.ts';
import type { Draft } from './draft.ts';
import type { Erasure, Past, PastEvent } from './erasure.ts';
import type { EventType } from './event-types.ts';
import type { EventObject, StoredObject } from './objects.ts';
import { assert } from './values/assert.ts';
import { type Refusal, refusal } from './values/errors.ts';
import { isoDay } from './values/time.ts';

export const REDACTED_NAME = 'Redacted';

/** A name is replaced, so that it shows that there was one. */
export const redactedName = (name: string | null): string | null => (name === null ? null : REDACTED_NAME);

/** `{name, account_last4}`, as payments and bank entries show the other side. */
export const redactedParty = ({ name }: { readonly name: string | null }) => ({
  name: redactedName(name),
  account_last4: null,
});

/** What each member of the JSON becomes. */
export type Members = Readonly<Record<string, (value: never) => unknown>>;

export interface Redaction<T> {
  /** The properties that hold the person, as they are to be. */
  readonly to: Partial<T>;
  readonly members: Members;
  readonly audit: AuditAction;
  readonly event?: EventType;
  /** For so long after money last moved, the records are kept; 0: no time. */
  readonly retentionYears: number;
}

/** Whether an object has more of the person than is to be left. */
const holdsMore = <T>(object: T, to: Partial<T>): boolean =>
  Object.entries(to).some(([name, value]) => JSON.stringify(object[name as keyof T]) !== JSON.stringify(value));

/** Refuses `retention_required`. Where nothing of the person is left, nothing changes. */
export function redact<T extends EventObject & StoredObject>(
  draft: Draft,
  object: T,
  redaction: Redaction<T>,
): Decision {
  const { to, members, audit, event, retentionYears } = redaction;
  const { id } = object;
  const past = pastOf(draft, id);
  const kept = mustBeKept(id, past.lastMovedAt, retentionYears, draft.atMs);
  if (kept) return kept;
  const events = past.events.map((each) => withoutPerson(each, members));
  const isLeft = events.some((each, at) => each.object !== past.events[at]?.object);
  if (!isLeft && !holdsMore(object, to)) return object;
  const erasure: Erasure = { id, name: REDACTED_NAME, events, versions: [], keys: past.keys };
  draft.erase(erasure);
  draft.audit(audit, id);
  return draft.update({ ...object, ...to }, event);
}

export function pastOf(draft: Draft, id: string): Past {
  const past = draft.state.pasts.get(id);
  assert(past, 'the past of an object is loaded with the command that erases it');
  return past;
}

export function mustBeKept(id: string, lastMovedAt: number | null, years: number, atMs: number): Refusal | null {
  if (lastMovedAt === null || years === 0) return null;
  const until = new Date(lastMovedAt);
  until.setUTCFullYear(until.getUTCFullYear() + years);
  if (until.getTime() <= atMs) return null;
  const message = `The records of ${id} have to be kept for ${years} years after money last moved, until ${isoDay(until.getTime())}. Erase the person after that day.`;
  return refusal('retention_required', message);
}

export function withoutPerson({ sequence, object, previous }: PastEvent, members: Members): PastEvent {
  const rewritten = (json: string) => withMembers(json, members);
  return { sequence, object: rewritten(object), previous: previous === null ? null : rewritten(previous) };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Changes top-level members. All other bytes stay, amounts such as `250.00` too. The JSON is one that we rendered. */
export function withMembers(json: string, members: Members): string {
  const parts: string[] = [];
  let depth = 0;
  let from = 1;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']';
    if (token === '{' || token === '[') depth += 1;
    else if (isEnd) depth -= 1;
    if ((isEnd && depth === 0) || (token === ',' && depth === 1)) {
      parts.push(json.slice(from, index));
      from = index + 1;
    }
  }
  const changed = parts.map((part) => {
    const name = part.slice(1, part.indexOf('":'));
    const change = Object.hasOwn(members, name) ? members[name] : undefined;
    if (change === undefined) return part;
    return `"${name}":${JSON.stringify(change(JSON.parse(part.slice(name.length + 3)) as never))}`;
  });
  return `{${changed.join(',')}}`;
}
