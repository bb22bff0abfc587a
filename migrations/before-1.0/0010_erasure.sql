-- Erasure of a person: the recipient stays as an object without the person, and the records of its requests are found.

ALTER TABLE recipients DROP CONSTRAINT recipients_status_check;
ALTER TABLE recipients ADD CONSTRAINT recipients_status_check CHECK (status IN ('active', 'archived', 'redacted')) NOT VALID;
COMMENT ON COLUMN recipients.status IS 'active, archived by a delete, or redacted: the person was erased.';
CREATE INDEX idempotency_recipients ON idempotency_records (environment_id, resource_id)
  WHERE resource_prefix = 'rcp' AND body IS NOT NULL;
