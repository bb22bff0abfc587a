-- The rights on the bank are apart: a key that had all of them has each. To approve a change of the bank accounts that payers
-- see keeps its right under another name, because bank_accounts is now the right to set them up.
UPDATE api_keys k SET scopes = (
  SELECT array_agg(named.scope ORDER BY given.place, named.place)
  FROM unnest(k.scopes) WITH ORDINALITY AS given (scope, place), LATERAL unnest(CASE split_part(given.scope, ':', 1)
      WHEN 'bank' THEN ARRAY['bank_accounts', 'statement_files', 'bank_entries', 'payment_files', 'reconciliation']
      WHEN 'bank_accounts' THEN ARRAY['bank_account_approvals']
      ELSE ARRAY[split_part(given.scope, ':', 1)] END) WITH ORDINALITY AS resources (name, place),
    LATERAL (SELECT resources.name || ':' || split_part(given.scope, ':', 2) AS scope, resources.place) AS named)
WHERE k.scopes && ARRAY['bank:read', 'bank:write', 'bank_accounts:read', 'bank_accounts:write'];

-- A change of what payers are shown of a bank account waits for a second person (hold_bank_accounts).
ALTER TABLE bank_accounts ADD COLUMN pending_change jsonb;
COMMENT ON COLUMN bank_accounts.pending_change IS 'New holder or uses that wait for approval, and who asked for them; NULL: none.';

-- Where that was so before, nobody had agreed to the bank accounts, and pages did not show them. So they wait, but for those that
-- stand in the settings too: these had a second person. Who asked is in the audit log.
WITH names AS (
  SELECT x.id, string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substr(x.bits, i, 5)::bit(5)::int, 1), '' ORDER BY i) AS name
  FROM (SELECT id, '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text AS bits
      FROM (SELECT id FROM bank_accounts UNION SELECT id FROM api_keys) AS ids) AS x, generate_series(1, 126, 5) AS i GROUP BY x.id
)
UPDATE bank_accounts b SET uses = array_remove(b.uses, 'collections'), pending_change = jsonb_build_object(
  'changes', jsonb_build_object('uses', b.uses),
  'by', coalesce((SELECT jsonb_agg(DISTINCT 'key_' || k.name) FROM names n
      JOIN audit_log a ON a.environment_id = b.environment_id AND a.subject = 'ba_' || n.name
      JOIN names k ON k.id = a.actor
      WHERE n.id = b.id AND (a.action = 'bank_account.created'
        OR a.action = 'bank_account.updated' AND a.details::jsonb -> 'changed' ?| ARRAY['uses', 'holder'])), '[]'),
  'at', floor(extract(epoch FROM b.created_at) * 1000)::int8,
  'approvalsRequired', coalesce((e.payout_rules ->> 'approvalsRequired')::int, 1),
  'approvals', '[]'::jsonb)
FROM environments e LEFT JOIN settings s ON s.environment_id = e.environment_id
WHERE e.environment_id = b.environment_id AND (e.payout_rules ->> 'holdBankAccounts')::boolean
  AND b.status = 'open' AND 'collections' = ANY (b.uses)
  AND coalesce(s.bank_accounts -> b.currency ->> 'iban', s.bank_accounts -> b.currency ->> 'clabe',
      s.bank_accounts -> b.currency ->> 'account_number')
    IS DISTINCT FROM coalesce(b.bank_details ->> 'iban', b.bank_details ->> 'clabe', b.bank_details ->> 'account_number');

-- Payers are shown bank accounts. What the settings had is shown on, but where a bank account takes collections in its currency.
UPDATE settings s SET pending_bank_accounts = NULL, bank_accounts = coalesce((
  SELECT jsonb_object_agg(old.currency, old.account) FROM jsonb_each(s.bank_accounts) AS old (currency, account)
  WHERE NOT EXISTS (SELECT FROM bank_accounts b WHERE b.environment_id = s.environment_id AND b.currency = old.currency
    AND b.status = 'open' AND 'collections' = ANY (b.uses))), '{}');
COMMENT ON COLUMN settings.bank_accounts IS 'Accounts from before bank_accounts held all, by currency; shown until a bank account takes collections.';
COMMENT ON COLUMN settings.pending_bank_accounts IS 'Not used.';
