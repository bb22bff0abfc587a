-- Payment files before each cut-off, without anyone asking.

ALTER TABLE bank_accounts ADD COLUMN exports text NOT NULL DEFAULT 'by_hand';
ALTER TABLE bank_accounts ALTER COLUMN exports DROP DEFAULT;
COMMENT ON COLUMN bank_accounts.exports IS 'When payment files are made: by_hand, or before_cut_off too.';

CREATE INDEX bank_accounts_scheduled ON bank_accounts (environment_id, id) WHERE exports = 'before_cut_off' AND status = 'open';
