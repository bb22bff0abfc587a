/**
 * The key in an `Authorization` header: Bearer, or Basic with the key as user name and no password; its shape only.
 * Never logs or echoes a key. All refusals have the same message, so that none shows which keys exist.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '../../core/values/errors.ts';

/** What stands before the path of an operation where a person's session opens it. */
export const DASHBOARD_API = '/dashboard/api';

/** A prefix and base62 text. The keys slice checks the exact form together with the checksum. */
const KEY_SHAPE = /^[sr]k_(?:test|live)_[0-9A-Za-z]{20,80}$/;

/**
 * The key's text, or `undefined` if there is none of the right shape. A browser remembers what was typed for Basic and sends it along with
 * requests that other sites cause, so those are not taken.
 */
export function keyIn(headers: IncomingHttpHeaders): string | undefined {
  const { authorization: header } = headers;
  if (header === undefined) return undefined;
  const [, scheme, credentials = ''] = /^(bearer|basic) +(\S+)$/i.exec(header) ?? [];
  let key: string | undefined;
  if (scheme?.toLowerCase() === 'bearer') key = credentials;
  else if (scheme !== undefined && isOwnSite(headers)) key = basicUser(credentials);
  return key !== undefined && KEY_SHAPE.test(key) ? key : undefined;
}

/** Browsers say where a request comes from by Fetch Metadata; over plain http, and old ones, by `Origin`, which all writes have. */
function isOwnSite({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'none' || site === 'same-origin';
  return origin === undefined || origin.replace(/^https?:\/\//, '') === host;
}

/** By `Accept`, or by the end of an address. */
const FOR_PEOPLE = /\btext\/(?:html|csv)\b|\bapplication\/pdf\b/i;
const FORMAT_FOR_PEOPLE = /[?&]format=(?:csv|pdf)\b/;
/** At the dashboard no header opens anything: no browser may ask for a password there. */
const SESSION = 'Session realm="Bursar"';
const BASIC = 'Basic realm="Bursar", charset="UTF-8"';

/**
 * What a 401 asks for. A browser and a spreadsheet ask for name and password only where Basic is offered: where a page, a table or a PDF was
 * asked for, and no other site asks. Anybody else is told of `Bearer`. Source: RFC 7617.
 */
export function challengeFor({
  headers,
  originalUrl,
}: {
  readonly headers: IncomingHttpHeaders;
  readonly originalUrl: string;
}): string {
  if (originalUrl.startsWith(DASHBOARD_API)) return SESSION;
  const isForPeople = FOR_PEOPLE.test(headers.accept ?? '') || FORMAT_FOR_PEOPLE.test(originalUrl);
  return isForPeople && isOwnSite(headers) ? BASIC : 'Bearer';
}

// `key:` in base64. A password is refused, because it would be a second secret without effect.
function basicUser(base64: string): string | undefined {
  if (base64.length > 200) return undefined;
  const pair = Buffer.from(base64, 'base64').toString('latin1');
  return pair.endsWith(':') ? pair.slice(0, -1) : undefined;
}

export function keyRefused(): RequestError {
  return new RequestError(
    'api_key_invalid',
    'No valid API key was sent: it is missing, malformed, unknown, revoked or expired. Send the header `Authorization: Bearer <API_KEY>`.',
  );
}
