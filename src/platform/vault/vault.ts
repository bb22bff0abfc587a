/**
 * Seals short texts for the database (AES-256-GCM) and makes blind indexes (HMAC-SHA-256), both under keys that follow from the
 * server secret. A vault has one purpose, so that nothing sealed for one opens in another. After the server secret was rotated, texts
 * that were sealed under an earlier one still open. No secret, sealed or open, and no key may get into a message or a log.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
/** GCM is made for 96 bits. Random nonces are safe for 2^32 seals a key (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Form of the sealed text: `v1.<key id>.<nonce, ciphertext, tag>`, the last in base64url. */
const FORM = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/;

/** Whether a text begins as sealed ones do; nothing that is sealed does. */
export const isSealed = (text: string): boolean => text.startsWith('v1.');

/** A sealed text that cannot be opened. The message says why, for the person who runs the server. */
export class SealError extends Error {
  override name = 'SealError';
  /** What the API answers. */
  readonly code = 'stored_data_untrusted';
}

/** Clear text where sealed text belongs. Must not quote it. */
export const clearText = (what: string, about: string): SealError =>
  new SealError(
    `The ${what} of ${about} is in clear text, or in a form that this version does not know. The service stores it sealed, so somebody wrote it past the service. Put back the sealed one of a backup.`,
  );

/** The server secret and those it had before, newest first. Must never be logged. */
export interface ServerSecrets {
  readonly current: string;
  readonly previous: readonly string[];
}

/** Names a server secret. Independent of everything that is made with it, so nothing of the secret can be read from it. */
export function secretIdOf(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'bursar server secret v1: id', KEY_ID_BYTES)).toString('hex');
}

export interface Vault {
  /** Names the key of each server secret, that of the current one first. Reveals nothing of the secret. */
  readonly keyIds: readonly string[];
  /** Different each time, of `A-Z a-z 0-9 . _ -`. Opens only for the same `about`: the id of what it belongs to. */
  seal(text: string, about: string): string;
  /** The text. Throws {@link SealError}: an unknown server secret, another `about`, a damaged or unknown form. */
  open(sealed: string, about: string): string;
  /** Whether it is sealed under the current server secret. Does not open it. */
  isCurrent(sealed: string): boolean;
  /** 32 bytes to look a text up by, for each server secret, the current one first. Nothing can be read from them. */
  blind(text: string): readonly [Buffer, ...Buffer[]];
}

/**
 * What clear text is where sealed text belongs. `refused`: written past the service. `taken`: of before the sealing, for
 * the one walk that ends it (`operator/seal-stored.ts`).
 */
export type ClearText = 'refused' | 'taken';

export const openedBy = (box: Vault, text: string, about: string, clear: ClearText): string =>
  clear === 'taken' && !isSealed(text) ? text : box.open(text, about);

interface Keys {
  readonly id: string;
  readonly seal: Buffer;
  readonly blind: Buffer;
}

/**
 * `purpose` in words, which can never change: the keys follow from it. `what` names a sealed text in messages. The id
 * of a key reveals nothing of the key; it tells an unknown secret from a damaged text.
 */
export function vault({ current, previous }: ServerSecrets, purpose: string, what: string): Vault {
  const known = [current, ...previous].map((secret): Keys => {
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, '', `bursar ${purpose} v1: ${name}`, length));
    return {
      id: derive('key id', KEY_ID_BYTES).toString('hex'),
      seal: derive('key', KEY_BYTES),
      blind: derive('blind index', KEY_BYTES),
    };
  });
  const newest = known[0] as Keys;
  const blindUnder = (keys: Keys, text: string) => createHmac('sha256', keys.blind).update(text).digest();
  return {
    keyIds: known.map(({ id }) => id),
    seal(text, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, newest.seal, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(about));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${newest.id}.${sealed.toString('base64url')}`;
    },
    open(sealed, about) {
      const [, keyId, text] = FORM.exec(sealed) ?? [];
      if (keyId === undefined || text === undefined) throw clearText(what, about);
      const keys = known.find(({ id }) => id === keyId);
      if (keys === undefined) {
        throw new SealError(
          `The ${what} of ${about} was sealed under another server secret (key ${keyId}, this one is ${newest.id}). Start with the BURSAR_SECRET that this database was used with, or name that one in BURSAR_SECRET_PREVIOUS.`,
        );
      }
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(CIPHER, keys.seal, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(about));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const inside = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([inside, decipher.final()]).toString('utf8');
      } catch {
        throw new SealError(`The ${what} of ${about} is damaged, or belongs to another object.`);
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${newest.id}.`),
    blind: (text) => [blindUnder(newest, text), ...known.slice(1).map((keys) => blindUnder(keys, text))],
  };
}
