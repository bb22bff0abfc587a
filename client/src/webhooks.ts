/** Verifies deliveries: Standard Webhooks 1.0.0, with the Web Crypto of every platform. For receivers: docs/webhooks.md. */
import type { Event } from './generated/types.ts';
import type { NamesOf } from './options.ts';
import { parse } from './parse.ts';
import { refuseUnknown } from './refuse.ts';

/** The delivery is not from the holder of the secret, or too old. Answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'header_missing' | 'timestamp_outside_tolerance' | 'signature_wrong';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface VerifyOptions {
  /** How far the time of the delivery may be from now. Default 300. */
  readonly toleranceSeconds?: number;
}
const OF_VERIFY: NamesOf<VerifyOptions> = { toleranceSeconds: true };

/** Of the Fetch API, of Node, or of a gateway: names in any case, a value or several. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a delivery. `body` is the request's body as it came, not parsed and written anew. `secret` is `whsec_…`, or several while one is
 * being rolled. Throws `WebhookError`. A delivery may come twice: keep `event.id`, and order by `event.sequence`.
 */
async function verify(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event> {
  refuseUnknown(options, OF_VERIFY, 'verify');
  const { toleranceSeconds = 300 } = options;
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerIn(headers, name),
  ) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError('timestamp_outside_tolerance', `The delivery is of ${timestamp}, too far from now.`);
  }
  const text = textOf(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  // Blanks between them, or commas where a gateway has joined headers. One may itself begin as a version does: `v1,v2Fy…`.
  const given = [...signatures.matchAll(/(?:^|[\s,])v1,([^\s,]+)/g)].map(([, signature = '']) => signature);
  for (const each of secretsOf(secret)) {
    const key = await keyOf(each, 'verify');
    for (const signature of given.slice(0, 10)) {
      // In constant time.
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return parse(text) as Event;
    }
  }
  throw new WebhookError('signature_wrong', 'No signature of the delivery fits the secret and the body as it came.');
}

export interface TestDelivery {
  /** The body, exactly as your test sends it. */
  readonly payload: string | Uint8Array<ArrayBuffer>;
  /** Of the endpoint: `whsec_…`, or several as while one is being rolled. */
  readonly secret: string | readonly string[];
  /** Default: the `id` of the payload. */
  readonly id?: string;
  /** Unix seconds. Default: now. An old one shows how your receiver refuses it. */
  readonly timestamp?: number;
}
const OF_DELIVERIES: NamesOf<TestDelivery> = { payload: true, secret: true, id: true, timestamp: true };

/** The headers that Bursar would send with such a delivery, for tests of your receiver. */
async function generateTestHeaders(delivery: TestDelivery): Promise<TestHeaders> {
  refuseUnknown(delivery, OF_DELIVERIES, 'generateTestHeaders');
  const { payload, secret, id, timestamp } = delivery;
  const text = textOf(payload);
  const [name, at] = [id ?? idIn(text), String(timestamp ?? Math.floor(Date.now() / 1_000))];
  const bytes = new TextEncoder().encode(`${name}.${at}.${text}`);
  const signatures = secretsOf(secret).map(async (each) => {
    const signature = await crypto.subtle.sign('HMAC', await keyOf(each, 'sign'), bytes);
    return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
  });
  const signature = (await Promise.all(signatures)).join(' ');
  return { 'webhook-id': name, 'webhook-timestamp': at, 'webhook-signature': signature };
}

export type TestHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

function idIn(text: string): string {
  try {
    const { id } = JSON.parse(text) as { readonly id?: unknown };
    if (typeof id === 'string') return id;
  } catch {} // a payload that is wrong on purpose
  return 'evt_test';
}

const textOf = (body: string | Uint8Array<ArrayBuffer>): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);
const secretsOf = (secret: string | readonly string[]): readonly string[] =>
  typeof secret === 'string' ? [secret] : secret;
const keyOf = (secret: string, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, [
    use,
  ]);

function headerIn(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? (headers as Headers).get(name) : valueIn(headers, name);
  if (value !== undefined && value !== null && value !== '') return value;
  throw new WebhookError('header_missing', `The delivery has no header ${name}.`);
}

/** Several values of one name are one text, as the Fetch API has it. */
function valueIn(headers: object, name: string): string | undefined {
  const value: unknown = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value.join(', ') : (value as string | undefined);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0); // fits nothing
  }
}

export const webhooks = { verify, generateTestHeaders };
