/**
 * The auditor of tests: recomputes in SQL what must always hold, from what PostgreSQL has committed and nothing else.
 * `auditDatabase` returns complaints in words; none means that ledger, objects, events and idempotency records agree. It shares
 * no code with the write path, so that it cannot share its mistakes. What it must notice: `audit.test.ts`. Next:
 * `audit-payments.ts`.
 */
import pg from 'pg';
import { FEE_CHECKS } from './audit-fees.ts';
import { PAYMENT_CHECKS } from './audit-payments.ts';
import { STANDING_ORDER_CHECKS } from './audit-standing-orders.ts';

export interface Check {
  /** What must hold. */
  readonly rule: string;
  /** Returns the rows that break it. */
  readonly sql: string;
}

/** Both sides of every transfer as lines of an account, house accounts included. */
const LINES = `lines AS (
  SELECT environment_id, id, currency, cause, debit_account AS account, -amount AS signed, debit_balance_after AS after FROM transfers
  UNION ALL
  SELECT environment_id, id, currency, cause, credit_account, amount, credit_balance_after FROM transfers)`;
/** Ids of house accounts are UUIDv8 of zeros, kind and currency; customers' are UUIDv7. */
const HOUSE = "'00000000-0000-8000-8000-%'";
const IN_TRANSIT = "'00000000-0000-8000-8000-000002%'";

/** The balance an event of an account tells of: the third value of its shapes, which the auditor reads for himself. */
const BALANCE = String.raw`CASE WHEN shape IN (1, 2, 5, 6) THEN split_part(object, E'\x1f', 3) ELSE object::jsonb ->> 'balance' END`;

/**
 * What each endpoint must have been told since it asks for what it asks for now, until it was deleted: of pings its own
 * alone, and nothing else about itself. What it asked for before a change is not on record, so that is not judged.
 */
const SUBSCRIBED = `asked AS (
  SELECT w.environment_id, w.id, w.enabled_events, min(e.sequence) FILTER (WHERE e.type = 'webhook_endpoint.created') AS born,
    max(e.sequence) FILTER (WHERE e.type = 'webhook_endpoint.created' OR e.previous_attributes::jsonb ? 'enabled_events') AS since,
    max(e.sequence) FILTER (WHERE e.type = 'webhook_endpoint.deleted') AS gone
  FROM webhook_endpoints w JOIN events e ON e.environment_id = w.environment_id AND e.object_id = w.id
  GROUP BY w.environment_id, w.id, w.enabled_events),
heard AS (
  SELECT a.environment_id, a.id AS endpoint_id, e.sequence FROM asked a
  JOIN events e ON e.environment_id = a.environment_id AND e.sequence > a.since AND (a.gone IS NULL OR e.sequence < a.gone)
  WHERE CASE WHEN e.type = 'ping' THEN e.object_id = a.id ELSE e.object_id <> a.id AND EXISTS (
    SELECT FROM jsonb_array_elements_text(a.enabled_events) AS p (wish)
    WHERE wish IN ('*', e.type) OR (wish LIKE '%.*' AND starts_with(e.type, left(wish, -1)))) END)`;

