/** The checks of idempotency records: each leads to what its request made. With the others: `verify.ts`. */
import { broken, checks, KEPT_SINCE } from './check.ts';

/** Keys are of clients and may hold names; the digest finds the row: `WHERE left(encode(sha256(key::bytea), 'hex'), 16) = …`. */
const RECORD = {
  environment: 'r.environment_id',
  prefix: "'idempotency_record'",
  id: 'NULL::uuid',
  name: "'with the key whose SHA-256 begins with ' || left(encode(sha256(convert_to(r.key, 'UTF8')), 'hex'), 16)",
};

const RESOURCES = {
  acct: 'accounts',
  rcp: 'recipients',
  quo: 'quotes',
  exc: 'exchanges',
  po: 'payouts',
  plink: 'payment_links',
  pay: 'payments',
  we: 'webhook_endpoints',
  rep: 'webhook_replays',
  pob: 'payout_batches',
  trf: 'transfers',
  usr: 'users',
} as const;

/** The first line of a fingerprint, without and with the key of its hashes (`write/fingerprint.ts`). */
const isOf = (target: string): string => `r.fingerprint LIKE ANY (ARRAY[E'${target}\\n%', E'${target} ________\\n%'])`;

/**
 * How far the clock of a sandbox stood behind at its last reset. Records have the time of the database, their events that of the sandbox, which
 * is never further behind than that: so much earlier may retention delete an event than its record's time says.
 */
const BEHIND = `(SELECT DISTINCT ON (environment_id) environment_id,
        least(0, coalesce((details::jsonb ->> 'offset_seconds')::float8, 0)) * interval '1 second' AS by
      FROM audit_log WHERE action = 'sandbox.reset' ORDER BY environment_id, sequence DESC)`;

export const IDEMPOTENCY_CHECKS = checks('idempotency', {
  'an idempotency record leads to the event that holds its answer': `SELECT ${broken({ ...RECORD, expected: "'event ' || r.event_sequence || ' with its answer'", found: "CASE WHEN e.id IS NULL THEN 'no such event' ELSE e.type || ' of another request or object' END" })}
      FROM idempotency_records r LEFT JOIN events e ON e.environment_id = r.environment_id AND e.sequence = r.event_sequence
      LEFT JOIN ${BEHIND} AS behind ON behind.environment_id = r.environment_id
      WHERE r.event_sequence IS NOT NULL AND r.created_at + coalesce(behind.by, interval '0') >= ${KEPT_SINCE} AND (e.id IS NULL
        OR (r.resource_id IS NOT NULL AND e.object_id <> r.resource_id)
        OR (${isOf('POST /v1/payouts')} AND e.type <> 'payout.created')
        OR (${isOf('POST /v1/exchanges')} AND e.type <> 'exchange.created')
        OR (e.idempotency_key IS NOT NULL AND e.idempotency_key <> r.key))`,
  'what an idempotency record says was made is there': Object.entries(RESOURCES)
    .map(
      ([prefix, table]) =>
        `SELECT ${broken({ ...RECORD, expected: `'${prefix}:' || r.resource_id`, found: "'no such object'" })} FROM idempotency_records r
      LEFT JOIN ${table} o ON o.environment_id = r.environment_id AND o.id = r.resource_id
      WHERE r.status = 200 AND r.resource_prefix = '${prefix}' AND r.resource_id IS NOT NULL AND o.id IS NULL`,
    )
    .join(' UNION ALL '),
});
