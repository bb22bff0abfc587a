-- Payout batches have an external id, keep what was rejected of them, and are listed by their filters.

ALTER TABLE payout_batches ADD COLUMN external_id text;
COMMENT ON COLUMN payout_batches.external_id IS 'The owner''s own id, unique for ever; NULL: none.';
ALTER TABLE payout_batches ADD COLUMN rejected_items jsonb;
COMMENT ON COLUMN payout_batches.rejected_items IS 'The items that no payout was made of, with what was read of each and why not (partial mode); NULL: none. At most 1000.';

CREATE UNIQUE INDEX payout_batches_external_id ON payout_batches (environment_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payout_batches_status ON payout_batches (environment_id, status, id);
CREATE INDEX payout_batches_mode ON payout_batches (environment_id, mode, id);
CREATE INDEX payout_batches_status_mode ON payout_batches (environment_id, status, mode, id);
