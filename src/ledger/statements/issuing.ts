/**
 * The worker of daily statements: sends a command for each day that has ended by the clock of an environment that wants
 * statements. Missed days come one after the other. How it runs: `platform/workers/due-worker.ts`. Next: `decide.ts`.
 */
import { idOf } from '../../core/values/ids.ts';
import type { DueWork } from '../../platform/workers/due-worker.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { IssueStatement } from './decide.ts';
import { dueStatements } from './sql.ts';

const POLL_MS = 1_000;
/** Between two rounds of a backlog, which leaves room for the clients' own writes. */
const LEAST_PAUSE_MS = 10;

/** While a day is due, the next round starts at once. */
export const STATEMENT_ISSUING: DueWork<IssueStatement> = {
  name: 'statements',
  fault: 'A round of daily statements failed; trying again',
  backlogRows: 1,
  pauseMs: POLL_MS,
  leastPauseMs: LEAST_PAUSE_MS,
  found: stopPoint('daily_statements.found'),
  committed: stopPoint('daily_statement.committed'),
  sources: [
    {
      find: dueStatements,
      due: (row) => ({
        id: idOf('env', row['environment_id'] as string),
        command: { type: 'issue_statement', day: row['next_statement_day'] as string },
      }),
    },
  ],
};
