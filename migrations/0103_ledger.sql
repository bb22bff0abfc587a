-- The ledger: accounts, the transfers between them, and the daily statements that are read from these.
-- The table does not limit a balance: money that comes in is never refused (docs/decisions/0027). The decisions limit
-- what a client may order.

CREATE TABLE accounts (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  balance bigint NOT NULL CHECK (balance >= 0),
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
-- The reference for paying into an account is made of the instant and the counter in its id. Two environments may
-- make an account in the same millisecond and share a bank account. The second one then gets another id: the writer
-- sends its command again. Payouts are not slower for it, because an update of a balance changes no column of this
-- index.
CREATE UNIQUE INDEX accounts_deposit_reference ON accounts (substring(uuid_send(id) FROM 1 FOR 9), (get_byte(uuid_send(id), 9) >> 6));
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
COMMENT ON INDEX accounts_deposit_reference IS 'No two accounts of the database have the same deposit reference (core/deposit-reference.ts).';

CREATE TABLE transfers (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  debit_account uuid NOT NULL,
  credit_account uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  cause text NOT NULL CHECK (cause IN (
  'funding', 'transfer', 'exchange', 'exchange_fee', 'payout', 'payout_settlement', 'payout_reversal', 'payout_fee',
  'payout_fee_reversal', 'payment', 'payment_fee', 'bank_entry', 'bank_assignment'
)),
  cause_id uuid,
  debit_balance_after bigint CHECK (debit_balance_after >= 0),
  credit_balance_after bigint CHECK (credit_balance_after >= 0),
  created_at timestamptz NOT NULL,
  description text,
  metadata jsonb,
  created_by uuid,
  PRIMARY KEY (environment_id, id),
  CHECK (debit_account <> credit_account)
);
CREATE INDEX transfers_debit ON transfers (debit_account, id) WHERE debit_balance_after IS NOT NULL;
CREATE INDEX transfers_credit ON transfers (credit_account, id) WHERE credit_balance_after IS NOT NULL;
COMMENT ON TABLE transfers IS 'The ledger. One immutable row moves one amount from one account to another: unbalanced movements cannot be written down.';
COMMENT ON COLUMN transfers.environment_id IS 'Environment.';
COMMENT ON COLUMN transfers.id IS 'Identifier, shown as trf_….';
COMMENT ON COLUMN transfers.debit_account IS 'Pays; a customer account, a house account or a bank account of the operator (src/core/ledger.ts).';
COMMENT ON COLUMN transfers.credit_account IS 'Receives; a customer account, a house account or a bank account of the operator.';
COMMENT ON COLUMN transfers.amount IS 'Minor units, above zero.';
COMMENT ON COLUMN transfers.currency IS 'ISO 4217 code of both accounts.';
COMMENT ON COLUMN transfers.cause IS 'Why it happened.';
COMMENT ON COLUMN transfers.cause_id IS 'The exchange, payout, payment or bank entry it belongs to; NULL where the transfer stands alone.';
COMMENT ON COLUMN transfers.debit_balance_after IS 'Balance of the paying account after it; NULL for a house account.';
COMMENT ON COLUMN transfers.credit_balance_after IS 'Balance of the receiving account after it; NULL for a house account.';
COMMENT ON COLUMN transfers.created_at IS 'Environment clock.';
COMMENT ON COLUMN transfers.description IS 'The owner''s words, for own-account transfers.';
COMMENT ON COLUMN transfers.metadata IS 'The owner''s keys and values, for own-account transfers.';
COMMENT ON COLUMN transfers.created_by IS 'Who asked for it, as in events.actor.';

CREATE TABLE daily_statements (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  day date NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX daily_statements_day ON daily_statements (environment_id, day);
COMMENT ON TABLE daily_statements IS 'Statements of the accounts of an environment, one a day. Their content is read from the transfers when it is asked for (docs/decisions/0066). The unique index is the last guard against two of a day.';
COMMENT ON COLUMN daily_statements.environment_id IS 'Environment.';
COMMENT ON COLUMN daily_statements.id IS 'Identifier.';
COMMENT ON COLUMN daily_statements.day IS 'The day that it is of (UTC, environment clock). It had ended.';
COMMENT ON COLUMN daily_statements.created_at IS 'Environment clock.';
