/** What is read of a request's headers before its body: the idempotency key, the kind of the body, and that it is sent as it is. Next: `../serve.ts`. */
import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '../../../core/values/errors.ts';
import { type BodyKind, bodyKind } from './body.ts';

/** What every client can send unchanged, and short enough for an index. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** The key as sent; `null`: none. Throws `idempotency_key_invalid`. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header;
  const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters, sent once.';
  throw new RequestError('idempotency_key_invalid', message);
}

/** Throws `content_type_unsupported` for a compressed body: a few bytes of it could become gigabytes. */
export function assertPlain(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  const message = 'Bodies are not decompressed here. Send this one as it is, without Content-Encoding.';
  throw new RequestError('content_type_unsupported', message);
}

/** What the body is, by `Content-Type`. Throws `content_type_unsupported`, which names what the route takes. */
export function kindOf(headers: IncomingHttpHeaders, acceptsCsv = false): BodyKind {
  const contentType = headers['content-type'];
  const kind = contentType === undefined ? undefined : bodyKind(contentType);
  if (kind !== undefined && (kind !== 'csv' || acceptsCsv)) return kind;
  const csv = acceptsCsv ? ', text/csv' : '';
  const message = `Send application/x-www-form-urlencoded or application/json${csv}, in UTF-8.`;
  throw new RequestError('content_type_unsupported', message);
}
