/**
 * The worker of standing orders: finds planned days that have come, by the clocks of the environments, and sends a command for
 * each, as whoever ordered it. It writes nothing itself. Where two processes send the same day the second changes nothing, so
 * it takes no lock. After a time in which no process ran, the days come one after the other, in their order.
 */
import { type Actor, actorOf } from '../../core/actor.ts';
import { idOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { RunStandingOrder } from './run-decide.ts';
import { dueStandingOrders } from './sql.ts';

/** Most orders of one round, so that a backlog leaves room for the clients' own writes. */
const POLL_LIMIT = 200;
/** Between two rounds of a backlog. */
const LEAST_PAUSE_MS = 10;

const foundPoint = stopPoint('standing_orders.found');
const runCommittedPoint = stopPoint('standing_order.run_committed');

export interface StandingOrderRunsOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a planned day down the write path, as that actor. */
  write(environmentId: string, actor: Actor, command: RunStandingOrder): Promise<{ readonly status: number }>;
  settlementDelay(livemode: boolean): number | null;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

/** Starts the worker. While anything is due, the next round starts at once. */
export function startStandingOrderRuns(options: StandingOrderRunsOptions): Poller {
  const { rows, write, settlementDelay, pollMs, onFault, lease } = options;
  const backoff = new Backoff();
  return startPoller({
    pauseMs: pollMs,
    leastPauseMs: LEAST_PAUSE_MS,
    ...(lease && { lease }),
    onFault: (error) => onFault('A round of standing orders failed; trying again', error),
    poll: async () => {
      const due = await rows(dueStandingOrders(POLL_LIMIT, backoff.waiting(performance.now())));
      if (due.length > 0) foundPoint();
      await Promise.all(
        due.map(async (row) => {
          const standingOrder = idOf('so', row['id'] as string);
          const actor = actorOf(row['ordered_by'] as string);
          const { status } = await write(idOf('env', row['environment_id'] as string), actor ?? 'worker', {
            type: 'run_standing_order',
            standingOrder,
            plannedIndex: row['planned_index'] as number,
            settlementDelayMs: settlementDelay(row['livemode'] as boolean),
          });
          if (status === 200) runCommittedPoint();
          else backoff.note(standingOrder, performance.now());
        }),
      );
      return due.length > 0;
    },
  });
}
