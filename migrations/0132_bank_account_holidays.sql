-- Days on which the bank of an account is closed beside those of its calendar, as the operator says (docs/decisions/0087).
ALTER TABLE bank_accounts ADD COLUMN holidays text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN bank_accounts.holidays IS 'Days on which its bank is closed beside those of its calendar, ISO dates in their order.';
COMMENT ON COLUMN environments.paying_banks IS 'The bank accounts that payouts leave from, one a currency: currency, profile, country, hasIban, calendar, holidays (those to come; left out: none), cutOff, timeZone (src/core/rails/paying-banks.ts). NULL: none.';
