/**
 * A receiver of webhooks for tests: a real HTTP server on loopback that keeps what arrives and answers as it is told.
 * Deliveries are counted by event id, so that a test can say "every one, and none twice".
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** When it had come, by the clock of whoever started the receiver. */
  readonly atMs: number;
}

/** Answers a delivery. What it leaves unanswered hangs. */
export type Behaviour = (received: Received, response: ServerResponse) => void;

export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_received, response) => {
    response.writeHead(status, headers).end();
  };

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  behaviour: Behaviour;
  /** Ids of events received at a path, in order of arrival. */
  ids(path?: string): string[];
  /** Resolves when so many deliveries have arrived; rejects after `withinMs`. */
  count(least: number, withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** `clock`: for those who measure (`test/support/measure/`). */
export async function startReceiver(
  behaviour: Behaviour = answers(204),
  clock: () => number = Date.now,
): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const { url: path = '/', headers } = request;
      const each = { path, headers, body: Buffer.concat(chunks).toString(), atMs: clock() };
      received.push(each);
      receiver.behaviour(each, response);
      for (const look of waiting) look();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behaviour,
    ids: (path) =>
      received
        .filter((each) => path === undefined || each.path === path)
        .map(({ headers }) => headers['webhook-id'] as string),
    count: (least, withinMs = 20_000) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timer);
          waiting.delete(look);
          settle();
        };
        const look = () => received.length >= least && end(resolve);
        const late = () => reject(new Error(`${received.length} of ${least} deliveries within ${withinMs} ms`));
        const timer = setTimeout(() => end(late), withinMs);
        waiting.add(look);
        look();
      }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
