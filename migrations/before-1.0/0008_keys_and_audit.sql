-- Keys over the API: what a key may see and from where; and the audit log, a chain of entries in each environment.

ALTER TABLE api_keys ADD COLUMN accounts text[];
COMMENT ON COLUMN api_keys.accounts IS 'Ids of the only accounts it may see and use; NULL is all.';
ALTER TABLE api_keys ADD COLUMN allowed_addresses text[];
COMMENT ON COLUMN api_keys.allowed_addresses IS 'Addresses and networks (CIDR) it may be used from; NULL is everywhere.';
ALTER TABLE api_keys ADD COLUMN created_by uuid;
COMMENT ON COLUMN api_keys.created_by IS 'Who made it, as in events.actor; NULL is older.';

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

ALTER TABLE environments ADD COLUMN audit_sequence bigint NOT NULL DEFAULT 0 CHECK (audit_sequence >= 0);
COMMENT ON COLUMN environments.audit_sequence IS 'Sequence of the newest entry of the audit log; moved under the row lock.';
ALTER TABLE environments ADD COLUMN audit_hash text;
COMMENT ON COLUMN environments.audit_hash IS 'hash of that entry: without it the newest entries could be deleted unseen.';
