-- What payouts that wait for money need of their account stands beside its balance: who else wants money of the account sees it with it.
-- Rows that are there are not rewritten; only accounts with waiting payouts are (index payouts_waiting).
ALTER TABLE accounts ADD COLUMN waiting jsonb;
COMMENT ON COLUMN accounts.waiting IS 'Of its payouts that wait for money: count, and amount with fees in minor units as text (src/paying/payouts/waiting.ts); NULL: none waits.';

UPDATE accounts AS a SET waiting = jsonb_build_object('count', w.payouts, 'amount', w.amount::text)
  FROM (SELECT environment_id, account_id, count(*) AS payouts,
      sum(amount + coalesce((SELECT sum((f ->> 'amount')::int8) FROM jsonb_array_elements(fees) AS f), 0)) AS amount
    FROM payouts WHERE status = 'waiting' GROUP BY 1, 2) AS w
  WHERE a.environment_id = w.environment_id AND a.id = w.account_id;
