/** The operations of the event log. */
import { RequestError } from '../core/errors.ts';
import { isId, sequenceOf, uuidOf } from '../core/ids.ts';
import { type Condition, type PageQuery, page, pageOf } from '../db/page.ts';
import { listParams, renderList } from '../http/lists.ts';
import { paramError, pathId, ref } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { missing, type Service } from '../http/service.ts';
import { eventFilters, eventIdOf, prefixOfId, renderEvent, typesMatching } from './schema.ts';
import { EVENT_COLUMNS, eventAt, eventFrom, lastSequence, ofTypes } from './sql.ts';

const EXAMPLE = {
  id: 'evt_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'event',
  type: 'balance.updated',
  created: 1_732_184_000,
  sequence: 7,
  livemode: false,
  api_version: 'v1',
  data: {
    object: {
      id: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
      object: 'account',
      created: 1_732_184_000,
      livemode: false,
      currency: 'EUR',
      balance: 75_000,
      name: null,
      status: 'open',
      metadata: {},
    },
    previous_attributes: { balance: 100_000 },
    transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
  },
  request: { id: 'req_01jd3v9q4ne8v8k3w2m6r5t7xa', idempotency_key: 'order-4711' },
};

export function eventRoutes(service: Service): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/events',
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'Newest first. To catch up without a gap: `after_sequence=<last seen>&order=asc`, until the answer is empty.',
      scope: 'events:read',
      query: listParams('evt', 'event', eventFilters),
      response: ref('EventList'),
      errors: [],
      example: { response: { data: [EXAMPLE] } },
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const { type, types, related_object: related, after_sequence: after, ...query } = call.query;
        const conditions: Condition[] = [];
        if (after !== undefined) conditions.push({ sql: 't.sequence > $', value: BigInt(after) });
        if (type !== undefined) conditions.push(ofTypes(typesMatching([type], 'type')));
        if (types !== undefined) conditions.push(ofTypes(typesMatching(types, 'types')));
        if (related !== undefined) conditions.push({ sql: 't.object_id = $', value: relatedUuid(related) });
        conditions.push(...(await sequenceRange(service, environmentId, query.created)));
        const pageQuery = { ...query, ...cursors(query) };
        const source = {
          from: 'events AS t',
          columns: EVENT_COLUMNS,
          environmentId,
          conditions,
          key: 'sequence',
        } as const;
        const { rows, hasMore } = pageOf(await service.rows(page(source, pageQuery)), query);
        const [first, last] = [rows[0], rows.at(-1)];
        const rendered = rows.map((row) => renderEvent(row, livemode));
        return renderList(rendered, hasMore, call, last && eventIdOf(last), first && eventIdOf(first));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/events/:id',
      operationId: 'retrieveEvent',
      tag: 'Events',
      summary: 'Retrieve an event',
      scope: 'events:read',
      response: ref('Event'),
      errors: ['resource_missing'],
      example: { response: EXAMPLE },
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const id = pathId(call, 'evt', 'event');
        const [row] = await service.rows(eventAt(environmentId, sequenceOf(id)));
        if (!row || eventIdOf(row) !== id) throw missing('event', id);
        return { status: 200, body: renderEvent(row, livemode) };
      },
    }),
  ];
}

/** Event ids carry their sequence, so a cursor needs no look-up. */
function cursors(query: PageQuery): Pick<PageQuery, 'starting_after' | 'ending_before'> {
  const sequence = (id: string | undefined) => (id === undefined ? undefined : sequenceOf(id).toString());
  return { starting_after: sequence(query.starting_after), ending_before: sequence(query.ending_before) };
}

function relatedUuid(id: string): string {
  const prefix = prefixOfId(id);
  if (prefix && isId(prefix, id)) return uuidOf(id);
  throw paramError('parameter_invalid', 'related_object', `${JSON.stringify(id)} is not an id such as po_… or acct_….`);
}

/**
 * Instants as a range of sequences. Both rise together, so a binary search over the primary key (20 look-ups for a
 * million events) replaces an index that every event would pay for.
 */
async function sequenceRange(
  service: Service,
  environmentId: string,
  created: PageQuery['created'],
): Promise<Condition[]> {
  if (!created) return [];
  const [environment] = await service.rows(lastSequence(environmentId));
  if (!environment) throw new RequestError('internal_error', 'The environment is gone.');
  const last = environment['last_sequence'] as bigint;
  const firstAt = async (atMs: number): Promise<bigint> => {
    let low = 1n;
    let high = last + 1n;
    while (low < high) {
      const middle = (low + high) / 2n;
      const [event] = await service.rows(eventFrom(environmentId, middle));
      if (event && (event['created_at'] as number) < atMs) low = (event['sequence'] as bigint) + 1n;
      else high = middle;
    }
    return low;
  };
  const conditions: Condition[] = [];
  if (created.fromMs !== undefined) conditions.push({ sql: 't.sequence >= $', value: await firstAt(created.fromMs) });
  if (created.untilMs !== undefined) conditions.push({ sql: 't.sequence < $', value: await firstAt(created.untilMs) });
  return conditions;
}
