-- What payouts are for, and how their bank books them (docs/decisions/0085). Columns without an index: no list filters by them.
ALTER TABLE payouts ADD COLUMN category_purpose text, ADD COLUMN purpose text;
COMMENT ON COLUMN payouts.category_purpose IS 'ISO 20022 category purpose, such as SALA; NULL: none.';
COMMENT ON COLUMN payouts.purpose IS 'ISO 20022 purpose, such as BONU; NULL: none.';

ALTER TABLE payout_batches ADD COLUMN category_purpose text, ADD COLUMN purpose text, ADD COLUMN batch_booking boolean;
COMMENT ON COLUMN payout_batches.category_purpose IS 'Of its payouts that name none; NULL: none.';
COMMENT ON COLUMN payout_batches.purpose IS 'Of its payouts that name none; NULL: none.';
COMMENT ON COLUMN payout_batches.batch_booking IS 'Whether the bank is asked to book its payouts as one entry; NULL: as their category says.';

ALTER TABLE recipients ADD COLUMN category_purpose text, ADD COLUMN purpose text;
COMMENT ON COLUMN recipients.category_purpose IS 'Of payouts to it that name none; NULL: none.';
COMMENT ON COLUMN recipients.purpose IS 'Of payouts to it that name none; NULL: none.';

ALTER TABLE bank_files ADD COLUMN category_purpose text, ADD COLUMN batch_booking boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN bank_files.category_purpose IS 'ISO 20022 category purpose of all its payouts; NULL: none.';
COMMENT ON COLUMN bank_files.batch_booking IS 'Whether the bank is asked to book it as one entry.';
