/** The checks of payouts, batches and exchanges against transfers, and of standing orders and their runs. With the others: `verify.ts`. */
import { broken, checks, KEPT_SINCE, rowOf } from './check.ts';

const OPEN = "('waiting', 'pending', 'in_transit')";
const CAME_BACK = "('failed', 'canceled', 'returned')";

export const PAYOUT_CHECKS = [
  ...checks('payout', {
    'a payout has its debit': `SELECT ${broken({ ...rowOf('p', 'po', 'p.status'), expected: "CASE WHEN p.transfer_id IS NULL THEN 'no debit only while it waits for money' ELSE 'a debit of ' || p.amount || ' ' || p.currency || ' on its account' END", found: "CASE WHEN d.id IS NULL THEN 'none' ELSE d.cause || ' of ' || d.amount || ' ' || d.currency END" })}
      FROM payouts p LEFT JOIN transfers d ON d.environment_id = p.environment_id AND d.id = p.transfer_id
      WHERE CASE WHEN p.transfer_id IS NULL THEN p.wait_until_on IS NULL OR p.status NOT IN ('waiting', 'failed', 'canceled')
        ELSE (d.cause, d.cause_id, d.amount, d.currency, d.debit_account) IS DISTINCT FROM ('payout', p.id, p.amount, p.currency, p.account_id) END`,
    'a payout has its reversal exactly if it came back': `WITH back AS (SELECT environment_id, cause_id, sum(CASE cause WHEN 'payout_reversal' THEN amount ELSE -amount END) AS amount
        FROM transfers WHERE cause IN ('payout_reversal', 'payout_reversal_void') GROUP BY 1, 2 HAVING sum(CASE cause WHEN 'payout_reversal' THEN amount ELSE -amount END) <> 0)
      SELECT ${broken({ ...rowOf('p', 'po', 'p.status'), expected: `CASE WHEN p.status IN ${CAME_BACK} AND p.transfer_id IS NOT NULL THEN CASE WHEN p.status = 'returned' THEN coalesce(p.amount_returned, 0) ELSE p.amount END || ' ' || p.currency || ' back on its account' ELSE 'nothing back' END`, found: "coalesce(b.amount, 0) || ' back' || CASE WHEN p.reversal_id IS NOT NULL AND r.id IS NULL THEN ', and it names a reversal that is not there' ELSE '' END" })}
      FROM payouts p LEFT JOIN transfers r ON r.environment_id = p.environment_id AND r.id = p.reversal_id AND r.cause = 'payout_reversal'
      LEFT JOIN back b ON b.environment_id = p.environment_id AND b.cause_id = p.id
      WHERE CASE WHEN p.status IN ${CAME_BACK} AND p.transfer_id IS NOT NULL
        THEN (r.cause_id, r.currency, r.credit_account) IS DISTINCT FROM (p.id, p.currency, p.account_id)
          OR b.amount IS DISTINCT FROM CASE WHEN p.status = 'returned' THEN coalesce(p.amount_returned, 0) ELSE p.amount END
          OR (p.amount_returned IS NOT NULL) <> (p.status = 'returned')
        ELSE p.amount_returned IS NOT NULL OR p.reversal_id IS NOT NULL OR b.amount IS NOT NULL END`,
    'a payout has left the house exactly if it was paid': `WITH settled AS (SELECT environment_id, cause_id, sum(once) AS times, sum(amount) AS amount FROM (
        SELECT environment_id, cause_id, 1 AS once, amount FROM transfers WHERE cause = 'payout_settlement'
        UNION ALL SELECT environment_id, cause_id, -1, -amount FROM transfers WHERE cause = 'payout_settlement_void') AS t
        GROUP BY 1, 2 HAVING sum(once) <> 0 OR sum(amount) <> 0)
      SELECT ${broken({ environment: 'coalesce(p.environment_id, s.environment_id)', prefix: "'po'", id: 'coalesce(p.id, s.cause_id)', name: 'p.status', expected: "CASE WHEN p.status IN ('paid', 'returned') THEN 'one settlement of ' || p.amount ELSE 'no settlement' END", found: "coalesce(s.times || ' settlements, ' || s.amount || ' together', 'none')" })}
      FROM payouts p FULL JOIN settled s ON s.environment_id = p.environment_id AND s.cause_id = p.id
      WHERE (s.times, s.amount) IS DISTINCT FROM (CASE WHEN p.status IN ('paid', 'returned') THEN 1::int8 END, CASE WHEN p.status IN ('paid', 'returned') THEN p.amount::numeric END)`,
  }),
  ...checks('transfer', {
    'a transfer of a payout belongs to its payout': `WITH voided AS (SELECT environment_id, cause_id, id, amount, sum(amount) OVER (PARTITION BY environment_id, cause_id) AS total FROM transfers WHERE cause = 'payout_reversal_void')
      SELECT ${broken({ ...rowOf('t', 'trf', 't.cause'), expected: "'that its payout names it'", found: "CASE WHEN p.id IS NULL THEN 'no such payout' ELSE 'the payout names another' END" })}
      FROM transfers t LEFT JOIN payouts p ON p.environment_id = t.environment_id AND p.id = t.cause_id
      WHERE t.cause IN ('payout', 'payout_reversal') AND CASE WHEN t.cause = 'payout' THEN p.transfer_id IS DISTINCT FROM t.id
        ELSE p.id IS NULL OR (p.reversal_id IS DISTINCT FROM t.id AND t.amount >= coalesce(p.amount_returned, 0) AND NOT EXISTS (
          SELECT FROM voided v WHERE v.environment_id = t.environment_id AND v.cause_id = t.cause_id
            AND (v.id > t.id AND v.amount = t.amount OR t.amount < coalesce(p.amount_returned, 0) + v.total))) END`,
  }),
  ...checks('batch', {
    'a batch counts its payouts': `WITH counted AS (SELECT environment_id, batch_id, count(*) AS payouts, count(*) FILTER (WHERE status IN ${OPEN}) AS open
        FROM payouts WHERE batch_id IS NOT NULL GROUP BY 1, 2)
      SELECT ${broken({ ...rowOf('b', 'pob'), expected: "coalesce(c.payouts, 0) || ' payouts, ' || coalesce(c.open, 0) || ' open'", found: "b.payouts_count || ' payouts, ' || b.open_count || ' open'" })}
      FROM payout_batches b LEFT JOIN counted c ON c.environment_id = b.environment_id AND c.batch_id = b.id
      WHERE b.payouts_count <> coalesce(c.payouts, 0) OR b.open_count <> coalesce(c.open, 0)`,
    'a payout of a batch has its batch': `SELECT ${broken({ ...rowOf('p', 'po'), expected: "'its batch'", found: "'no such batch'" })}
      FROM payouts p LEFT JOIN payout_batches b ON b.environment_id = p.environment_id AND b.id = p.batch_id
      WHERE p.batch_id IS NOT NULL AND b.id IS NULL`,
  }),
  ...checks('exchange', {
    'an exchange has both its sides': `SELECT ${broken({ ...rowOf('x', 'exc'), expected: "x.sell_amount || ' ' || x.sell_currency || ' sold, ' || x.buy_amount || ' ' || x.buy_currency || ' bought'", found: "coalesce(s.amount || ' ' || s.currency, 'nothing') || ' sold, ' || coalesce(b.amount || ' ' || b.currency, 'nothing') || ' bought'" })}
      FROM exchanges x
      LEFT JOIN transfers s ON s.environment_id = x.environment_id AND s.id = x.sell_transfer AND s.cause = 'exchange'
      LEFT JOIN transfers b ON b.environment_id = x.environment_id AND b.id = x.buy_transfer AND b.cause = 'exchange'
      WHERE (s.cause_id, s.debit_account, s.amount, s.currency) IS DISTINCT FROM (x.id, x.sell_account, x.sell_amount, x.sell_currency)
      OR (b.cause_id, b.credit_account, b.amount, b.currency) IS DISTINCT FROM (x.id, x.buy_account, x.buy_amount, x.buy_currency)`,
  }),
  ...checks('transfer', {
    'a transfer of an exchange belongs to its exchange': `SELECT ${broken({ ...rowOf('t', 'trf'), expected: "'that its exchange names it'", found: "CASE WHEN x.id IS NULL THEN 'no such exchange' ELSE 'the exchange names others' END" })}
      FROM transfers t LEFT JOIN exchanges x ON x.environment_id = t.environment_id AND x.id = t.cause_id
      WHERE t.cause = 'exchange' AND (x.id IS NULL OR (x.sell_transfer <> t.id AND x.buy_transfer <> t.id))`,
  }),
];

