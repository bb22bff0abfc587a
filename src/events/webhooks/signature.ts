/**
 * The signatures of a delivery, in two forms: Standard Webhooks and Stripe’s. Secrets are needed again, unlike API
 * keys, so they are sealed (`platform/vault/vault.ts`), as values of headers are. For receivers: `docs/webhooks.md`.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { assert } from '../../core/values/assert.ts';
import { type ServerSecrets, type Vault, vault } from '../../platform/vault/vault.ts';

/**
 * The four headers of a delivery. `secrets` are open (`whsec_…`), newest first; a receiver needs to know one.
 * `webhook-signature` signs `id.timestamp.body` with the bytes behind the base64 after `whsec_`; `Bursar-Signature`
 * signs `timestamp.body` with the whole text of the secret. Source: Standard Webhooks 1.0.0 and Stripe’s "verify
 * webhook signatures"; contract, section 10.
 */
export function signatureHeaders(
  secrets: readonly string[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): Record<string, string> {
  assert(secrets.length > 0, 'a delivery without a secret');
  assert(Number.isSafeInteger(timestampSeconds), 'a delivery is signed at a whole second');
  const bytes = Buffer.from(body);
  let standard = '';
  let stripe = `t=${timestampSeconds}`;
  for (const secret of secrets) {
    assert(secret.startsWith(SECRET_PREFIX), 'a text that is no signing secret');
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const digest = createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.`).update(bytes).digest('base64');
    standard += standard === '' ? `v1,${digest}` : ` v1,${digest}`;
    stripe += `,v1=${createHmac('sha256', secret).update(`${timestampSeconds}.`).update(bytes).digest('hex')}`;
  }
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard,
    'Bursar-Signature': stripe,
  };
}

/** The start of a signing secret; the base64 of its bytes follows. Source: Standard Webhooks 1.0.0. */
const SECRET_PREFIX = 'whsec_';

/** As long as the digest of HMAC-SHA-256; the standard asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Seals signing secrets, each for its endpoint's id. */
export function secretBox(secrets: ServerSecrets): Vault {
  return vault(secrets, 'webhook signing secrets', 'signing secret');
}

/** Seals values of headers, each for its endpoint's id; no signing secret opens as one. */
export function headerBox(secrets: ServerSecrets): Vault {
  return vault(secrets, 'webhook headers', 'header');
}

/** The secret in an answer: before `metadata`, whose values are texts, so that nothing in it looks the same. */
export const SEALED_MEMBER = /"secret":"([^"]*)"(?=,"metadata":\{)/;
