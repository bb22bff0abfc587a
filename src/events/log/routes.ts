/** The operations of the event log. */
import { isShown, scopesMissing, typesShown } from '../../core/event-types.ts';
import { RequestError } from '../../core/values/errors.ts';
import { isId, sequenceOf, uuidOf } from '../../core/values/ids.ts';
import { between, type Condition, cursorOf, type PageQuery } from '../../platform/db/wire/page.ts';
import { listParams } from '../../platform/http/lists.ts';
import { paramError, pathId } from '../../platform/http/request/params.ts';
import { always, answers, answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { listPage, missing, type Service } from '../../platform/http/service.ts';
import { ACCOUNT } from '../../core/account.ts';
import { API_VERSION } from '../../core/values/version.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { assertReached, sequencesBetween } from './range.ts';
import { eventFilters, eventIdOf, prefixOfId, type RenderEvent, typesMatching, typeOf } from './schema.ts';
import { eventAt, eventsOf, ofDelivery, ofTypes } from './sql.ts';

const route = routesOf('Events', 'events');

type Scopes = Caller['scopes'];

/** A sentence of descriptions. */
export const SHOWN =
  'A restricted key sees the events whose objects its read scopes show, so for it `sequence` has gaps.';

/** The example of the OpenAPI document. */
export const EXAMPLE = {
  id: 'evt_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'event',
  type: 'balance.updated',
  created: 1_732_184_000,
  sequence: 7,
  livemode: false,
  api_version: API_VERSION,
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
      description: `Newest first. To catch up without a gap: \`after_sequence=<last seen>&order=asc\`, until the answer is empty. ${SHOWN}`,
      isRepeatable: ({ delivery_success: delivered }) => delivered === undefined, // deliveries change without a commit of the writer
      query: listParams('evt', eventFilters),
      errors: ['sequence_unknown', 'scope_missing'],
      response: answersList('Event', EXAMPLE),
      handle: async (call) => {
        const { environmentId, livemode, scopes } = call.caller;
        const { after_sequence: after, delivery_success: delivered, created } = call.query;
        const conditions: Condition[] = [];
        if (after !== undefined) conditions.push({ sql: 't.sequence > $', value: BigInt(after) });
        conditions.push(...conditionsOf(call.query, scopes));
        if (delivered !== undefined) conditions.push(ofDelivery(environmentId, delivered));
        if (created !== undefined) conditions.push(...between(await sequencesBetween(service, environmentId, created)));
        const cursors = { table: 'events', conditions: ofCursor(call.query, scopes) };
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
        const { environmentId, livemode, scopes } = call.caller;
        const id = pathId(call, 'evt');
        const [row] = await service.rows(eventAt(environmentId, sequenceOf(id)));
        if (!row || eventIdOf(row) !== id || !isShown(scopes, typeOf(row))) throw missing('event', id);
        return { status: 200, body: renderEvent(row, livemode) };
      },
    }),
  ];
}

/** A sequence alone is one of every environment's. */
function ofCursor(query: PageQuery, scopes: Scopes): Condition[] {
  const cursor = cursorOf(query);
  return cursor === null ? [] : [{ sql: 't.id = $', value: uuidOf(cursor.id) }, ...ofShown(scopes)];
}

/** The condition on what a key may see. */
function ofShown(scopes: Scopes): Condition[] {
  const shown = typesShown(scopes);
  return shown === null ? [] : [ofTypes(shown)];
}

/**
 * The conditions of the filters of lists and streams, and of what the key may see. Throws `parameter_invalid`, and `scope_missing` where
 * it may see nothing of the types that a filter names.
 */
export function conditionsOf(
  filters: {
    readonly type: string | readonly string[] | undefined;
    readonly types: readonly string[] | undefined;
    readonly related_object: string | undefined;
  },
  scopes: Scopes,
): Condition[] {
  const { type, types, related_object: related } = filters;
  const conditions: Condition[] = [];
  const named = [
    ...(type === undefined ? [] : [typesMatching([type].flat(), 'type')]),
    ...(types === undefined ? [] : [typesMatching(types, 'types')]),
  ];
  for (const each of named) {
    const shown = each.filter((one) => isShown(scopes, one));
    if (shown.length === 0) throw notShown(scopesMissing(scopes, each));
    conditions.push(ofTypes(shown));
  }
  if (named.length === 0) conditions.push(...ofShown(scopes));
  if (related !== undefined) conditions.push({ sql: 't.object_id = $', value: relatedUuid(related) });
  return conditions;
}

function notShown(lacking: readonly string[]): RequestError {
  const message = `This restricted key sees none of these events: it lacks ${lacking.join(', ')}.`;
  return new RequestError('scope_missing', message);
}

function relatedUuid(id: string): string {
  const prefix = prefixOfId(id);
  if (prefix && isId(prefix, id)) return uuidOf(id);
  throw paramError('parameter_invalid', 'related_object', `${JSON.stringify(id)} is not an id such as po_… or acct_….`);
}
