-- A payout remembers who changed it: whatever holds it later asks a person of another family of keys (docs/decisions/0074).
ALTER TABLE payouts ADD COLUMN changed_by uuid;
COMMENT ON COLUMN payouts.changed_by IS 'Who changed its reference or its day last, as created_by says who; NULL: nobody.';
