/**
 * Decisions about webhook endpoints: what the owner asks for, and what the dispatcher notices (failing, gone, parked).
 * Pure: a command carries the id and the sealed secret of a new endpoint. Sending: `dispatcher.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { deliveryIdOf } from '../../core/values/ids.ts';
import { mergeMetadata, newMetadata } from '../../core/metadata.ts';
import { type EventType, scopesMissingToSend, typesMatching } from '../../core/event-types.ts';
import { changedNames, type HeaderChange, mergeHeaders, previousHeaders, type SealedHeader } from './headers.ts';
import type { DisabledReason, ReplayKind, WebhookEndpoint, WebhookReplay } from './fields.ts';
import type { Draft } from '../../core/draft.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { unixSeconds } from '../../core/values/time.ts';

/** Contract, section 12. */
export const MAX_ENDPOINTS = 16;
/** Secrets that sign at once: the current one and those in an overlap. */
export const MAX_SECRETS = 4;

interface About<T extends string> {
  readonly type: T;
  readonly endpoint: string;
}

/** A command that shows events to whoever receives at an endpoint: the key that asks must be one that may read them itself. */
interface Showing {
  /** Of that key; `null`: it may read everything. */
  readonly scopes: ReadonlySet<string> | null;
}

/** Headers as a request gives them, each value sealed; `undefined` says nothing about them. */
interface GivenHeaders {
  readonly headers: readonly HeaderChange[] | undefined;
}

/** The caller makes the id, because secrets are sealed for it, and has the guard check the URL. */
export interface CreateWebhookEndpoint
  extends Pick<WebhookEndpoint, 'id' | 'url' | 'enabledEvents' | 'description' | 'version' | 'ordered'>,
    Given<WebhookEndpoint, 'metadata'>,
    GivenHeaders,
    Showing {
  readonly type: 'create_webhook_endpoint';
  readonly sealedSecret: string;
}

export interface UpdateWebhookEndpoint
  extends About<'update_webhook_endpoint'>,
    Given<WebhookEndpoint, 'url' | 'enabledEvents' | 'description' | 'version' | 'ordered' | 'metadata'>,
    GivenHeaders,
    Showing {}

export interface DisableWebhookEndpoint extends About<'disable_webhook_endpoint'> {
  readonly reason: DisabledReason;
}

export interface RollWebhookSecret extends About<'roll_webhook_secret'>, Showing {
  readonly sealedSecret: string;
  /** How long the old secret signs beside the new one. */
  readonly overlapMs: number;
}

/** What the dispatcher noticed. Repeating it changes nothing. */
export interface NoteWebhookHealth extends About<'note_webhook_health'> {
  /** First failure since the last success; `null`: it works again. */
  readonly failingSinceMs: number | null;
}

/** A delivery of an ordered endpoint was parked, so that those behind it can be sent. */
export type NoteParkedDelivery = About<'note_parked_delivery'>;

export interface ReplayWebhookEndpoint extends About<'replay_webhook_endpoint'>, Showing {
  readonly after: bigint;
  /** `null`: up to the newest event. */
  readonly until: bigint | null;
  readonly which: ReplayKind;
  /** Of the one event that is named; `null`: what the endpoint asks for. */
  readonly eventType: EventType | null;
}

/** Sends one event again, to one endpoint or to all that ask for its type. */
export interface ResendEvent extends Showing {
  readonly type: 'resend_event';
  readonly sequence: bigint;
  readonly eventType: EventType;
  readonly endpoint: string | null;
}

/** A decision about an endpoint. */
const about =
  <C extends About<string>>(decide: (draft: Draft, endpoint: WebhookEndpoint, command: C) => Decision) =>
  (draft: Draft, command: C): Decision => {
    const endpoint = find(draft, command.endpoint);
    return isRefusal(endpoint) ? endpoint : decide(draft, endpoint, command);
  };

