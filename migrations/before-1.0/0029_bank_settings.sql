-- What a bank's messages and reversals mean.

ALTER TABLE bank_accounts ADD COLUMN paid_by text NOT NULL DEFAULT 'booking';
ALTER TABLE bank_accounts ALTER COLUMN paid_by DROP DEFAULT;
ALTER TABLE bank_accounts ADD COLUMN reversal_sign text NOT NULL DEFAULT 'own';
ALTER TABLE bank_accounts ALTER COLUMN reversal_sign DROP DEFAULT;
COMMENT ON COLUMN bank_accounts.paid_by IS 'What makes a payout paid: its booking, or the status ACSC of its bank too.';
COMMENT ON COLUMN bank_accounts.reversal_sign IS 'Whose sign a reversal has (RvslInd): own, or original, that of the entry it undoes.';

ALTER TABLE bank_instructions ADD COLUMN unbooked boolean NOT NULL DEFAULT false;
ALTER TABLE bank_instructions ALTER COLUMN unbooked DROP DEFAULT;
COMMENT ON COLUMN bank_instructions.unbooked IS 'Paid by a message of the bank; its debit is not booked yet, and its money lies in house:bank.';
