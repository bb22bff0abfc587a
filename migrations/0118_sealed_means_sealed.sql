-- What the server's login can write and still must not turn back, loosen or change unlogged (docs/decisions/0076).
-- The owner may: it migrates, restores, and resets a sandbox. A trigger names its columns, so others cost nothing.

CREATE FUNCTION refuse_to_server() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid = TG_RELID), 'MEMBER') THEN
    RETURN NULL;
  END IF;
  RAISE insufficient_privilege USING MESSAGE = format('%s: %s', TG_TABLE_NAME, TG_ARGV[0]);
END
$$;
COMMENT ON FUNCTION refuse_to_server() IS 'Refuses what the WHEN of its trigger describes, unless the owner of the table does it.';

-- One batch adds fewer entries than it looks at, all at the end of the log (index audit_log_sequence).
CREATE FUNCTION refuse_unlogged() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT c.relowner FROM pg_catalog.pg_class c WHERE c.oid = TG_RELID), 'MEMBER')
    OR EXISTS (SELECT FROM public.environments e JOIN public.audit_log l ON l.environment_id = e.environment_id
        AND l.sequence > e.audit_sequence - 8192 AND l.sequence <= e.audit_sequence
      WHERE e.environment_id = NEW.environment_id AND l.xmin = pg_current_xact_id()::xid AND l.action = ANY (TG_ARGV))
  THEN
    RETURN NULL;
  END IF;
  RAISE insufficient_privilege USING MESSAGE =
    format('%s: changed without an entry in the audit log in the same transaction', TG_TABLE_NAME);
END
$$;
COMMENT ON FUNCTION refuse_unlogged() IS 'Refuses a change unless its transaction adds an entry of one of these actions to the audit log of the environment.';

CREATE TRIGGER environments_go_forward
  AFTER UPDATE OF last_sequence, last_at, clock_offset_ms, endpoints_version, audit_sequence, audit_hash ON environments FOR EACH ROW
  WHEN (NEW.last_sequence < OLD.last_sequence OR NEW.last_at < OLD.last_at OR NEW.clock_offset_ms < OLD.clock_offset_ms
    OR NEW.endpoints_version < OLD.endpoints_version OR NEW.audit_sequence < OLD.audit_sequence
    OR (NEW.audit_sequence = OLD.audit_sequence AND NEW.audit_hash IS DISTINCT FROM OLD.audit_hash))
  EXECUTE FUNCTION refuse_to_server('sequences and clocks only go forward');

-- The instants of old keys have microseconds, and are written again with milliseconds.
CREATE TRIGGER api_keys_end_for_good
  AFTER UPDATE OF expires_at, revoked_at, confirmed_by, rolled_to ON api_keys FOR EACH ROW
  WHEN ((OLD.revoked_at IS NOT NULL AND (NEW.revoked_at IS NULL OR NEW.revoked_at > OLD.revoked_at + interval '1 ms'))
    OR (OLD.expires_at IS NOT NULL AND (NEW.expires_at IS NULL OR NEW.expires_at > OLD.expires_at + interval '1 ms'))
    OR (OLD.rolled_to IS NOT NULL AND NEW.rolled_to IS DISTINCT FROM OLD.rolled_to)
    OR (OLD.confirmed_by IS NOT NULL AND NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by))
  EXECUTE FUNCTION refuse_to_server('a key that was revoked, rolled or confirmed stays so, and expires no later');

CREATE TRIGGER bank_files_stay_sealed
  AFTER UPDATE OF sha256, size_bytes, sealed_at, payouts_count, total ON bank_files FOR EACH ROW
  WHEN (OLD.sealed_at IS NOT NULL AND (NEW.sha256, NEW.size_bytes, NEW.sealed_at, NEW.payouts_count, NEW.total)
    IS DISTINCT FROM (OLD.sha256, OLD.size_bytes, OLD.sealed_at, OLD.payouts_count, OLD.total))
  EXECUTE FUNCTION refuse_to_server('a sealed file does not change');

-- Deferred to COMMIT: entries are added after the rows that they are about.
CREATE CONSTRAINT TRIGGER environments_rules_are_logged
  AFTER UPDATE OF payout_rules ON environments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.payout_rules IS DISTINCT FROM OLD.payout_rules)
  EXECUTE FUNCTION refuse_unlogged('payout_rules.updated', 'payout_rules.change_requested', 'payout_rules.change_approved',
    'payout_rules.change_rejected', 'limit.created', 'limit.deleted', 'limit.deletion_requested', 'limit.deletion_approved',
    'limit.deletion_rejected');

CREATE CONSTRAINT TRIGGER environments_fees_are_logged
  AFTER UPDATE OF fees ON environments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.fees IS DISTINCT FROM OLD.fees)
  EXECUTE FUNCTION refuse_unlogged('fee.created', 'fee.deleted');

CREATE CONSTRAINT TRIGGER api_keys_are_logged
  AFTER INSERT ON api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION refuse_unlogged('key.created', 'key.rolled');

CREATE CONSTRAINT TRIGGER api_keys_confirmations_are_logged
  AFTER UPDATE OF confirmed_by ON api_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by)
  EXECUTE FUNCTION refuse_unlogged('key.confirmed');

CREATE CONSTRAINT TRIGGER settings_are_logged
  AFTER INSERT ON settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION refuse_unlogged('settings.updated');

CREATE CONSTRAINT TRIGGER settings_accounts_are_logged
  AFTER UPDATE OF bank_accounts, pending_bank_accounts ON settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.bank_accounts IS DISTINCT FROM OLD.bank_accounts
    OR NEW.pending_bank_accounts IS DISTINCT FROM OLD.pending_bank_accounts)
  EXECUTE FUNCTION refuse_unlogged('bank_account.created', 'bank_account.updated', 'bank_accounts.approved');

-- What payers are shown.
CREATE CONSTRAINT TRIGGER bank_accounts_new_are_logged
  AFTER INSERT ON bank_accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION refuse_unlogged('bank_account.created');

CREATE CONSTRAINT TRIGGER bank_accounts_are_logged
  AFTER UPDATE OF holder, bank_details, uses, pending_change, currency, status ON bank_accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((NEW.holder, NEW.bank_details, NEW.uses, NEW.pending_change, NEW.currency, NEW.status)
    IS DISTINCT FROM (OLD.holder, OLD.bank_details, OLD.uses, OLD.pending_change, OLD.currency, OLD.status))
  EXECUTE FUNCTION refuse_unlogged('bank_account.updated', 'bank_account.closed', 'bank_accounts.approved', 'bank_accounts.rejected');

-- Masked details of erased persons were written in clear text: the next start seals them (src/operator/seal-stored.ts).
DELETE FROM sealings WHERE name = 'recipient_versions';
