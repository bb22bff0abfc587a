/**
 * The worker of standing orders: sends a command for each planned day that has come, in the name of the actor that
 * ordered it. Missed days come one after the other. How it runs: `platform/workers/due-worker.ts`.
 */
import { actorOf } from '../../core/actor.ts';
import { idOf } from '../../core/values/ids.ts';
import type { DueWork } from '../../platform/workers/due-worker.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { RunStandingOrder } from './run-decide.ts';
import { dueStandingOrders } from './sql.ts';

/** Most orders of one round, so that a backlog leaves room for the clients' own writes. */
const POLL_LIMIT = 200;
const POLL_MS = 1_000;
/** Between two rounds of a backlog. */
const LEAST_PAUSE_MS = 10;

/** While anything is due, the next round starts at once. */
export const standingOrderWork = (
  settlementDelay: (livemode: boolean) => number | null,
): DueWork<RunStandingOrder> => ({
  name: 'standing_orders',
  fault: 'A round of standing orders failed; trying again',
  backlogRows: 1,
  pauseMs: POLL_MS,
  leastPauseMs: LEAST_PAUSE_MS,
  found: stopPoint('standing_orders.found'),
  committed: stopPoint('standing_order.run_committed'),
  sources: [
    {
      find: (left) => dueStandingOrders(POLL_LIMIT, left),
      due(row) {
        const standingOrder = idOf('so', row['id'] as string);
        return {
          id: standingOrder,
          actor: actorOf(row['ordered_by'] as string) ?? 'worker',
          lineage: (row['lineage'] as string[] | null) ?? [],
          command: {
            type: 'run_standing_order',
            standingOrder,
            plannedIndex: row['planned_index'] as number,
            settlementDelayMs: settlementDelay(row['livemode'] as boolean),
          },
        };
      },
    },
  ],
});
