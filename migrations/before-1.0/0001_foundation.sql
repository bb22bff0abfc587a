-- Bursar's tables. Every primary key and every unique index begins with environment_id: the tenant wall, and the
-- distribution column of a distributed PostgreSQL later. No foreign keys on the append tables: the one writer is the
-- check (docs/decisions/0006). Amounts are bigint minor units; instants are timestamptz from the environment's clock.

CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE merchants IS 'A company; owns one sandbox and one live environment.';
COMMENT ON COLUMN merchants.id IS 'Identifier.';
COMMENT ON COLUMN merchants.name IS 'Display name, unique: the CLI names merchants by it.';
COMMENT ON COLUMN merchants.created_at IS 'When it was made, database clock.';

CREATE TABLE environments (
  environment_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants,
  livemode boolean NOT NULL,
  last_sequence bigint NOT NULL DEFAULT 0 CHECK (last_sequence >= 0),
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  clock_offset_ms bigint NOT NULL DEFAULT 0 CHECK (clock_offset_ms >= 0 AND (clock_offset_ms = 0 OR NOT livemode)),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (merchant_id, livemode)
) WITH (fillfactor = 20);
COMMENT ON TABLE environments IS 'One merchant''s sandbox or live half. Its row is the lock every write of the environment goes through (docs/decisions/0001).';
COMMENT ON COLUMN environments.environment_id IS 'Identifier; first column of every key below.';
COMMENT ON COLUMN environments.merchant_id IS 'The company it belongs to.';
COMMENT ON COLUMN environments.livemode IS 'true: real money; false: sandbox.';
COMMENT ON COLUMN environments.last_sequence IS 'Sequence of the newest event; gapless, moved under the row lock.';
COMMENT ON COLUMN environments.last_at IS 'Instant of the newest batch; the next one is later, whatever the clock does.';
COMMENT ON COLUMN environments.clock_offset_ms IS 'Sandbox clock: milliseconds ahead of the database clock.';
COMMENT ON COLUMN environments.created_at IS 'When it was made, database clock.';

CREATE TABLE api_keys (
  hash bytea PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  environment_id uuid NOT NULL REFERENCES environments,
  name text NOT NULL,
  prefix text NOT NULL,
  last4 text NOT NULL,
  scopes text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX api_keys_environment ON api_keys (environment_id, id);
COMMENT ON TABLE api_keys IS 'Global look-up from a key to its environment. The key itself is never stored.';
COMMENT ON COLUMN api_keys.hash IS 'HMAC-SHA-256 of the key under the server secret.';
COMMENT ON COLUMN api_keys.id IS 'Identifier, shown as key_….';
COMMENT ON COLUMN api_keys.environment_id IS 'The environment the key opens; the key alone decides.';
COMMENT ON COLUMN api_keys.name IS 'What it is for, in the owner''s words.';
COMMENT ON COLUMN api_keys.prefix IS 'sk_test_, sk_live_, rk_test_ or rk_live_.';
COMMENT ON COLUMN api_keys.last4 IS 'Last four characters, to recognise it.';
COMMENT ON COLUMN api_keys.scopes IS 'NULL: everything; else resource:read or resource:write each.';
COMMENT ON COLUMN api_keys.created_at IS 'When it was made.';
COMMENT ON COLUMN api_keys.expires_at IS 'From then on refused; set by a roll with overlap too.';
COMMENT ON COLUMN api_keys.revoked_at IS 'When it was revoked.';
COMMENT ON COLUMN api_keys.last_used_at IS 'Last use, to the minute.';

CREATE TABLE accounts (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),
  name text,
  status text NOT NULL CHECK (status IN ('open', 'closed')),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  PRIMARY KEY (environment_id, id),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK (status = 'open' OR balance = 0)
) WITH (fillfactor = 50);
CREATE INDEX accounts_default ON accounts (environment_id, currency, id) WHERE status = 'open';
COMMENT ON TABLE accounts IS 'Customer accounts. House accounts have no row; their balance is a sum of transfers.';
COMMENT ON COLUMN accounts.environment_id IS 'Environment.';
COMMENT ON COLUMN accounts.id IS 'Identifier, shown as acct_….';
COMMENT ON COLUMN accounts.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN accounts.balance IS 'Minor units; equals credits minus debits of its transfers; never below zero.';
COMMENT ON COLUMN accounts.name IS 'The owner''s name for it.';
COMMENT ON COLUMN accounts.status IS 'open or closed; closed only at zero.';
COMMENT ON COLUMN accounts.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN accounts.created_at IS 'Environment clock.';
COMMENT ON COLUMN accounts.closed_at IS 'Environment clock.';

