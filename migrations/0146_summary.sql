-- Sums of transfers by day, kept behind the write path by a worker (docs/decisions/0106), so that no overview reads a history.
-- Both tables follow from the transfers: whoever loses them loses nothing.

CREATE TABLE daily_sums (
  environment_id uuid NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  cause text NOT NULL,
  debit_side text NOT NULL,
  credit_side text NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  amount numeric NOT NULL CHECK (amount > 0),
  PRIMARY KEY (environment_id, day, currency, cause, debit_side, credit_side)
) WITH (fillfactor = 50);
COMMENT ON TABLE daily_sums IS 'Transfers added up by day, currency, cause and sides, up to the one that summary_state names.';
COMMENT ON COLUMN daily_sums.environment_id IS 'Environment.';
COMMENT ON COLUMN daily_sums.day IS 'Day of the transfers (UTC, environment clock); -infinity: all days together.';
COMMENT ON COLUMN daily_sums.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN daily_sums.cause IS 'As in transfers.';
COMMENT ON COLUMN daily_sums.debit_side IS 'Who paid: account (any customer account), a kind of house account, or the uuid of a bank account.';
COMMENT ON COLUMN daily_sums.credit_side IS 'Who received, in the same words.';
COMMENT ON COLUMN daily_sums.count IS 'How many transfers.';
COMMENT ON COLUMN daily_sums.amount IS 'Their amounts together, minor units. No bigint: the sum of many large amounts may pass 2^63.';

CREATE TABLE summary_state (
  environment_id uuid PRIMARY KEY,
  transfer_id uuid NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE summary_state IS 'How far the daily sums of an environment are. Its row is the lock of whoever changes them.';
COMMENT ON COLUMN summary_state.environment_id IS 'Environment.';
COMMENT ON COLUMN summary_state.transfer_id IS 'The newest transfer that the sums hold. Ids of an environment are committed in their order, so all older ones are in them too.';
