/** What must hold of standing orders and their runs, as the auditor recomputes it in SQL. With the others: `audit.ts`. */
import type { Check } from './audit.ts';

export const STANDING_ORDER_CHECKS: readonly Check[] = [
  {
    rule: 'a standing order counts its runs, and is where they have brought it',
    sql: `SELECT o.id, o.runs_count, o.failed_count, o.planned_index FROM standing_orders o
      LEFT JOIN standing_order_runs r ON r.environment_id = o.environment_id AND r.standing_order_id = o.id
      GROUP BY o.environment_id, o.id
      HAVING o.runs_count <> count(*) FILTER (WHERE r.status = 'succeeded')
        OR o.failed_count <> count(*) FILTER (WHERE r.status = 'failed')
        OR o.planned_index <> coalesce(max(r.number), 0) OR o.last_run IS DISTINCT FROM max(r.day)`,
  },
  {
    rule: 'no planned day has two runs, and days come in their order',
    sql: `SELECT standing_order_id, number, day FROM (
        SELECT *, lag(day) OVER w AS before, lag(id) OVER w AS earlier FROM standing_order_runs
        WINDOW w AS (PARTITION BY environment_id, standing_order_id ORDER BY number)) AS r
      WHERE before >= day OR earlier >= id`,
  },
  {
    rule: 'every run that succeeded has one payout, made in its commit, and every payout of a standing order one run',
    sql: `SELECT r.id AS run, p.id AS payout FROM standing_order_runs r
      FULL JOIN (SELECT * FROM payouts WHERE standing_order_id IS NOT NULL) p
        ON p.environment_id = r.environment_id AND p.id = r.payout_id
      WHERE (r.id IS NULL OR r.status = 'succeeded')
        AND (r.id IS NULL OR p.id IS NULL OR p.standing_order_id <> r.standing_order_id
          OR p.created_at <> r.created_at)`,
  },
  {
    rule: 'every run has one event',
    sql: `SELECT o.id FROM standing_orders o
      WHERE (SELECT count(*) FROM standing_order_runs r WHERE r.environment_id = o.environment_id AND r.standing_order_id = o.id)
        <> (SELECT count(*) FROM events e WHERE e.environment_id = o.environment_id AND e.object_id = o.id
          AND e.type LIKE 'standing\\_order.run\\_%')`,
  },
];
