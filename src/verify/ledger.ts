/** The checks of accounts and transfers, and of the fees that objects say were charged. With the others: `verify.ts`. */
import { broken, checks, isHouse, LINES, outside, rowOf } from './check.ts';

export const LEDGER_CHECKS = [
  ...checks('balance', {
    'a balance is credits less debits, and not below zero': `WITH ${LINES}, moved AS (SELECT environment_id, account, sum(signed) AS amount FROM lines WHERE NOT ${outside('account')} GROUP BY 1, 2)
      SELECT ${broken({ ...rowOf('a', 'acct'), expected: "coalesce(m.amount, 0) || ' ' || a.currency || ', the sum of its transfers'", found: "a.balance || ' ' || a.currency" })}
      FROM accounts a LEFT JOIN moved m ON m.environment_id = a.environment_id AND m.account = a.id
      WHERE a.balance <> coalesce(m.amount, 0) OR a.balance < 0`,
    'debits equal credits in every currency: customers hold what came in from the house accounts': `WITH ${LINES}, held AS (SELECT environment_id, currency, sum(balance) AS balance FROM accounts GROUP BY 1, 2),
      house AS (SELECT environment_id, currency, sum(signed) AS balance FROM lines WHERE ${outside('account')} GROUP BY 1, 2)
      SELECT ${broken({ environment: 'environment_id', prefix: "'currency'", id: 'NULL::uuid', name: 'currency', expected: "-coalesce(house.balance, 0) || ' held by customers, as much as came from outside'", found: "coalesce(held.balance, 0) || ' held'" })}
      FROM held FULL JOIN house USING (environment_id, currency)
      WHERE coalesce(held.balance, 0) + coalesce(house.balance, 0) <> 0`,
    'what waits for money on an account is what its waiting payouts need': `WITH queued AS (SELECT environment_id, account_id, count(*) AS payouts,
          sum(amount + coalesce((SELECT sum((f ->> 'amount')::numeric) FROM jsonb_array_elements(fees) AS f), 0)) AS amount
        FROM payouts WHERE status = 'waiting' GROUP BY 1, 2)
      SELECT ${broken({ ...rowOf('a', 'acct'), expected: "coalesce(q.payouts, 0) || ' payouts that wait for ' || coalesce(q.amount, 0) || ' ' || a.currency", found: "coalesce(a.waiting ->> 'count', '0') || ' payouts that wait for ' || coalesce(a.waiting ->> 'amount', '0')" })}
      FROM accounts a LEFT JOIN queued q ON q.environment_id = a.environment_id AND q.account_id = a.id
      WHERE coalesce((a.waiting ->> 'count')::int8, 0) <> coalesce(q.payouts, 0) OR coalesce((a.waiting ->> 'amount')::numeric, 0) <> coalesce(q.amount, 0)`,
    'money in transit is that of payouts that have not ended': `WITH ${LINES}, transit AS (SELECT environment_id, currency, sum(signed) AS amount FROM lines WHERE ${isHouse('account', 'in_transit')} GROUP BY 1, 2),
      open AS (SELECT environment_id, currency, sum(amount) AS amount FROM payouts WHERE status IN ('pending', 'in_transit') GROUP BY 1, 2)
      SELECT ${broken({ environment: 'environment_id', prefix: "'house:in_transit'", id: 'NULL::uuid', name: 'currency', expected: "coalesce(open.amount, 0) || ', the sum of open payouts'", found: 'coalesce(transit.amount, 0)' })}
      FROM transit FULL JOIN open USING (environment_id, currency) WHERE coalesce(transit.amount, 0) <> coalesce(open.amount, 0)`,
    'the open positions in foreign currencies are what house:fx holds': `WITH ${LINES}, held AS (SELECT environment_id, currency, sum(signed) AS amount FROM lines WHERE ${isHouse('account', 'fx')} GROUP BY 1, 2 HAVING sum(signed) <> 0),
      known AS (SELECT environment_id, p.key AS currency, (p.value ->> 0)::numeric AS amount FROM environments CROSS JOIN LATERAL jsonb_each(fx -> 'positions') AS p)
      SELECT ${broken({ environment: 'environment_id', prefix: "'house:fx'", id: 'NULL::uuid', name: 'currency', expected: "coalesce(held.amount, 0) || ', the sum of its transfers'", found: "coalesce(known.amount, 0) || ' in the position'" })}
      FROM held FULL JOIN known USING (environment_id, currency) WHERE coalesce(held.amount, 0) <> coalesce(known.amount, 0)`,
  }),
  ...checks('transfer', {
    'every transfer continues the balance that the one before left': `WITH ${LINES} SELECT ${broken({ environment: 'environment_id', prefix: "'trf'", id: 'id', name: "'on account acct:' || account", expected: "before + signed || ' on the account after it'", found: "coalesce(after::text, 'no balance')" })}
      FROM (SELECT environment_id, id, account, signed, after, coalesce(lag(after) OVER w, 0) AS before FROM lines WHERE NOT ${outside('account')}
        WINDOW w AS (PARTITION BY environment_id, account ORDER BY id)) AS l
      WHERE after IS DISTINCT FROM before + signed OR after < 0`,
    'only customer accounts keep a balance, and they exist in the currency of the transfer': `WITH ${LINES} SELECT ${broken({ ...rowOf('l', 'trf'), name: "'on account acct:' || l.account", expected: "'a customer account in ' || l.currency || ' with a balance after it, or a house account without'", found: "CASE WHEN a.id IS NULL THEN 'no such account' ELSE 'account in ' || a.currency END || coalesce(', balance after it ' || l.after, ', no balance after it')" })}
      FROM lines l LEFT JOIN accounts a ON a.environment_id = l.environment_id AND a.id = l.account
      WHERE ${outside('l.account')} = (l.after IS NOT NULL) OR (l.after IS NOT NULL) <> (a.id IS NOT NULL AND a.currency = l.currency)`,
  }),
];