CREATE TABLE transfers (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  debit_account uuid NOT NULL,
  credit_account uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  cause text NOT NULL CHECK (cause IN ('funding', 'transfer', 'exchange', 'payout', 'payout_settlement', 'payout_reversal')),
  cause_id uuid,
  debit_balance_after bigint CHECK (debit_balance_after >= 0),
  credit_balance_after bigint CHECK (credit_balance_after >= 0),
  created_at timestamptz NOT NULL,
  description text,
  metadata jsonb,
  PRIMARY KEY (environment_id, id),
  CHECK (debit_account <> credit_account)
);
CREATE INDEX transfers_debit ON transfers (debit_account, id) WHERE debit_balance_after IS NOT NULL;
CREATE INDEX transfers_credit ON transfers (credit_account, id) WHERE credit_balance_after IS NOT NULL;
COMMENT ON TABLE transfers IS 'The ledger. One immutable row moves one amount from one account to another: unbalanced movements cannot be written down.';
COMMENT ON COLUMN transfers.environment_id IS 'Environment.';
COMMENT ON COLUMN transfers.id IS 'Identifier, shown as trf_….';
COMMENT ON COLUMN transfers.debit_account IS 'Pays; a customer account or a house account (src/core/ledger.ts).';
COMMENT ON COLUMN transfers.credit_account IS 'Receives; a customer account or a house account.';
COMMENT ON COLUMN transfers.amount IS 'Minor units, above zero.';
COMMENT ON COLUMN transfers.currency IS 'ISO 4217 code of both accounts.';
COMMENT ON COLUMN transfers.cause IS 'Why it happened.';
COMMENT ON COLUMN transfers.cause_id IS 'The exchange or payout it belongs to; NULL where the transfer stands alone.';
COMMENT ON COLUMN transfers.debit_balance_after IS 'Balance of the paying account after it; NULL for a house account.';
COMMENT ON COLUMN transfers.credit_balance_after IS 'Balance of the receiving account after it; NULL for a house account.';
COMMENT ON COLUMN transfers.created_at IS 'Environment clock.';
COMMENT ON COLUMN transfers.description IS 'The owner''s words, for own-account transfers.';
COMMENT ON COLUMN transfers.metadata IS 'The owner''s keys and values, for own-account transfers.';

CREATE TABLE recipients (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL CHECK (version > 0),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('individual', 'company')),
  currency text NOT NULL,
  country text NOT NULL,
  email text,
  bank_details jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
COMMENT ON TABLE recipients IS 'Whom payouts go to; the newest version of each.';
COMMENT ON COLUMN recipients.environment_id IS 'Environment.';
COMMENT ON COLUMN recipients.id IS 'Identifier, shown as rcp_….';
COMMENT ON COLUMN recipients.version IS 'Counts up with every change that a payout would see; see recipient_versions.';
COMMENT ON COLUMN recipients.name IS 'Name of the account holder.';
COMMENT ON COLUMN recipients.type IS 'individual or company.';
COMMENT ON COLUMN recipients.currency IS 'Currency it is paid in.';
COMMENT ON COLUMN recipients.country IS 'Country of its bank, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN recipients.email IS 'For notices.';
COMMENT ON COLUMN recipients.bank_details IS 'Validated, normalised bank details; masked in every answer.';
COMMENT ON COLUMN recipients.status IS 'active, or archived by a delete.';
COMMENT ON COLUMN recipients.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN recipients.created_at IS 'Environment clock.';

CREATE TABLE recipient_versions (
  environment_id uuid NOT NULL,
  recipient_id uuid NOT NULL,
  version int NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  currency text NOT NULL,
  country text NOT NULL,
  bank_details jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, recipient_id, version)
);
COMMENT ON TABLE recipient_versions IS 'Every state a recipient was in. A payout names one: its snapshot without a copy a payout.';
COMMENT ON COLUMN recipient_versions.environment_id IS 'Environment.';
COMMENT ON COLUMN recipient_versions.recipient_id IS 'The recipient.';
COMMENT ON COLUMN recipient_versions.version IS 'As in recipients.version.';
COMMENT ON COLUMN recipient_versions.name IS 'As it was.';
COMMENT ON COLUMN recipient_versions.type IS 'As it was.';
COMMENT ON COLUMN recipient_versions.currency IS 'As it was.';
COMMENT ON COLUMN recipient_versions.country IS 'As it was.';
COMMENT ON COLUMN recipient_versions.bank_details IS 'As they were.';
COMMENT ON COLUMN recipient_versions.created_at IS 'When this version came to be, environment clock.';

