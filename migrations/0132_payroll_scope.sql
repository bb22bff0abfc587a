-- Who is paid by salaries, bonuses and pensions is a right of its own (docs/decisions/0090). A key that saw it keeps it: one that
-- shows payouts, bank entries, payment files or statements, or has events sent.
UPDATE api_keys SET scopes = scopes || ARRAY['payroll:read']
WHERE scopes && ARRAY['payouts:read', 'payouts:write', 'payout_approvals:read', 'payout_approvals:write', 'events:read', 'events:write',
  'webhook_endpoints:read', 'webhook_endpoints:write', 'accounts:read', 'accounts:write', 'standing_orders:read', 'standing_orders:write',
  'bank_entries:read', 'bank_entries:write', 'payment_files:read', 'payment_files:write', 'test_helpers:read', 'test_helpers:write'];
