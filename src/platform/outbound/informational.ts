/**
 * Informational answers (100, 103) before the final one. RFC 9110 lets a server send any number of them, but undici breaks a
 * connection on a `100` that it did not ask for. So they are taken out before undici reads. Used by: `connect.ts`, `fetch.ts`, `collecting/cards/stripe-api.ts`.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** `HTTP/1.1 1`, the beginning of an informational answer. */
const BEGINNING = 'HTTP/1.1 1';
/** 101 is final: it gives the connection to another protocol, which nobody asked for. */
const SWITCHING = 'HTTP/1.1 101';
const END = '\r\n\r\n';
/** A longer head is left to undici, which refuses it. */
const HEAD_MAX_BYTES = 16_384;

/** Connects as `open` does. */
export const tolerantConnector =
  (open: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    open(options, (error, socket) =>
      error === null ? callback(null, withoutInformational(socket)) : callback(error, null),
    );

/** Makes `read` leave out informational answers. A request has to be written whole before its answer is read. */
export function withoutInformational<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  /** Bytes of a head that is not complete; `null`: the final answer has begun. */
  let held: Buffer | null = null;
  socket.write = (...args: unknown[]) => {
    held ??= Buffer.alloc(0);
    return write(...args);
  };
  socket.read = (size?: number) => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || held === null) return chunk;
      const rest = afterInformational(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      held = rest.isFinal ? null : rest.bytes;
      if (rest.isFinal) return rest.bytes;
    }
  };
  return socket;
}

/** The bytes behind complete informational answers, and whether a final answer begins with them. */
function afterInformational(bytes: Buffer): { readonly bytes: Buffer; readonly isFinal: boolean } {
  let rest = bytes;
  for (;;) {
    const start = rest.toString('latin1', 0, SWITCHING.length);
    const mayBe = BEGINNING.startsWith(start) || start.startsWith(BEGINNING);
    if (!mayBe || start === SWITCHING) return { bytes: rest, isFinal: true };
    const end = rest.indexOf(END);
    if (end === -1) return { bytes: rest, isFinal: rest.length > HEAD_MAX_BYTES };
    rest = rest.subarray(end + END.length);
  }
}
