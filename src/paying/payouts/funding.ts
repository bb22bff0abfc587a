/**
 * The funding worker: finds payouts that wait for money and whose account has it now, or whose last day is over, and sends a
 * command for each. How it runs: `platform/workers/due-worker.ts`.
 */
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import type { DueWork } from '../../platform/workers/due-worker.ts';
import type { FundPayout } from './funding-decide.ts';
import { NEEDED } from './sql.ts';

const POLL_LIMIT = 200;
const POLL_MS = 500;

/**
 * Of each account those that its balance is enough for, with their fees, in order of creation. A payout that is too large lets no younger
 * one pass, unless the rules let it be passed: then it is skipped. And those that have waited too long (indexes payouts_waiting and
 * payouts_due). `left`: ids that are left out.
 */
function fundablePayouts(left: readonly string[]): Statement {
  return {
    name: 'fundable_payouts',
    text: `SELECT w.environment_id, w.id, e.livemode
      FROM (SELECT p.environment_id, p.id, p.due_at, a.status = 'open' AS is_open, a.balance, ${NEEDED} AS own,
          sum(${NEEDED}) FILTER (WHERE m.is_in_order OR a.balance >= ${NEEDED}) OVER (PARTITION BY p.environment_id, p.account_id ORDER BY p.id) AS needed
        FROM payouts p JOIN accounts a ON a.environment_id = p.environment_id AND a.id = p.account_id
        JOIN (SELECT environment_id, coalesce(payout_rules ->> 'waitingPayouts', 'in_order') = 'in_order' AS is_in_order FROM environments) AS m
          ON m.environment_id = p.environment_id
        WHERE p.status = 'waiting') AS w
      JOIN environments e ON e.environment_id = w.environment_id
      WHERE ((w.is_open AND w.balance >= w.own AND w.balance >= w.needed) OR w.due_at <= now() + e.clock_offset_ms * interval '1 millisecond')
        AND w.id <> ALL ($2::uuid[])
      ORDER BY w.id LIMIT $1`,
    values: [POLL_LIMIT, left.map(uuidOf)],
  };
}

/** Payouts that wait for money, and can go on or have waited too long. */
export const fundingWork = (settlementDelay: (livemode: boolean) => number | null): DueWork<FundPayout> => ({
  name: 'funding',
  fault: 'Funding round failed; trying again',
  backlogRows: POLL_LIMIT,
  pauseMs: POLL_MS,
  sources: [
    {
      find: fundablePayouts,
      due(row) {
        const payout = idOf('po', row['id'] as string);
        const settlementDelayMs = settlementDelay(row['livemode'] as boolean);
        return { id: payout, command: { type: 'fund_payout', payout, settlementDelayMs } };
      },
    },
  ],
});
