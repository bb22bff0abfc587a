-- API keys, the audit log, and which tables are sealed under which server secret.
-- SQL does not know the server secret. So the server seals rows when it starts (docs/decisions/0030).

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
  last_used_at timestamptz,
  accounts text[],
  allowed_addresses text[],
  created_by uuid,
  secret_id text
);
CREATE INDEX api_keys_environment ON api_keys (environment_id, id);
COMMENT ON TABLE api_keys IS 'Global look-up from a key to its environment. The key itself is never stored.';
COMMENT ON COLUMN api_keys.hash IS 'HMAC-SHA-256 of the key under the server secret secret_id; moves to the new one when the key is used after a rotation.';
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
COMMENT ON COLUMN api_keys.accounts IS 'Ids of the only accounts it may see and use; NULL is all.';
COMMENT ON COLUMN api_keys.allowed_addresses IS 'Addresses and networks (CIDR) it may be used from; NULL is everywhere.';
COMMENT ON COLUMN api_keys.created_by IS 'Who made it, as in events.actor; NULL is older.';
COMMENT ON COLUMN api_keys.secret_id IS 'Names the server secret that hash was made under, 8 hex digits that tell nothing of it; NULL: made before this column, and not used since.';

CREATE TABLE audit_log (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  action text NOT NULL,
  actor uuid NOT NULL,
  address text,
  request_id uuid,
  subject text,
  details text NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX audit_log_sequence ON audit_log (environment_id, sequence);
CREATE INDEX audit_log_subject ON audit_log (environment_id, subject, id) WHERE subject IS NOT NULL;
COMMENT ON TABLE audit_log IS 'Who changed what of keys, settings and webhook endpoints. Append only; each entry holds the hash of the one before (src/write/audit.ts).';
COMMENT ON COLUMN audit_log.environment_id IS 'Environment.';
COMMENT ON COLUMN audit_log.id IS 'Identifier, shown as aud_….';
COMMENT ON COLUMN audit_log.sequence IS 'Counts up by one in each environment, from 1.';
COMMENT ON COLUMN audit_log.action IS 'What happened (src/core/audit.ts).';
COMMENT ON COLUMN audit_log.actor IS 'Who did it, as in events.actor.';
COMMENT ON COLUMN audit_log.address IS 'Address of the client, where a request caused it.';
COMMENT ON COLUMN audit_log.request_id IS 'The request that caused it.';
COMMENT ON COLUMN audit_log.subject IS 'Id of the object it is about, with its prefix.';
COMMENT ON COLUMN audit_log.details IS 'What about it matters, as JSON text: text, so that it stays what was hashed.';
COMMENT ON COLUMN audit_log.previous_hash IS 'hash of the entry before; 64 zeros in the first.';
COMMENT ON COLUMN audit_log.hash IS 'SHA-256 in hex of the previous hash and all columns but this one.';
COMMENT ON COLUMN audit_log.created_at IS 'Environment clock.';

CREATE TABLE sealings (
  name text PRIMARY KEY,
  key_id text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sealings IS 'Tables of which every row is sealed under the server secret. Written by the owner, at the start of a server.';
COMMENT ON COLUMN sealings.name IS 'The table.';
COMMENT ON COLUMN sealings.key_id IS 'Names the key: the server secret of that time cannot be read from it.';
COMMENT ON COLUMN sealings.sealed_at IS 'When its last row was sealed.';
