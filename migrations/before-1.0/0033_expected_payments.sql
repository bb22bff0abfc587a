-- Money that is expected by bank transfer without a payment page: what an invoice needs.

CREATE TABLE expected_payments (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  received bigint NOT NULL CHECK (received >= 0),
  status text NOT NULL CHECK (status IN ('open', 'partly_paid', 'paid', 'overdue', 'canceled')),
  reference text NOT NULL,
  payer_name text,
  description text,
  due_on date,
  due_at timestamptz,
  transfer_id uuid,
  paid_at timestamptz,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX expected_payments_reference ON expected_payments (environment_id, reference);
CREATE INDEX expected_payments_due ON expected_payments (environment_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX expected_payments_unpaid ON expected_payments (environment_id, currency, (amount - received))
  WHERE status IN ('open', 'partly_paid', 'overdue');
COMMENT ON TABLE expected_payments IS 'Transfers that somebody is expected to make, each with a creditor reference of its own.';
COMMENT ON COLUMN expected_payments.environment_id IS 'Whose it is.';
COMMENT ON COLUMN expected_payments.id IS 'Identifier, shown as xp_….';
COMMENT ON COLUMN expected_payments.account_id IS 'The account that is credited.';
COMMENT ON COLUMN expected_payments.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN expected_payments.amount IS 'What is expected, minor units.';
COMMENT ON COLUMN expected_payments.received IS 'What has come, minor units.';
COMMENT ON COLUMN expected_payments.status IS 'open, partly_paid, paid, overdue or canceled.';
COMMENT ON COLUMN expected_payments.reference IS 'Creditor reference (ISO 11649) without blanks.';
COMMENT ON COLUMN expected_payments.payer_name IS 'Who is expected to pay; NULL: not said.';
COMMENT ON COLUMN expected_payments.description IS 'What for; NULL: not said.';
COMMENT ON COLUMN expected_payments.due_on IS 'The last day on which it is in time; NULL: none.';
COMMENT ON COLUMN expected_payments.due_at IS 'When it is overdue, environment clock; NULL: never, or it no longer matters.';
COMMENT ON COLUMN expected_payments.transfer_id IS 'The newest transfer that credited it.';
COMMENT ON COLUMN expected_payments.paid_at IS 'When all of it had come.';
COMMENT ON COLUMN expected_payments.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN expected_payments.created_at IS 'Environment clock.';
