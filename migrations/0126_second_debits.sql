-- What a bank says of a payout: debits that are one too many, and how much came back (docs/decisions/0082).
ALTER TABLE bank_instructions ADD COLUMN second_debits jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN bank_instructions.second_debits IS 'Entries that debited it once too often and were not given back yet: entry, amount in minor units as text, reason.';
COMMENT ON COLUMN bank_instructions.early IS 'Entries by which it came back before its debit was reported, or in vain.';
