/** The workers of what comes with the days, by the clocks of the environments: standing orders, and daily statements. Started by `app.ts`. */
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import type { SettlementDelay } from '../paying/payouts/routes.ts';
import { startStandingOrderRuns } from '../paying/standing-orders/runs.ts';
import { startStatementIssuing } from '../ledger/statements/issuing.ts';
import type { Lease } from '../platform/workers/lease.ts';
import type { Command } from '../write/slices.ts';
import type { Submission } from '../write/submission.ts';
import { internal } from '../write/internal.ts';

/** How often each looks for days that have come or ended. */
const POLL_MS = 1_000;

export interface DayWorkersOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  submit(submission: Submission): Promise<{ readonly status: number; readonly body: string }>;
  readonly settlementDelay: SettlementDelay;
  readonly onFault: (message: string, error: unknown) => void;
  leaseOf(worker: string): Lease;
}

export function startDayWorkers({ rows, submit, settlementDelay, onFault, leaseOf }: DayWorkersOptions): {
  stop(): Promise<void>;
} {
  const of = (environmentId: string, command: Command) => internal('worker', environmentId, command);
  const standingOrders = startStandingOrderRuns({
    rows,
    write: (environmentId, actor, command) =>
      submit({ ...of(environmentId, command), origin: { actor, requestId: null, idempotencyKey: null } }),
    settlementDelay,
    pollMs: POLL_MS,
    onFault,
    lease: leaseOf('standing_orders'),
  });
  const statements = startStatementIssuing({
    rows,
    write: (environmentId, command) => submit(of(environmentId, command)),
    pollMs: POLL_MS,
    onFault,
    lease: leaseOf('statements'),
  });
  return {
    async stop() {
      await Promise.all([standingOrders.stop(), statements.stop()]);
    },
  };
}
