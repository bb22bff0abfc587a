/** What must hold of fees, as rows and from nothing but rows: a part of the auditor of tests. Who runs it: `audit.ts`. */
import type { Check } from './audit.ts';

const FEES_ACCOUNT = "'00000000-0000-8000-8000-000004%'";
/** The fees that objects say they have. */
const FEES = `charged AS (
  SELECT environment_id, id, account_id AS account, 'payout_fee' AS cause, jsonb_array_elements(fees) AS f FROM payouts
  UNION ALL SELECT environment_id, id, sell_account, 'exchange_fee', jsonb_array_elements(fees) FROM exchanges
  UNION ALL SELECT environment_id, id, account_id, 'payment_fee', jsonb_array_elements(fees) FROM payments),
moved AS (
  SELECT environment_id, (f ->> 'transfer')::uuid AS id, cause, id AS cause_id, account, f FROM charged WHERE f ->> 'transfer' IS NOT NULL
  UNION ALL SELECT environment_id, (f ->> 'reversal')::uuid, cause || '_reversal', id, account, f FROM charged WHERE f ->> 'reversal' IS NOT NULL)`;

export const FEE_CHECKS: readonly Check[] = [
  {
    rule: 'every fee of an object is a transfer between its account and the fees, and every such transfer is the fee of an object',
    sql: `WITH ${FEES}, booked AS (SELECT *, cause LIKE '%reversal' AS is_back FROM transfers WHERE cause LIKE '%\\_fee%')
      SELECT m.id AS said, t.id AS booked FROM moved m FULL JOIN booked t USING (environment_id, id)
      WHERE m.id IS NULL OR t.id IS NULL
        OR (m.cause, m.cause_id, (f ->> 'amount')::int8, f ->> 'currency') IS DISTINCT FROM (t.cause, t.cause_id, t.amount, t.currency)
        OR m.account <> CASE WHEN is_back THEN t.credit_account ELSE t.debit_account END
        OR (CASE WHEN is_back THEN t.debit_account ELSE t.credit_account END)::text NOT LIKE ${FEES_ACCOUNT}`,
  },
  {
    rule: 'a payout has paid its fee when it has its money, and has it back when it failed or was canceled',
    sql: `SELECT p.id, p.status, f FROM payouts p CROSS JOIN LATERAL jsonb_array_elements(p.fees) AS f
      WHERE (f ->> 'transfer' IS NULL) <> (p.transfer_id IS NULL)
        OR (f ->> 'reversal' IS NOT NULL) <> (p.transfer_id IS NOT NULL AND p.status IN ('failed', 'canceled'))`,
  },
  {
    rule: 'an exchange is charged what its quote promised, and a quote nothing',
    sql: `SELECT x.id FROM exchanges x JOIN quotes q ON q.environment_id = x.environment_id AND q.id = x.quote_id
      WHERE jsonb_path_query_array(x.fees, '$[*].amount') IS DISTINCT FROM jsonb_path_query_array(q.fees, '$[*].amount')
      UNION ALL SELECT q.id FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.fees) AS f WHERE f ->> 'transfer' IS NOT NULL`,
  },
];
