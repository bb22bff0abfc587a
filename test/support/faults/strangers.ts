/** Connections without a valid key that ask without pause and have many requests ahead of their answers. */
import { connect, type Socket } from 'node:net';
import { generateKey } from '../../../src/tenancy/keys/key.ts';

/** Requests that a stranger sends ahead. */
const AHEAD = 128;

const read = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
export const FLOODS = {
  '/metrics': read('/metrics'),
  '/openapi.json': read('/openapi.json'),
  'no key': read('/v1/accounts'),
};
export const madeUp = () =>
  `GET /v1/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${generateKey('sk_live_')}\r\n\r\n`;

/** Asks until it is destroyed. `onAnswer` gets the status of each answer. */
export function stranger(port: number, next: () => string, onAnswer: (status: number) => void = () => {}): Socket {
  const socket = connect(port, '127.0.0.1');
  const send = (count: number) => socket.write(Array.from({ length: count }, next).join(''));
  socket.on('connect', () => send(AHEAD));
  let unanswered = AHEAD;
  socket.on('data', (chunk) => {
    const statuses = [...chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)];
    for (const [, status] of statuses) onAnswer(Number(status));
    unanswered -= statuses.length;
    if (unanswered > AHEAD / 2) return;
    send(AHEAD - unanswered);
    unanswered = AHEAD;
  });
  socket.on('error', () => undefined);
  return socket;
}
