/**
 * Signing secrets of endpoints. Every delivery is signed, so unlike API keys they cannot be kept as hashes: they are sealed
 * (`platform/vault/vault.ts`). Signing: `signature.ts`.
 */
import { randomBytes } from 'node:crypto';
import { type ServerSecrets, type Vault, vault } from '../../platform/vault/vault.ts';

/** The start of a signing secret; the base64 of its bytes follows. Source: Standard Webhooks 1.0.0. */
export const SECRET_PREFIX = 'whsec_';

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

/** The secret in an answer, as its first match: texts before it have their quotes escaped, and metadata comes after it. */
export const SEALED_MEMBER = /"secret":"([^"]*)"/;
