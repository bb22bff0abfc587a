-- Money that comes in: payment links, payments, the look-up of page tokens, and expected payments. An expected
-- payment has no page; it is for an invoice.

CREATE TABLE payment_links (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  token text NOT NULL,
  url text NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  amount bigint CHECK (amount > 0),
  minimum bigint CHECK (minimum > 0),
  maximum bigint CHECK (maximum > 0),
  reusable boolean NOT NULL,
  max_payments int CHECK (max_payments > 0),
  status text NOT NULL CHECK (status IN ('active', 'completed', 'expired', 'canceled')),
  payments_count int NOT NULL CHECK (payments_count >= 0),
  open_count int NOT NULL CHECK (open_count >= 0),
  received bigint NOT NULL CHECK (received >= 0),
  description text,
  reference text,
  customer_email text,
  redirect_url text,
  message text,
  metadata jsonb NOT NULL DEFAULT '{}',
  expires_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (amount IS NULL OR (minimum IS NULL AND maximum IS NULL)),
  CHECK (minimum <= maximum),
  CHECK (max_payments IS NULL OR reusable),
  CHECK (reusable OR open_count <= 1),
  CHECK ((status = 'active') = (ended_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX payment_links_expiring ON payment_links (environment_id, expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;
COMMENT ON TABLE payment_links IS 'Pages that ask for money.';
COMMENT ON COLUMN payment_links.environment_id IS 'Environment.';
COMMENT ON COLUMN payment_links.id IS 'Identifier, shown as plink_….';
COMMENT ON COLUMN payment_links.token IS 'Unguessable last part of the address, sealed (payment_tokens finds it).';
COMMENT ON COLUMN payment_links.url IS 'Address of the page, as it was told, with the sealed token at its end.';
COMMENT ON COLUMN payment_links.account_id IS 'Account credited.';
COMMENT ON COLUMN payment_links.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN payment_links.amount IS 'Minor units; NULL: the payer says how much.';
COMMENT ON COLUMN payment_links.minimum IS 'Least amount a payer may choose, minor units.';
COMMENT ON COLUMN payment_links.maximum IS 'Largest amount a payer may choose, minor units.';
COMMENT ON COLUMN payment_links.reusable IS 'false: one payment.';
COMMENT ON COLUMN payment_links.max_payments IS 'Of a reusable link; NULL: any number.';
COMMENT ON COLUMN payment_links.status IS 'active; completed: everything it asked for was paid; expired; canceled: deactivated.';
COMMENT ON COLUMN payment_links.payments_count IS 'Payments that were paid in full.';
COMMENT ON COLUMN payment_links.open_count IS 'Payments that wait for money.';
COMMENT ON COLUMN payment_links.received IS 'Minor units that came in, duplicates included; refunds are not taken off.';
COMMENT ON COLUMN payment_links.description IS 'What it is for, shown to the payer.';
COMMENT ON COLUMN payment_links.reference IS 'The merchant''s own reference, shown to the payer.';
COMMENT ON COLUMN payment_links.customer_email IS 'Whom it was made for.';
COMMENT ON COLUMN payment_links.redirect_url IS 'Where the payer goes once it is paid.';
COMMENT ON COLUMN payment_links.message IS 'What the payer reads once it is paid.';
COMMENT ON COLUMN payment_links.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN payment_links.expires_at IS 'From then on nobody can start to pay, environment clock.';
COMMENT ON COLUMN payment_links.ended_at IS 'When it stopped being active, environment clock.';
COMMENT ON COLUMN payment_links.created_at IS 'Environment clock.';

CREATE TABLE payments (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  link_id uuid NOT NULL,
  token text,
  reference text NOT NULL,
  account_id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('bank_transfer', 'card')),
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  received bigint NOT NULL CHECK (received >= 0),
  refunded bigint NOT NULL CHECK (refunded BETWEEN 0 AND received),
  status text NOT NULL CHECK (status IN ('pending', 'partially_paid', 'succeeded', 'overpaid', 'duplicate', 'failed', 'refunded')),
  duplicate_of uuid,
  failure_code text CHECK (failure_code IN ('expired', 'declined', 'canceled')),
  payer_name text,
  payer_iban text,
  session text,
  transfer_id uuid,
  refund_id uuid,
  metadata jsonb NOT NULL DEFAULT '{}',
  due_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz NOT NULL,
  fees jsonb,
  remind_at timestamptz,
  PRIMARY KEY (environment_id, id),
  CHECK (status NOT IN ('pending', 'failed') OR received = 0),
  CHECK (status <> 'failed' OR failure_code IS NOT NULL),
  CHECK (failure_code IS NULL OR status IN ('failed', 'partially_paid', 'refunded')),
  CHECK ((received > 0) = (transfer_id IS NOT NULL)),
  CHECK ((token IS NULL) = (duplicate_of IS NOT NULL)),
  CHECK (status = 'pending' OR due_at IS NULL)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX payments_reference ON payments (environment_id, reference) WHERE duplicate_of IS NULL;
CREATE INDEX payments_link ON payments (environment_id, link_id, id);
CREATE INDEX payments_session ON payments (environment_id, session) WHERE session IS NOT NULL;
CREATE INDEX payments_due ON payments (environment_id, due_at) WHERE due_at IS NOT NULL;
-- What money without a place may belong to.
CREATE INDEX payments_unpaid ON payments (environment_id, currency, (amount - received))
  WHERE status IN ('pending', 'partially_paid') AND refund_id IS NULL;
CREATE INDEX payments_reminding ON payments (environment_id, remind_at) WHERE remind_at IS NOT NULL;
COMMENT ON TABLE payments IS 'Money expected or received through a link.';
COMMENT ON COLUMN payments.environment_id IS 'Environment.';
COMMENT ON COLUMN payments.id IS 'Identifier, shown as pay_….';
COMMENT ON COLUMN payments.link_id IS 'The link it is made through.';
COMMENT ON COLUMN payments.token IS 'Unguessable last part of the address of its own page, sealed; NULL: a duplicate has none.';
COMMENT ON COLUMN payments.reference IS 'What the payer must name: ISO 11649 without blanks.';
COMMENT ON COLUMN payments.account_id IS 'Account credited.';
COMMENT ON COLUMN payments.method IS 'bank_transfer or card.';
COMMENT ON COLUMN payments.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN payments.amount IS 'Asked for, minor units.';
COMMENT ON COLUMN payments.received IS 'Came in, minor units.';
COMMENT ON COLUMN payments.refunded IS 'Went back, minor units.';
COMMENT ON COLUMN payments.status IS 'pending; partially_paid, succeeded, overpaid: by what came in; duplicate: came when it was paid already; failed; refunded: all went back.';
COMMENT ON COLUMN payments.duplicate_of IS 'The payment that was paid already when this money came.';
COMMENT ON COLUMN payments.failure_code IS 'Why it failed; stays when a part of the money comes late.';
COMMENT ON COLUMN payments.payer_name IS 'Who paid, as the bank says.';
COMMENT ON COLUMN payments.payer_iban IS 'From which account, for refunds, sealed; masked in every answer.';
COMMENT ON COLUMN payments.session IS 'The acquirer''s session.';
COMMENT ON COLUMN payments.transfer_id IS 'The last transfer that credited the account.';
COMMENT ON COLUMN payments.refund_id IS 'The last payout that refunds it.';
COMMENT ON COLUMN payments.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN payments.due_at IS 'Until then it waits for money, environment clock.';
COMMENT ON COLUMN payments.paid_at IS 'When it was paid in full, environment clock.';
COMMENT ON COLUMN payments.created_at IS 'Environment clock.';
COMMENT ON COLUMN payments.fees IS 'Fees charged with the money that came in; NULL: none.';
COMMENT ON COLUMN payments.remind_at IS 'When an event is to tell that it still waits for money, environment clock; NULL: never, or it has.';

CREATE TABLE payment_tokens (
  token text PRIMARY KEY,
  environment_id uuid NOT NULL,
  link_id uuid NOT NULL,
  payment_id uuid
);
CREATE INDEX payment_tokens_environment ON payment_tokens (environment_id);
COMMENT ON TABLE payment_tokens IS 'What a page token opens; the one look-up of pages that knows no environment yet.';
COMMENT ON COLUMN payment_tokens.token IS 'Blind index of the token (HMAC-SHA-256 under the server secret, base64url): it finds a page and opens none.';
COMMENT ON COLUMN payment_tokens.environment_id IS 'Environment.';
COMMENT ON COLUMN payment_tokens.link_id IS 'The link.';
COMMENT ON COLUMN payment_tokens.payment_id IS 'The payment; NULL: the page of the link itself.';

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
