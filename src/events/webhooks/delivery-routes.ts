/** The operations of deliveries and replays. Those of a deleted endpoint stay readable. Carried out by `replays.ts`. */
import { deliveryIdOf, exampleId, sequenceOf, uuidOf } from '../../core/values/ids.ts';
import { EVENT_TYPES, type EventType, isShown, scopesMissingToSend } from '../../core/event-types.ts';
import { between, type Condition, cursorOf, equal } from '../../platform/db/wire/page.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { listParams } from '../../platform/http/lists.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { answers, answersList, type Call, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { listPage, missing, readsOf, type Service, unknownCursor } from '../../platform/http/service.ts';
import type { WebhookCommand } from './slice.ts';
import type { ReplayWebhookEndpoint } from './decide.ts';
import { DELIVERY_EXAMPLE, ENDPOINT_EXAMPLE, REPLAY_EXAMPLE } from './examples.ts';
import { type Delivery, DELIVERY, WEBHOOK_REPLAY } from './fields.ts';
import { deliveryFilters, type ReplayBody, replayParams, resendParams } from './parameters.ts';
import type { WebhookParts } from './routes.ts';
import { deliveryFrom } from './schema.ts';
import { deliveryAt, deliveryList, eventNamed, WEBHOOK_ENDPOINTS, WEBHOOK_REPLAYS } from './sql.ts';

const route = routesOf('Webhooks', 'webhook_endpoints');

type Parts = Pick<WebhookParts, 'sequencesBetween'>;
type Reads = Pick<Service, 'rows'>;

export function deliveryRoutes(service: Service<WebhookCommand>, parts: Parts): Route[] {
  const idIn = (call: Parameters<typeof pathId>[0]) => pathId(call, 'we');
  const showDelivery = (caller: Caller) => (row: Row) =>
    DELIVERY.render(shownTo(caller, deliveryFrom(row)), caller.livemode);
  const replays = readsOf(service, WEBHOOK_REPLAY, WEBHOOK_REPLAYS);
  return [
    route('listDeliveries', 'GET /v1/webhook_endpoints/:id/deliveries', {
      summary: 'List the deliveries of a webhook endpoint',
      description:
        'Newest event first, each with its attempts. `response` is `null` where a restricted key may not see the event.',
      query: listParams('dlv', deliveryFilters),
      response: answersList('Delivery', DELIVERY_EXAMPLE),
      handle: async (call) => {
        const { environmentId } = call.caller;
        const endpoint = await existing(service, call, idIn(call));
        const { created, status } = call.query;
        const cursor = cursorOf(call.query);
        // The id of a delivery holds bits of its endpoint.
        if (cursor !== null && deliveryIdOf(cursor.id, endpoint) !== cursor.id) throw unknownCursor(cursor);
        const source = deliveryList(environmentId, endpoint, status);
        const conditions: Condition[] = [...source.conditions];
        if (created !== undefined) conditions.push(...between(await parts.sequencesBetween(environmentId, created)));
        const show = showDelivery(call.caller);
        return listPage(service, call, { ...source, conditions }, show, (row) => deliveryFrom(row).id);
      },
    }),
    route('retrieveDelivery', 'GET /v1/webhook_endpoints/:id/deliveries/:delivery', {
      summary: 'Retrieve a delivery',
      description: 'Deliveries are kept as long as events.',
      response: answers('Delivery', DELIVERY_EXAMPLE),
      handle: async (call) => {
        const { environmentId } = call.caller;
        const endpoint = idIn(call);
        const id = pathId(call, 'dlv', 'delivery');
        const [row] = await service.rows(deliveryAt(environmentId, endpoint, sequenceOf(id)));
        if (!row || deliveryFrom(row).id !== id) throw missing('delivery', id, 'delivery');
        return { status: 200, body: showDelivery(call.caller)(row) };
      },
    }),
    route('replayWebhookEndpoint', 'POST /v1/webhook_endpoints/:id/replay', {
      summary: 'Send events to a webhook endpoint again',
      description:
        'Sends one event, or the events of a range of sequences or of time; without a range, all deliveries that did not succeed. Ids and bodies stay the same, so a receiver recognises events that it has seen. The replay runs in the background: retrieve it to see its progress.',
      body: replayParams,
      request: { event: exampleId('evt') },
      response: answers('WebhookReplay', REPLAY_EXAMPLE),
      errors: ['webhook_endpoint_disabled', 'parameter_conflict', 'parameter_missing'],
      handle: async (call) => {
        const endpoint = idIn(call);
        const range = await rangeOf(service, parts, call.caller, call.body);
        const { scopes } = call.caller;
        return service.write(call, { type: 'replay_webhook_endpoint', endpoint, scopes, ...range });
      },
    }),
    route('listWebhookReplays', 'GET /v1/webhook_endpoints/:id/replays', {
      summary: 'List the replays of a webhook endpoint',
      query: listParams('rep', {}),
      response: answersList('WebhookReplay', REPLAY_EXAMPLE),
      handle: async (call) => {
        const endpoint = await existing(service, call, idIn(call));
        return replays.list(call, {}, equal({ 't.endpoint_id': uuidOf(endpoint) }));
      },
    }),
    route('retrieveWebhookReplay', 'GET /v1/webhook_endpoints/:id/replays/:replay', {
      summary: 'Retrieve a replay',
      response: answers('WebhookReplay', {
        ...REPLAY_EXAMPLE,
        reached_sequence: 41,
        deliveries_count: 1,
        status: 'completed',
      }),
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const endpoint = idIn(call);
        const id = pathId(call, 'rep', 'replay');
        const [row] = await service.rows(WEBHOOK_REPLAYS.load([{ environmentId, id }]));
        if (!row || row['endpoint_id'] !== uuidOf(endpoint)) throw missing('replay', id, 'replay');
        return { status: 200, body: WEBHOOK_REPLAY.render(WEBHOOK_REPLAYS.read(row), livemode) };
      },
    }),
    route('resendEvent', 'POST /v1/events/:id/resend', {
      summary: 'Send an event again',
      description:
        'Sends it to every enabled endpoint that asks for its type, or to the endpoint in the request. The answer has one replay for each.',
      body: resendParams,
      request: { webhook_endpoint: ENDPOINT_EXAMPLE.id },
      response: answersList('WebhookReplay', REPLAY_EXAMPLE),
      errors: ['webhook_endpoint_disabled', 'webhook_endpoint_none'],
      handle: async (call) => {
        const event = await eventWith(service, call.caller, pathId(call, 'evt'), 'id');
        const { scopes } = call.caller;
        const endpoint = call.body.webhook_endpoint ?? null;
        return service.write(call, { type: 'resend_event', scopes, ...event, endpoint });
      },
    }),
  ];
}

