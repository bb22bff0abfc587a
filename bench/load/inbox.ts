/** Starts a receiver of webhooks in a process of its own and asks it what has arrived. Next: `receiver.ts`. */
import { type ChildProcess, fork } from 'node:child_process';
import { programFile } from '../setup/program.ts';

export type Question =
  | { readonly ask: 'port' | 'count' | 'watch' | 'arrivals' }
  | { readonly ask: 'missing'; readonly ids: readonly string[] };

/** A delivery that arrived while somebody watched, by the idempotency key of the request behind its event. */
export interface Arrival {
  readonly key: string;
  /** Milliseconds of the machine's monotonic clock, like {@link machineMs}. */
  readonly atMs: number;
}

export interface Count {
  readonly deliveries: number;
  /** Different ones: fewer than deliveries when one came twice. */
  readonly events: number;
  readonly atMs: number;
}

export interface Answer {
  readonly port: number;
  readonly count: Count;
  /** How many of the ids have not arrived. */
  readonly missing: number;
  readonly watch: null;
  readonly arrivals: readonly Arrival[];
}

export interface Inbox {
  readonly url: string;
  readonly pid: number;
  count(): Promise<Count>;
  missing(ids: readonly string[]): Promise<number>;
  /** From now on arrivals are kept, until they are asked for. */
  watch(): Promise<void>;
  arrivals(): Promise<readonly Arrival[]>;
  stop(): void;
}

/** Milliseconds of the machine's monotonic clock: the same in every process. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Rejects when the receiver dies before it listens; a question to a dead one rejects too. */
export async function startInbox(): Promise<Inbox> {
  const child = fork(programFile('bench/load/receiver'), { serialization: 'advanced' });
  const { ready, ask } = probe(child);
  await ready;
  const port = await ask<'port'>({ ask: 'port' });
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid as number,
    count: () => ask<'count'>({ ask: 'count' }),
    missing: (ids) => ask<'missing'>({ ask: 'missing', ids }),
    watch: async () => {
      await ask<'watch'>({ ask: 'watch' });
    },
    arrivals: () => ask<'arrivals'>({ ask: 'arrivals' }),
    stop: () => child.disconnect(),
  };
}

interface ProbeClient {
  /** When it listens. */
  readonly ready: Promise<unknown>;
  ask<K extends Question['ask']>(question: Extract<Question, { ask: K }> | { readonly ask: K }): Promise<Answer[K]>;
}

function probe(child: ChildProcess): ProbeClient {
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let asked = 0;
  const expect = (number: number) =>
    new Promise<never>((resolve, reject) => void waiting.set(number, { resolve, reject }));
  child.on('message', ({ number, answer }: { number: number; answer: unknown }) => {
    waiting.get(number)?.resolve(answer as never);
    waiting.delete(number);
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The receiver ended with code ${code}.`));
  });
  return {
    ready: expect(asked),
    ask(question) {
      asked += 1;
      const number = asked;
      const answer = expect(number);
      child.send({ number, question }, (error) => error && waiting.get(number)?.reject(error));
      return answer;
    },
  };
}
