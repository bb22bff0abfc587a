-- The erasure of a person knows payers, and ends the standing orders that pay the person (docs/decisions/0032).
ALTER TABLE standing_orders ADD COLUMN canceled_reason text CHECK (canceled_reason IN ('requested', 'recipient_redacted'));
COMMENT ON COLUMN standing_orders.canceled_reason IS 'requested, or recipient_redacted: the person it paid was erased; NULL: not canceled, or before this column.';

-- The erasure of a person finds the records of its requests: of payers too, where no event holds the answer.
CREATE INDEX idempotency_persons ON idempotency_records (environment_id, resource_id)
  WHERE resource_prefix IN ('rcp', 'plink', 'pay', 'xp', 'be') AND body IS NOT NULL;
DROP INDEX idempotency_recipients;
