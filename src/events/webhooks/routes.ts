/**
 * The operations of webhook endpoints. Secrets are sealed in commands, in the database and in idempotency records;
 * signing secrets are opened here as an answer leaves, values of headers never. The guard checks every URL. Decisions:
 * `decide.ts`; deliveries: `delivery-routes.ts`.
 */
import { newId } from '../../core/values/ids.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { listParams } from '../../platform/http/lists.ts';
import { camelCased, paramError } from '../../platform/http/request/params.ts';
import { type Answer, answers, answersList, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import { missing, readsOf, type Service } from '../../platform/http/service.ts';
import { API_VERSION } from '../../core/values/version.ts';
import type { Versions } from '../../platform/http/version/versions.ts';
import type { WebhookCommand } from './slice.ts';
import { DELIVERY_EXAMPLE, ENDPOINT_EXAMPLE, SECRET_EXAMPLE } from './examples.ts';
import * as parameters from './parameters.ts';
import { WEBHOOK_ENDPOINT } from './fields.ts';
import type { HeaderChange } from './headers.ts';
import { newSecret, SEALED_MEMBER } from './signature.ts';
import { WEBHOOK_ENDPOINTS } from './sql.ts';

const route = routesOf('Webhooks', 'webhook_endpoints');

export interface WebhookParts {
  readonly versions: Versions;
  readonly box: Vault;
  /** For the values of headers. */
  readonly headerBox: Vault;
  /** The normalized URL if events may be sent to it, else a sentence for the person who gave it. */
  checkTarget(
    url: string,
    livemode: boolean,
  ): Promise<{ readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string }>;
  /** The events from `fromMs` on and before `untilMs`: those with sequences above `after`, up to `until` if there is one. */
  sequencesBetween(
    environmentId: string,
    range: { readonly fromMs: number | undefined; readonly untilMs: number | undefined },
  ): Promise<{ readonly after: bigint; readonly until: bigint | null }>;
}

const NOT_DELETED = { sql: 't.deleted_at IS NULL AND $::boolean', value: true };

const DELETED_EXAMPLE = { id: ENDPOINT_EXAMPLE.id, object: 'webhook_endpoint', deleted: true };
const WITH_SECRET = { ...ENDPOINT_EXAMPLE, secret: SECRET_EXAMPLE };

export function webhookRoutes(service: Service<WebhookCommand>, parts: WebhookParts): Route[] {
  const { idIn, list } = readsOf(service, WEBHOOK_ENDPOINT, WEBHOOK_ENDPOINTS);
  const guarded = async (call: Call<unknown, unknown>, url: string): Promise<string> => {
    const target = await parts.checkTarget(url, call.caller.livemode);
    if (target.ok) return target.url;
    throw paramError('webhook_url_refused', 'url', target.reason);
  };
  return [
    route('createWebhookEndpoint', 'POST /v1/webhook_endpoints', {
      summary: 'Create a webhook endpoint',
      description:
        'Every future event of its types is sent to it, signed with the secret in this answer. An environment has up to 16 endpoints. A restricted key needs the read scope of every resource whose events the endpoint asks for.',
      body: parameters.createWebhookEndpointParams,
      request: { url: ENDPOINT_EXAMPLE.url, enabled_events: ENDPOINT_EXAMPLE.enabled_events },
      response: answers('WebhookEndpointWithSecret', WITH_SECRET),
      errors: ['webhook_url_refused', 'webhook_endpoint_limit', 'webhook_header_limit', 'version_unknown'],
      handle: async (call) => {
        const id = newId('we');
        const { version = API_VERSION } = call.body;
        parts.versions.named(version, 'version');
        const answer = await service.write(call, {
          type: 'create_webhook_endpoint',
          id,
          sealedSecret: parts.box.seal(newSecret(), id),
          scopes: call.caller.scopes,
          ...camelCased(call.body),
          version,
          url: await guarded(call, call.body.url),
          headers: sealedChanges(parts, id, call.body.headers),
          description: call.body.description || null,
        });
        return opened(parts, answer);
      },
    }),
    route('listWebhookEndpoints', 'GET /v1/webhook_endpoints', {
      summary: 'List webhook endpoints',
      query: listParams('we', parameters.endpointFilters),
      response: answersList('WebhookEndpoint', ENDPOINT_EXAMPLE),
      handle: (call) => list(call, {}, [NOT_DELETED]),
    }),
    route('retrieveWebhookEndpoint', 'GET /v1/webhook_endpoints/:id', {
      summary: 'Retrieve a webhook endpoint',
      response: answers('WebhookEndpoint', ENDPOINT_EXAMPLE),
      handle: async (call) => {
        const { environmentId, livemode } = call.caller;
        const id = idIn(call);
        const [row] = await service.rows(WEBHOOK_ENDPOINTS.load([{ environmentId, id }]));
        if (!row || row['deleted_at'] !== null) throw missing('webhook endpoint', id);
        return { status: 200, body: WEBHOOK_ENDPOINT.render(WEBHOOK_ENDPOINTS.read(row), livemode) };
      },
    }),
    route('updateWebhookEndpoint', 'POST /v1/webhook_endpoints/:id', {
      summary: 'Update a webhook endpoint',
      description:
        '`enabled_events` is replaced as a whole and counts for future events. Waiting deliveries go to a new `url` as well, carry new `headers`, and are sent in a new `version`. If `url` names another host, send the values of `headers` again or unset them. To change either, a restricted key needs the read scope of every resource whose events are sent, before and after.',
      body: parameters.updateWebhookEndpointParams,
      request: { enabled_events: ['payout.*', 'balance.updated'] },
      response: answers('WebhookEndpoint', { ...ENDPOINT_EXAMPLE, enabled_events: ['payout.*', 'balance.updated'] }),
      errors: ['webhook_url_refused', 'webhook_header_limit', 'parameter_missing', 'version_unknown'],
      handle: async (call) => {
        const { url, description, headers, version } = call.body;
        if (version !== undefined) parts.versions.named(version, 'version');
        const endpoint = idIn(call);
        return service.write(call, {
          type: 'update_webhook_endpoint',
          endpoint,
          scopes: call.caller.scopes,
          ...camelCased(call.body),
          headers: sealedChanges(parts, endpoint, headers),
          url: url === undefined ? undefined : await guarded(call, url),
          description: description === '' ? null : description,
        });
      },
    }),
    route('deleteWebhookEndpoint', 'DELETE /v1/webhook_endpoints/:id', {
      summary: 'Delete a webhook endpoint',
      description: 'Waiting deliveries are no longer sent. Its deliveries stay readable.',
      response: answers('DeletedWebhookEndpoint', DELETED_EXAMPLE),
      handle: (call) => service.write(call, { type: 'delete_webhook_endpoint', endpoint: idIn(call) }),
    }),
    route('testWebhookEndpoint', 'POST /v1/webhook_endpoints/:id/test', {
      summary: 'Send a test event to a webhook endpoint',
      description:
        'Sends a `ping` to this endpoint alone, whatever types it asks for. Retrieve the delivery to see the result.',
      response: answers('Delivery', {
        ...DELIVERY_EXAMPLE,
        event_type: 'ping',
        next_attempt_at: DELIVERY_EXAMPLE.created,
        attempts: [],
      }),
      errors: ['webhook_endpoint_disabled'],
      handle: (call) => service.write(call, { type: 'test_webhook_endpoint', endpoint: idIn(call) }),
    }),
    route('rollWebhookSecret', 'POST /v1/webhook_endpoints/:id/roll_secret', {
      summary: 'Replace the signing secret of a webhook endpoint',
      description:
        'The new secret signs at once. For `expires_in` seconds, one day by default, the old one signs too. Give your receivers the new one in this time.',
      body: parameters.rollSecretParams,
      request: { expires_in: 3600 },
      response: answers('WebhookEndpointWithSecret', WITH_SECRET),
      errors: ['webhook_secret_limit'],
      handle: async (call) => {
        const endpoint = idIn(call);
        const sealedSecret = parts.box.seal(newSecret(), endpoint);
        const about = { endpoint, sealedSecret, overlapMs: call.body.expires_in * 1000, scopes: call.caller.scopes };
        return opened(parts, await service.write(call, { type: 'roll_webhook_secret', ...about }));
      },
    }),
    route('enableWebhookEndpoint', 'POST /v1/webhook_endpoints/:id/enable', {
      summary: 'Enable a webhook endpoint',
      description:
        'New events are sent again. Deliveries held meanwhile wait for a replay (`POST /v1/webhook_endpoints/:id/replay`).',
      response: answers('WebhookEndpoint', ENDPOINT_EXAMPLE),
      handle: (call) => service.write(call, { type: 'enable_webhook_endpoint', endpoint: idIn(call) }),
    }),
    route('disableWebhookEndpoint', 'POST /v1/webhook_endpoints/:id/disable', {
      summary: 'Disable a webhook endpoint',
      description: 'Nothing is sent until it is enabled; its deliveries are held, so that they can be replayed.',
      response: answers('WebhookEndpoint', { ...ENDPOINT_EXAMPLE, status: 'disabled', disabled_reason: 'requested' }),
      handle: (call) =>
        service.write(call, { type: 'disable_webhook_endpoint', endpoint: idIn(call), reason: 'requested' }),
    }),
  ];
}

/** The answer with its secret opened; a replay under the idempotency key is the same. Throws `SealError`, which is a 500. */
function opened({ box }: WebhookParts, answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  const { id } = JSON.parse(answer.body) as { readonly id: string };
  const body = answer.body.replace(SEALED_MEMBER, (_, sealed: string) => `"secret":"${box.open(sealed, id)}"`);
  return { ...answer, body };
}

/** What a request says about headers, its values sealed. */
const sealedChanges = (
  { headerBox: box }: WebhookParts,
  endpoint: string,
  headers: Readonly<Record<string, string>> | undefined,
): readonly HeaderChange[] | undefined =>
  headers &&
  Object.entries(headers).map(([name, value]) => ({ name, sealed: value === '' ? null : box.seal(value, endpoint) }));
