/** The operation that streams events. How a stream stays without a gap: `stream.ts`. */
import { isShown } from '../../core/event-types.ts';
import { isId, sequenceOf } from '../../core/values/ids.ts';
import { severally } from '../../platform/http/lists.ts';
import { integer, optional, paramError, params } from '../../platform/http/request/params.ts';
import { type Call, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { assertReached } from './range.ts';
import { conditionsOf, EXAMPLE, SHOWN } from './routes.ts';
import { eventFilters, eventIdOf, typeOf } from './schema.ts';
import { eventAt } from './sql.ts';
import type { EventStreams } from './stream.ts';

const route = routesOf('Events', 'events');

const query = params({
  type: severally(eventFilters.type),
  types: eventFilters.types,
  related_object: eventFilters.related_object,
  ...optional({
    after_sequence: integer({
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Begin after this event instead of now. A `Last-Event-ID` header wins over it.',
    }),
  }),
});

export function eventStreamRoutes(service: Service, streams: EventStreams): Route[] {
  return [
    route('streamEvents', 'GET /v1/events/stream', {
      summary: 'Stream events',
      description: `Events as they are committed, as server-sent events: \`id\` is the id of the event, \`event\` its type, \`data\` the event on one line. The stream begins now, or after \`Last-Event-ID\` or \`after_sequence\`. It is in order and without a gap, also across reconnects. ${SHOWN} A comment every 15 s keeps the connection open. A receiver that takes nothing for 30 s is cut off. At most 100 streams an environment.`,
      errors: ['sequence_unknown', 'scope_missing'],
      streams: true,
      query,
      response: {
        schema: { type: 'string', description: 'Server-sent events; `data` of each is an `Event`.' },
        example: `retry: 1000\n\nid: ${EXAMPLE.id}\nevent: ${EXAMPLE.type}\ndata: ${JSON.stringify(EXAMPLE)}\n\n`,
      },
      responseContentTypes: ['text/event-stream'],
      handle: async (call) => {
        const { environmentId, livemode, scopes } = call.caller;
        const conditions = conditionsOf(call.query, scopes);
        const after = await beginning(service, streams, call);
        const stream = streams.open({ environmentId, livemode, scopes, conditions, version: call.version, after });
        return { status: 200, body: '', contentType: 'text/event-stream', stream };
      },
    }),
  ];
}

/** The sequence behind which the stream begins. */
async function beginning(
  service: Service,
  streams: EventStreams,
  { caller, lastEventId, query: { after_sequence: after } }: Call<unknown, ReturnType<typeof query.parse>>,
): Promise<bigint> {
  const { environmentId, scopes } = caller;
  if (lastEventId === undefined && after === undefined) return streams.newest(environmentId);
  if (lastEventId === undefined || isSequence(lastEventId)) {
    const position = BigInt(lastEventId ?? (after as number));
    const param = lastEventId === undefined ? 'after_sequence' : LAST_EVENT_ID;
    await assertReached(service.rows, environmentId, position, param);
    return position;
  }
  if (!isId('evt', lastEventId)) throw notAnEvent(lastEventId, 'must be the id of an event or a sequence');
  const sequence = sequenceOf(lastEventId);
  const [row] = await service.rows(eventAt(environmentId, sequence));
  // The id of another environment's event would skip events of this one. An event that is no longer kept is accepted.
  if (row && (eventIdOf(row) !== lastEventId || !isShown(scopes, typeOf(row))))
    throw notAnEvent(lastEventId, 'must be the id of an event that this key sees');
  if (!row) await assertReached(service.rows, environmentId, sequence, LAST_EVENT_ID);
  return sequence;
}

const LAST_EVENT_ID = 'Last-Event-ID';
const isSequence = (text: string) => /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

function notAnEvent(given: string, must: string) {
  const shown = JSON.stringify(given.length > 60 ? `${given.slice(0, 57)}…` : given);
  return paramError('parameter_invalid', LAST_EVENT_ID, `The header Last-Event-ID ${must}, got ${shown}.`);
}
