/**
 * Webhook endpoints for tests: made over the API, and what a careful receiver would say of a delivery. The other end of
 * the wire: `receiver.ts`.
 */
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { must } from '../harness/tenant-fixture.ts';
import type { Client, Json } from '../harness/http.ts';
import type { Received } from './receiver.ts';

export interface EndpointSettings {
  readonly url: string;
  readonly enabled_events?: readonly string[];
  readonly ordered?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MadeEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
  /** As it is now. */
  now(): Promise<Json>;
  /** Its deliveries, oldest first; at most 100. */
  deliveries(): Promise<readonly Delivery[]>;
  replays(): Promise<readonly Json[]>;
  /** `POST /v1/webhook_endpoints/:id/<verb>`; what it answers. */
  ask(verb: 'enable' | 'disable' | 'test' | 'replay' | 'roll_secret', body?: object): Promise<Json>;
}

/** A delivery on the wire. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly event_type: string;
  readonly sequence: number;
  readonly status: string;
  readonly next_attempt_at: number | null;
  readonly attempts: readonly {
    readonly started_at: number;
    readonly outcome: string;
    readonly http_status: number | null;
    readonly response: string | null;
    readonly error: string | null;
  }[];
}

export async function makeEndpoint(client: Client, settings: EndpointSettings): Promise<MadeEndpoint> {
  const { id, secret } = must(await client.post('/v1/webhook_endpoints', settings)).json;
  const path = `/v1/webhook_endpoints/${id as string}`;
  return {
    id: id as string,
    secret: secret as string,
    path,
    now: async () => must(await client.get(path)).json,
    deliveries: async () =>
      must(await client.get(`/v1/deliveries?webhook_endpoint=${id as string}&limit=100&order=asc`)).json[
        'data'
      ] as unknown as Delivery[],
    replays: async () =>
      must(await client.get(`/v1/webhook_replays?webhook_endpoint=${id as string}&limit=100`)).json[
        'data'
      ] as readonly Json[],
    ask: async (verb, body = {}) => must(await client.post(`${path}/${verb}`, body)).json,
  };
}

/** Whether a receiver that knows this secret takes the delivery for ours, in both forms of the signature. */
export function verifies({ headers, body }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    Stripe.webhooks.constructEvent(body, headers['bursar-signature'] as string, secret);
    return true;
  } catch {
    return false;
  }
}
