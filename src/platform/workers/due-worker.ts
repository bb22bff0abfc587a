/**
 * Workers of due work: a query finds what is due, each row becomes a command, and the command goes down the write path. A refused
 * row is left alone for a while (`backoff.ts`). Such a worker writes nothing itself. Where two processes send the same command, the
 * state of the object refuses the second one or the second one changes nothing. So a lease only saves work.
 */
import type { Actor } from '../../core/actor.ts';
import { idOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { Backoff } from './backoff.ts';
import type { Lease } from './lease.ts';
import { type Poller, startPoller } from './poller.ts';

export interface Due<C> {
  /** Left alone for a while if the command is refused. */
  readonly id: string;
  /** `null`: it cannot be made, so the row counts as refused. */
  readonly command: C | null;
  /** Who asks for it; left out: the worker. */
  readonly actor?: Actor;
  /** The lines that a key which asks descends from. */
  readonly lineage?: readonly string[];
}

export interface DueSource<C> {
  /** Rows with `environment_id`, in the order of their commands. `left`: ids to leave out. */
  find(left: readonly string[]): Statement;
  due(row: Row): Due<C>;
}

/** One kind of due work: a value, which a slice exports and `server/app.ts` starts. */
export interface DueWork<C> {
  /** Of the worker's lease. */
  readonly name: string;
  /** The log's words for a round that failed. */
  readonly fault: string;
  readonly sources: readonly DueSource<C>[];
  /** So many rows of one source mean a backlog: the next round starts at once. */
  readonly backlogRows: number;
  readonly pauseMs: number;
  readonly leastPauseMs?: number;
  /** Stop points: rows were found, a command was accepted. */
  readonly found?: () => void;
  readonly committed?: () => void;
}

export interface DueParts<C> {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a command down the write path. A refusal is possible. */
  write(
    environmentId: string,
    command: C,
    actor: Actor,
    lineage?: readonly string[],
  ): Promise<{ readonly status: number }>;
  readonly onFault: (message: string, error: unknown) => void;
}

/** One round; `true`: more is due. `backoffs`: by source, kept between rounds. Rejects with what a query or a write rejects with. */
export async function runOnce<C>(
  { sources, backlogRows, found, committed }: DueWork<C>,
  { rows, write }: Omit<DueParts<C>, 'onFault'>,
  backoffs: readonly Backoff[],
): Promise<boolean> {
  const all = await Promise.all(
    sources.map(({ find }, at) => rows(find((backoffs[at] as Backoff).waiting(performance.now())))),
  );
  if (all.some(({ length }) => length > 0)) found?.();
  await Promise.all(
    sources.flatMap(({ due }, at) =>
      // Sent in order, so the write path decides them in order.
      (all[at] as readonly Row[]).map(async (row) => {
        const { id, command, actor = 'worker', lineage = [] } = due(row);
        const answer = command && (await write(idOf('env', row['environment_id'] as string), command, actor, lineage));
        if (answer?.status === 200) committed?.();
        else (backoffs[at] as Backoff).note(id, performance.now());
      }),
    ),
  );
  return all.some(({ length }) => length >= backlogRows);
}

export function startDueWorker<C>(work: DueWork<C>, parts: DueParts<C>, lease?: Lease): Poller {
  const backoffs = work.sources.map(() => new Backoff());
  const { pauseMs, leastPauseMs = 0, fault } = work;
  return startPoller({
    pauseMs,
    leastPauseMs,
    ...(lease && { lease }),
    onFault: (error) => parts.onFault(fault, error),
    poll: () => runOnce(work, parts, backoffs),
  });
}
