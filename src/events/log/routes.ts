/** The operations of the event log. */
import { isId, sequenceOf, uuidOf } from '../../core/values/ids.ts';
import { between, type Condition, cursorOf, type PageQuery } from '../../platform/db/wire/page.ts';
import { listParams } from '../../platform/http/lists.ts';
import { paramError, pathId } from '../../platform/http/request/params.ts';
import { always, answers, answersList, type Route, routesOf } from '../../platform/http/route.ts';
import { listPage, missing, type Service } from '../../platform/http/service.ts';
import { ACCOUNT } from '../../core/account.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { assertReached, sequencesBetween } from './range.ts';
import { eventFilters, eventIdOf, prefixOfId, type RenderEvent, typesMatching } from './schema.ts';
import { eventAt, eventsOf, ofDelivery, ofTypes } from './sql.ts';

const route = routesOf('Events', 'events');

/** The example of the OpenAPI document. */
export const EXAMPLE = {
  id: 'evt_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'event',
  type: 'balance.updated',
  created: 1_732_184_000,
  sequence: 7,
  livemode: false,
  api_version: 'v1',
  data: {
    object: exampleOf(ACCOUNT, { balance: 75_000 }),
    previous_attributes: { balance: 100_000 },
    transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
  },
  request: {
    id: 'req_01jd3v9q4ne8v8k3w2m6r5t7xa',
    idempotency_key: 'order-4711',
    actor: 'key_01jd3v9q4ne8v8k3w2m6r5t7xa',
  },
};

export function eventRoutes(service: Service, renderEvent: RenderEvent): Route[] {
  return [
    route('listEvents', 'GET /v1/events', {
      summary: 'List events',
      description:
        'Newest first. To catch up without a gap: `after_sequence=<last seen>&order=asc`, until the answer is empty.',
      isRepeatable: ({ delivery_success: delivered }) => delivered === undefined, // deliveries change without a commit of the writer
      query: listParams('evt', eventFilters),
      errors: ['sequence_unknown'],
      response: answersList('Event', EXAMPLE),
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const { after_sequence: after, delivery_success: delivered, created } = call.query;
        const conditions: Condition[] = [];
        if (after !== undefined) conditions.push({ sql: 't.sequence > $', value: BigInt(after) });
        conditions.push(...conditionsOf(call.query));
        if (delivered !== undefined) conditions.push(ofDelivery(environmentId, delivered));
        if (created !== undefined) conditions.push(...between(await sequencesBetween(service, environmentId, created)));
        const cursors = { table: 'events', conditions: ofCursor(call.query) };
        const source = { ...eventsOf(environmentId, conditions), cursors };
        const [answer] = await Promise.all([
          listPage(service, call, source, (row) => renderEvent(row, livemode), eventIdOf),
          after !== undefined && assertReached(service.rows, environmentId, BigInt(after), 'after_sequence'),
        ]);
        return answer;
      },
    }),
    route('retrieveEvent', 'GET /v1/events/:id', {
      summary: 'Retrieve an event',
      isRepeatable: always,
      response: answers('Event', EXAMPLE),
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const id = pathId(call, 'evt');
        const [row] = await service.rows(eventAt(environmentId, sequenceOf(id)));
        if (!row || eventIdOf(row) !== id) throw missing('event', id);
        return { status: 200, body: renderEvent(row, livemode) };
      },
    }),
  ];
}

/** A sequence alone is one of every environment's. */
function ofCursor(query: PageQuery): Condition[] {
  const cursor = cursorOf(query);
  return cursor === null ? [] : [{ sql: 't.id = $', value: uuidOf(cursor.id) }];
}

/** The conditions of the filters of lists and streams. Throws `parameter_invalid`. */
export function conditionsOf(filters: {
  readonly type: string | readonly string[] | undefined;
  readonly types: readonly string[] | undefined;
  readonly related_object: string | undefined;
}): Condition[] {
  const { type, types, related_object: related } = filters;
  const conditions: Condition[] = [];
  if (type !== undefined) conditions.push(ofTypes(typesMatching([type].flat(), 'type')));
  if (types !== undefined) conditions.push(ofTypes(typesMatching(types, 'types')));
  if (related !== undefined) conditions.push({ sql: 't.object_id = $', value: relatedUuid(related) });
  return conditions;
}

function relatedUuid(id: string): string {
  const prefix = prefixOfId(id);
  if (prefix && isId(prefix, id)) return uuidOf(id);
  throw paramError('parameter_invalid', 'related_object', `${JSON.stringify(id)} is not an id such as po_… or acct_….`);
}
