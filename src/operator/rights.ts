/**
 * What the server’s role may do in the database; everything may be read. A break-in through the server cannot get past
 * this list: it cannot rewrite transfers, events or the audit log, widen or move a key, or erase anything. Granted at
 * every start (`platform/db/roles.ts`).
 */
import { AUDIT_LOG } from '../tenancy/audit-log/sql.ts';
import type { Rights } from '../platform/db/roles.ts';
import { API_KEYS } from '../tenancy/keys/sql.ts';
import { USERS } from '../tenancy/people/sql.ts';
import { TRANSFERS } from '../ledger/transfers/sql.ts';
import { RECIPIENT_VERSIONS } from '../paying/recipients/sql.ts';
import { TABLES } from '../write/slices.ts';

const APPEND_ONLY = [
  TRANSFERS.name,
  RECIPIENT_VERSIONS.name,
  'recipient_words',
  'events',
  'idempotency_records',
  'payment_tokens',
  AUDIT_LOG.name,
];

export const SERVER_RIGHTS: Rights = {
  ...Object.fromEntries(Object.values(TABLES).map(({ name, changing }) => [name, { insert: true, update: changing }])),
  ...Object.fromEntries(APPEND_ONLY.map((name) => [name, { insert: true, update: [] }])),
  merchants: { insert: false, update: [] },
  environments: {
    insert: false,
    update: [
      'last_sequence',
      'last_at',
      'clock_offset_ms',
      'endpoints_version',
      'audit_sequence',
      'audit_hash',
      'payout_rules',
      'fees',
      'paying_banks',
      'fx',
    ],
  },
  api_keys: { insert: true, update: [...API_KEYS.changing, 'last_used_at'] },
  users: { insert: true, update: [...USERS.changing, 'last_seen_at'] },
  people: { insert: true, update: ['email', 'email_lower', 'name', 'second_factor'] },
  one_time_links: { insert: true, update: ['used_at'] },
  person_credentials: {
    insert: true,
    update: ['password_hash', 'totp_sealed', 'totp_pending_sealed', 'totp_last_step', 'recovery_hashes', 'changed_at'],
  },
  passkeys: { insert: true, update: ['counter', 'last_used_at', 'removed_at'] },
  sessions: {
    insert: true,
    update: ['hash', 'second_factor', 'seen_at', 'stepped_up_at', 'stepped_up_by', 'ended_at'],
  },
  sign_in_challenges: { insert: true, update: ['challenge', 'nonce', 'approves', 'made_at', 'used_at'] },
  approval_proofs: { insert: true, update: ['environment_id', 'used_for', 'used_at'] },
  deliveries: { insert: true, update: ['status', 'failures', 'claims', 'leased_until', 'due_at', 'attempts'] },
  webhook_health: { insert: true, update: ['unsuccessful_since'] },
  webhook_replays: { insert: true, update: ['reached_sequence', 'deliveries_count', 'finished_at'] },
  request_logs: { insert: true, update: [] },
  worker_leases: { insert: true, update: ['owner', 'expires_at'] },
  verifications: {
    insert: true,
    update: ['started_at', 'finished_at', 'rules_count', 'damages_count', 'damages'],
  },
  daily_sums: {
    insert: true,
    update: [
      'count',
      'in_count',
      'in_amount',
      'out_count',
      'out_amount',
      'fees_amount',
      'balance_amount',
      'transit_count',
      'transit_amount',
    ],
  },
  summary_state: { insert: true, update: ['transfer_id'] },
  fixings: { insert: false, update: [] },
  sealings: { insert: false, update: [] },
  backups: { insert: false, update: [] },
  schema_migrations: { insert: false, update: [] },
};
