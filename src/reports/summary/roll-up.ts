/**
 * Keeps the daily sums behind the transfers. One process does it (a lease); a second one does no harm, because each round locks what it
 * changes. It works at most a fiftieth of the time, so it takes at most 2 % of a core however much is behind. Statements: `sql.ts`.
 */
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import { beginSums, type Behind, behindFrom, environmentsBehind, rollUp } from './sql.ts';

/** Of one round, all environments together: some 20 ms of PostgreSQL, for which what dispatchers write waits. */
const ROUND_TRANSFERS = 16_384;
/** Of one round; the others are further ahead and have their turn. */
const ROUND_ENVIRONMENTS = 500;
/** How many times as long as a round took nothing is done. */
const REST = 50;
const IDLE_MS = 1_000;
/** After a round that has filled its limit: as long as it must, but no shorter. */
const LEAST_REST_MS = 20;
const AFTER_FAULT_MS = 5_000;

const found = stopPoint('daily_sums.found');
const added = stopPoint('daily_sums.added');

export interface RollUpParts {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Runs a statement in a transaction of its own, whose commit may be lost in a crash: then it is done again. */
  keep(statement: Statement): Promise<{ readonly rows: readonly Row[] }>;
  /** Called with the age of the oldest transfer that was in no sum, seconds; 0: all were. */
  onLag(seconds: number): void;
  readonly onFault: (message: string, error: unknown) => void;
}

/** One round: what is behind now, up to the limits. Resolves with how many transfers were added, and whether that was all. */
export async function rollUpOnce(
  { rows, keep, onLag }: Omit<RollUpParts, 'onFault'>,
  most = ROUND_TRANSFERS,
): Promise<{ readonly count: number; readonly isAll: boolean }> {
  const behind = (await rows(environmentsBehind(ROUND_ENVIRONMENTS))).map(behindFrom);
  onLag(behind.reduce((lag, { lagSeconds }) => Math.max(lag, lagSeconds), 0));
  if (behind.length === 0) return { count: 0, isAll: true };
  found();
  const ids = (of: readonly Behind[]) => of.map(({ environment }) => environment);
  const begun = behind.filter(({ hasState }) => !hasState);
  if (begun.length > 0) await keep(beginSums(ids(begun)));
  const share = Math.max(1, Math.floor(most / behind.length));
  const [row] = (await keep(rollUp(ids(behind), share))).rows;
  added();
  const count = Number(row?.['count'] ?? 0);
  // The limit of the statement is at least half of the share.
  return { count, isAll: behind.length < ROUND_ENVIRONMENTS && count < share / 2 };
}

/** `lease`: rounds are left out while another process holds it. */
export function startRollUp(parts: RollUpParts, lease: Lease): Poller {
  return startPoller({
    pauseMs: AFTER_FAULT_MS,
    leastPauseMs: LEAST_REST_MS,
    lease,
    onFault: (error) => parts.onFault('Daily sums were not kept; trying again', error),
    poll: async () => {
      const startedMs = performance.now();
      const { isAll } = await rollUpOnce(parts);
      const restMs = (performance.now() - startedMs) * REST;
      return Math.max(restMs, isAll ? IDLE_MS : LEAST_REST_MS);
    },
  });
}
