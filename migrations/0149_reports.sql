-- One row a day and currency instead of one for each cause and pair of sides: a summary of 400 days reads 400 rows a currency, however many
-- bank accounts and kinds of transfers there are (docs/decisions/0106). The worker makes the sums anew from the transfers.
TRUNCATE daily_sums, summary_state;
ALTER TABLE daily_sums
  DROP CONSTRAINT daily_sums_pkey,
  DROP COLUMN cause,
  DROP COLUMN debit_side,
  DROP COLUMN credit_side,
  DROP COLUMN amount,
  ADD COLUMN in_count bigint NOT NULL,
  ADD COLUMN in_amount numeric NOT NULL,
  ADD COLUMN out_count bigint NOT NULL,
  ADD COLUMN out_amount numeric NOT NULL,
  ADD COLUMN fees_amount numeric NOT NULL,
  ADD COLUMN balance_amount numeric NOT NULL,
  ADD COLUMN transit_count bigint NOT NULL,
  ADD COLUMN transit_amount numeric NOT NULL,
  ADD PRIMARY KEY (environment_id, day, currency);
COMMENT ON TABLE daily_sums IS 'Transfers added up by day and currency, up to the one that summary_state names. Amounts are minor units; no bigint, since the sum of many large ones may pass 2^63.';
COMMENT ON COLUMN daily_sums.count IS 'How many transfers, whatever they are.';
COMMENT ON COLUMN daily_sums.in_count IS 'How many of them came from a bank. Between two bank accounts is neither in nor out.';
COMMENT ON COLUMN daily_sums.in_amount IS 'What these came to.';
COMMENT ON COLUMN daily_sums.out_count IS 'How many went to a bank.';
COMMENT ON COLUMN daily_sums.out_amount IS 'What these came to.';
COMMENT ON COLUMN daily_sums.fees_amount IS 'Fees, less those that were given back.';
COMMENT ON COLUMN daily_sums.balance_amount IS 'By how much customer accounts together hold more; below zero: less.';
COMMENT ON COLUMN daily_sums.transit_count IS 'By how many more payouts are on their way; below zero: fewer.';
COMMENT ON COLUMN daily_sums.transit_amount IS 'By how much more is on its way; below zero: less.';

-- Payouts that failed or came back, by when they did: the newest by id may have ended long before older ones. Others pay nothing for it.
CREATE INDEX payouts_ended_badly ON payouts (environment_id, status, ended_at) WHERE status = ANY ('{failed,returned}'::text[]);

COMMENT ON COLUMN request_logs.idempotency_key IS 'The Idempotency-Key as sent; NULL: none, of a payroll, or none that may be kept.';
