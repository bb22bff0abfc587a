/**
 * The bytes of a backup file: a head in clear, then frames, each a kind, a length and a payload. With a passphrase every payload is
 * sealed with AES-256-GCM under a key of the file's own (scrypt), with the number of the frame as nonce and its kind and the head as associated data, so that
 * frames cannot be changed, left out, moved or taken from another file. Next: `write.ts`, `read.ts`.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';

/** The file cannot be restored. The message says why, and what to do. */
export class BackupUnusable extends Error {
  override name = 'BackupUnusable';
}

/** What a frame holds: JSON about the whole, about a table, rows, JSON about the rows, JSON about all tables, the digest of that. */
export const FRAME_KINDS = ['head', 'table', 'rows', 'table_end', 'manifest', 'end'] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

export interface Frame {
  readonly kind: FrameKind;
  readonly payload: Buffer;
}

export const SIGNATURE = 'bursar backup 1\n';
/** Payload of one frame; bounds the memory of a reader. */
export const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
/** Kind and length. */
export const FRAME_HEAD_BYTES = 5;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** 128 MB and some tenths of a second a guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const;

/** In clear at the beginning of the file, a line of JSON. */
export interface ClearHead {
  /** `null`: not sealed. Hex. */
  readonly salt: string | null;
}

export const clearHead = (isSealed: boolean): ClearHead => ({
  salt: isSealed ? randomBytes(16).toString('hex') : null,
});

/** The head as it stands in the file, behind the signature line. */
export const headLine = (head: ClearHead): Buffer => Buffer.from(`${SIGNATURE}${JSON.stringify(head)}\n`);

/** Seals and opens payloads, in the order of their frames. */
export interface FrameCipher {
  /** Bytes that a sealed payload is longer. */
  readonly extraBytes: number;
  seal(kind: FrameKind, payload: Buffer): Buffer;
  /** Throws {@link BackupUnusable}. */
  open(kind: FrameKind, payload: Buffer): Buffer;
}

/** For a head with a salt, `passphrase` is needed. */
export async function frameCipher(head: ClearHead, passphrase: string | null): Promise<FrameCipher> {
  if (head.salt === null) return { extraBytes: 0, seal: (_, payload) => payload, open: (_, payload) => payload };
  const key = await keyOf(passphrase ?? '', head.salt);
  const about = createHash('sha256').update(headLine(head)).digest();
  let number = 0n;
  const next = (kind: FrameKind) => {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(number++, 4);
    return { nonce, associated: Buffer.concat([about, Buffer.from(kind)]) };
  };
  return {
    extraBytes: TAG_BYTES,
    seal(kind, payload) {
      const { nonce, associated } = next(kind);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated);
      return Buffer.concat([cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
    },
    open(kind, payload) {
      const isFirst = number === 0n;
      const { nonce, associated } = next(kind);
      const end = payload.length - TAG_BYTES;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(associated);
        decipher.setAuthTag(payload.subarray(Math.max(end, 0)));
        return Buffer.concat([decipher.update(payload.subarray(0, Math.max(end, 0))), decipher.final()]);
      } catch {
        throw new BackupUnusable(
          isFirst
            ? 'The passphrase does not open this backup, or its beginning is damaged.'
            : `The backup is damaged: part ${number} does not open. Use another copy.`,
        );
      }
    },
  };
}

const keyOf = (passphrase: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const given = passphrase.normalize('NFC');
    scrypt(given, Buffer.from(salt, 'hex'), KEY_BYTES, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  });

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
