/**
 * The worker of daily statements: finds days that have ended by the clocks of the environments that want statements, and sends a command for
 * each. It writes nothing itself. Where two processes send the same day the second changes nothing, so it takes no lock. After a
 * time in which no process ran, the days come one after the other, in their order. Next: `decide.ts`.
 */
import { idOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { IssueStatement } from './decide.ts';
import { dueStatements } from './sql.ts';

/** Between two rounds of a backlog, which leaves room for the clients' own writes. */
const LEAST_PAUSE_MS = 10;

const foundPoint = stopPoint('daily_statements.found');
const committedPoint = stopPoint('daily_statement.committed');

export interface StatementIssuingOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a day down the write path. */
  write(environmentId: string, command: IssueStatement): Promise<{ readonly status: number }>;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

/** Starts the worker. While a day is due, the next round starts at once. */
export function startStatementIssuing({ rows, write, pollMs, onFault, lease }: StatementIssuingOptions): Poller {
  const backoff = new Backoff();
  return startPoller({
    pauseMs: pollMs,
    leastPauseMs: LEAST_PAUSE_MS,
    ...(lease && { lease }),
    onFault: (error) => onFault('A round of daily statements failed; trying again', error),
    poll: async () => {
      const due = await rows(dueStatements(backoff.waiting(performance.now())));
      if (due.length > 0) foundPoint();
      await Promise.all(
        due.map(async (row) => {
          const environmentId = idOf('env', row['environment_id'] as string);
          const { status } = await write(environmentId, {
            type: 'issue_statement',
            day: row['next_statement_day'] as string,
          });
          if (status === 200) committedPoint();
          else backoff.note(environmentId, performance.now());
        }),
      );
      return due.length > 0;
    },
  });
}
