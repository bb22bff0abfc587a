/** The checks of standing orders and their runs. With the others: `verify.ts`. */
import { broken, type Check, KEPT_SINCE } from './check.ts';

const ORDER = { environment: 'o.environment_id', prefix: "'so'", id: 'o.id' };

export const STANDING_ORDER_CHECKS: readonly Check[] = [
  {
    kind: 'standing_order',
    rule: 'a standing order counts its runs, and is where they have brought it',
    sql: `SELECT ${broken({ ...ORDER, expected: "count(*) FILTER (WHERE r.status = 'succeeded') || ' runs and ' || count(*) FILTER (WHERE r.status = 'failed') || ' failures, at number ' || coalesce(max(r.number), 0)", found: "o.runs_count || ' runs and ' || o.failed_count || ' failures, at number ' || o.planned_index" })}
      FROM standing_orders o
      LEFT JOIN standing_order_runs r ON r.environment_id = o.environment_id AND r.standing_order_id = o.id
      GROUP BY o.environment_id, o.id
      HAVING o.runs_count <> count(*) FILTER (WHERE r.status = 'succeeded')
        OR o.failed_count <> count(*) FILTER (WHERE r.status = 'failed')
        OR o.planned_index <> coalesce(max(r.number), 0) OR o.last_run IS DISTINCT FROM max(r.day)`,
  },
  {
    kind: 'standing_order',
    rule: 'no planned day has two runs, and days come in their order',
    sql: `SELECT ${broken({ environment: 'environment_id', prefix: "'sor'", id: 'id', name: "'of so:' || standing_order_id", expected: "'a day after ' || before", found: 'day' })}
      FROM (SELECT *, lag(day) OVER w AS before, lag(id) OVER w AS earlier FROM standing_order_runs
        WINDOW w AS (PARTITION BY environment_id, standing_order_id ORDER BY number)) AS r
      WHERE before >= day OR earlier >= id`,
  },
  {
    kind: 'standing_order',
    rule: 'every run that succeeded has one payout, made in its commit, and every payout of a standing order one run',
    sql: `SELECT ${broken({ environment: 'coalesce(r.environment_id, p.environment_id)', prefix: "CASE WHEN r.id IS NULL THEN 'po' ELSE 'sor' END", id: 'coalesce(r.id, p.id)', expected: "CASE WHEN r.id IS NULL THEN 'a run that made it' ELSE 'its payout, made in its commit' END", found: "CASE WHEN r.id IS NULL THEN 'none' WHEN p.id IS NULL THEN 'no such payout' ELSE 'a payout of another order or instant' END" })}
      FROM standing_order_runs r FULL JOIN (SELECT * FROM payouts WHERE standing_order_id IS NOT NULL) p
        ON p.environment_id = r.environment_id AND p.id = r.payout_id
      WHERE (r.id IS NULL OR r.status = 'succeeded')
        AND (r.id IS NULL OR p.id IS NULL OR p.standing_order_id <> r.standing_order_id OR p.created_at <> r.created_at)`,
  },
  {
    kind: 'standing_order',
    rule: 'every run has one event',
    sql: `WITH runs AS (SELECT environment_id, standing_order_id AS id, count(*) AS times FROM standing_order_runs WHERE created_at >= ${KEPT_SINCE} GROUP BY 1, 2),
      said AS (SELECT environment_id, object_id AS id, count(*) AS times FROM events
        WHERE type LIKE 'standing\\_order.run\\_%' AND created_at >= ${KEPT_SINCE} GROUP BY 1, 2)
      SELECT ${broken({ ...ORDER, expected: "coalesce(r.times, 0) || ' events of runs'", found: 'coalesce(s.times, 0)' })}
      FROM standing_orders o LEFT JOIN runs r ON r.environment_id = o.environment_id AND r.id = o.id
      LEFT JOIN said s ON s.environment_id = o.environment_id AND s.id = o.id WHERE coalesce(r.times, 0) <> coalesce(s.times, 0)`,
  },
];
