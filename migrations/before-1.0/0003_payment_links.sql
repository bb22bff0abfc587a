-- Payment links: links, payments, the settings of an environment, and the look-up of page tokens. Written by the path.

ALTER TABLE transfers DROP CONSTRAINT transfers_cause_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_cause_check
  CHECK (cause IN ('funding', 'transfer', 'exchange', 'payout', 'payout_settlement', 'payout_reversal', 'payment')) NOT VALID;

ALTER TABLE payouts ADD COLUMN refund_of uuid;
COMMENT ON COLUMN payouts.refund_of IS 'The payment that it refunds.';

CREATE TABLE settings (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  name text,
  logo text,
  accent_color text CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
  bank_accounts jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
COMMENT ON TABLE settings IS 'What an environment says about itself to payers. At most one row an environment; without one the defaults hold.';
COMMENT ON COLUMN settings.environment_id IS 'Environment.';
COMMENT ON COLUMN settings.id IS 'The environment once more: settings are loaded and written like every object.';
COMMENT ON COLUMN settings.name IS 'Name shown to payers; NULL: that of the merchant.';
COMMENT ON COLUMN settings.logo IS 'A PNG or JPEG picture in base64.';
COMMENT ON COLUMN settings.accent_color IS 'Colour of buttons and links, as #rrggbb.';
COMMENT ON COLUMN settings.bank_accounts IS 'Currency to the details of the bank account that payers send money to.';
COMMENT ON COLUMN settings.created_at IS 'Environment clock.';

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
COMMENT ON COLUMN payment_links.token IS 'Unguessable last part of the address (payment_tokens finds it).';
COMMENT ON COLUMN payment_links.url IS 'Address of the page, as it was told.';
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
COMMENT ON TABLE payments IS 'Money expected or received through a link.';
COMMENT ON COLUMN payments.environment_id IS 'Environment.';
COMMENT ON COLUMN payments.id IS 'Identifier, shown as pay_….';
COMMENT ON COLUMN payments.link_id IS 'The link it is made through.';
COMMENT ON COLUMN payments.token IS 'Unguessable last part of the address of its own page; NULL: a duplicate has none.';
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
COMMENT ON COLUMN payments.payer_iban IS 'From which account, for refunds; masked in every answer.';
COMMENT ON COLUMN payments.session IS 'The acquirer''s session.';
COMMENT ON COLUMN payments.transfer_id IS 'The last transfer that credited the account.';
COMMENT ON COLUMN payments.refund_id IS 'The last payout that refunds it.';
COMMENT ON COLUMN payments.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN payments.due_at IS 'Until then it waits for money, environment clock.';
COMMENT ON COLUMN payments.paid_at IS 'When it was paid in full, environment clock.';
COMMENT ON COLUMN payments.created_at IS 'Environment clock.';

CREATE TABLE payment_tokens (
  token text PRIMARY KEY,
  environment_id uuid NOT NULL,
  link_id uuid NOT NULL,
  payment_id uuid
);
CREATE INDEX payment_tokens_environment ON payment_tokens (environment_id);
COMMENT ON TABLE payment_tokens IS 'What a page token opens; the one look-up of pages that knows no environment yet.';
COMMENT ON COLUMN payment_tokens.token IS '142 random bits in base 62.';
COMMENT ON COLUMN payment_tokens.environment_id IS 'Environment.';
COMMENT ON COLUMN payment_tokens.link_id IS 'The link.';
COMMENT ON COLUMN payment_tokens.payment_id IS 'The payment; NULL: the page of the link itself.';

GRANT SELECT, INSERT, UPDATE ON settings, payment_links, payments TO bursar_app;
GRANT SELECT, INSERT ON payment_tokens TO bursar_app;