CREATE TABLE quotes (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  sell_currency text NOT NULL,
  buy_currency text NOT NULL,
  sell_amount bigint NOT NULL CHECK (sell_amount > 0),
  buy_amount bigint NOT NULL CHECK (buy_amount > 0),
  fixed_side text NOT NULL CHECK (fixed_side IN ('sell', 'buy')),
  rate text NOT NULL,
  inverse_rate text NOT NULL,
  mid_market_rate text NOT NULL,
  markup_bps int NOT NULL CHECK (markup_bps >= 0),
  rate_source text NOT NULL,
  rate_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  exchange_id uuid,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (sell_currency <> buy_currency),
  CHECK (expires_at > created_at)
);
COMMENT ON TABLE quotes IS 'A rate promised for a while; moves no money.';
COMMENT ON COLUMN quotes.environment_id IS 'Environment.';
COMMENT ON COLUMN quotes.id IS 'Identifier, shown as quo_….';
COMMENT ON COLUMN quotes.sell_currency IS 'Currency given.';
COMMENT ON COLUMN quotes.buy_currency IS 'Currency received.';
COMMENT ON COLUMN quotes.sell_amount IS 'Minor units of sell_currency.';
COMMENT ON COLUMN quotes.buy_amount IS 'Minor units of buy_currency.';
COMMENT ON COLUMN quotes.fixed_side IS 'The side that was asked for; the other was computed.';
COMMENT ON COLUMN quotes.rate IS 'Decimal text, buy units per one sell unit, markup included.';
COMMENT ON COLUMN quotes.inverse_rate IS 'Decimal text, sell units per one buy unit, markup included.';
COMMENT ON COLUMN quotes.mid_market_rate IS 'Decimal text, without markup.';
COMMENT ON COLUMN quotes.markup_bps IS 'Markup in basis points.';
COMMENT ON COLUMN quotes.rate_source IS 'Where the rate came from.';
COMMENT ON COLUMN quotes.rate_at IS 'When the source fixed it.';
COMMENT ON COLUMN quotes.expires_at IS 'Last instant of use, environment clock.';
COMMENT ON COLUMN quotes.exchange_id IS 'The exchange that used it; a quote is used at most once.';
COMMENT ON COLUMN quotes.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN quotes.created_at IS 'Environment clock.';

CREATE TABLE exchanges (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  quote_id uuid,
  sell_account uuid NOT NULL,
  buy_account uuid NOT NULL,
  sell_currency text NOT NULL,
  buy_currency text NOT NULL,
  sell_amount bigint NOT NULL CHECK (sell_amount > 0),
  buy_amount bigint NOT NULL CHECK (buy_amount > 0),
  fixed_side text NOT NULL CHECK (fixed_side IN ('sell', 'buy')),
  rate text NOT NULL,
  inverse_rate text NOT NULL,
  mid_market_rate text NOT NULL,
  markup_bps int NOT NULL,
  rate_source text NOT NULL,
  rate_at timestamptz NOT NULL,
  sell_transfer uuid NOT NULL,
  buy_transfer uuid NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (sell_currency <> buy_currency)
);
CREATE UNIQUE INDEX exchanges_quote ON exchanges (environment_id, quote_id) WHERE quote_id IS NOT NULL;
COMMENT ON TABLE exchanges IS 'Booked exchanges; both sides moved in one commit. Immutable but for metadata.';
COMMENT ON COLUMN exchanges.environment_id IS 'Environment.';
COMMENT ON COLUMN exchanges.id IS 'Identifier, shown as exc_….';
COMMENT ON COLUMN exchanges.quote_id IS 'The quote it was booked on, if any; unique.';
COMMENT ON COLUMN exchanges.sell_account IS 'Account debited.';
COMMENT ON COLUMN exchanges.buy_account IS 'Account credited.';
COMMENT ON COLUMN exchanges.sell_currency IS 'Currency given.';
COMMENT ON COLUMN exchanges.buy_currency IS 'Currency received.';
COMMENT ON COLUMN exchanges.sell_amount IS 'Minor units of sell_currency.';
COMMENT ON COLUMN exchanges.buy_amount IS 'Minor units of buy_currency.';
COMMENT ON COLUMN exchanges.fixed_side IS 'The side that was asked for; the other was computed.';
COMMENT ON COLUMN exchanges.rate IS 'As in quotes.';
COMMENT ON COLUMN exchanges.inverse_rate IS 'As in quotes.';
COMMENT ON COLUMN exchanges.mid_market_rate IS 'As in quotes.';
COMMENT ON COLUMN exchanges.markup_bps IS 'As in quotes.';
COMMENT ON COLUMN exchanges.rate_source IS 'As in quotes.';
COMMENT ON COLUMN exchanges.rate_at IS 'As in quotes.';
COMMENT ON COLUMN exchanges.sell_transfer IS 'Transfer of the sell side.';
COMMENT ON COLUMN exchanges.buy_transfer IS 'Transfer of the buy side.';
COMMENT ON COLUMN exchanges.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN exchanges.created_at IS 'Environment clock.';

