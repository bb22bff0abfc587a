/**
 * Reads in pipelines: those that arrive while all connections are busy share the next sync group (measured:
 * docs/decisions/0016). Every read sees all commits before it. No writes here, because a lost statement is sent again.
 */
import type { Client } from 'pg';
import { pipelineOver } from './wire/pipeline.ts';
import { DatabaseUnavailable, isConnectionLost, words } from './wire/connection-lost.ts';
import type { Row, Statement } from './wire/statement.ts';

export interface Readers {
  /** Sends it again when the connection is lost. Rejects with {@link DatabaseUnavailable} or PostgreSQL's error. */
  query<R extends Row = Row>(statement: Statement): Promise<readonly R[]>;
  /** Whether at least one connection lives. */
  alive(): boolean;
}

/** A connection that is opened again when it is lost; see `pool.ts`. */
interface ReadConnection {
  readonly live: Client | null;
  client(): Promise<Client>;
}

interface Asked {
  readonly statement: Statement;
  /** Until when it may be sent again. */
  readonly untilMs: number;
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

/** Few, so that a slow read delays few others; enough to make the round trip cheap. */
const SYNC_STATEMENTS = 16;

/** `patienceMs`: how long a read is sent again while connections are lost. */
export function pipelinedReaders(connections: readonly ReadConnection[], patienceMs: number): Readers {
  const free = [...connections];
  let waiting: Asked[] = [];
  let isPlanned = false;

  const plan = () => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      while (waiting.length > 0 && free.length > 0) void runNext();
    });
  };

  /** Sends waiting reads on a free connection, a live one if possible. */
  const runNext = async () => {
    const alive = free.findIndex(({ live }) => live !== null);
    const [connection] = free.splice(Math.max(0, alive), 1) as [ReadConnection];
    const asked = waiting.slice(0, SYNC_STATEMENTS);
    waiting = waiting.slice(SYNC_STATEMENTS);
    await runTogether(connection, asked);
    free.push(connection);
    plan();
  };

  const runTogether = async (connection: ReadConnection, asked: readonly Asked[]): Promise<void> => {
    let error: unknown;
    try {
      const { run, sync } = pipelineOver(await connection.client());
      const sent = asked.map(({ statement }) => run(statement));
      sync();
      const answers = await Promise.all(sent);
      asked.forEach(({ resolve }, index) => resolve((answers[index] as { rows: Row[] }).rows));
      return;
    } catch (caught) {
      error = caught;
    }
    if (isConnectionLost(error)) {
      for (const each of asked) {
        if (!(error instanceof DatabaseUnavailable) && performance.now() < each.untilMs) waiting.push(each);
        else each.reject(error instanceof DatabaseUnavailable ? error : unavailable(error));
      }
    } else if (asked.length > 1) {
      for (const each of asked) await runTogether(connection, [each]); // only the faulty read may fail
    } else asked[0]?.reject(error);
  };

  return {
    alive: () => connections.some(({ live }) => live !== null),
    query: <R extends Row>(statement: Statement) =>
      new Promise<readonly R[]>((resolve, reject) => {
        const untilMs = performance.now() + patienceMs;
        waiting.push({ statement, untilMs, resolve: resolve as Asked['resolve'], reject });
        if (free.length > 0 && waiting.length === 1) void runNext();
        else plan();
      }),
  };
}

function unavailable(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(`The database went away: ${words(error)}`, { cause: error });
}
