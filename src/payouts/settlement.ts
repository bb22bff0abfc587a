/**
 * The settlement worker: finds payouts that are due for their next step and sends that step as a command. In the sandbox
 * it plays the bank: in transit, then paid, failed or returned, as the recipient's test account number says. It writes
 * nothing itself. Where two processes send the same step, the payout's state refuses the second, so it takes no lock.
 */
import { testOutcome } from '../core/test-accounts.ts';
import { idOf } from '../core/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { type Poller, startPoller } from '../workers/poller.ts';
import type { StepPayout } from './decide.ts';

/** Most payouts stepped in one round, so that a backlog leaves room for the clients' own writes. */
const POLL_LIMIT = 200;

/** Due payouts, oldest first per environment (index payouts_due), with the bank details they were made with. */
export function duePayouts(): Statement {
  return {
    name: 'due_payouts',
    text: `SELECT e.environment_id, p.id, p.status, v.bank_details
      FROM environments e
      CROSS JOIN LATERAL (SELECT * FROM payouts p
        WHERE p.environment_id = e.environment_id
          AND p.due_at <= now() + e.clock_offset_ms * interval '1 millisecond'
        ORDER BY p.environment_id, p.due_at LIMIT $1) AS p
      JOIN recipient_versions v ON v.environment_id = e.environment_id AND v.recipient_id = p.recipient_id
        AND v.version = p.recipient_version
      WHERE NOT e.livemode
      ORDER BY p.due_at
      LIMIT $1`,
    values: [POLL_LIMIT],
  };
}

/** The next step of a due payout at the fabricated bank. */
export function nextStep(row: Row, settlementDelayMs: number): StepPayout {
  const outcome = testOutcome(JSON.parse(row['bank_details'] as string) as Record<string, string>);
  const returns = outcome?.outcome === 'returned';
  const step = { type: 'step_payout', payout: idOf('po', row['id'] as string) } as const;
  const failureCode = outcome?.failureCode ?? null;
  if (row['status'] === 'pending')
    return { ...step, to: 'in_transit', failureCode: null, nextDelayMs: settlementDelayMs };
  if (row['status'] === 'paid') return { ...step, to: 'returned', failureCode, nextDelayMs: null };
  if (outcome && !returns) return { ...step, to: 'failed', failureCode, nextDelayMs: null };
  return { ...step, to: 'paid', failureCode: null, nextDelayMs: returns ? settlementDelayMs : null };
}

export interface SettlementOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a step down the write path. A refusal is expected: another process may have taken the step. */
  write(environmentId: string, command: StepPayout): Promise<unknown>;
  readonly settlementDelayMs: number;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Starts the worker. After a full round the next one starts at once. */
export function startSettlement(options: SettlementOptions): Poller {
  return startPoller({
    pauseMs: options.pollMs,
    onFault: (error) => options.onFault('Settlement round failed; trying again', error),
    poll: async () => {
      const due = await options.rows(duePayouts());
      const steps = due.map((row) =>
        options.write(idOf('env', row['environment_id'] as string), nextStep(row, options.settlementDelayMs)),
      );
      await Promise.all(steps);
      return due.length === POLL_LIMIT;
    },
  });
}
