-- Which bank account pays says whether its files name the payer, and the address: banks outside the EEA want it.
-- That a name cannot be written is rare, and known with the next change of a bank account.
UPDATE environments AS e SET paying_banks = (
  SELECT jsonb_agg(p.bank || jsonb_build_object('hasName', true, 'hasAddress', coalesce((
      SELECT b.holder_address IS NOT NULL FROM bank_accounts b
      WHERE b.environment_id = e.environment_id AND b.id = (p.bank ->> 'id')::uuid), false)) ORDER BY p.place)
  FROM jsonb_array_elements(e.paying_banks) WITH ORDINALITY AS p (bank, place))
  WHERE jsonb_array_length(e.paying_banks) > 0;

ALTER TABLE payouts ADD COLUMN reference_type text;
COMMENT ON COLUMN payouts.reference_type IS 'What the reference is (src/core/rails/structured-references.ts); NULL: there is none, or the payout is older than this column.';
