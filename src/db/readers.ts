/**
 * Reads, gathered like writes: one that finds a free connection goes at once; those that arrive while all are busy share
 * the next flight, so that a read among many costs a part of a round trip (measured: docs/decisions/0016). Every read
 * sees what was committed before it was asked. Must not be given statements that write: a lost one is asked again.
 */
import type { Client } from 'pg';
import { type Flights, flights } from './wire/pipeline.ts';
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
interface Line {
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
const FLIGHT_STATEMENTS = 16;

/** `patienceMs`: how long a read is asked again while connections are lost. */
export function gatheredReads(lines: readonly Line[], patienceMs: number): Readers {
  const known = new WeakMap<Client, Flights>();
  const free = [...lines];
  let waiting: Asked[] = [];
  let isPlanned = false;

  const plan = () => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      while (waiting.length > 0 && free.length > 0) void depart();
    });
  };

  /** Takes a free connection, one that lives if there is one, and what waits. */
  const depart = async () => {
    const alive = free.findIndex(({ live }) => live !== null);
    const [line] = free.splice(Math.max(0, alive), 1) as [Line];
    const asked = waiting.slice(0, FLIGHT_STATEMENTS);
    waiting = waiting.slice(FLIGHT_STATEMENTS);
    await fly(line, asked);
    free.push(line);
    plan();
  };

  const fly = async (line: Line, asked: readonly Asked[]): Promise<void> => {
    let error: unknown;
    try {
      const client = await line.client();
      let flight = known.get(client);
      if (flight === undefined) known.set(client, (flight = flights(client)));
      const { run, land } = flight;
      const sent = asked.map(({ statement }) => run(statement));
      land();
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
      for (const each of asked) await fly(line, [each]); // so that only the culprit is told
    } else asked[0]?.reject(error);
  };

  return {
    alive: () => lines.some(({ live }) => live !== null),
    query: <R extends Row>(statement: Statement) =>
      new Promise<readonly R[]>((resolve, reject) => {
        const untilMs = performance.now() + patienceMs;
        waiting.push({ statement, untilMs, resolve: resolve as Asked['resolve'], reject });
        if (free.length > 0 && waiting.length === 1) void depart();
        else plan();
      }),
  };
}

function unavailable(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable(`The database went away: ${words(error)}`, { cause: error });
}
