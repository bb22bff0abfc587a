-- A change of the bank accounts that payers see can wait for a second person.

ALTER TABLE settings ADD COLUMN pending_bank_accounts jsonb;
COMMENT ON COLUMN settings.pending_bank_accounts IS 'Changes of bank_accounts that wait for approval, and who asked for them; NULL: none.';
