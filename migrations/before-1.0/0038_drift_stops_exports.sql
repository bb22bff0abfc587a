-- A bank account whose statements contradict the ledger may stop its exports until a person has looked.

ALTER TABLE bank_accounts ADD COLUMN on_drift text NOT NULL DEFAULT 'warn' CHECK (on_drift IN ('warn', 'stop_exports'));
ALTER TABLE bank_accounts ALTER COLUMN on_drift DROP DEFAULT;
ALTER TABLE bank_accounts ADD COLUMN stopped_by_id uuid;
COMMENT ON COLUMN bank_accounts.on_drift IS 'What a statement does that contradicts the ledger: warn, or stop_exports.';
COMMENT ON COLUMN bank_accounts.stopped_by_id IS 'The statement whose drift stopped the exports; NULL: they are not stopped.';

-- Each import looks at the statements whose proof waits for something.
CREATE INDEX bank_statements_unproved ON bank_statements (environment_id, bank_account_id, id) WHERE proof IN ('gap', 'drift');
