/** What a search reads beside the operations that it asks: each bounded, by a primary key or an index. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';

const MAX_CURRENCIES = 20;
/** The currencies in which payouts are, by a step for each (index payouts_amount). */
export const currenciesOfPayouts = (environmentId: string): Statement => ({
  name: 'currencies_of_payouts',
  text: `WITH RECURSIVE c (currency, n) AS (
      (SELECT p.currency, 1 FROM payouts p WHERE p.environment_id = $1 ORDER BY p.environment_id, p.currency LIMIT 1)
      UNION ALL SELECT (SELECT p.currency FROM payouts p WHERE p.environment_id = $1 AND p.currency > c.currency
        ORDER BY p.environment_id, p.currency LIMIT 1), c.n + 1 FROM c WHERE c.currency IS NOT NULL AND c.n < ${MAX_CURRENCIES})
    SELECT currency FROM c WHERE currency IS NOT NULL`,
  values: [uuidOf(environmentId)],
});

/** The newest accounts, whose names are looked through. */
export const MAX_ACCOUNTS = 1_000;
/** `accounts`: the only ones that the caller may see; `null`: any. */
export const newestAccounts = (environmentId: string, accounts: ReadonlySet<string> | null): Statement => ({
  name: accounts === null ? 'newest_accounts_with_names' : 'newest_of_accounts_with_names',
  text: `SELECT a.id, a.name, a.created_at FROM accounts a WHERE a.environment_id = $1${accounts === null ? '' : ' AND a.id = ANY ($2::uuid[])'}
      ORDER BY a.environment_id DESC, a.id DESC LIMIT ${MAX_ACCOUNTS + 1}`,
  values: [uuidOf(environmentId), ...(accounts === null ? [] : [[...accounts].map(uuidOf)])],
});

/** The accounts whose deposit reference it may be: a range of the primary key, which holds one at most. */
export const accountsBetween = (
  environmentId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Statement => ({
  name: 'accounts_between',
  text: 'SELECT a.id FROM accounts a WHERE a.environment_id = $1 AND a.id BETWEEN $2 AND $3 LIMIT 10',
  values: [uuidOf(environmentId), from, to],
});

/** The event or the object that was answered under an idempotency key (primary key). */
export const recordOf = (environmentId: string, key: string): Statement => ({
  name: 'answered_under_key',
  text: `SELECT r.resource_prefix, r.resource_id, e.id AS event_id FROM idempotency_records r
      LEFT JOIN events e ON e.environment_id = r.environment_id AND e.sequence = r.event_sequence
      WHERE r.environment_id = $1 AND r.key = $2`,
  values: [uuidOf(environmentId), key],
});

/** As many as a busy environment makes in some seconds. */
export const MAX_EVENTS = 20_000;
/** That are shown of one request. */
export const MAX_CAUSED = 5;
/**
 * The first events that a request caused, one more than are shown, and how many were looked through: the newest of those up to a sequence and
 * after another (primary key). `until`: `null` is no end.
 */
export const eventsOfRequest = (
  environmentId: string,
  request: string,
  { after, until }: { readonly after: bigint; readonly until: bigint | null },
): Statement => ({
  name: 'events_of_request',
  text: `WITH looked AS MATERIALIZED (SELECT e.id, e.sequence, e.request_id FROM events e WHERE e.environment_id = $1 AND e.sequence > $3
        AND e.sequence <= $4 ORDER BY e.environment_id DESC, e.sequence DESC LIMIT ${MAX_EVENTS})
      SELECT ARRAY(SELECT t.id::text FROM looked t WHERE t.request_id = $2 ORDER BY t.sequence LIMIT ${MAX_CAUSED + 1}) AS ids,
        (SELECT count(*)::int4 FROM looked) AS looked`,
  values: [uuidOf(environmentId), uuidOf(request), after, until ?? 2n ** 62n],
});
