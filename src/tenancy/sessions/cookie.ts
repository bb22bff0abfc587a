/**
 * The cookie of the dashboard and the token in it: 32 random bytes, of which only the SHA-256 is stored. The name begins with `__Host-`, so a
 * browser takes it only with `Secure`, for this host alone and every path. No token may get into a message or a log.
 */
import { hash, randomBytes } from 'node:crypto';

const NAME = '__Host-bursar';
const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const SHAPE = /^[A-Za-z0-9_-]{43}$/;
const ATTRIBUTES = 'Secure; HttpOnly; SameSite=Strict; Path=/';

export interface Token {
  readonly text: string;
  readonly hash: Buffer;
}

export const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');

export function newToken(): Token {
  const text = randomBytes(TOKEN_BYTES).toString('base64url');
  return { text, hash: hashOf(text) };
}

/** The token in a `Cookie` header; `null`: none of the right shape, or two of them, of which one may be planted. */
export function tokenIn(header: string | undefined): string | null {
  if (header === undefined) return null;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  const [value = ''] = values;
  return values.length === 1 && SHAPE.test(value) ? value : null;
}

/** For `Set-Cookie`. Without an age: the browser forgets it when it is closed, and the server ends the session in any case. */
export const cookieWith = (text: string): string => `${NAME}=${text}; ${ATTRIBUTES}`;

export const COOKIE_REMOVED = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
