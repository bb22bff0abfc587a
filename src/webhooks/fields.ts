/**
 * Webhook endpoints, field by field, and what is kept of replays and deliveries, whose progress only the dispatcher knows. Secrets
 * are kept sealed and shown by `create` and `roll_secret` alone.
 */
import type { EventType } from '../core/event-types.ts';
import * as field from '../core/fields.ts';

export const DISABLED_REASONS = ['requested', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A signing secret as it is kept: sealed, never in clear. */
export interface SealedSecret {
  readonly sealed: string;
  /** When it stops signing; `null` is the current one. */
  readonly expiresAt: number | null;
}

interface SecretColumns {
  readonly sealed: string;
  readonly expires_at: number | null;
}

/** Newest first. */
const secrets: field.Field<readonly SealedSecret[]> = {
  column: {
    type: 'jsonb',
    name: null,
    mutable: true,
    encode: (all) =>
      JSON.stringify(all.map(({ sealed, expiresAt }): SecretColumns => ({ sealed, expires_at: expiresAt }))),
    decode: (stored) =>
      (JSON.parse(stored as string) as SecretColumns[]).map(({ sealed, expires_at: expiresAt }) => ({
        sealed,
        expiresAt,
      })),
  },
  shown: null,
};

const ENDPOINT = {
  url: field.text({ description: 'Where events are sent.', mutable: true }),
  /** As asked for. */
  enabledEvents: field.json<readonly string[]>(
    { type: 'array', items: { type: 'string' } },
    { description: 'Types, families such as `payout.*`, or `*`.', mutable: true },
  ),
  description: field.textOrNull({ description: 'Your own words.', mutable: true }),
  ordered: field.flag({ description: 'One delivery in flight, in order of `sequence`.', mutable: true }),
  status: field.oneOf(['enabled', 'disabled'], { mutable: true }),
  disabledReason: field.oneOfOrNull(DISABLED_REASONS, {
    description: '`requested`; `failing`: five days without a success; `gone`: it answered 410.',
    mutable: true,
  }),
  failingSince: field.instantOrNull({
    description: 'First failure since the last success, once it counts as failing.',
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

/** Its newest secret as it is kept: sealed. The route opens it as the answer leaves. */
export const WEBHOOK_ENDPOINT_WITH_SECRET = field.objectType('webhook_endpoint', 'we', {
  ...ENDPOINT,
  secret: field.derived(
    'secret',
    { type: 'string', description: '`whsec_…`. Keep it; it cannot be read again, only rolled.' },
    (endpoint: WebhookEndpoint) => JSON.stringify(endpoint.secrets[0]?.sealed),
  ),
  metadata: field.metadata(),
});

/** What a replay sends again: what did not succeed, all that the endpoint asks for, or the named event whatever its type. */
export const REPLAY_KINDS = ['failed', 'all', 'named'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** A job that sends the events of a range again. How far it is, only the dispatcher knows. */
export interface WebhookReplay {
  readonly object: 'webhook_replay';
  readonly id: string;
  readonly endpoint: string;
  /** Events after this sequence, up to and with `until`. */
  readonly after: bigint;
  readonly until: bigint;
  readonly which: ReplayKind;
  readonly createdAt: number;
}

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held', 'parked'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt, as it is kept and as it is answered. */
export interface DeliveryAttempt {
  /** Unix seconds, environment clock. */
  readonly started: number;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

/** One event on its way to one endpoint, for answers. The dispatcher keeps it (`webhooks/delivery-sql.ts`). */
export interface Delivery {
  readonly object: 'delivery';
  readonly id: string;
  readonly endpoint: string;
  /** `null` once the event is older than what is kept. */
  readonly event: string | null;
  readonly eventType: EventType | null;
  readonly sequence: bigint;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: number | null;
  readonly attempts: readonly DeliveryAttempt[];
  readonly createdAt: number;
}

declare module '../core/objects.ts' {
  interface Stored {
    readonly webhook_endpoint: WebhookEndpoint;
    readonly webhook_replay: WebhookReplay;
  }
  interface Unannounced {
    readonly webhook_replay: WebhookReplay;
  }
}

declare module '../core/decision.ts' {
  interface Replies {
    /** `create` and `roll_secret`, which show the secret. */
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