const CHECKS: readonly Check[] = [
  {
    rule: 'a balance is credits less debits, and not below zero',
    sql: `WITH ${LINES} SELECT a.id, a.balance, coalesce(sum(l.signed), 0)::text AS moved FROM accounts a
      LEFT JOIN lines l ON l.environment_id = a.environment_id AND l.account = a.id
      GROUP BY a.environment_id, a.id, a.balance HAVING a.balance <> coalesce(sum(l.signed), 0) OR a.balance < 0`,
  },
  {
    rule: 'every line continues the balance of the line before',
    sql: `WITH ${LINES} SELECT id, account, after, so_far::text FROM (
        SELECT *, sum(signed) OVER (PARTITION BY environment_id, account ORDER BY id) AS so_far FROM lines
        WHERE account::text NOT LIKE ${HOUSE}) AS l
      WHERE after IS DISTINCT FROM so_far OR so_far < 0`,
  },
  {
    rule: 'only customer accounts keep a balance, and they exist in the currency of the transfer',
    sql: `WITH ${LINES} SELECT l.id, l.account FROM lines l
      LEFT JOIN accounts a ON a.environment_id = l.environment_id AND a.id = l.account AND a.currency = l.currency
      WHERE (l.account::text LIKE ${HOUSE}) = (l.after IS NOT NULL) OR (l.after IS NOT NULL) <> (a.id IS NOT NULL)`,
  },
  {
    rule: 'debits equal credits in every currency: customers hold what came in from the house accounts',
    sql: `WITH ${LINES}, held AS (SELECT environment_id, currency, sum(balance) AS balance FROM accounts GROUP BY 1, 2),
      house AS (SELECT environment_id, currency, sum(signed) AS balance FROM lines WHERE account::text LIKE ${HOUSE} GROUP BY 1, 2)
      SELECT environment_id, currency, held.balance::text AS held, house.balance::text AS house
      FROM held FULL JOIN house USING (environment_id, currency)
      WHERE coalesce(held.balance, 0) + coalesce(house.balance, 0) <> 0`,
  },
  {
    rule: 'money in transit is that of payouts that have not ended',
    sql: `WITH ${LINES}, transit AS (SELECT environment_id, currency, sum(signed) AS amount FROM lines WHERE account::text LIKE ${IN_TRANSIT} GROUP BY 1, 2),
      open AS (SELECT environment_id, currency, sum(amount) AS amount FROM payouts WHERE status IN ('pending', 'in_transit') GROUP BY 1, 2)
      SELECT environment_id, currency, transit.amount::text AS transit, open.amount::text AS open FROM transit FULL JOIN open USING (environment_id, currency)
      WHERE coalesce(transit.amount, 0) <> coalesce(open.amount, 0)`,
  },
  {
    rule: 'a payout has its debit, and its reversal exactly if it came back',
    sql: `SELECT p.id, p.status FROM payouts p
      LEFT JOIN transfers d ON d.environment_id = p.environment_id AND d.id = p.transfer_id AND d.cause = 'payout'
      LEFT JOIN transfers r ON r.environment_id = p.environment_id AND r.id = p.reversal_id AND r.cause = 'payout_reversal'
      WHERE CASE WHEN p.transfer_id IS NULL THEN p.wait_until IS NULL OR p.status NOT IN ('waiting', 'failed', 'canceled')
        ELSE (d.cause_id, d.amount, d.currency, d.debit_account) IS DISTINCT FROM (p.id, p.amount, p.currency, p.account_id) END
      OR CASE WHEN p.status IN ('failed', 'canceled', 'returned') AND p.transfer_id IS NOT NULL
        THEN (r.cause_id, r.amount, r.currency, r.credit_account) IS DISTINCT FROM (p.id, p.amount, p.currency, p.account_id)
        ELSE p.reversal_id IS NOT NULL END`,
  },
  {
    rule: 'a payout, reversal or exchange transfer belongs to its object',
    sql: `WITH owned AS (
        SELECT environment_id, transfer_id AS id, id AS cause_id, 'payout' AS cause FROM payouts WHERE transfer_id IS NOT NULL
        UNION ALL SELECT environment_id, reversal_id, id, 'payout_reversal' FROM payouts WHERE reversal_id IS NOT NULL
        UNION ALL SELECT environment_id, sell_transfer, id, 'exchange' FROM exchanges
        UNION ALL SELECT environment_id, buy_transfer, id, 'exchange' FROM exchanges)
      SELECT t.id, t.cause FROM transfers t LEFT JOIN owned o USING (environment_id, id, cause_id, cause)
      WHERE t.cause IN ('payout', 'payout_reversal', 'exchange') AND o.id IS NULL`,
  },
  {
    rule: 'an exchange has both its sides',
    sql: `SELECT x.id FROM exchanges x
      LEFT JOIN transfers s ON s.environment_id = x.environment_id AND s.id = x.sell_transfer AND s.cause = 'exchange'
      LEFT JOIN transfers b ON b.environment_id = x.environment_id AND b.id = x.buy_transfer AND b.cause = 'exchange'
      WHERE (s.cause_id, s.debit_account, s.amount, s.currency) IS DISTINCT FROM (x.id, x.sell_account, x.sell_amount, x.sell_currency)
      OR (b.cause_id, b.credit_account, b.amount, b.currency) IS DISTINCT FROM (x.id, x.buy_account, x.buy_amount, x.buy_currency)`,
  },
  {
    rule: 'a batch counts its payouts',
    sql: `SELECT b.id, b.payouts_count, b.open_count FROM payout_batches b
      LEFT JOIN payouts p ON p.environment_id = b.environment_id AND p.batch_id = b.id
      GROUP BY b.environment_id, b.id, b.payouts_count, b.open_count
      HAVING b.payouts_count <> count(p.id) OR b.open_count <> count(p.id) FILTER (WHERE p.status IN ('waiting', 'pending', 'in_transit'))`,
  },
  {
    rule: 'the event sequence runs from 1 to the last without a gap, but for those that restores left out',
    sql: `SELECT v.environment_id, v.last_sequence, count(e.sequence) AS events, count(DISTINCT e.sequence) AS distinct_events, max(e.sequence) AS newest
      FROM environments v LEFT JOIN events e USING (environment_id) CROSS JOIN LATERAL (
        SELECT coalesce(sum(next_sequence - last_sequence - 1), 0) AS left_out FROM restores r WHERE r.environment_id = v.environment_id) AS r
      GROUP BY v.environment_id, v.last_sequence, r.left_out
      HAVING (count(e.sequence), count(DISTINCT e.sequence), coalesce(max(e.sequence), 0), coalesce(min(e.sequence), 1))
        <> (v.last_sequence - left_out, v.last_sequence - left_out, v.last_sequence, 1)`,
  },
  {
    rule: 'events are in order of time and of their ids',
    sql: `SELECT environment_id, sequence FROM (SELECT *, lag(created_at) OVER w AS before, lag(id) OVER w AS id_before
        FROM events WINDOW w AS (PARTITION BY environment_id ORDER BY sequence)) AS e
      WHERE created_at < before OR id <= id_before`,
  },
  {
    rule: 'a payout has one event for being created and one for how it ended',
    sql: `SELECT p.id, p.status FROM payouts p LEFT JOIN events e ON e.environment_id = p.environment_id AND e.object_id = p.id
      GROUP BY p.environment_id, p.id, p.status, p.wait_until HAVING 1 <> count(e.id) FILTER (WHERE e.type = 'payout.created')
      OR 1 <> count(e.id) FILTER (WHERE e.type = CASE WHEN p.status = 'pending' AND p.wait_until IS NOT NULL THEN 'payout.funded' WHEN p.status IN ('waiting', 'pending') THEN 'payout.created' ELSE 'payout.' || p.status END)`,
  },
  {
    rule: 'what an event says was created is there',
    sql: `SELECT e.sequence, e.type FROM events e WHERE
      (e.type = 'payout.created' AND NOT EXISTS (SELECT FROM payouts o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))
      OR (e.type = 'exchange.completed' AND NOT EXISTS (SELECT FROM exchanges o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))
      OR (e.type = 'account.created' AND NOT EXISTS (SELECT FROM accounts o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))
      OR (e.type = 'payout_batch.created' AND NOT EXISTS (SELECT FROM payout_batches o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))
      OR (e.type = 'webhook_endpoint.created' AND NOT EXISTS (SELECT FROM webhook_endpoints o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))
      OR (e.type = 'recipient.created' AND NOT EXISTS (SELECT FROM recipients o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))`,
  },
  {
    rule: 'every customer side of a transfer has one balance.updated with the balance after it, and there are no others',
    sql: `WITH ${LINES}, sides AS (SELECT * FROM lines WHERE account::text NOT LIKE ${HOUSE}),
      updates AS (SELECT environment_id, transfer_id AS id, object_id AS account, count(*) AS events, min((${BALANCE})::bigint) AS after
        FROM events WHERE type = 'balance.updated' GROUP BY 1, 2, 3)
      SELECT id, account, sides.after, updates.after AS said, updates.events FROM sides FULL JOIN updates USING (environment_id, id, account)
      WHERE updates.events IS DISTINCT FROM 1 OR sides.after IS DISTINCT FROM updates.after`,
  },
  {
    rule: 'an idempotency record points at its event and its resource',
    sql: `SELECT r.key, r.resource_prefix, r.event_sequence FROM idempotency_records r WHERE
      (r.event_sequence IS NOT NULL AND NOT EXISTS (SELECT FROM events e WHERE e.environment_id = r.environment_id
        AND e.sequence = r.event_sequence AND coalesce(e.object_id = r.resource_id, true)
        AND (r.fingerprint NOT LIKE E'POST /v1/payouts\\n%' OR e.type = 'payout.created')
        AND (r.fingerprint NOT LIKE E'POST /v1/exchanges\\n%' OR e.type = 'exchange.created')
        AND (e.idempotency_key IS NULL OR e.idempotency_key = r.key)))
      OR (r.status = 200 AND r.resource_prefix IN ('acct', 'rcp', 'quo', 'exc', 'po', 'pob', 'trf', 'we', 'rep', 'plink', 'pay') AND NOT EXISTS (
        SELECT FROM accounts o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM recipients o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM quotes o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM exchanges o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM payouts o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM payment_links o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM payments o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM webhook_endpoints o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM webhook_replays o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM payout_batches o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id
        UNION ALL SELECT FROM transfers o WHERE o.environment_id = r.environment_id AND o.id = r.resource_id))`,
  },
  {
    rule: 'a delivery has its endpoint and its event, and is as old as that',
    sql: `SELECT d.endpoint_id, d.sequence, d.status FROM deliveries d
      LEFT JOIN webhook_endpoints w ON w.environment_id = d.environment_id AND w.id = d.endpoint_id
      LEFT JOIN events e ON e.environment_id = d.environment_id AND e.sequence = d.sequence
      WHERE w.id IS NULL OR d.created_at IS DISTINCT FROM e.created_at`,
  },
  {
    rule: 'an event has a delivery to every endpoint that asks for it',
    sql: `WITH ${SUBSCRIBED} SELECT h.endpoint_id, h.sequence FROM heard h
      LEFT JOIN deliveries d USING (environment_id, endpoint_id, sequence) WHERE d.status IS NULL`,
  },
  {
    rule: 'no delivery goes to an endpoint that did not ask for its event, unless it was sent again',
    sql: `WITH ${SUBSCRIBED} SELECT d.endpoint_id, d.sequence FROM deliveries d
      JOIN asked a ON a.environment_id = d.environment_id AND a.id = d.endpoint_id
      LEFT JOIN heard h ON h.environment_id = d.environment_id AND h.endpoint_id = d.endpoint_id AND h.sequence = d.sequence
      WHERE h.sequence IS NULL AND (d.sequence > a.since OR d.sequence <= a.born)
      AND NOT EXISTS (SELECT FROM webhook_replays r WHERE r.environment_id = d.environment_id AND r.endpoint_id = d.endpoint_id
        AND r.which <> 'failed' AND r.after_sequence < d.sequence AND d.sequence <= r.until_sequence)`,
  },
  {
    rule: 'a delivery succeeded exactly if its last attempt did, and failed or was parked only after one that did not',
    sql: `SELECT endpoint_id, sequence, status FROM (
        SELECT *, attempts -> -1 ->> 'outcome' AS last FROM deliveries) AS d
      WHERE status = 'succeeded' AND last IS DISTINCT FROM 'succeeded'
      OR status IN ('failed', 'parked') AND (last IS NULL OR last = 'succeeded')`,
  },
];

/** Complaints about everything a database holds; empty when all is well. Reads one snapshot; the server may be running. */
export function auditDatabase(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return audit(client);
  });
}

/** The same in a transaction that is open. */
export async function audit(client: pg.Client): Promise<string[]> {
  const complaints: string[] = [];
  for (const { rule, sql } of [...CHECKS, ...PAYMENT_CHECKS, ...STANDING_ORDER_CHECKS, ...FEE_CHECKS]) {
    const { rows } = await client.query(sql);
    if (rows.length > 0) complaints.push(`Not so: ${rule}: ${rows.length} times, first ${JSON.stringify(rows[0])}`);
  }
  return complaints;
}

/** Rows of any statement, as the owner; integers as `pg` gives them, so cast to int what is to be compared. */
export async function rowsOf<R extends object>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  return withClient(url, async (client) => (await client.query(sql, values)).rows as R[]);
}

/** A connection of its own, as the owner, for the time of the work. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
