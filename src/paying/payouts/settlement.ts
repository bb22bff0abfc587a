/**
 * The settlement worker: finds payouts that are due for their next step and sends that step as a command. In the sandbox
 * it has the connector play the bank: in transit, then paid, failed or returned, as the recipient's test account number says. It writes
 * nothing itself. Where two processes send the same step, the payout's state refuses the second, so it takes no lock.
 */
import { nextBankStep, testOutcome, type TestOutcome } from '../../core/rails/test-accounts.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import type { StepPayout } from './connector-decide.ts';

/** Most payouts stepped in one round, so that a backlog leaves room for the clients' own writes. */
const POLL_LIMIT = 200;

/**
 * Due payouts with the bank details they were made with (index payouts_due): the oldest of each environment first, then the
 * second of each, so that no environment waits for the backlog of another. `left`: ids that are left out.
 */
export function duePayouts(left: readonly string[] = []): Statement {
  return {
    name: 'due_payouts',
    text: `SELECT e.environment_id, p.id, p.status, p.recipient_id, v.bank_details
      FROM environments e
      CROSS JOIN LATERAL (SELECT p.*, row_number() OVER (ORDER BY p.due_at) AS turn FROM payouts p
        WHERE p.environment_id = e.environment_id AND p.status <> 'waiting'
          AND p.due_at <= now() + e.clock_offset_ms * interval '1 millisecond' AND p.id <> ALL ($2::uuid[])
        ORDER BY p.environment_id, p.due_at LIMIT $1) AS p
      JOIN recipient_versions v ON v.environment_id = e.environment_id AND v.recipient_id = p.recipient_id
        AND v.version = p.recipient_version
      WHERE NOT e.livemode
      ORDER BY p.turn, p.due_at
      LIMIT $1`,
    values: [POLL_LIMIT, left.map(uuidOf)],
  };
}

/** The bank details of a recipient from the JSON of their column; they are sealed there. May throw. */
export type BankDetailsOf = (stored: string, recipientId: string) => Readonly<Record<string, string>>;

/** The next step of a due payout at the fabricated bank. Throws what `bankDetailsOf` throws. */
export function nextStep(row: Row, settlementDelayMs: number, bankDetailsOf: BankDetailsOf): StepPayout {
  const step = { type: 'step_payout', payout: idOf('po', row['id'] as string) } as const;
  const expected = row['status'] === 'pending' ? undefined : expectedOutcome(row, bankDetailsOf);
  const { to, failureCode, goesOn } = nextBankStep(row['status'] as string, expected);
  return { ...step, to, failureCode, nextDelayMs: goesOn ? settlementDelayMs : null };
}

/** The bank details that a payout was made with, by primary keys; no row for no payout. */
export function detailsOfPayout(environmentId: string, payout: string): Statement {
  return {
    name: 'details_of_payout',
    text: `SELECT p.recipient_id, v.bank_details FROM payouts p
      JOIN recipient_versions v ON v.environment_id = p.environment_id AND v.recipient_id = p.recipient_id
        AND v.version = p.recipient_version
      WHERE p.environment_id = $1 AND p.id = $2`,
    values: [uuidOf(environmentId), uuidOf(payout)],
  };
}

/** How the payout of a row with `recipient_id` and `bank_details` ends in the sandbox; `undefined`: it is paid. */
export function expectedOutcome(row: Row, bankDetailsOf: BankDetailsOf): TestOutcome | undefined {
  return testOutcome(bankDetailsOf(row['bank_details'] as string, idOf('rcp', row['recipient_id'] as string)));
}

export interface SettlementOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a step down the write path. A refusal is possible: another process may have taken the step. */
  write(environmentId: string, command: StepPayout): Promise<{ readonly status: number }>;
  readonly bankDetailsOf: BankDetailsOf;
  readonly settlementDelayMs: number;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

/** Starts the worker. After a full round the next one starts at once. */
export function startSettlement(options: SettlementOptions): Poller {
  const { rows, write, bankDetailsOf, settlementDelayMs, pollMs, onFault, lease } = options;
  const backoff = new Backoff();
  /** `null`: its bank details cannot be opened. The others go on. */
  const stepOf = (row: Row): StepPayout | null => {
    try {
      return nextStep(row, settlementDelayMs, bankDetailsOf);
    } catch (error) {
      onFault('The next step of a payout is not known', error);
      backoff.note(idOf('po', row['id'] as string), performance.now());
      return null;
    }
  };
  return startPoller({
    pauseMs: pollMs,
    ...(lease && { lease }),
    onFault: (error) => onFault('Settlement round failed; trying again', error),
    poll: async () => {
      const due = await rows(duePayouts(backoff.waiting(performance.now())));
      await Promise.all(
        due.map(async (row) => {
          const step = stepOf(row);
          if (step === null) return;
          const { status } = await write(idOf('env', row['environment_id'] as string), step);
          if (status !== 200) backoff.note(step.payout, performance.now());
        }),
      );
      return due.length === POLL_LIMIT;
    },
  });
}