/** The fees of objects, each as its transfer and, if there is one, its reversal. */
const CHARGED = `charged AS (
  SELECT environment_id, id, account_id AS account, 'payout_fee' AS cause, jsonb_array_elements(fees) AS f FROM payouts WHERE fees <> '[]'
  UNION ALL SELECT environment_id, id, sell_account, 'exchange_fee', jsonb_array_elements(fees) FROM exchanges WHERE fees <> '[]'
  UNION ALL SELECT environment_id, id, account_id, 'payment_fee', jsonb_array_elements(fees) FROM payments WHERE fees <> '[]'),
moved AS (
  SELECT environment_id, (f ->> 'transfer')::uuid AS id, cause, id AS cause_id, account, f FROM charged WHERE f ->> 'transfer' IS NOT NULL
  UNION ALL SELECT environment_id, (f ->> 'reversal')::uuid, cause || '_reversal', id, account, f FROM charged WHERE f ->> 'reversal' IS NOT NULL)`;

export const FEE_CHECKS = checks('fee', {
  'every fee of an object is a transfer between its account and the fees, and every such transfer is the fee of an object': `WITH ${CHARGED}, booked AS (SELECT *, cause LIKE '%reversal' AS is_back FROM transfers WHERE cause LIKE '%\\_fee%')
      SELECT ${broken({ environment: 'environment_id', prefix: "'trf'", id: 'id', name: 'coalesce(t.cause, m.cause)', expected: "coalesce((f ->> 'amount') || ' ' || (f ->> 'currency') || ' between its account and the fees', 'an object with this fee')", found: "coalesce(t.amount || ' ' || t.currency, 'no such transfer')" })}
      FROM moved m FULL JOIN booked t USING (environment_id, id)
      WHERE m.cause IS NULL OR t.cause IS NULL
        OR (m.cause, m.cause_id, (f ->> 'amount')::int8, f ->> 'currency') IS DISTINCT FROM (t.cause, t.cause_id, t.amount, t.currency)
        OR m.account <> CASE WHEN is_back THEN t.credit_account ELSE t.debit_account END
        OR NOT (${isHouse('CASE WHEN is_back THEN t.debit_account ELSE t.credit_account END', 'fees')})`,
  'a payout has paid its fee when it has its money, and has it back when it failed or was canceled': `SELECT ${broken({ ...rowOf('p', 'po', 'p.status'), expected: "CASE WHEN p.transfer_id IS NULL THEN 'a fee not paid yet' WHEN p.status IN ('failed', 'canceled') THEN 'a fee paid and given back' ELSE 'a fee paid and kept' END", found: "CASE WHEN f ->> 'transfer' IS NULL THEN 'not paid' ELSE 'paid' END || CASE WHEN f ->> 'reversal' IS NULL THEN ', not given back' ELSE ', given back' END" })}
      FROM payouts p CROSS JOIN LATERAL jsonb_array_elements(p.fees) AS f WHERE p.fees <> '[]'
      AND ((f ->> 'transfer' IS NULL) <> (p.transfer_id IS NULL)
        OR (f ->> 'reversal' IS NOT NULL) <> (p.transfer_id IS NOT NULL AND p.status IN ('failed', 'canceled')))`,
  'an exchange is charged what its quote promised, and a quote nothing': `SELECT ${broken({ ...rowOf('x', 'exc'), expected: "'fees of ' || coalesce(jsonb_path_query_array(q.fees, '$[*].amount')::text, 'none')", found: "coalesce(jsonb_path_query_array(x.fees, '$[*].amount')::text, 'none')" })}
      FROM exchanges x JOIN quotes q ON q.environment_id = x.environment_id AND q.id = x.quote_id
      WHERE jsonb_path_query_array(x.fees, '$[*].amount') IS DISTINCT FROM jsonb_path_query_array(q.fees, '$[*].amount')
      UNION ALL SELECT ${broken({ ...rowOf('q', 'quo'), expected: "'no fee moved'", found: "'a fee that was moved'" })}
      FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.fees) AS f WHERE f ->> 'transfer' IS NOT NULL`,
});
