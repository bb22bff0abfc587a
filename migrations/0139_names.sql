-- The names of 1.0 (docs/decisions/0092): what a bank gives is a statement file, what it gets a payment file.
ALTER TABLE bank_documents RENAME TO statement_files;
ALTER INDEX bank_documents_pkey RENAME TO statement_files_pkey;
ALTER INDEX bank_documents_sha256 RENAME TO statement_files_sha256;
COMMENT ON COLUMN statement_files.id IS 'Identifier, shown as sf_….';
ALTER TABLE bank_files RENAME TO payment_files;
ALTER INDEX bank_files_pkey RENAME TO payment_files_pkey;
ALTER INDEX bank_files_under_way RENAME TO payment_files_under_way;
ALTER INDEX bank_files_unanswered RENAME TO payment_files_unanswered;
ALTER TRIGGER bank_files_stay_sealed ON payment_files RENAME TO payment_files_stay_sealed;
COMMENT ON COLUMN payment_files.id IS 'Identifier, shown as pf_….';
ALTER TABLE bank_file_contents RENAME TO payment_file_contents;
ALTER INDEX bank_file_contents_pkey RENAME TO payment_file_contents_pkey;

ALTER TABLE expected_payments DROP CONSTRAINT expected_payments_status_check;
UPDATE expected_payments SET status = 'partially_paid' WHERE status = 'partly_paid';
ALTER TABLE expected_payments
  ADD CHECK (status IN ('open', 'partially_paid', 'paid', 'overdue', 'canceled'));
DROP INDEX expected_payments_unpaid;
CREATE INDEX expected_payments_unpaid ON expected_payments (environment_id, currency, (amount - received))
  WHERE status IN ('open', 'partially_paid', 'overdue');
COMMENT ON COLUMN expected_payments.status IS 'open, partially_paid, paid, overdue or canceled.';

-- Webhook endpoints go on hearing what they heard. Events that were told keep the type under which they were told.
UPDATE webhook_endpoints e SET enabled_events = (
  SELECT jsonb_agg(DISTINCT named.type)
  FROM jsonb_array_elements_text(e.enabled_events) AS given (type), LATERAL unnest(CASE
    WHEN given.type = 'bank.*' THEN ARRAY['bank_statement.*', 'bank_entry.*']
    WHEN given.type LIKE 'bank.entry\_%' THEN ARRAY['bank_entry.' || substr(given.type, 12)]
    WHEN given.type = 'bank.conflict_detected' THEN ARRAY['bank_entry.conflict_detected']
    WHEN given.type = 'bank.statement_imported' THEN ARRAY['bank_statement.imported']
    WHEN given.type LIKE 'bank.%' THEN ARRAY['bank_statement.' || substr(given.type, 6)]
    WHEN given.type LIKE 'bank\_file.%' THEN ARRAY['payment_file.' || substr(given.type, 11)]
    WHEN given.type LIKE 'fee.%' THEN ARRAY['fee_rule.' || substr(given.type, 5)]
    WHEN given.type LIKE 'statement.%' THEN ARRAY['daily_' || given.type]
    WHEN given.type = 'expected_payment.partly_paid' THEN ARRAY['expected_payment.partially_paid']
    ELSE ARRAY[given.type] END) AS named (type))
WHERE e.enabled_events::text ~ '"(bank|bank_file|fee|statement)\.|partly_paid';

-- A file that was debited as a whole is the place of its entry.
UPDATE bank_entries SET assignments = replace(assignments::text, '"bf_', '"pf_')::jsonb WHERE assignments::text LIKE '%"bf\_%';

-- Scopes are called as paths; limits have their own.
UPDATE api_keys SET scopes = array_replace(array_replace(scopes, 'fees:read', 'fee_rules:read'), 'fees:write', 'fee_rules:write')
WHERE scopes && ARRAY['fees:read', 'fees:write'];
UPDATE api_keys SET scopes = scopes || ARRAY['limits:read'] WHERE 'payout_rules:read' = ANY (scopes);
UPDATE api_keys SET scopes = scopes || ARRAY['limits:write'] WHERE 'payout_rules:write' = ANY (scopes);

-- Days end in _on, instants in _at.
ALTER TABLE payouts RENAME COLUMN scheduled_for TO scheduled_on;
ALTER TABLE payouts RENAME COLUMN wait_until TO wait_until_on;
ALTER TABLE payouts RENAME COLUMN expected_execution_date TO expected_execution_on;
ALTER TABLE payment_files RENAME COLUMN execution_day TO execution_on;
ALTER TABLE webhook_endpoints RENAME COLUMN failing_since TO first_failed_at;
ALTER TABLE api_keys RENAME COLUMN allowed_addresses TO allowed_ips;
UPDATE standing_orders SET last_failure = last_failure - 'day' || jsonb_build_object('planned_on', last_failure -> 'day')
WHERE last_failure IS NOT NULL;

-- The audit log is told by the same names.
DROP TRIGGER environments_fees_are_logged ON environments;
CREATE CONSTRAINT TRIGGER environments_fees_are_logged
  AFTER UPDATE OF fees ON environments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.fees IS DISTINCT FROM OLD.fees)
  EXECUTE FUNCTION refuse_unlogged('fee_rule.created', 'fee_rule.deleted');
DROP TRIGGER settings_accounts_are_logged ON settings;
CREATE CONSTRAINT TRIGGER settings_accounts_are_logged
  AFTER UPDATE OF bank_accounts, pending_bank_accounts ON settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.bank_accounts IS DISTINCT FROM OLD.bank_accounts
    OR NEW.pending_bank_accounts IS DISTINCT FROM OLD.pending_bank_accounts)
  EXECUTE FUNCTION refuse_unlogged('bank_account.created', 'bank_account.updated', 'bank_account.approved');
DROP TRIGGER bank_accounts_are_logged ON bank_accounts;
CREATE CONSTRAINT TRIGGER bank_accounts_are_logged
  AFTER UPDATE OF holder, bank_details, uses, pending_change, currency, status ON bank_accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((NEW.holder, NEW.bank_details, NEW.uses, NEW.pending_change, NEW.currency, NEW.status)
    IS DISTINCT FROM (OLD.holder, OLD.bank_details, OLD.uses, OLD.pending_change, OLD.currency, OLD.status))
  EXECUTE FUNCTION refuse_unlogged('bank_account.updated', 'bank_account.closed', 'bank_account.approved', 'bank_account.rejected');
