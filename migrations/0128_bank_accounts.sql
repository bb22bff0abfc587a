-- Days on which the bank of an account is closed beside those of its calendar, as the operator says (docs/decisions/0087).
ALTER TABLE bank_accounts ADD COLUMN holidays text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN bank_accounts.holidays IS 'Days on which its bank is closed beside those of its calendar, ISO dates in their order.';
COMMENT ON COLUMN environments.paying_banks IS 'The bank accounts that payouts leave from, the oldest first: id, currency, profile, country, hasIban, hasName, hasAddress, calendar, holidays (those to come, left out where there are none), cutOff, timeZone (src/core/rails/paying-banks.ts). NULL: none.';

-- A person who resumed the exports knows this difference: a later statement with the same one does not stop them again (docs/decisions/0067).
ALTER TABLE bank_accounts ADD COLUMN drift_difference bigint;
UPDATE bank_accounts b SET drift_difference = s.difference FROM bank_statements s
  WHERE s.environment_id = b.environment_id AND s.id = b.stopped_by_id;
COMMENT ON COLUMN bank_accounts.drift_difference IS 'Of the drift that stopped the exports last, minor units; NULL: there was none, or the ledger has agreed since.';

-- A sandbox clock that is moved over a cut-off does not pass by the export before it.
ALTER TABLE bank_accounts ADD COLUMN passed_window_at timestamptz;
COMMENT ON COLUMN bank_accounts.passed_window_at IS 'Sandbox: when the last half hour before a cut-off began that its clock was moved over; NULL: none was.';
