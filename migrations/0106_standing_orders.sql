-- Standing orders: payouts that are made again and again, and the outcome of each planned day.

CREATE TABLE standing_orders (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  recipient_id uuid NOT NULL,
  account_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'paused', 'completed', 'canceled')),
  paused_reason text CHECK (paused_reason IN ('requested', 'failures')),
  interval_unit text NOT NULL CHECK (interval_unit IN ('day', 'week', 'month', 'year')),
  interval_count int NOT NULL CHECK (interval_count > 0),
  first_day date NOT NULL,
  last_day date,
  planned_count int CHECK (planned_count > 0),
  next_day date,
  runs_count int NOT NULL CHECK (runs_count >= 0),
  failed_count int NOT NULL CHECK (failed_count >= 0),
  skipped_count int NOT NULL CHECK (skipped_count >= 0),
  last_run date,
  last_payout_id uuid,
  last_failure jsonb,
  reference text,
  statement_descriptor text,
  ended_at timestamptz,
  ordered_by uuid NOT NULL,
  created_by uuid NOT NULL,
  metadata jsonb NOT NULL,
  planned_index int NOT NULL,
  failures_in_a_row int NOT NULL CHECK (failures_in_a_row >= 0),
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  speed text NOT NULL DEFAULT 'standard',
  PRIMARY KEY (environment_id, id),
  CHECK (last_day IS NULL OR planned_count IS NULL),
  CHECK ((status IN ('active', 'paused')) = (next_day IS NOT NULL)),
  CHECK ((next_day IS NULL) = (due_at IS NULL)),
  CHECK ((next_day IS NULL) = (ended_at IS NOT NULL)),
  CHECK ((status = 'paused') = (paused_reason IS NOT NULL)),
  CHECK (planned_index = runs_count + failed_count + skipped_count)
);
CREATE INDEX standing_orders_due ON standing_orders (environment_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX standing_orders_recipient ON standing_orders (environment_id, recipient_id, id);
COMMENT ON TABLE standing_orders IS 'Payouts that are made again and again, on planned days (docs/decisions/0038).';
COMMENT ON COLUMN standing_orders.environment_id IS 'Environment.';
COMMENT ON COLUMN standing_orders.id IS 'Identifier.';
COMMENT ON COLUMN standing_orders.amount IS 'Of each payout, minor units.';
COMMENT ON COLUMN standing_orders.currency IS 'Of amount, account and recipient.';
COMMENT ON COLUMN standing_orders.recipient_id IS 'Whom it pays.';
COMMENT ON COLUMN standing_orders.account_id IS 'Account debited.';
COMMENT ON COLUMN standing_orders.status IS 'active, paused, completed or canceled.';
COMMENT ON COLUMN standing_orders.paused_reason IS 'requested, or failures: three runs in a row made no payout.';
COMMENT ON COLUMN standing_orders.interval_unit IS 'day, week, month or year.';
COMMENT ON COLUMN standing_orders.interval_count IS 'It runs every so many intervals.';
COMMENT ON COLUMN standing_orders.first_day IS 'The first planned day (UTC), from which all others are computed.';
COMMENT ON COLUMN standing_orders.last_day IS 'No run is planned after it; NULL: no such day.';
COMMENT ON COLUMN standing_orders.planned_count IS 'How many days are planned in all; NULL: no such number.';
COMMENT ON COLUMN standing_orders.next_day IS 'The next planned day; NULL once it has ended.';
COMMENT ON COLUMN standing_orders.runs_count IS 'Planned days on which a payout was made.';
COMMENT ON COLUMN standing_orders.failed_count IS 'Planned days on which none could be made.';
COMMENT ON COLUMN standing_orders.skipped_count IS 'Planned days that were left out.';
COMMENT ON COLUMN standing_orders.last_run IS 'The newest planned day behind it, whatever came of it.';
COMMENT ON COLUMN standing_orders.last_payout_id IS 'The newest payout.';
COMMENT ON COLUMN standing_orders.last_failure IS 'Why the newest run made no payout: day, code and message; NULL once one made it.';
COMMENT ON COLUMN standing_orders.reference IS 'Text for the recipient.';
COMMENT ON COLUMN standing_orders.statement_descriptor IS 'Short text for the recipient''s statement.';
COMMENT ON COLUMN standing_orders.ended_at IS 'When it was completed or canceled, environment clock.';
COMMENT ON COLUMN standing_orders.ordered_by IS 'Who said last how much is paid: the actor of its payouts.';
COMMENT ON COLUMN standing_orders.created_by IS 'Who created it.';
COMMENT ON COLUMN standing_orders.metadata IS 'Keys and values of the user.';
COMMENT ON COLUMN standing_orders.planned_index IS 'How many planned days are behind it.';
COMMENT ON COLUMN standing_orders.failures_in_a_row IS 'Runs without a payout since the last one that made one, or since it was resumed.';
COMMENT ON COLUMN standing_orders.due_at IS 'When the worker takes up the next planned day, environment clock; NULL once it has ended.';
COMMENT ON COLUMN standing_orders.created_at IS 'Environment clock.';
COMMENT ON COLUMN standing_orders.speed IS 'Of each payout: standard, instant or urgent.';

CREATE TABLE standing_order_runs (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  standing_order_id uuid NOT NULL,
  number int NOT NULL CHECK (number > 0),
  day date NOT NULL,
  status text NOT NULL CHECK (status IN ('succeeded', 'failed', 'skipped')),
  made_up boolean NOT NULL,
  payout_id uuid,
  code text,
  message text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK ((status = 'succeeded') = (payout_id IS NOT NULL)),
  CHECK ((status = 'failed') = (code IS NOT NULL))
);
CREATE UNIQUE INDEX standing_order_runs_number ON standing_order_runs (environment_id, standing_order_id, number);
COMMENT ON TABLE standing_order_runs IS 'What came of each planned day of a standing order. Its unique index is the last guard against paying a day twice.';
COMMENT ON COLUMN standing_order_runs.environment_id IS 'Environment.';
COMMENT ON COLUMN standing_order_runs.id IS 'Identifier.';
COMMENT ON COLUMN standing_order_runs.standing_order_id IS 'The standing order.';
COMMENT ON COLUMN standing_order_runs.number IS 'Which planned day of the order it is, from 1; of several that were left out together, the last.';
COMMENT ON COLUMN standing_order_runs.day IS 'The planned day (UTC).';
COMMENT ON COLUMN standing_order_runs.status IS 'succeeded, failed or skipped.';
COMMENT ON COLUMN standing_order_runs.made_up IS 'Whether it was carried out after its day.';
COMMENT ON COLUMN standing_order_runs.payout_id IS 'The payout that it made.';
COMMENT ON COLUMN standing_order_runs.code IS 'Why it made none: a code of docs/errors.md.';
COMMENT ON COLUMN standing_order_runs.message IS 'The same in words, or why the day was left out.';
COMMENT ON COLUMN standing_order_runs.created_at IS 'Environment clock.';
