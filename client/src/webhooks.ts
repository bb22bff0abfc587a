/** Verifies deliveries: Standard Webhooks 1.0.0, with the Web Crypto of every platform. For receivers: docs/webhooks.md. */
import type { Event } from './generated/types.ts';
import { parse } from './parse.ts';

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

/** Of the Fetch API or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a delivery. `body` is the request's body as it came, not parsed and written anew. `secret` is `whsec_…`, or several while one is
 * being rolled. Throws `WebhookError`. A delivery may come twice: keep `event.id`, and order by `event.sequence`.
 */
async function verify(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Event> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerIn(headers, name),
  ) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError('timestamp_outside_tolerance', `The delivery is of ${timestamp}, too far from now.`);
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.split(' ').filter((each) => each.startsWith('v1,'));
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', bytesOf(each.replace(/^whsec_/, '')), algorithm, false, [
      'verify',
    ]);
    for (const signature of given.slice(0, 10)) {
      // In constant time.
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)) return parse(text) as Event;
    }
  }
  throw new WebhookError('signature_wrong', 'No signature of the delivery fits the secret and the body as it came.');
}

function headerIn(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  const text = typeof value === 'string' ? value : value?.[0];
  if (text === undefined || text === '')
    throw new WebhookError('header_missing', `The delivery has no header ${name}.`);
  return text;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0); // fits nothing
  }
}

export const webhooks = { verify };
