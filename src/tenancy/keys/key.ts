/**
 * The form of an API key: `sk_test_`, 32 random bytes in base62, and a checksum of six characters, by which a mistyped key is refused without
 * a look-up and secret scanners recognise keys. Only the HMAC of a key is stored; a key is never logged. Contract, section 7.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';

export type KeyPrefix = 'sk_test_' | 'sk_live_' | 'rk_test_' | 'rk_live_';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes need 43 digits of base 62. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^([sr]k_(?:test|live)_)([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++) {
    text = (BASE62[Number(value % 62n)] as string) + text;
    value /= 62n;
  }
  return text;
}

function checksum(text: string): string {
  return base62(hash('sha256', text, 'buffer').subarray(0, 8), CHECKSUM_LENGTH);
}

export function generateKey(prefix: KeyPrefix): string {
  const text = prefix + base62(randomBytes(32), SECRET_LENGTH);
  return text + checksum(text);
}

/** Whether the text has the form of a key and its checksum is right. Says nothing about existence. */
export function isKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checksum(`${match[1]}${match[2]}`) === match[3];
}

/** The HMAC that is stored and looked up. It needs the server secret, so a stolen database opens no environment. */
export function hashKey(serverSecret: string, key: string): Buffer {
  return createHmac('sha256', serverSecret).update(key).digest();
}