CREATE TABLE payout_batches (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('processing', 'completed', 'completed_with_failures')),
  mode text NOT NULL CHECK (mode IN ('atomic', 'partial')),
  payouts_count int NOT NULL CHECK (payouts_count >= 0),
  rejected_count int NOT NULL CHECK (rejected_count >= 0),
  open_count int NOT NULL CHECK (open_count >= 0),
  failed_count int NOT NULL CHECK (failed_count >= 0),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  PRIMARY KEY (environment_id, id),
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK ((status = 'processing') = (open_count > 0))
);
COMMENT ON TABLE payout_batches IS 'Payouts created by one request.';
COMMENT ON COLUMN payout_batches.environment_id IS 'Environment.';
COMMENT ON COLUMN payout_batches.id IS 'Identifier, shown as pob_….';
COMMENT ON COLUMN payout_batches.status IS 'processing until every payout is paid, failed or canceled.';
COMMENT ON COLUMN payout_batches.mode IS 'atomic: all or nothing; partial: item by item.';
COMMENT ON COLUMN payout_batches.payouts_count IS 'Payouts created.';
COMMENT ON COLUMN payout_batches.rejected_count IS 'Items rejected (partial mode).';
COMMENT ON COLUMN payout_batches.open_count IS 'Payouts still pending or in transit.';
COMMENT ON COLUMN payout_batches.failed_count IS 'Payouts failed or canceled.';
COMMENT ON COLUMN payout_batches.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN payout_batches.created_at IS 'Environment clock.';
COMMENT ON COLUMN payout_batches.completed_at IS 'Environment clock.';

