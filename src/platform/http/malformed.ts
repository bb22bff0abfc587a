/**
 * Bytes that Node's HTTP parser refuses, and requests that never end. They reach no route, so this file writes the answer
 * to the socket and closes the connection. Nothing of the request is echoed or logged.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { RequestError, errorBody } from '../../core/values/errors.ts';
import { newId } from '../../core/values/ids.ts';
import type { Uploads } from './transfer/upload.ts';

const REASONS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT:
    'The request did not arrive in time. Send its headers within 10 s and all of it within 30 s.',
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
};

/** The `clientErrorHandler` of the server: always 400, never more than a few hundred bytes of work. */
export function answerMalformed(
  log: Logger,
  baseUrl: () => string,
  uploads: Pick<Uploads, 'isArriving'>,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploads.isArriving(socket)) return; // it has a least speed instead
    // A client would read a second answer as a part of an unfinished first one.
    if (error.code === 'ECONNRESET' || !socket.writable || answerUnderWay(socket)) {
      socket.destroy(error);
      return;
    }
    const requestId = newId('req');
    const reason = REASONS[error.code ?? ''] ?? 'The request is not valid HTTP/1.1.';
    const body = errorBody(new RequestError('body_invalid', reason), requestId, baseUrl());
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Request-Id: ${requestId}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
    log.info({ request_id: requestId, status: 400, code: error.code }, 'malformed request');
  };
}

// Node keeps the current answer on the socket until it is finished. When its request has come whole, the fault lies in a later
// one: a 400 would be read as the answer to the first, which may have moved money.
function answerUnderWay(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return answer !== undefined && answer !== null && (answer.headersSent || answer.req.complete);
}

/** Headers that decide something and stand once. Others may be lists, such as `Accept` and `X-Forwarded-For` (RFC 9110, section 5.3). */
const ONCE = new Map(
  ['Host', 'Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
const LENGTHS = new Set([...ONCE.keys()].map(({ length }) => length));

/**
 * The first header that stands twice and must not; `null`: none. `rawHeaders`: names and values in turn. Without a word Node keeps the
 * first value of some, and joins those of others to one, which nobody sent.
 */
export function repeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (!LENGTHS.has(given.length)) continue;
    const name = ONCE.get(given.toLowerCase());
    if (name === undefined) continue;
    if (seen.includes(name)) return name;
    seen += name;
  }
  return null;
}
