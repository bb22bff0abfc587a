/**
 * Reads share round trips, as writes do: a read that finds a free connection is sent at once; reads that arrive while all are
 * busy go together in the next round trip (measured: docs/decisions/0016). Every read sees what was committed before it
 * was asked. Must not be given statements that write: a lost read is asked again.
 */
import type { Client } from 'pg';
import { type Pipeline, pipelineOver } from './wire/pipeline.ts';
import { DatabaseUnavailable, isConnectionLost, words } from './wire/connection-lost.ts';
import type { Row, Statement } from './wire/statement.ts';

export interface Readers {
  /**
   * Runs one reading statement. Asked again on another connection when one is lost. Rejects with
   * {@link DatabaseUnavailable} or PostgreSQL's error, which touches no other read.
   */
  query<R extends Row = Row>(statement: Statement): Promise<readonly R[]>;
  /** Whether at least one connection lives. */
  alive(): boolean;
}

/** A connection that mends itself; see `pool.ts`. */
interface ReadConnection {
  readonly live: Client | null;
  client(): Promise<Client>;
}

interface Asked {
  readonly statement: Statement;
  /** Until when it may be asked again. */
  readonly untilMs: number;
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

/** Few enough that a slow read holds up few others, enough that the round trip no longer counts. */
const SYNC_STATEMENTS = 16;

/** `patienceMs`: how long a read is asked again while connections are lost. */
export function pipelinedReaders(connections: readonly ReadConnection[], patienceMs: number): Readers {
  const pipelines = new WeakMap<Client, Pipeline>();
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

  /** Takes a free connection, one that lives if there is one, and what waits. */
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
      const client = await connection.client();
      let pipeline = pipelines.get(client);
      if (pipeline === undefined) pipelines.set(client, (pipeline = pipelineOver(client)));
      const { run, sync } = pipeline;
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
      for (const each of asked) await runTogether(connection, [each]); // so that only the culprit fails
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
