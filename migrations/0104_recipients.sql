-- Whom payouts go to. An erased person's row stays as an object without the person.

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
  status text NOT NULL CHECK (status IN ('active', 'archived', 'redacted')),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  bank_fingerprint bytea,
  changed_at timestamptz,
  bank_summary text,
  address jsonb,
  latin_name text,
  duplicate_of uuid,
  PRIMARY KEY (environment_id, id)
);
CREATE INDEX recipients_fingerprint ON recipients (environment_id, bank_fingerprint) WHERE bank_fingerprint IS NOT NULL;
COMMENT ON TABLE recipients IS 'Whom payouts go to; the newest version of each.';
COMMENT ON COLUMN recipients.environment_id IS 'Environment.';
COMMENT ON COLUMN recipients.id IS 'Identifier, shown as rcp_….';
COMMENT ON COLUMN recipients.version IS 'Counts up with every change that a payout would see; see recipient_versions.';
COMMENT ON COLUMN recipients.name IS 'Name of the account holder.';
COMMENT ON COLUMN recipients.type IS 'individual or company.';
COMMENT ON COLUMN recipients.currency IS 'Currency it is paid in.';
COMMENT ON COLUMN recipients.country IS 'Country of its bank, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN recipients.email IS 'For notices.';
COMMENT ON COLUMN recipients.bank_details IS 'Validated, normalised bank details as {"sealed": …}; masked in every answer.';
COMMENT ON COLUMN recipients.status IS 'active, archived by a delete, or redacted: the person was erased.';
COMMENT ON COLUMN recipients.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN recipients.created_at IS 'Environment clock.';
COMMENT ON COLUMN recipients.bank_fingerprint IS 'Blind index of the account (HMAC-SHA-256 under the server secret, of environment and account): finds the recipients of one account.';
COMMENT ON COLUMN recipients.changed_at IS 'When name or bank details changed last; NULL: never.';
COMMENT ON COLUMN recipients.bank_summary IS 'Scheme, bank and last four of the account, for payouts.destination, so that no payout opens the sealed details; NULL: the recipient is older, or erased.';
COMMENT ON COLUMN recipients.address IS 'line1, line2, postal_code, city, state, country; NULL: none.';
COMMENT ON COLUMN recipients.latin_name IS 'The name in letters that every bank can write; NULL: none.';
COMMENT ON COLUMN recipients.duplicate_of IS 'The oldest recipient with the same account when this one was made; NULL: there was none.';

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
  address jsonb,
  latin_name text,
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
COMMENT ON COLUMN recipient_versions.bank_details IS 'As they were, as {"sealed": …}.';
COMMENT ON COLUMN recipient_versions.created_at IS 'When this version came to be, environment clock.';
COMMENT ON COLUMN recipient_versions.address IS 'As it was.';
COMMENT ON COLUMN recipient_versions.latin_name IS 'As it was.';
