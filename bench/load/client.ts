/**
 * One keep-alive HTTP/1.1 client over a raw socket: a request, its whole answer, the next request. Knows as much of HTTP
 * as Bursar, the limits and the peers speak, because every microsecond spent here is taken from the
 * server that shares the machine.
 */
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '\r\n0\r\n\r\n';
const STATUS_AT = 9; // after `HTTP/1.1 `

export interface Handlers {
  /** The next request as text, or `null` to stop. */
  next(): string | null;
  /** `body` is only read where the answer is no success. */
  answered(status: number, ms: number, body: () => string): void;
  broken(reason: string): void;
}

/** Resolves when `next` gave `null` and the connection is closed. */
export function runClient(port: number, handlers: Handlers): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let done = false;
    const end = (reason: string | null) => {
      if (done) return;
      done = true;
      if (reason !== null) handlers.broken(reason);
      socket.destroy();
      resolve();
    };
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('The server closed the connection.'));
    socket.on('connect', () => exchange(socket, handlers, end));
  });
}

function exchange(socket: Socket, handlers: Handlers, end: (reason: string | null) => void): void {
  let sentAt = 0;
  let held: Buffer | null = null;
  const send = () => {
    const request = handlers.next();
    if (request === null) return end(null);
    sentAt = performance.now();
    socket.write(request, 'latin1');
  };
  socket.on('data', (chunk: Buffer) => {
    const answer: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
    const headEnd = answer.indexOf(HEAD_END);
    const length = headEnd === -1 ? Number.POSITIVE_INFINITY : wholeLength(answer, headEnd);
    if (Number.isNaN(length)) return end('An answer came without Content-Length and without chunks.');
    if (answer.length < length) {
      held = answer;
      return;
    }
    held = null;
    const status = Number(answer.toString('latin1', STATUS_AT, STATUS_AT + 3));
    handlers.answered(status, performance.now() - sentAt, () =>
      answer.toString('utf8', headEnd + HEAD_END.length, length),
    );
    send();
  });
  send();
}

/**
 * Bytes of head and body; NaN where the head does not say. Chunks are whole when the empty one has come: one request is under
 * way, so nothing follows it. A chunk of JSON cannot end like that.
 */
function wholeLength(answer: Buffer, headEnd: number): number {
  const head = answer.toString('latin1', 0, headEnd);
  const match = /content-length: (\d+)/i.exec(head);
  if (match !== null) return headEnd + HEAD_END.length + Number(match[1]);
  if (!/transfer-encoding: chunked/i.test(head)) return Number.NaN;
  return answer.toString('latin1', answer.length - LAST_CHUNK.length) === LAST_CHUNK
    ? answer.length
    : Number.POSITIVE_INFINITY;
}
