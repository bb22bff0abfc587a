-- What the bank says of a payout and of a payment file is kept with them, so that answers, lists and events show it (docs/decisions/0083).
-- Written by reports of banks alone, and looked for by nobody: no index. A new payout has NULL.
ALTER TABLE payouts ADD COLUMN bank_answer jsonb;
COMMENT ON COLUMN payouts.bank_answer IS 'What its bank said: reason {code, text}, acceptedAt in milliseconds, payeeCheck {result, name}; NULL: nothing.';
ALTER TABLE bank_files ADD COLUMN bank_reason jsonb, ADD COLUMN payee_check jsonb;
COMMENT ON COLUMN bank_files.bank_reason IS 'The reason that the bank gave for the file as a whole: {code, text}; NULL: none.';
COMMENT ON COLUMN bank_files.payee_check IS 'How the names of its payees compared with those of their accounts: counts, and payouts that do not match; NULL: not reported.';
