-- Merchants, their environments, and what an environment says of itself to payers.
--
-- For all files: primary keys and unique indexes begin with environment_id, the wall between tenants, and the
-- distribution column of a distributed PostgreSQL later. The exceptions are looked up before an environment is known,
-- or are unique in the whole database. The tables that only grow have no foreign keys: the one writer checks
-- (docs/decisions/0006). Amounts are bigint minor units. Instants are timestamptz from the environment's clock. No file
-- grants rights on tables: the owner gives them to the server at each start (docs/decisions/0026).
-- Files 0101 to 0112 together are what the 41 files in before-1.0/ made, one topic a file (docs/decisions/0072).

-- The role that the server works as. The owner is a member, because with one login only it works as this role too.
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
  endpoints_version bigint NOT NULL DEFAULT 0,
  audit_sequence bigint NOT NULL DEFAULT 0 CHECK (audit_sequence >= 0),
  audit_hash text,
  payout_rules jsonb,
  fees jsonb,
  paying_banks jsonb,
  fx jsonb,
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
COMMENT ON COLUMN environments.endpoints_version IS 'Counts up with every change of a webhook endpoint, so that processes know when to read them again; 0: there never was one.';
COMMENT ON COLUMN environments.audit_sequence IS 'Sequence of the newest entry of the audit log; moved under the row lock.';
COMMENT ON COLUMN environments.audit_hash IS 'hash of that entry: without it the newest entries could be deleted unseen.';
COMMENT ON COLUMN environments.payout_rules IS 'Freeze, limits and what is held (src/core/payout-rules.ts); NULL: none.';
COMMENT ON COLUMN environments.fees IS 'What is charged for payouts, exchanges and payments; NULL: nothing. At most 100.';
COMMENT ON COLUMN environments.paying_banks IS 'The bank accounts that payouts leave from, one a currency: currency, profile, country, hasIban, calendar, cutOff, timeZone (src/core/paying-banks.ts). NULL: none.';
COMMENT ON COLUMN environments.fx IS 'Base currency, limit and markups of exchanges, and the open position of each currency, the balance of house:fx (src/core/fx.ts). NULL: no exchange yet.';

CREATE TABLE settings (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  name text,
  logo text,
  accent_color text CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
  bank_accounts jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  pending_bank_accounts jsonb,
  metadata jsonb NOT NULL DEFAULT '{}',
  payment_reminder_days int CHECK (payment_reminder_days BETWEEN 1 AND 13),
  next_statement_day date,
  PRIMARY KEY (environment_id, id)
);
CREATE INDEX settings_statements ON settings (next_statement_day) WHERE next_statement_day IS NOT NULL;
COMMENT ON TABLE settings IS 'What an environment says about itself to payers. At most one row an environment; without one the defaults hold.';
COMMENT ON COLUMN settings.environment_id IS 'Environment.';
COMMENT ON COLUMN settings.id IS 'The environment once more: settings are loaded and written like every object.';
COMMENT ON COLUMN settings.name IS 'Name shown to payers; NULL: that of the merchant.';
COMMENT ON COLUMN settings.logo IS 'A PNG or JPEG picture in base64.';
COMMENT ON COLUMN settings.accent_color IS 'Colour of buttons and links, as #rrggbb.';
COMMENT ON COLUMN settings.bank_accounts IS 'Currency to the details of the bank account that payers send money to.';
COMMENT ON COLUMN settings.created_at IS 'Environment clock.';
COMMENT ON COLUMN settings.pending_bank_accounts IS 'Changes of bank_accounts that wait for approval, and who asked for them; NULL: none.';
COMMENT ON COLUMN settings.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN settings.payment_reminder_days IS 'After how many days of waiting an event tells of a payment; NULL: never.';
COMMENT ON COLUMN settings.next_statement_day IS 'The day (UTC, environment clock) whose statement is made next, once it has ended; NULL: none is.';
