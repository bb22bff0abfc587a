/** Events as JSON, and their schema. The stored columns hold the exact JSON of the object at the time of the event. */
import { type Actor, actorOf } from '../../core/actor.ts';
import { idOf, NAMES, type Prefix } from '../../core/values/ids.ts';
import { EVENT_TYPES, type EventType, typesMatching as typesOf } from '../../core/event-types.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { boolean, choice, integer, list, optional, paramError, text } from '../../platform/http/request/params.ts';
import { API_VERSION } from '../../core/values/version.ts';
import type { TextSeals } from '../../platform/vault/seals.ts';
import { objectFrom } from './sql.ts';

/** An event to be rendered: ids have their prefixes, `object` and `previous` are JSON. */
export interface EventParts {
  readonly id: string;
  readonly type: string;
  readonly createdAt: number;
  readonly sequence: bigint;
  readonly object: string;
  readonly previous: string | null;
  readonly transfer: string | null;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  readonly actor: Actor | null;
}

/** In the newest version of the API: the same bytes for the same event every time: at its commit, from the database, at every attempt of a delivery. */
export function renderEventParts(event: EventParts, livemode: boolean): string {
  const { id, type, createdAt, sequence, object, previous, transfer, requestId, idempotencyKey, actor } = event;
  const data = `"object":${object}${previous === null ? '' : `,"previous_attributes":${previous}`}${transfer === null ? '' : `,"transfer":"${transfer}"`}`;
  const request = requestId === null ? 'null' : `"${requestId}"`;
  const by = actor === null ? 'null' : `"${actor}"`;
  return `{"id":"${id}","object":"event","type":"${type}","created":${unixSeconds(createdAt)},"sequence":${sequence},"livemode":${livemode},"api_version":"${API_VERSION}","data":{${data}},"request":{"id":${request},"idempotency_key":${JSON.stringify(idempotencyKey)},"actor":${by}}}`;
}

/** Renders the row of an event. */
export type RenderEvent = (row: Row, livemode: boolean) => string;

export const eventRenderer =
  (seals: Pick<TextSeals, 'open'>): RenderEvent =>
  (row, livemode) => {
    const transfer = row['transfer_id'] as string | null;
    const request = row['request_id'] as string | null;
    return renderEventParts(
      {
        id: eventIdOf(row),
        type: typeOf(row),
        createdAt: row['created_at'] as number,
        sequence: row['sequence'] as bigint,
        object: objectFrom(row, seals),
        previous: row['previous_attributes'] as string | null,
        transfer: transfer === null ? null : idOf('trf', transfer),
        requestId: request === null ? null : idOf('req', request),
        idempotencyKey: row['idempotency_key'] as string | null,
        actor: actorOf(row['actor'] as string | null),
      },
      livemode,
    );
  };

export const eventIdOf = (row: Row): string => idOf('evt', row['id'] as string);
export const typeOf = (row: Row): EventType => row['type'] as EventType;

const pattern = text({
  kind: 'code',
  max: 60,
  description: 'A type, or a family of types such as `payout.*`.',
  example: 'payout.*',
});

export const eventFilters = optional({
  type: choice(pattern),
  types: list(pattern, { max: 20, description: 'Several types or families.' }),
  related_object: text({ kind: 'code', max: 40, description: 'Only events about the object with this id.' }),
  after_sequence: integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Only events after this one; with `order=asc` it catches up.',
  }),
  delivery_success: boolean({
    description:
      '`true`: only events without an unfinished delivery: all webhook deliveries have succeeded, or no endpoint asked for the event. `false`: only events with a delivery that is pending, failed, held or parked.',
  }),
});

/** The types that match the patterns. Throws `parameter_invalid` for a pattern that matches none. */
export function typesMatching(patterns: readonly string[], param: string): EventType[] {
  const matching = new Set<EventType>();
  for (const each of patterns) {
    const types = typesOf(each);
    if (types.length === 0) {
      const message = `${JSON.stringify(each)} is no event type; send a type or a family such as payout.*.`;
      throw paramError('parameter_invalid', param, message, { allowed: EVENT_TYPES });
    }
    for (const type of types) matching.add(type);
  }
  return [...matching];
}

/** The known prefix that an id begins with. */
export function prefixOfId(id: string): Prefix | undefined {
  return (Object.keys(NAMES) as Prefix[]).find((prefix) => id.startsWith(`${prefix}_`));
}