/** Refuses `scope_missing`, `webhook_endpoint_limit` and `webhook_header_limit`. */
export function createWebhookEndpoint(draft: Draft, command: CreateWebhookEndpoint): Decision {
  const hidden = notShown(command, command.enabledEvents, 'enabled_events');
  if (hidden) return hidden;
  const there = draft.webhookEndpoints();
  if (there.length >= MAX_ENDPOINTS) {
    const message = `This environment has ${there.length} webhook endpoints, at most ${MAX_ENDPOINTS} are allowed. Delete one first.`;
    return refusal('webhook_endpoint_limit', message);
  }
  const { type: _, scopes: __, sealedSecret, metadata, ...given } = command;
  const headers = mergeHeaders([], command.headers);
  if (isRefusal(headers)) return headers;
  const endpoint: WebhookEndpoint = {
    object: 'webhook_endpoint',
    ...given,
    headers,
    status: 'enabled',
    disabledReason: null,
    firstFailedAt: null,
    secrets: [{ sealed: sealedSecret, expiresAt: null }],
    metadata: newMetadata(metadata),
    createdAt: draft.atMs,
    deletedAt: null,
  };
  draft.create(endpoint, 'webhook_endpoint.created');
  const names = headers.map(({ name }) => name);
  draft.audit('webhook_endpoint.created', endpoint.id, {
    url: endpoint.url,
    enabled_events: endpoint.enabledEvents,
    ...(names.length > 0 && { headers: names }),
  });
  return { object: 'webhook_endpoint_with_secret', id: endpoint.id, endpoint };
}

/**
 * To change where events go or which, a key must be able to read those that go there until now as well: some may still be on their
 * way. Refuses `scope_missing`, `metadata_invalid`, `webhook_header_limit`, and `parameter_missing` where headers would go elsewhere.
 */
