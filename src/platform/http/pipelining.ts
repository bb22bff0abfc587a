/**
 * Bounds the answers that one connection may wait for: Node hands over all requests of a pipeline at once (RFC 9112,
 * section 9.3.2), 1,600 in 64 kB. Here they wait in line, and meanwhile the connection is not read.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many are handled at once; their answers leave in the order of the requests. */
const MOST_AT_ONCE = 32;

interface Line {
  /** Handled and not answered, without the one that came first. */
  open: number;
  readonly waiting: (() => void)[];
}

const lines = new WeakMap<Socket, Line>();

/** Calls `handle` once: now, or when enough of the connection's earlier answers have left. Never, if the connection closes first. */
export function inTurn(response: ServerResponse, handle: () => void): void {
  // Node gives the socket to the response whose turn it is. One without a socket stands behind another.
  if (response.socket !== null) return handle();
  const { socket } = response.req;
  const line = lines.get(socket) ?? newLine(socket);
  const start = () => {
    line.open += 1;
    response.once('close', () => {
      line.open -= 1;
      advance(socket, line);
    });
    handle();
  };
  if (line.open < MOST_AT_ONCE - 1 && line.waiting.length === 0) return start();
  line.waiting.push(start);
  socket.pause();
}

function newLine(socket: Socket): Line {
  const line: Line = { open: 0, waiting: [] };
  lines.set(socket, line);
  // Node resumes a socket by itself, after a body and when answers have left.
  socket.on('resume', () => line.waiting.length > 0 && socket.pause());
  socket.once('close', () => void (line.waiting.length = 0));
  return line;
}

function advance(socket: Socket, line: Line): void {
  if (line.waiting.length === 0 || socket.destroyed) return;
  while (line.open < MOST_AT_ONCE - 1) {
    const next = line.waiting.shift();
    if (next === undefined) break;
    next();
  }
  if (line.waiting.length === 0) socket.resume();
}
