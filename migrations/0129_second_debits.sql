-- What a bank says of a payout: debits that are one too many, and how much came back (docs/decisions/0082).
ALTER TABLE bank_instructions ADD COLUMN second_debits jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN bank_instructions.second_debits IS 'Entries that debited it once too often and were not given back yet: entry, amount in minor units as text, reason.';
COMMENT ON COLUMN bank_instructions.early IS 'Entries by which it came back before its debit was reported, or in vain.';
ALTER TABLE bank_instructions ADD COLUMN answers jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN bank_instructions.answers IS 'Statuses by which the bank accepted, rejected or executed it so far, each once.';

ALTER TABLE payouts ADD COLUMN amount_returned bigint;
COMMENT ON COLUMN payouts.amount_returned IS 'What came back so far, minor units; NULL: nothing.';
UPDATE payouts p SET amount_returned = coalesce((SELECT nullif(i.returned, 0) FROM bank_instructions i
  WHERE i.environment_id = p.environment_id AND i.id = p.id), p.amount) WHERE p.status = 'returned';
COMMENT ON COLUMN bank_instructions.returned IS 'Not used any more: payouts.amount_returned.';