export const updateWebhookEndpoint = about<UpdateWebhookEndpoint>((draft, endpoint, command) => {
  if (command.url !== undefined || command.enabledEvents !== undefined) {
    const events = [...endpoint.enabledEvents, ...(command.enabledEvents ?? [])];
    const hidden = notShown(command, events, command.enabledEvents ? 'enabled_events' : 'url');
    if (hidden) return hidden;
  }
  const metadata = mergeMetadata(endpoint.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const headers = mergeHeaders(endpoint.headers, command.headers);
  if (isRefusal(headers)) return headers;
  const given = withGiven(endpoint, command, ['url', 'enabledEvents', 'description', 'version', 'ordered']);
  const after: WebhookEndpoint = { ...given, headers, metadata };
  const carried = carriedElsewhere(endpoint, after);
  if (carried) return carried;
  const names = changedNames(endpoint.headers, headers);
  const hasOtherHeaders = names.set.length + names.unset.length > 0;
  const hasOtherEvents = after.enabledEvents.join() !== endpoint.enabledEvents.join();
  const previous = {
    ...previousOf(endpoint, after, ['url']),
    ...(hasOtherEvents && { enabled_events: endpoint.enabledEvents }),
    ...previousOf(endpoint, after, ['description', 'version', 'ordered']),
    ...(hasOtherHeaders && { headers: previousHeaders(endpoint.headers, headers) }),
  };
  if (Object.keys(previous).length > 0) {
    const now = { url: after.url, enabled_events: after.enabledEvents, ...(hasOtherHeaders && { headers: names }) };
    draft.audit('webhook_endpoint.updated', endpoint.id, { changed: Object.keys(previous), ...now });
  }
  return update(draft, endpoint, after, previous, 'webhook_endpoint.updated');
});

/** Values of headers belong to who listens at an origin: whoever changes the URL must know them, or have them unset. */
function carriedElsewhere(before: WebhookEndpoint, after: WebhookEndpoint): Refusal | null {
  if (after.url === before.url || new URL(after.url).origin === new URL(before.url).origin) return null;
  const kept = new Set<SealedHeader>(before.headers);
  const names = after.headers.filter((header) => kept.has(header)).map(({ name }) => name);
  if (names.length === 0) return null;
  const message = `The values of the headers ${names.join(', ')} are not sent to another host. Send their values again in headers, or unset them.`;
  return refusal('parameter_missing', message, { param: 'headers' });
}

/** Its pending deliveries are no longer sent; its secrets and headers are erased. */
export const deleteWebhookEndpoint = about<About<'delete_webhook_endpoint'>>((draft, endpoint) => {
  const after = { ...endpoint, headers: [], secrets: [], deletedAt: draft.atMs };
  draft.update(after, 'webhook_endpoint.deleted');
  draft.audit('webhook_endpoint.deleted', endpoint.id, { url: endpoint.url });
  return { object: 'deleted', kind: 'webhook_endpoint', id: endpoint.id };
});

/** New events are sent again. Deliveries that are held stay so until they are replayed. */
export const enableWebhookEndpoint = about<About<'enable_webhook_endpoint'>>((draft, endpoint) => {
  if (endpoint.status === 'enabled') return endpoint;
  draft.audit('webhook_endpoint.enabled', endpoint.id);
  const after: WebhookEndpoint = { ...endpoint, status: 'enabled', disabledReason: null, firstFailedAt: null };
  const previous = { status: 'disabled', disabled_reason: endpoint.disabledReason };
  return draft.update(after, 'webhook_endpoint.updated', previous);
});

/** Disabling again changes nothing, and the first reason stays. */
export const disableWebhookEndpoint = about<DisableWebhookEndpoint>((draft, endpoint, command) => {
  if (endpoint.status === 'disabled') return endpoint;
  draft.audit('webhook_endpoint.disabled', endpoint.id, { reason: command.reason });
  const after: WebhookEndpoint = { ...endpoint, status: 'disabled', disabledReason: command.reason };
  return draft.update(after, 'webhook_endpoint.disabled', { status: 'enabled', disabled_reason: null });
});

/** Refuses `scope_missing` and `webhook_secret_limit`. */
export const rollWebhookSecret = about<RollWebhookSecret>((draft, endpoint, command) => {
  const hidden = notShown(command, endpoint.enabledEvents);
  if (hidden) return hidden;
  const overlapEndsAt = draft.atMs + command.overlapMs;
  const old = endpoint.secrets
    .map(({ sealed, expiresAt }) => ({ sealed, expiresAt: Math.min(expiresAt ?? overlapEndsAt, overlapEndsAt) }))
    .filter(({ expiresAt }) => expiresAt > draft.atMs);
  if (old.length >= MAX_SECRETS) {
    const message = `${old.length} secrets of this endpoint are still valid, at most ${MAX_SECRETS} may be. Wait until one has expired, or roll with expires_in=0.`;
    return refusal('webhook_secret_limit', message);
  }
  draft.audit('webhook_endpoint.secret_rolled', endpoint.id, { overlap_seconds: command.overlapMs / 1000 });
  const after = { ...endpoint, secrets: [{ sealed: command.sealedSecret, expiresAt: null }, ...old] };
  draft.update(after, 'webhook_endpoint.updated');
  return { object: 'webhook_endpoint_with_secret', id: endpoint.id, endpoint: after };
});

/** A `ping` for this endpoint alone. Refuses `resource_missing` and `webhook_endpoint_disabled`. */
export function testWebhookEndpoint(draft: Draft, command: About<'test_webhook_endpoint'>): Decision {
  const endpoint = findEnabled(draft, command.endpoint);
  if (isRefusal(endpoint)) return endpoint;
  const event = draft.emit('ping', endpoint);
  return {
    object: 'delivery',
    id: deliveryIdOf(event.id, endpoint.id),
    endpoint: endpoint.id,
    event: event.id,
    eventType: event.type,
    sequence: event.sequence,
    status: 'pending',
    nextAttemptAt: event.createdAt,
    attempts: [],
    createdAt: event.createdAt,
  };
}

export const noteWebhookHealth = about<NoteWebhookHealth>((draft, endpoint, command) => {
  const { failingSinceMs } = command;
  const isFailing = endpoint.firstFailedAt !== null;
  if (isFailing === (failingSinceMs !== null) || endpoint.status === 'disabled') return endpoint;
  const after = { ...endpoint, firstFailedAt: failingSinceMs };
  draft.update(after);
  if (endpoint.firstFailedAt !== null) {
    draft.emit('webhook_endpoint.updated', after, { first_failed_at: unixSeconds(endpoint.firstFailedAt) });
  } else draft.emit('webhook_endpoint.failing', after, { first_failed_at: null });
  return after;
});

export const noteParkedDelivery = about<NoteParkedDelivery>((draft, endpoint) => {
  draft.emit('webhook_endpoint.delivery_parked', endpoint);
  return endpoint;
});

/** A range ends at the newest event at the latest. Refuses `resource_missing`, `webhook_endpoint_disabled` and `scope_missing`. */
export function replayWebhookEndpoint(draft: Draft, command: ReplayWebhookEndpoint): Decision {
  const endpoint = findEnabled(draft, command.endpoint);
  if (isRefusal(endpoint)) return endpoint;
  const hidden = notShown(command, command.eventType === null ? endpoint.enabledEvents : [command.eventType]);
  if (hidden) return hidden;
  const newest = draft.state.environment.lastSequence;
  const untilSequence = command.until === null || command.until > newest ? newest : command.until;
  const afterSequence = command.after > untilSequence ? untilSequence : command.after;
  return createReplay(draft, { endpoint: endpoint.id, which: command.which, afterSequence, untilSequence });
}

/** Refuses `scope_missing`, `resource_missing`, `webhook_endpoint_disabled` and `webhook_endpoint_none`. */
export function resendEvent(draft: Draft, command: ResendEvent): Decision {
  const { sequence, eventType, endpoint: named } = command;
  const hidden = notShown(command, [eventType]);
  if (hidden) return hidden;
  const endpoint = named === null ? null : findEnabled(draft, named, 'webhook_endpoint');
  if (endpoint && isRefusal(endpoint)) return endpoint;
  const asks = ({ status, enabledEvents }: WebhookEndpoint) =>
    status === 'enabled' && enabledEvents.some((pattern) => typesMatching(pattern).includes(eventType));
  const targets = endpoint ? [endpoint] : draft.webhookEndpoints().filter(asks);
  if (targets.length === 0) {
    const message = `No enabled webhook endpoint asks for ${eventType}. Name one with webhook_endpoint.`;
    return refusal('webhook_endpoint_none', message, { param: 'webhook_endpoint' });
  }
  const range = { which: 'named', afterSequence: sequence - 1n, untilSequence: sequence } as const;
  const replays = targets.map(({ id }) => createReplay(draft, { endpoint: id, ...range }));
  return { object: 'webhook_replays', id: (replays[0] as WebhookReplay).id, replays };
}

type Asked = Pick<WebhookReplay, 'endpoint' | 'which' | 'afterSequence' | 'untilSequence'>;

const createReplay = (draft: Draft, asked: Asked): WebhookReplay =>
  draft.create({
    object: 'webhook_replay',
    id: draft.newId('rep'),
    ...asked,
    reachedSequence: asked.afterSequence,
    deliveriesCount: 0n,
    createdAt: draft.atMs,
    finishedAt: null,
  });

/** `scope_missing` where the key may not read what `patterns` stand for; `null` where it may. */
function notShown({ scopes }: Showing, patterns: readonly string[], param?: string): Refusal | null {
  const lacking = scopesMissingToSend(scopes, patterns.flatMap(typesMatching));
  if (lacking.length === 0) return null;
  const message = `This restricted key may not have these events sent: it lacks ${lacking.join(', ')}.`;
  return refusal('scope_missing', message, { ...(param !== undefined && { param }), allowed: [...(scopes ?? [])] });
}

function find(draft: Draft, id: string, param = 'id'): WebhookEndpoint | Refusal {
  const endpoint = draft.find('webhook_endpoint', id);
  return endpoint && endpoint.deletedAt === null ? endpoint : missing('webhook endpoint', id, param);
}

function findEnabled(draft: Draft, id: string, param = 'id'): WebhookEndpoint | Refusal {
  const endpoint = find(draft, id, param);
  if (isRefusal(endpoint) || endpoint.status === 'enabled') return endpoint;
  const message = `Webhook endpoint ${id} is disabled (${endpoint.disabledReason}). Enable it first: POST /v1/webhook_endpoints/${id}/enable.`;
  return refusal('webhook_endpoint_disabled', message, { param, current_status: 'disabled' });
}