CREATE TABLE payouts (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recipient_id uuid NOT NULL,
  recipient_version int NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'in_transit', 'paid', 'failed', 'canceled', 'returned')),
  transfer_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  reversal_id uuid,
  batch_id uuid,
  reference text,
  statement_descriptor text,
  external_id text,
  scheduled_for date,
  failure_code text,
  metadata jsonb,
  due_at timestamptz,
  in_transit_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (environment_id, id),
  CHECK ((status IN ('failed', 'canceled', 'returned')) = (reversal_id IS NOT NULL)),
  CHECK ((status IN ('failed', 'returned')) = (failure_code IS NOT NULL)),
  CHECK ((status IN ('pending', 'in_transit')) = (ended_at IS NULL)),
  CHECK (status <> 'in_transit' OR in_transit_at IS NOT NULL)
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX payouts_external_id ON payouts (environment_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payouts_recipient ON payouts (recipient_id, id);
CREATE INDEX payouts_batch ON payouts (environment_id, batch_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX payouts_due ON payouts (environment_id, due_at) WHERE due_at IS NOT NULL;
COMMENT ON TABLE payouts IS 'Money on its way to a recipient. The account is debited at creation.';
COMMENT ON COLUMN payouts.environment_id IS 'Environment.';
COMMENT ON COLUMN payouts.id IS 'Identifier, shown as po_…; goes to the bank as EndToEndId.';
COMMENT ON COLUMN payouts.account_id IS 'Account debited.';
COMMENT ON COLUMN payouts.recipient_id IS 'Recipient.';
COMMENT ON COLUMN payouts.recipient_version IS 'The recipient as it was at creation (recipient_versions).';
COMMENT ON COLUMN payouts.amount IS 'Minor units.';
COMMENT ON COLUMN payouts.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN payouts.status IS 'pending, in_transit, paid, failed, canceled or returned.';
COMMENT ON COLUMN payouts.transfer_id IS 'The transfer that debited the account.';
COMMENT ON COLUMN payouts.created_at IS 'Environment clock.';
COMMENT ON COLUMN payouts.reversal_id IS 'The transfer that credited the account back.';
COMMENT ON COLUMN payouts.batch_id IS 'The batch it was created in.';
COMMENT ON COLUMN payouts.reference IS 'Text for the recipient.';
COMMENT ON COLUMN payouts.statement_descriptor IS 'Short text for the recipient''s statement.';
COMMENT ON COLUMN payouts.external_id IS 'The owner''s own id, unique for ever.';
COMMENT ON COLUMN payouts.scheduled_for IS 'The day it is to leave; NULL is at once.';
COMMENT ON COLUMN payouts.failure_code IS 'Why it failed or came back.';
COMMENT ON COLUMN payouts.metadata IS 'The owner''s keys and values; NULL is none.';
COMMENT ON COLUMN payouts.due_at IS 'When the settlement worker moves it on by itself; NULL is never.';
COMMENT ON COLUMN payouts.in_transit_at IS 'Environment clock.';
COMMENT ON COLUMN payouts.ended_at IS 'When it became paid, failed, canceled or returned, environment clock.';

CREATE TABLE events (
  environment_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  id uuid NOT NULL,
  type text NOT NULL,
  created_at timestamptz NOT NULL,
  object_id uuid NOT NULL,
  object text NOT NULL,
  previous_attributes text,
  transfer_id uuid,
  request_id uuid,
  idempotency_key text,
  PRIMARY KEY (environment_id, sequence)
);
CREATE INDEX events_object ON events (object_id, sequence);
-- The four types that every payout makes are found by the primary key; an index for the others stays small.
CREATE INDEX events_rare_type ON events (environment_id, type, sequence)
  WHERE type <> ALL (ARRAY['balance.updated', 'payout.created', 'payout.in_transit', 'payout.paid']);
CREATE INDEX events_created ON events USING brin (created_at);
COMMENT ON TABLE events IS 'What the outside hears. Written in the same transaction as the change; immutable.';
COMMENT ON COLUMN events.environment_id IS 'Environment.';
COMMENT ON COLUMN events.sequence IS 'Gapless per environment, in commit order.';
COMMENT ON COLUMN events.id IS 'Identifier, shown as evt_…; carries the sequence in its low 40 bits.';
COMMENT ON COLUMN events.type IS 'What happened, such as payout.created.';
COMMENT ON COLUMN events.created_at IS 'Environment clock.';
COMMENT ON COLUMN events.object_id IS 'The object it is about.';
COMMENT ON COLUMN events.object IS 'The object after the change, rendered once: the very bytes of data.object.';
COMMENT ON COLUMN events.previous_attributes IS 'What the changed members were before, as JSON text.';
COMMENT ON COLUMN events.transfer_id IS 'The transfer behind a balance.updated.';
COMMENT ON COLUMN events.request_id IS 'The request that caused it; NULL for the service itself.';
COMMENT ON COLUMN events.idempotency_key IS 'The key that request came with.';

CREATE TABLE idempotency_records (
  environment_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  status smallint NOT NULL,
  event_sequence bigint,
  body text,
  resource_id uuid,
  resource_prefix text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, key),
  CHECK ((event_sequence IS NULL) <> (body IS NULL))
);
CREATE INDEX idempotency_created ON idempotency_records USING brin (created_at);
COMMENT ON TABLE idempotency_records IS 'What each write was answered, written in its own transaction.';
COMMENT ON COLUMN idempotency_records.environment_id IS 'Environment.';
COMMENT ON COLUMN idempotency_records.key IS 'Idempotency-Key as sent, or the request id where none was (then only this service asks for it).';
COMMENT ON COLUMN idempotency_records.fingerprint IS 'Method, path and canonical parameters, a line each.';
COMMENT ON COLUMN idempotency_records.status IS 'HTTP status of the answer.';
COMMENT ON COLUMN idempotency_records.event_sequence IS 'The event whose object is the body of the answer, byte for byte.';
COMMENT ON COLUMN idempotency_records.body IS 'The body of the answer where no event holds it.';
COMMENT ON COLUMN idempotency_records.resource_id IS 'The object the answer is about.';
COMMENT ON COLUMN idempotency_records.resource_prefix IS 'Its type.';
COMMENT ON COLUMN idempotency_records.created_at IS 'Database clock.';

-- The server works as bursar_app, which can neither rewrite nor erase transfers and events.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bursar_app') THEN
    BEGIN
      CREATE ROLE bursar_app NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  EXECUTE format('GRANT bursar_app TO %I', current_user);
END
$$;
GRANT USAGE ON SCHEMA public TO bursar_app;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO bursar_app;
REVOKE INSERT ON schema_migrations FROM bursar_app;
GRANT UPDATE ON environments, api_keys, accounts, recipients, quotes, exchanges, payout_batches, payouts TO bursar_app;
