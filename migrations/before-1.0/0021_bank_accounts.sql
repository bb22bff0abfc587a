-- The operator's own bank accounts. Each is an account of the ledger: what the bank books moves it.

CREATE TABLE bank_accounts (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  name text,
  currency text NOT NULL,
  country text NOT NULL,
  holder text NOT NULL,
  holder_address jsonb,
  bank_details jsonb NOT NULL,
  uses text[] NOT NULL,
  profile text NOT NULL,
  calendar text NOT NULL,
  cut_off text NOT NULL,
  time_zone text NOT NULL,
  booked_by text NOT NULL,
  payee_check text NOT NULL,
  balance int8 NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'closed')),
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  PRIMARY KEY (environment_id, id)
) WITH (fillfactor = 80);
COMMENT ON TABLE bank_accounts IS 'Accounts at a bank that payouts leave from and payments come in to.';
COMMENT ON COLUMN bank_accounts.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_accounts.id IS 'UUIDv8 with the instant of its creation in front: transfers name it among accounts, whose ids are UUIDv7.';
COMMENT ON COLUMN bank_accounts.name IS 'The owner''s name for it; NULL: none.';
COMMENT ON COLUMN bank_accounts.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN bank_accounts.country IS 'Country of the account.';
COMMENT ON COLUMN bank_accounts.holder IS 'Account holder, as the bank has it.';
COMMENT ON COLUMN bank_accounts.holder_address IS 'line1, line2, postal_code, city, state, country; NULL: none.';
COMMENT ON COLUMN bank_accounts.bank_details IS 'iban, bic, account_number and so on, canonical.';
COMMENT ON COLUMN bank_accounts.uses IS 'payouts, collections.';
COMMENT ON COLUMN bank_accounts.profile IS 'The dialect of its bank''s payment files.';
COMMENT ON COLUMN bank_accounts.calendar IS 'On which days its bank works.';
COMMENT ON COLUMN bank_accounts.cut_off IS 'Until when a file leaves on the same day, HH:MM in its time zone.';
COMMENT ON COLUMN bank_accounts.time_zone IS 'IANA name.';
COMMENT ON COLUMN bank_accounts.booked_by IS 'The messages whose booked entries move the ledger.';
COMMENT ON COLUMN bank_accounts.payee_check IS 'Whether its files ask the bank to verify payees.';
COMMENT ON COLUMN bank_accounts.balance IS 'Minor units: sum of the bank''s booked entries. Below zero is an overdraft.';
COMMENT ON COLUMN bank_accounts.status IS 'open or closed.';
COMMENT ON COLUMN bank_accounts.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN bank_accounts.created_at IS 'When it was made.';
COMMENT ON COLUMN bank_accounts.closed_at IS 'When it was closed.';
CREATE UNIQUE INDEX bank_accounts_iban ON bank_accounts (environment_id, (bank_details ->> 'iban'), currency) WHERE status = 'open' AND bank_details ? 'iban';
