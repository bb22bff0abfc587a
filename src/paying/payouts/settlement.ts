/**
 * The settlement worker: has the connector take the next step of due sandbox payouts: in transit, then paid, failed or
 * returned, as the recipient's test account number says. How it runs: `platform/workers/due-worker.ts`.
 */
import { nextBankStep, testOutcome, type TestOutcome } from '../../core/rails/test-accounts.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { DueWork } from '../../platform/workers/due-worker.ts';
import type { StepPayout } from './connector-decide.ts';

/** Most payouts stepped in one round, so that a backlog leaves room for the clients' own writes. */
const POLL_LIMIT = 200;
const POLL_MS = 500;

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

/** How the payout of a row with `recipient_id` and `bank_details` ends in the sandbox; `undefined`: it is paid. Throws what `bankDetailsOf` throws. */
export function expectedOutcome(row: Row, bankDetailsOf: BankDetailsOf): TestOutcome | undefined {
  return testOutcome(bankDetailsOf(row['bank_details'] as string, idOf('rcp', row['recipient_id'] as string)));
}

/** Payouts of sandboxes that are due. One whose bank details cannot be opened is left alone; the others go on. */
export const settlementWork = (
  settlementDelayMs: number,
  bankDetailsOf: BankDetailsOf,
  onFault: (message: string, error: unknown) => void,
): DueWork<StepPayout> => ({
  name: 'settlement',
  fault: 'Settlement round failed; trying again',
  backlogRows: POLL_LIMIT,
  pauseMs: POLL_MS,
  sources: [
    {
      find: duePayouts,
      due(row) {
        const id = idOf('po', row['id'] as string);
        const status = row['status'] as string;
        try {
          const expected = status === 'pending' ? undefined : expectedOutcome(row, bankDetailsOf);
          const { to, failureCode, goesOn } = nextBankStep(status, expected);
          const nextDelayMs = goesOn ? settlementDelayMs : null;
          return { id, command: { type: 'step_payout', payout: id, to, failureCode, nextDelayMs } };
        } catch (error) {
          onFault('The next step of a payout is not known', error);
          return { id, command: null };
        }
      },
    },
  ],
});
