/**
 * Makes signing secrets and seals them for the database. Every delivery is signed, so unlike API keys they cannot be kept as
 * hashes; they are encrypted under the server secret. No secret, sealed or open, and no key may get into a message or a log.
 * Signing: `signature.ts`.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The start of a signing secret; the base64 of its bytes follows. Source: Standard Webhooks 1.0.0. */
export const SECRET_PREFIX = 'whsec_';

/** As long as the digest of HMAC-SHA-256; the standard asks for 24 to 64. */
const SECRET_BYTES = 32;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
/** GCM is made for 96 bits. Random nonces are safe for 2^32 seals a key (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Form of the sealed text: `v1.<key id>.<nonce, ciphertext, tag>`, the last in base64url. */
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/;

/** A sealed secret that cannot be opened. The message says why, for the person who runs the server. */
export class SealError extends Error {
  override name = 'SealError';
}

/** Seals and opens signing secrets under one server secret. */
export interface SecretBox {
  /** Text for the database, different each time, of `A-Z a-z 0-9 . _ -`, so that JSON escapes nothing. Opens for this endpoint only. */
  seal(secret: string, endpointId: string): string;
  /** The secret. Throws {@link SealError}: another server secret, another endpoint, a damaged or unknown text. */
  open(sealed: string, endpointId: string): string;
}

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The box of a server secret: AES-256-GCM with the endpoint's id as associated data, so that a text moved to another row does
 * not open. The key and its id are independent outputs of HKDF-SHA-256, so the id in the text reveals nothing about the key;
 * it distinguishes a wrong server secret from a damaged text.
 */
export function secretBox(serverSecret: string): SecretBox {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', serverSecret, '', info, length));
  const key = derive('bursar webhook signing secrets v1: key', KEY_BYTES);
  const keyId = derive('bursar webhook signing secrets v1: key id', KEY_ID_BYTES).toString('hex');
  return {
    seal(secret, endpointId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(endpointId));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${keyId}.${sealed.toString('base64url')}`;
    },
    open(sealed, endpointId) {
      const [, sealedUnder, text] = SEALED.exec(sealed) ?? [];
      if (sealedUnder === undefined || text === undefined) {
        throw new SealError(`The signing secret of ${endpointId} is not in a form that this version knows.`);
      }
      if (sealedUnder !== keyId) {
        throw new SealError(
          `The signing secret of ${endpointId} was sealed under another server secret (key ${sealedUnder}, this one is ${keyId}). Start with the BURSAR_SECRET that this database was used with, or roll the secret of the endpoint.`,
        );
      }
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(endpointId));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const inside = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([inside, decipher.final()]).toString('utf8');
      } catch {
        throw new SealError(`The signing secret of ${endpointId} is damaged, or belongs to another endpoint.`);
      }
    },
  };
}
