-- What banks report about payouts, kept with the file they left in.

ALTER TABLE bank_instructions
  ALTER COLUMN file_id DROP NOT NULL,
  DROP CONSTRAINT bank_instructions_status_check,
  ADD CONSTRAINT bank_instructions_status_check CHECK (status IN ('claimed', 'released', 'unfiled')),
  ADD CONSTRAINT bank_instructions_file CHECK ((status = 'unfiled') = (file_id IS NULL)),
  ADD COLUMN answer text,
  ADD COLUMN reason text,
  ADD COLUMN reason_text text,
  ADD COLUMN returned bigint NOT NULL DEFAULT 0 CHECK (returned >= 0),
  ADD COLUMN early jsonb NOT NULL DEFAULT '[]';
COMMENT ON TABLE bank_instructions IS 'Payouts at their bank: the file each left in, and what the bank has reported. The primary key is that of the payout, so each is in one file at a time.';
COMMENT ON COLUMN bank_instructions.file_id IS 'The file it was last claimed into; NULL: it never was in one.';
COMMENT ON COLUMN bank_instructions.status IS 'claimed; released: the file was abandoned; unfiled: it never was in a file.';
COMMENT ON COLUMN bank_instructions.answer IS 'The last status that the bank gave it, ISO 20022.';
COMMENT ON COLUMN bank_instructions.reason IS 'Why it was rejected or came back, ISO 20022 or the bank''s own word.';
COMMENT ON COLUMN bank_instructions.reason_text IS 'The same in words of the bank.';
COMMENT ON COLUMN bank_instructions.returned IS 'What came back so far, minor units.';
COMMENT ON COLUMN bank_instructions.early IS 'Entries by which it came back before its debit was reported.';
