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
