/** The operations of deliveries and replays. Those of a deleted endpoint stay readable: their ids name it. Carried out by `replays.ts`. */
import { deliveryIdOf, exampleId, idOf, sequenceOf, uuidOf } from '../../core/values/ids.ts';
import { EVENT_TYPES, type EventType, isShown, scopesMissingToSend } from '../../core/event-types.ts';
import { between, type Condition, cursorOf, equal, inOrder } from '../../platform/db/wire/page.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { listParams, renderWhole, wholeListParams } from '../../platform/http/lists.ts';
import { pathId } from '../../platform/http/request/params.ts';
import { answers, answersList, type Caller, type Route, routesOf } from '../../platform/http/route.ts';
import { listPage, missing, readsOf, type Service, unknownCursor } from '../../platform/http/service.ts';
import type { WebhookCommand } from './slice.ts';
import type { ReplayWebhookEndpoint } from './decide.ts';
import { DELIVERY_EXAMPLE, ENDPOINT_EXAMPLE, REPLAY_EXAMPLE } from './examples.ts';
import { type Delivery, DELIVERY, WEBHOOK_REPLAY } from './fields.ts';
import { deliveryFilters, type ReplayBody, replayFilters, replayParams, resendParams } from './parameters.ts';
import type { WebhookParts } from './routes.ts';
import { deliveryFrom } from './schema.ts';
import { deliveriesOf, deliveryAt, deliveryList, endpointsOf, eventNamed, WEBHOOK_REPLAYS } from './sql.ts';

const route = routesOf('Webhooks', 'webhook_endpoints');

type Parts = Pick<WebhookParts, 'sequencesBetween'>;
type Reads = Pick<Service, 'rows'>;

export function deliveryRoutes(service: Service<WebhookCommand>, parts: Parts): Route[] {
  const idIn = (call: Parameters<typeof pathId>[0]) => pathId(call, 'we');
  const showDelivery = (caller: Caller) => (row: Row) =>
    DELIVERY.render(shownTo(caller, deliveryFrom(row)), caller.livemode);
  const replays = readsOf(service, WEBHOOK_REPLAY, WEBHOOK_REPLAYS);
  return [
    route('listDeliveries', 'GET /v1/deliveries', {
      summary: 'List deliveries',
      description:
        'Newest event first, each with its attempts. Those to a deleted endpoint are listed with `webhook_endpoint`. `response` is `null` where a restricted key may not see the event.',
      query: listParams('dlv', deliveryFilters),
      response: answersList('Delivery', DELIVERY_EXAMPLE),
      handle: async (call) => {
        const { environmentId } = call.caller;
        const { created, status, webhook_endpoint: named } = call.query;
        const known = (await service.rows(endpointsOf(environmentId))).map((row) => ({
          id: idOf('we', row['id'] as string),
          isDeleted: row['is_deleted'] as boolean,
        }));
        const wanted =
          named === undefined ? known.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id) : [named].flat();
        const ids = known.map(({ id }) => id);
        const cursor = cursorOf(call.query);
        const at = cursor === null ? null : endpointIn(ids, cursor.id);
        if (cursor !== null && at === null) throw unknownCursor(cursor);
        const source = deliveryList(environmentId, wanted, (id) => endpointIn(ids, id) as string, at);
        const conditions: Condition[] = [...source.conditions, ...equal({ 't.status': status })];
        if (created !== undefined) conditions.push(...between(await parts.sequencesBetween(environmentId, created)));
        const hasOwnPlan = conditions.length > 1;
        const show = showDelivery(call.caller);
        return listPage(service, call, { ...source, conditions, hasOwnPlan }, show, (row) => deliveryFrom(row).id);
      },
    }),
    route('listEventDeliveries', 'GET /v1/events/:id/deliveries', {
      summary: 'List the deliveries of an event',
      description:
        'One for each endpoint that it is for, with its attempts. Those to a deleted endpoint are left out. There are no pages. `response` is `null` where a restricted key may not see the event.',
      query: wholeListParams,
      response: answersList('Delivery', DELIVERY_EXAMPLE),
      handle: async (call) => {
        const { environmentId } = call.caller;
        const id = pathId(call, 'evt');
        const sequence = sequenceOf(id);
        const [[event], found] = await Promise.all([
          service.rows(eventNamed(environmentId, sequence)),
          service.rows(deliveriesOf(environmentId, sequence)),
        ]);
        if (event?.['id'] !== uuidOf(id)) throw missing('event', id);
        return renderWhole(found.map(showDelivery(call.caller)), call);
      },
    }),
    route('retrieveDelivery', 'GET /v1/deliveries/:id', {
      summary: 'Retrieve a delivery',
      description: 'Deliveries are kept as long as events.',
      response: answers('Delivery', DELIVERY_EXAMPLE),
      handle: async (call) => {
        const { environmentId } = call.caller;
        const id = pathId(call, 'dlv');
        const known = await service.rows(endpointsOf(environmentId));
        const endpoint = endpointIn(
          known.map((row) => idOf('we', row['id'] as string)),
          id,
        );
        const [row] = endpoint === null ? [] : await service.rows(deliveryAt(environmentId, endpoint, sequenceOf(id)));
        if (!row || deliveryFrom(row).id !== id) throw missing('delivery', id);
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
    route('listWebhookReplays', 'GET /v1/webhook_replays', {
      summary: 'List replays',
      query: listParams('rep', replayFilters),
      response: answersList('WebhookReplay', REPLAY_EXAMPLE),
      handle: (call) => {
        const { webhook_endpoint: named, ...query } = call.query;
        const ids = named === undefined ? undefined : [named].flat().map(uuidOf);
        return replays.list({ ...call, query }, {}, inOrder('t.endpoint_id', 'uuid', ids));
      },
    }),
    route('retrieveWebhookReplay', 'GET /v1/webhook_replays/:id', {
      summary: 'Retrieve a replay',
      response: answers('WebhookReplay', {
        ...REPLAY_EXAMPLE,
        reached_sequence: 41,
        deliveries_count: 1,
        status: 'completed',
      }),
      handle: replays.retrieve,
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

/** The endpoint whose bits the id of a delivery holds; `null`: none of these. */
const endpointIn = (endpoints: readonly string[], delivery: string): string | null =>
  endpoints.find((each) => deliveryIdOf(delivery, each) === delivery) ?? null;

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
