/** The checks of payouts, batches and exchanges: what their rows say against transfers. With the others: `verify.ts`. */
import { broken, type Check } from './check.ts';

const OPEN = "('waiting', 'pending', 'in_transit')";
const CAME_BACK = "('failed', 'canceled', 'returned')";

export const PAYOUT_CHECKS: readonly Check[] = [
  {
    kind: 'payout',
    rule: 'a payout has its debit',
    sql: `SELECT ${broken({ environment: 'p.environment_id', prefix: "'po'", id: 'p.id', name: 'p.status', expected: "CASE WHEN p.transfer_id IS NULL THEN 'no debit only while it waits for money' ELSE 'a debit of ' || p.amount || ' ' || p.currency || ' on its account' END", found: "CASE WHEN d.id IS NULL THEN 'none' ELSE d.cause || ' of ' || d.amount || ' ' || d.currency END" })}
      FROM payouts p LEFT JOIN transfers d ON d.environment_id = p.environment_id AND d.id = p.transfer_id
      WHERE CASE WHEN p.transfer_id IS NULL THEN p.wait_until IS NULL OR p.status NOT IN ('waiting', 'failed', 'canceled')
        ELSE (d.cause, d.cause_id, d.amount, d.currency, d.debit_account) IS DISTINCT FROM ('payout', p.id, p.amount, p.currency, p.account_id) END`,
  },
  {
    kind: 'payout',
    rule: 'a payout has its reversal exactly if it came back',
    sql: `WITH back AS (SELECT environment_id, cause_id, sum(amount) AS amount FROM transfers WHERE cause = 'payout_reversal' GROUP BY 1, 2)
      SELECT ${broken({ environment: 'p.environment_id', prefix: "'po'", id: 'p.id', name: 'p.status', expected: `CASE WHEN p.status IN ${CAME_BACK} AND p.transfer_id IS NOT NULL THEN CASE WHEN p.status = 'returned' AND i.returned > 0 THEN i.returned ELSE p.amount END || ' ' || p.currency || ' back on its account' ELSE 'nothing back' END`, found: "coalesce(b.amount, 0) || ' back' || CASE WHEN p.reversal_id IS NOT NULL AND r.id IS NULL THEN ', and it names a reversal that is not there' ELSE '' END" })}
      FROM payouts p LEFT JOIN transfers r ON r.environment_id = p.environment_id AND r.id = p.reversal_id AND r.cause = 'payout_reversal'
      LEFT JOIN bank_instructions i ON i.environment_id = p.environment_id AND i.id = p.id
      LEFT JOIN back b ON b.environment_id = p.environment_id AND b.cause_id = p.id
      WHERE CASE WHEN p.status IN ${CAME_BACK} AND p.transfer_id IS NOT NULL
        THEN (r.cause_id, r.currency, r.credit_account) IS DISTINCT FROM (p.id, p.currency, p.account_id)
          OR b.amount IS DISTINCT FROM CASE WHEN p.status = 'returned' AND i.returned > 0 THEN i.returned ELSE p.amount END
        ELSE p.reversal_id IS NOT NULL OR b.amount IS NOT NULL END`,
  },
  {
    kind: 'payout',
    rule: 'a payout has left the house exactly if it was paid',
    sql: `WITH settled AS (SELECT environment_id, cause_id, count(*) AS times, sum(amount) AS amount FROM transfers WHERE cause = 'payout_settlement' GROUP BY 1, 2)
      SELECT ${broken({ environment: 'coalesce(p.environment_id, s.environment_id)', prefix: "'po'", id: 'coalesce(p.id, s.cause_id)', name: 'p.status', expected: "CASE WHEN p.status IN ('paid', 'returned') THEN 'one settlement of ' || p.amount ELSE 'no settlement' END", found: "coalesce(s.times || ' settlements, ' || s.amount || ' together', 'none')" })}
      FROM payouts p FULL JOIN settled s ON s.environment_id = p.environment_id AND s.cause_id = p.id
      WHERE (s.times, s.amount) IS DISTINCT FROM (CASE WHEN p.status IN ('paid', 'returned') THEN 1::int8 END, CASE WHEN p.status IN ('paid', 'returned') THEN p.amount::numeric END)`,
  },
  {
    kind: 'transfer',
    rule: 'a transfer of a payout belongs to its payout',
    sql: `SELECT ${broken({ environment: 't.environment_id', prefix: "'trf'", id: 't.id', name: 't.cause', expected: "'that its payout names it'", found: "CASE WHEN p.id IS NULL THEN 'no such payout' ELSE 'the payout names another' END" })}
      FROM transfers t LEFT JOIN payouts p ON p.environment_id = t.environment_id AND p.id = t.cause_id
      LEFT JOIN bank_instructions i ON i.environment_id = t.environment_id AND i.id = t.cause_id AND i.returned > 0
      WHERE t.cause IN ('payout', 'payout_reversal') AND CASE WHEN t.cause = 'payout' THEN p.transfer_id IS DISTINCT FROM t.id
        ELSE p.id IS NULL OR (p.reversal_id IS DISTINCT FROM t.id AND i.id IS NULL) END`,
  },
  {
    kind: 'batch',
    rule: 'a batch counts its payouts',
    sql: `WITH counted AS (SELECT environment_id, batch_id, count(*) AS payouts, count(*) FILTER (WHERE status IN ${OPEN}) AS open
        FROM payouts WHERE batch_id IS NOT NULL GROUP BY 1, 2)
      SELECT ${broken({ environment: 'b.environment_id', prefix: "'pob'", id: 'b.id', expected: "coalesce(c.payouts, 0) || ' payouts, ' || coalesce(c.open, 0) || ' open'", found: "b.payouts_count || ' payouts, ' || b.open_count || ' open'" })}
      FROM payout_batches b LEFT JOIN counted c ON c.environment_id = b.environment_id AND c.batch_id = b.id
      WHERE b.payouts_count <> coalesce(c.payouts, 0) OR b.open_count <> coalesce(c.open, 0)`,
  },
  {
    kind: 'batch',
    rule: 'a payout of a batch has its batch',
    sql: `SELECT ${broken({ environment: 'p.environment_id', prefix: "'po'", id: 'p.id', expected: "'its batch'", found: "'no such batch'" })}
      FROM payouts p LEFT JOIN payout_batches b ON b.environment_id = p.environment_id AND b.id = p.batch_id
      WHERE p.batch_id IS NOT NULL AND b.id IS NULL`,
  },
  {
    kind: 'exchange',
    rule: 'an exchange has both its sides',
    sql: `SELECT ${broken({ environment: 'x.environment_id', prefix: "'exc'", id: 'x.id', expected: "x.sell_amount || ' ' || x.sell_currency || ' sold, ' || x.buy_amount || ' ' || x.buy_currency || ' bought'", found: "coalesce(s.amount || ' ' || s.currency, 'nothing') || ' sold, ' || coalesce(b.amount || ' ' || b.currency, 'nothing') || ' bought'" })}
      FROM exchanges x
      LEFT JOIN transfers s ON s.environment_id = x.environment_id AND s.id = x.sell_transfer AND s.cause = 'exchange'
      LEFT JOIN transfers b ON b.environment_id = x.environment_id AND b.id = x.buy_transfer AND b.cause = 'exchange'
      WHERE (s.cause_id, s.debit_account, s.amount, s.currency) IS DISTINCT FROM (x.id, x.sell_account, x.sell_amount, x.sell_currency)
      OR (b.cause_id, b.credit_account, b.amount, b.currency) IS DISTINCT FROM (x.id, x.buy_account, x.buy_amount, x.buy_currency)`,
  },
  {
    kind: 'transfer',
    rule: 'a transfer of an exchange belongs to its exchange',
    sql: `SELECT ${broken({ environment: 't.environment_id', prefix: "'trf'", id: 't.id', expected: "'that its exchange names it'", found: "CASE WHEN x.id IS NULL THEN 'no such exchange' ELSE 'the exchange names others' END" })}
      FROM transfers t LEFT JOIN exchanges x ON x.environment_id = t.environment_id AND x.id = t.cause_id
      WHERE t.cause = 'exchange' AND (x.id IS NULL OR (x.sell_transfer <> t.id AND x.buy_transfer <> t.id))`,
  },
];
