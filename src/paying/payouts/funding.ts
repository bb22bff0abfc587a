/**
 * The funding worker: finds payouts that wait for money and whose account has it now, or whose last day is over, and sends a
 * command for each. It writes nothing itself. Where two processes send the same, the payout's state refuses the second.
 */
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import type { FundPayout } from './funding-decide.ts';

/** Most payouts taken up in one round. */
const POLL_LIMIT = 200;

/**
 * Of each account those that its balance is enough for, with their fees, in order of creation: one that is too large lets no younger one pass. And those
 * that have waited too long (indexes payouts_waiting and payouts_due). `left`: ids that are left out.
 */
function fundablePayouts(left: readonly string[]): Statement {
  return {
    name: 'fundable_payouts',
    text: `SELECT w.environment_id, w.id, e.livemode
      FROM (SELECT p.environment_id, p.account_id, p.id, p.due_at,
          sum(p.amount + coalesce((SELECT sum((f->>'amount')::int8) FROM jsonb_array_elements(p.fees) AS f), 0)) OVER (PARTITION BY p.environment_id, p.account_id ORDER BY p.id) AS needed
        FROM payouts p WHERE p.status = 'waiting') AS w
      JOIN accounts a ON a.environment_id = w.environment_id AND a.id = w.account_id
      JOIN environments e ON e.environment_id = w.environment_id
      WHERE ((a.status = 'open' AND a.balance >= w.needed) OR w.due_at <= now() + e.clock_offset_ms * interval '1 millisecond')
        AND w.id <> ALL ($2::uuid[])
      ORDER BY w.id LIMIT $1`,
    values: [POLL_LIMIT, left.map(uuidOf)],
  };
}

export interface FundingOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends the command down the write path. A refusal is possible: the money may be gone again. */
  write(environmentId: string, command: FundPayout): Promise<{ readonly status: number }>;
  settlementDelay(livemode: boolean): number | null;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

/** Starts the worker. After a full round the next one starts at once. */
export function startFunding(options: FundingOptions): Poller {
  const { rows, write, settlementDelay, pollMs, onFault, lease } = options;
  const backoff = new Backoff();
  return startPoller({
    pauseMs: pollMs,
    ...(lease && { lease }),
    onFault: (error) => onFault('Funding round failed; trying again', error),
    poll: async () => {
      const fundable = await rows(fundablePayouts(backoff.waiting(performance.now())));
      // Sent in order, so the write path decides them in order.
      await Promise.all(
        fundable.map(async (row) => {
          const payout = idOf('po', row['id'] as string);
          const settlementDelayMs = settlementDelay(row['livemode'] as boolean);
          const command = { type: 'fund_payout', payout, settlementDelayMs } as const;
          const { status } = await write(idOf('env', row['environment_id'] as string), command);
          if (status !== 200) backoff.note(payout, performance.now());
        }),
      );
      return fundable.length === POLL_LIMIT;
    },
  });
}