const ORDER = rowOf('o', 'so');

export const STANDING_ORDER_CHECKS = checks('standing_order', {
  'a standing order counts its runs, and is where they have brought it': `SELECT ${broken({ ...ORDER, expected: "count(*) FILTER (WHERE r.status = 'succeeded') || ' runs and ' || count(*) FILTER (WHERE r.status = 'failed') || ' failures, at number ' || coalesce(max(r.number), 0)", found: "o.runs_count || ' runs and ' || o.failed_count || ' failures, at number ' || o.planned_index" })}
      FROM standing_orders o
      LEFT JOIN standing_order_runs r ON r.environment_id = o.environment_id AND r.standing_order_id = o.id
      GROUP BY o.environment_id, o.id
      HAVING o.runs_count <> count(*) FILTER (WHERE r.status = 'succeeded')
        OR o.failed_count <> count(*) FILTER (WHERE r.status = 'failed')
        OR o.planned_index <> coalesce(max(r.number), 0) OR o.last_run IS DISTINCT FROM max(r.day)`,
  'no planned day has two runs, and days come in their order': `SELECT ${broken({ environment: 'environment_id', prefix: "'sor'", id: 'id', name: "'of so:' || standing_order_id", expected: "'a day after ' || before", found: 'day' })}
      FROM (SELECT *, lag(day) OVER w AS before, lag(id) OVER w AS earlier FROM standing_order_runs
        WINDOW w AS (PARTITION BY environment_id, standing_order_id ORDER BY number)) AS r
      WHERE before >= day OR earlier >= id`,
  'every run that succeeded has one payout, made in its commit, and every payout of a standing order one run': `SELECT ${broken({ environment: 'coalesce(r.environment_id, p.environment_id)', prefix: "CASE WHEN r.id IS NULL THEN 'po' ELSE 'sor' END", id: 'coalesce(r.id, p.id)', expected: "CASE WHEN r.id IS NULL THEN 'a run that made it' ELSE 'its payout, made in its commit' END", found: "CASE WHEN r.id IS NULL THEN 'none' WHEN p.id IS NULL THEN 'no such payout' ELSE 'a payout of another order or instant' END" })}
      FROM standing_order_runs r FULL JOIN (SELECT * FROM payouts WHERE standing_order_id IS NOT NULL) p
        ON p.environment_id = r.environment_id AND p.id = r.payout_id
      WHERE (r.id IS NULL OR r.status = 'succeeded')
        AND (r.id IS NULL OR p.id IS NULL OR p.standing_order_id <> r.standing_order_id OR p.created_at <> r.created_at)`,
  'every run has one event': `WITH runs AS (SELECT environment_id, standing_order_id AS id, count(*) AS times FROM standing_order_runs WHERE created_at >= ${KEPT_SINCE} GROUP BY 1, 2),
      said AS (SELECT environment_id, object_id AS id, count(*) AS times FROM events
        WHERE type LIKE 'standing\\_order.run\\_%' AND created_at >= ${KEPT_SINCE} GROUP BY 1, 2)
      SELECT ${broken({ ...ORDER, expected: "coalesce(r.times, 0) || ' events of runs'", found: 'coalesce(s.times, 0)' })}
      FROM standing_orders o LEFT JOIN runs r ON r.environment_id = o.environment_id AND r.id = o.id
      LEFT JOIN said s ON s.environment_id = o.environment_id AND s.id = o.id WHERE coalesce(r.times, 0) <> coalesce(s.times, 0)`,
});
