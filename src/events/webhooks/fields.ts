/** Webhook endpoints, replays and deliveries, field by field: their types, rows, JSON and schemas are made from these lists. */
import { exampleId } from '../../core/values/ids.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';
import * as field from '../../core/fields.ts';
import { ref } from '../../core/values/json-schema.ts';
import { API_VERSION, API_VERSION_PATTERN } from '../../core/values/version.ts';
import { MASK, masked, type SealedHeader } from './headers.ts';

export const DISABLED_REASONS = ['requested', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A signing secret, sealed. */
export interface SealedSecret {
  readonly sealed: string;
  /** When it stops signing; `null` is the current one. */
  readonly expiresAt: number | null;
}

interface SecretColumns {
  readonly sealed: string;
  readonly expires_at: number | null;
}

/** Newest first; shown to nobody. */
const secrets: field.Field<readonly SealedSecret[]> = {
  column: {
    type: 'jsonb',
    name: null,
    mutable: true,
    encode: (all) => JSON.stringify(all.map(({ sealed, expiresAt: expires_at }) => ({ sealed, expires_at }))),
    decode: (stored) =>
      (JSON.parse(stored as string) as SecretColumns[]).map(({ sealed, expires_at: expiresAt }) => ({
        sealed,
        expiresAt,
      })),
  },
  shown: null,
};

const headers: field.Field<readonly SealedHeader[]> = {
  column: {
    type: 'jsonb',
    name: null,
    mutable: true,
    encode: (all) => JSON.stringify(all),
    decode: (stored) => JSON.parse(stored as string) as SealedHeader[],
  },
  shown: (member) => ({
    schemas: { [member]: ref('WebhookHeaders') },
    examples: { [member]: { Authorization: MASK } },
    json: (all) => `"${member}":${JSON.stringify(masked(all))}`,
  }),
};

const ENDPOINT = {
  url: field.text({
    description: 'An address that events are sent to.',
    example: 'https://hooks.example.com/bursar',
    mutable: true,
  }),
  /** As asked for. */
  enabledEvents: field.json<readonly string[]>(
    { type: 'array', items: { type: 'string' } },
    { description: 'Types, families such as `payout.*`, or `*`.', example: ['payout.*'], mutable: true },
  ),
  description: field.textOrNull({ description: 'A text of your own.', mutable: true }),
  version: field.day({
    schema: {
      type: 'string',
      pattern: API_VERSION_PATTERN,
      description: 'The version of the API in which its events are sent.',
    },
    example: API_VERSION,
    mutable: true,
  }),
  ordered: field.flag({ description: 'One delivery in flight, in order of `sequence`.', mutable: true }),
  headers,
  status: field.oneOf(['enabled', 'disabled'], { mutable: true }),
  disabledReason: field.oneOfOrNull(DISABLED_REASONS, {
    description: '`requested`; `failing`: five days without a success; `gone`: it answered 410.',
    mutable: true,
  }),
  firstFailedAt: field.instantOrNull({
    description: 'The first failure since the last success, if the endpoint counts as failing.',
    mutable: true,
  }),
};

export const WEBHOOK_ENDPOINT = field.objectType('webhook_endpoint', 'we', {
  ...ENDPOINT,
  metadata: field.metadata({ mutable: true }),
  secrets,
  deletedAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type WebhookEndpoint = field.ObjectOf<typeof WEBHOOK_ENDPOINT>;

/** What `create` and `roll_secret` answer. The newest secret is still sealed; the route opens it as the answer leaves. */
export const WEBHOOK_ENDPOINT_WITH_SECRET = field.objectType('webhook_endpoint', 'we', {
  ...ENDPOINT,
  secret: field.derived(
    'secret',
    {
      type: 'string',
      description:
        '`whsec_…`. Keep it: it cannot be read again, only rolled. A request that is repeated after ten minutes is answered without it.',
    },
    (endpoint: WebhookEndpoint) => JSON.stringify(endpoint.secrets[0]?.sealed),
  ),
  metadata: field.metadata(),
});

export const REPLAY_KINDS = ['failed', 'all', 'named'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** A job that sends the events of a range again. Only the dispatcher updates its row (`delivery-sql.ts`). */
export const WEBHOOK_REPLAY = field.objectType('webhook_replay', 'rep', {
  endpoint: field.id('we', { column: 'endpoint_id', member: 'webhook_endpoint' }),
  which: field.oneOf(REPLAY_KINDS, {
    member: 'only',
    description:
      '`failed`: deliveries that did not succeed. `all`: every event that the endpoint asks for. `named`: the one event.',
  }),
  afterSequence: field.bigCount({ description: 'Events after this one …' }),
  untilSequence: field.bigCount({ description: '… up to and with this one.' }),
  reachedSequence: field.bigCount({ description: 'The sequence that the job has reached.' }),
  deliveriesCount: field.bigCount({ description: 'Number of deliveries made due again so far.' }),
  status: field.derived(
    'status',
    { type: 'string', enum: ['running', 'completed'] },
    ({ finishedAt }: { finishedAt: number | null }) => (finishedAt === null ? '"running"' : '"completed"'),
  ),
  finishedAt: field.instantOrNull({ hidden: true }),
});
export type WebhookReplay = field.ObjectOf<typeof WEBHOOK_REPLAY>;

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held', 'parked'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ATTEMPT_OUTCOMES = [
  'succeeded', // 2xx, and the whole answer arrived, or more of it than is read
  'status', // any other status
  'dns',
  'blocked', // the guard refused
  'refused', // no connection
  'tls',
  'timeout',
  'too_long', // the headers of the answer are longer than the limit
  'broken', // the connection ended early, or the answer was not HTTP
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One attempt, in the table and in answers. */
export interface DeliveryAttempt {
  /** Unix seconds, environment clock. */
  readonly started_at: number;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

/** A delivery in answers. Its row is not made from these fields: the dispatcher writes it (`delivery-sql.ts`). */
export const DELIVERY = field.objectType('delivery', 'dlv', {
  endpoint: field.id('we', { member: 'webhook_endpoint' }),
  event: field.idOrNull('evt', {
    description: '`null` after the event was deleted for its age.',
    example: exampleId('evt'),
  }),
  eventType: field.oneOfOrNull(EVENT_TYPES, {
    example: 'payout.paid',
    schema: { anyOf: [ref('EventType'), { type: 'null' }] },
  }),
  sequence: field.bigCount({ schema: { type: 'integer', minimum: 1 }, example: 41 }),
  status: field.oneOf(DELIVERY_STATUSES, {
    description:
      '`pending`: waits for its next attempt. `failed`: all attempts are used up. `held`: the endpoint was disabled. `parked`: put aside so that an ordered endpoint can go on. All but `succeeded` can be replayed.',
  }),
  nextAttemptAt: field.instantOrNull({
    description: 'When the next attempt is due, Unix seconds.',
    example: 1_732_184_005,
  }),
  attempts: field.json<readonly DeliveryAttempt[]>(
    { type: 'array', items: ref('DeliveryAttempt') },
    { description: 'Oldest first.' },
  ),
});
export type Delivery = field.ObjectOf<typeof DELIVERY>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly webhook_endpoint: WebhookEndpoint;
    readonly webhook_replay: WebhookReplay;
  }
  interface Unannounced {
    readonly webhook_replay: WebhookReplay;
  }
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly webhook_endpoint_with_secret: {
      readonly object: 'webhook_endpoint_with_secret';
      readonly id: string;
      readonly endpoint: WebhookEndpoint;
    };
    readonly webhook_replays: {
      readonly object: 'webhook_replays';
      readonly id: string;
      readonly replays: readonly WebhookReplay[];
    };
    readonly delivery: Delivery;
  }
}
