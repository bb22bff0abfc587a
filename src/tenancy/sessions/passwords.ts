/**
 * Passwords of people: scrypt (N=2^15, r=8, p=1: some 90 ms and 32 MiB), 12 to 128 characters, without rules of composition, but none that
 * everybody uses. A check for nobody costs as much as one for somebody. No password may get into a message or a log.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { RequestError } from '../../core/values/errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const FORM = /^scrypt\$15\$8\$1\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;
/** 32 MiB each, and one of the four threads that files and names of hosts wait for, too. */
const MOST_AT_ONCE = 2;
/** Some two seconds. Whoever comes then is refused at once: a stranger makes neither memory nor waiting grow. */
const MOST_WAITING = 32;

let running = 0;
const waiting: (() => void)[] = [];

/** The same characters count the same, however the keyboard made them. */
const normalised = (password: string): string => password.normalize('NFKC');

async function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (waiting.length >= MOST_WAITING) {
    throw new RequestError('rate_limited', 'Too many passwords are being checked. Try again in a few seconds.');
  }
  if (running >= MOST_AT_ONCE) await new Promise<void>((start) => waiting.push(start));
  else running += 1;
  try {
    return await new Promise((resolve, reject) =>
      scrypt(normalised(password), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
    );
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next(); // its place is handed on
  }
}

/** What is stored: parameters, salt and key. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `scrypt$15$8$1$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/** `stored` is `null` for a person that does not exist or has none: then the answer is `false`, after the same work. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt, key] = FORM.exec(stored ?? '') ?? [];
  if (salt === undefined || key === undefined) {
    await derive(password, Buffer.alloc(SALT_BYTES));
    return false;
  }
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url')), Buffer.from(key, 'base64url'));
}

/** Why a password cannot be taken, as a sentence; `null`: it can. `about`: name and address of the person. Its length is checked before. */
export function weakness(password: string, about: readonly string[]): string | null {
  const plain = normalised(password).toLowerCase();
  const letters = plain.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (COMMON_PASSWORDS.has(plain) || COMMON_PASSWORDS.has(letters)) {
    return 'This password is on every list of common ones. Choose another: three words that have nothing to do with each other are good.';
  }
  if (new Set(plain).size < 5 || isRun(plain)) {
    return 'This password repeats or counts characters. Choose another: three words that have nothing to do with each other are good.';
  }
  const own = about.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter(({ length }) => length > 3);
  const left = [...own, 'bursar', 'password'].reduce((text, word) => text.replaceAll(word, ''), letters);
  if (left.length < 5) {
    return 'This password is little more than a name. Choose another: three words that have nothing to do with each other are good.';
  }
  return null;
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
];

/** Whether it is made of runs of the alphabet, of digits or of the keyboard, forwards or back. */
function isRun(text: string): boolean {
  const rows = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
  let rest = text.replaceAll(/[^a-z0-9]/g, '');
  const at = (length: number) => rows.some((row) => row.includes(rest.slice(0, length)));
  while (rest.length >= 4) {
    let length = 4;
    if (!at(length)) return false;
    while (length < rest.length && at(length + 1)) length += 1;
    rest = rest.slice(length);
  }
  return true;
}