/** The same id. Throws `resource_missing` unless there is or was such an endpoint. */
async function existing({ rows }: Reads, { caller }: Call<unknown, unknown>, id: string): Promise<string> {
  const [row] = await rows(WEBHOOK_ENDPOINTS.load([{ environmentId: caller.environmentId, id }]));
  if (!row) throw missing('webhook endpoint', id);
  return id;
}

type Range = Pick<ReplayWebhookEndpoint, 'after' | 'until' | 'which' | 'eventType'>;

async function rangeOf(reads: Reads, parts: Parts, caller: Caller, body: ReplayBody): Promise<Range> {
  const { event, after_sequence: after = 0, until_sequence: until, created, only: which = 'failed' } = body;
  if (event !== undefined) {
    const { sequence, eventType } = await eventWith(reads, caller, event, 'event');
    return { after: sequence - 1n, until: sequence, which: 'named', eventType };
  }
  const eventType = null;
  if (created !== undefined)
    return { ...(await parts.sequencesBetween(caller.environmentId, created)), which, eventType };
  return { after: BigInt(after), until: until === undefined ? null : BigInt(until), which, eventType };
}

/** The event behind an id. Throws `resource_missing` naming `param`, also for one that the key may not see. */
async function eventWith({ rows }: Reads, { environmentId, scopes }: Caller, id: string, param: string) {
  const sequence = sequenceOf(id);
  const [row] = await rows(eventNamed(environmentId, sequence));
  const eventType = row?.['type'] as EventType;
  if (row?.['id'] === uuidOf(id) && isShown(scopes, eventType)) return { sequence, eventType };
  throw missing('event', id, param);
}

/** An answer may repeat what was sent: of an event that the key may not see it is left out. */
function shownTo({ scopes }: Caller, delivery: Delivery): Delivery {
  const { eventType, attempts } = delivery;
  const types = eventType === null ? EVENT_TYPES : [eventType];
  const isSeen = scopesMissingToSend(scopes, types).length === 0;
  return isSeen ? delivery : { ...delivery, attempts: attempts.map((each) => ({ ...each, response: null })) };
}
