/**
 * A receiver of webhooks, a process of its own: takes deliveries over raw sockets, answers each with 204 and remembers
 * the ids of the events. It verifies nothing and knows as much of HTTP as Bursar's deliveries speak, because every
 * microsecond spent here is taken from the server that shares the machine. Who asks it: `inbox.ts`.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Answer, Arrival, Question } from './inbox.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const ACCEPTED = 'HTTP/1.1 204 No Content\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const EVENT_ID = /\r\nwebhook-id: (\S+)/i;
const IDEMPOTENCY_KEY = /"idempotency_key":"([^"]*)"/;

const seen = new Set<string>();
let deliveries = 0;
let arrivals: Arrival[] | null = null;

/** Machine-wide, so that the times of two processes can be compared. */
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

function note(head: string, body: Buffer): void {
  const atMs = nowMs();
  const id = EVENT_ID.exec(head)?.[1] ?? '';
  deliveries += 1;
  seen.add(id);
  if (arrivals === null) return;
  const key = IDEMPOTENCY_KEY.exec(body.toString('latin1'))?.[1];
  if (key !== undefined) arrivals.push({ key, atMs });
}

function serve(socket: Socket): void {
  let held: Buffer | null = null;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    let bytes: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const headEnd = bytes.indexOf(HEAD_END);
      if (headEnd === -1) break;
      const head = bytes.toString('latin1', 0, headEnd);
      const bodyAt = headEnd + HEAD_END.length;
      const end = bodyAt + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (bytes.length < end) break;
      note(head, bytes.subarray(bodyAt, end));
      socket.write(ACCEPTED, 'latin1');
      bytes = bytes.subarray(end);
    }
    held = bytes.length === 0 ? null : bytes;
  });
}

const ANSWERS: { readonly [K in Question['ask']]: (question: Extract<Question, { ask: K }>) => Answer[K] } = {
  port: () => (server.address() as AddressInfo).port,
  count: () => ({ deliveries, events: seen.size, atMs: nowMs() }),
  missing: ({ ids }) => ids.filter((id) => !seen.has(id)).length,
  watch: () => {
    arrivals = [];
    return null;
  },
  arrivals: () => {
    const watched = arrivals ?? [];
    arrivals = null;
    return watched;
  },
};

const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => {
  process.on('message', ({ number, question }: { number: number; question: Question }) => {
    const answer = (ANSWERS[question.ask] as (question: Question) => unknown)(question);
    process.send?.({ number, answer });
  });
  process.send?.({ number: 0, answer: null });
});
process.once('disconnect', () => process.exit(0)); // never outlives the benchmark
