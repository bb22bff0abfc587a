/** The checks of fees: what objects say was charged against transfers. With the others: `verify.ts`. */
import { broken, type Check, isHouse } from './check.ts';

/** The fees that objects say they have, each as its transfer and, where there is one, its reversal. */
const CHARGED = `charged AS (
  SELECT environment_id, id, account_id AS account, 'payout_fee' AS cause, jsonb_array_elements(fees) AS f FROM payouts WHERE fees <> '[]'
  UNION ALL SELECT environment_id, id, sell_account, 'exchange_fee', jsonb_array_elements(fees) FROM exchanges WHERE fees <> '[]'
  UNION ALL SELECT environment_id, id, account_id, 'payment_fee', jsonb_array_elements(fees) FROM payments WHERE fees <> '[]'),
moved AS (
  SELECT environment_id, (f ->> 'transfer')::uuid AS id, cause, id AS cause_id, account, f FROM charged WHERE f ->> 'transfer' IS NOT NULL
  UNION ALL SELECT environment_id, (f ->> 'reversal')::uuid, cause || '_reversal', id, account, f FROM charged WHERE f ->> 'reversal' IS NOT NULL)`;

export const FEE_CHECKS: readonly Check[] = [
  {
    kind: 'fee',
    rule: 'every fee of an object is a transfer between its account and the fees, and every such transfer is the fee of an object',
    sql: `WITH ${CHARGED}, booked AS (SELECT *, cause LIKE '%reversal' AS is_back FROM transfers WHERE cause LIKE '%\\_fee%')
      SELECT ${broken({ environment: 'environment_id', prefix: "'trf'", id: 'id', name: 'coalesce(t.cause, m.cause)', expected: "coalesce((f ->> 'amount') || ' ' || (f ->> 'currency') || ' between its account and the fees', 'an object with this fee')", found: "coalesce(t.amount || ' ' || t.currency, 'no such transfer')" })}
      FROM moved m FULL JOIN booked t USING (environment_id, id)
      WHERE m.cause IS NULL OR t.cause IS NULL
        OR (m.cause, m.cause_id, (f ->> 'amount')::int8, f ->> 'currency') IS DISTINCT FROM (t.cause, t.cause_id, t.amount, t.currency)
        OR m.account <> CASE WHEN is_back THEN t.credit_account ELSE t.debit_account END
        OR NOT (${isHouse('CASE WHEN is_back THEN t.debit_account ELSE t.credit_account END', 'fees')})`,
  },
  {
    kind: 'fee',
    rule: 'a payout has paid its fee when it has its money, and has it back when it failed or was canceled',
    sql: `SELECT ${broken({ environment: 'p.environment_id', prefix: "'po'", id: 'p.id', name: 'p.status', expected: "CASE WHEN p.transfer_id IS NULL THEN 'a fee not paid yet' WHEN p.status IN ('failed', 'canceled') THEN 'a fee paid and given back' ELSE 'a fee paid and kept' END", found: "CASE WHEN f ->> 'transfer' IS NULL THEN 'not paid' ELSE 'paid' END || CASE WHEN f ->> 'reversal' IS NULL THEN ', not given back' ELSE ', given back' END" })}
      FROM payouts p CROSS JOIN LATERAL jsonb_array_elements(p.fees) AS f WHERE p.fees <> '[]'
      AND ((f ->> 'transfer' IS NULL) <> (p.transfer_id IS NULL)
        OR (f ->> 'reversal' IS NOT NULL) <> (p.transfer_id IS NOT NULL AND p.status IN ('failed', 'canceled')))`,
  },
  {
    kind: 'fee',
    rule: 'an exchange is charged what its quote promised, and a quote nothing',
    sql: `SELECT ${broken({ environment: 'x.environment_id', prefix: "'exc'", id: 'x.id', expected: "'fees of ' || coalesce(jsonb_path_query_array(q.fees, '$[*].amount')::text, 'none')", found: "coalesce(jsonb_path_query_array(x.fees, '$[*].amount')::text, 'none')" })}
      FROM exchanges x JOIN quotes q ON q.environment_id = x.environment_id AND q.id = x.quote_id
      WHERE jsonb_path_query_array(x.fees, '$[*].amount') IS DISTINCT FROM jsonb_path_query_array(q.fees, '$[*].amount')
      UNION ALL SELECT ${broken({ environment: 'q.environment_id', prefix: "'quo'", id: 'q.id', expected: "'no fee moved'", found: "'a fee that was moved'" })}
      FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.fees) AS f WHERE f ->> 'transfer' IS NOT NULL`,
  },
];
