/**
 * The books of a database, recomputed from its rows. A pass counts only if they are right afterwards: a fast service
 * that loses a cent has no speed. Next: `measure/pass.ts`, which calls it after every pass.
 */
import type pg from 'pg';

/** How many of each there are; what a pass added must be what it was answered. */
export interface Counts {
  readonly payouts: number;
  readonly exchanges: number;
  readonly records: number;
}

export async function counts(client: pg.Client): Promise<Counts> {
  const { rows } = await client.query<{ payouts: string; exchanges: string; records: string }>(
    `SELECT (SELECT count(*) FROM payouts) AS payouts, (SELECT count(*) FROM exchanges) AS exchanges,
       (SELECT count(*) FROM idempotency_records) AS records`,
  );
  const row = rows[0];
  return { payouts: Number(row?.payouts), exchanges: Number(row?.exchanges), records: Number(row?.records) };
}

/** Each gives how many rows are wrong. */
const CHECKS: Readonly<Record<string, string>> = {
  'balances that are not credits minus debits of their transfers': `
    WITH moved AS (
      SELECT environment_id, id, sum(amount) AS balance FROM (
        SELECT environment_id, credit_account AS id, amount FROM transfers WHERE credit_balance_after IS NOT NULL
        UNION ALL
        SELECT environment_id, debit_account, -amount FROM transfers WHERE debit_balance_after IS NOT NULL) AS legs
      GROUP BY environment_id, id)
    SELECT count(*) FROM accounts a FULL JOIN moved m USING (environment_id, id)
    WHERE coalesce(a.balance, -1) <> coalesce(m.balance, 0)`,
  'payouts without their transfer, or with another amount': `
    SELECT count(*) FROM payouts p LEFT JOIN transfers t ON t.environment_id = p.environment_id AND t.id = p.transfer_id
    WHERE t.amount IS DISTINCT FROM p.amount OR t.debit_account IS DISTINCT FROM p.account_id OR t.cause_id IS DISTINCT FROM p.id`,
  'payout transfers without a payout': `
    SELECT abs((SELECT count(*) FROM transfers WHERE cause = 'payout') - (SELECT count(*) FROM payouts))`,
  'payouts without exactly one payout.created event': `
    SELECT abs((SELECT count(DISTINCT object_id) FROM events WHERE type = 'payout.created') - (SELECT count(*) FROM payouts))
      + abs((SELECT count(*) FROM events WHERE type = 'payout.created') - (SELECT count(*) FROM payouts))`,
  'exchanges whose two transfers do not carry their amounts': `
    SELECT count(*) FROM exchanges x
    LEFT JOIN transfers s ON s.environment_id = x.environment_id AND s.id = x.sell_transfer
    LEFT JOIN transfers b ON b.environment_id = x.environment_id AND b.id = x.buy_transfer
    WHERE s.amount IS DISTINCT FROM x.sell_amount OR b.amount IS DISTINCT FROM x.buy_amount`,
};

/** The primary key forbids doubles, so a count that reaches the newest number leaves no gap. */
const GAPLESS = `
  SELECT count(*) FROM environments e LEFT JOIN (
    SELECT environment_id, count(*) AS n, min(sequence) AS first, max(sequence) AS last FROM events GROUP BY 1) AS v
    USING (environment_id)
  WHERE coalesce(v.n, 0) <> e.last_sequence OR coalesce(v.first, 1) <> 1 OR coalesce(v.last, 0) <> e.last_sequence`;

/** What is wrong, in words; empty when all is right. `gapless` is what Bursar promises and the baseline does not. */
export async function faults(client: pg.Client, gapless: boolean): Promise<readonly string[]> {
  const found: string[] = [];
  const checks = gapless ? { ...CHECKS, 'environments whose event sequence has a gap': GAPLESS } : CHECKS;
  for (const [what, sql] of Object.entries(checks)) {
    const { rows } = await client.query<{ count: string } & Record<string, string>>(sql);
    const wrong = Number(Object.values(rows[0] ?? {})[0]);
    if (wrong !== 0) found.push(`${wrong} ${what}`);
  }
  return found;
}
