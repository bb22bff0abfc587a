/** How a client says what it takes and what it has already, in headers of HTTP, read as RFC 9110 says. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { indented } from '../../../core/values/json-text.ts';

/** RFC 9110, section 12.5.3: named without the weight zero. A star stands for everything that is not named. */
export function takesEncoding(encoding: 'br' | 'gzip', encodings = ''): boolean {
  const weights = new Map(
    encodings.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return [name, parameters.every((parameter) => !/^q=0(?:\.0*)?$/.test(parameter))];
    }),
  );
  return weights.get(encoding) ?? weights.get('*') ?? false;
}

export const takesGzip = (encodings?: string): boolean => takesEncoding('gzip', encodings);

/** RFC 9110, section 13.1.2: whether the client has this entity tag; the comparison is weak. */
export function isKnown(tag: string, known: string | undefined): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/** 100,000 characters take a millisecond. */
const MAX_INDENTED = 1_000_000;

/**
 * JSON as it is sent: indented where a person seems to read it, which is curl that does not say what it takes. A program that calls curl and
 * wants the bytes that every other client gets sends `Accept: application/json`. What has a tag stays as it is.
 */
export function readable<Body extends string | Buffer>(
  body: Body,
  { 'user-agent': agent, accept }: IncomingHttpHeaders,
  own: Readonly<Record<string, string>> = NONE,
): Body | string {
  if (agent === undefined || accept !== '*/*' || !agent.startsWith('curl/')) return body;
  return body.length === 0 || body.length > MAX_INDENTED || own['ETag'] !== undefined ? body : indented(String(body));
}
const NONE = {};
