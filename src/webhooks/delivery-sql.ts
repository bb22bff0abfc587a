/**
 * What the dispatcher runs: claims, bookkeeping, health, holding, replays. Each is one statement and so one transaction;
 * each is a compare-and-set, so that any number of processes may run them at once. The fence is `claims`: it counts up
 * with every claim, and bookkeeping with an old number changes nothing. None of this moves money or makes an event.
 */
import { uuidOf } from '../core/ids.ts';
import { int2s, int4s, int8s, texts, uuids } from '../db/wire/columns.ts';
import type { Key, Statement } from '../db/wire/statement.ts';
import { unnest } from '../db/wire/unnest.ts';
import { type ClaimedDelivery, LEASE_MS } from './delivery.ts';
import type { DeliveryStatus } from './fields.ts';

// Whatever names rows of `deliveries` gives all three columns of the key from one place (`due`, `picked`, one `unnest`). With
// two, a plan made while the table was empty takes the first column from one and compares the rest row by row, for as long
// as it is kept: 3.7 ms a delivery in a backlog of 20,000 instead of 0.1 (`delivery-plans.test.ts`).

/** Marks what `due` found as claimed and returns it with its event and what sending needs to know. */
const CLAIM = `claimed AS (
    UPDATE deliveries t SET claims = t.claims + 1, leased_until = now() + interval '${LEASE_MS} milliseconds'
    FROM due WHERE t.environment_id = due.environment_id AND t.endpoint_id = due.endpoint_id AND t.sequence = due.sequence
      AND t.status = 'pending' AND (t.leased_until IS NULL OR t.leased_until < now())
    RETURNING t.environment_id, t.endpoint_id, t.sequence, t.in_order, t.claims, t.failures)
  SELECT e.*, c.endpoint_id, c.in_order, c.claims, c.failures, v.livemode, v.clock_offset_ms, v.endpoints_version
  FROM claimed c
  JOIN environments v ON v.environment_id = c.environment_id
  CROSS JOIN LATERAL (SELECT * FROM events e
    WHERE e.environment_id = c.environment_id AND e.sequence = c.sequence LIMIT 1) AS e
  ORDER BY c.sequence`;

const DUE = `d.due_at <= now() + v.clock_offset_ms * interval '1 millisecond' AND (d.leased_until IS NULL OR d.leased_until < now())`;

/**
 * Claims due deliveries, at most `limit`; of an endpoint at most what `rooms` says, of others `usualRoom`. Goes endpoint by
 * endpoint through the index of what is due, so one with a long backlog hides no other; and in another order each time,
 * so that a few with long backlogs do not use up the limit again and again. What another process is claiming is passed
 * over: two that wait for each other's rows, each in its own order, would be a deadlock.
 */
export function claimDue(limit: number, rooms: ReadonlyMap<string, number>, usualRoom: number): Statement {
  return {
    name: 'claim_due_deliveries',
    text: `WITH due AS (
        SELECT d.environment_id, d.endpoint_id, d.sequence
        FROM (SELECT w.environment_id, w.id, v.clock_offset_ms, coalesce(k.room, $4) AS room
          FROM webhook_endpoints w
          JOIN environments v ON v.environment_id = w.environment_id
          LEFT JOIN ${unnest({ id: 'uuid', room: 'int4' }, 2)} AS k ON k.id = w.id
          WHERE w.status = 'enabled' AND w.deleted_at IS NULL
          ORDER BY random()) AS v
        CROSS JOIN LATERAL (SELECT * FROM deliveries d
          WHERE d.environment_id = v.environment_id AND d.endpoint_id = v.id AND d.status = 'pending' AND NOT d.in_order
            AND ${DUE}
          ORDER BY d.environment_id, d.endpoint_id, d.due_at LIMIT v.room FOR UPDATE SKIP LOCKED) AS d
        LIMIT $1), ${CLAIM}`,
    values: [limit, uuids([...rooms.keys()]), int4s([...rooms.values()]), usualRoom],
  };
}

/**
 * Claims the first pending delivery of ordered endpoints, where it is due and in nobody's hands: so that never two are
 * in flight and none overtakes another. Passes over nothing that is locked, or the second one would go before the first.
 * `endpoints`: only these; `null`: all.
 */
export function claimHeads(endpoints: readonly Key[] | null): Statement {
  const named = endpoints ?? [];
  return {
    name: 'claim_ordered_deliveries',
    text: `WITH due AS (
        SELECT d.environment_id, d.endpoint_id, d.sequence
        FROM webhook_endpoints w
        JOIN environments v ON v.environment_id = w.environment_id
        CROSS JOIN LATERAL (SELECT * FROM deliveries d
          WHERE d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.status = 'pending' AND d.in_order
          ORDER BY d.environment_id, d.endpoint_id, d.sequence LIMIT 1) AS d
        WHERE w.status = 'enabled' AND w.deleted_at IS NULL AND ${DUE}
          AND ($1 OR (w.environment_id, w.id) IN (SELECT unnest($2::uuid[]), unnest($3::uuid[])))), ${CLAIM}`,
    values: [endpoints === null, uuids(named.map((key) => key.environmentId)), uuids(named.map((key) => key.id))],
  };
}

/** What became of a claimed delivery. */
export interface Finished {
  readonly delivery: ClaimedDelivery;
  readonly status: DeliveryStatus;
  /** For `pending`: how long from now until the next attempt. */
  readonly delayMs: number;
  /** The attempt as JSON; `null`: there was none. */
  readonly attempt: string | null;
  readonly failed: boolean;
}

/** Attempts of one delivery that are kept; replays could make any number. */
const MAX_ATTEMPTS = 100;

/** Books what became of deliveries, where the claim still holds, and gives up their leases; booking twice books once. */
export function bookFinished(finished: readonly Finished[]): Statement {
  const deliveries = finished.map(({ delivery }) => delivery);
  return {
    name: 'book_finished_deliveries',
    text: `UPDATE deliveries t SET status = v.t, failures = t.failures + v.f, leased_until = NULL,
        due_at = CASE WHEN v.t = 'pending' THEN now() + (v.d + (SELECT e.clock_offset_ms FROM environments e
          WHERE e.environment_id = t.environment_id)) * interval '1 millisecond' ELSE t.due_at END,
        attempts = CASE WHEN v.a IS NULL THEN t.attempts
          WHEN jsonb_array_length(t.attempts) >= ${MAX_ATTEMPTS} THEN (t.attempts - 0) || v.a::jsonb
          ELSE coalesce(t.attempts, '[]') || v.a::jsonb END
      FROM ${unnest({ e: 'uuid', p: 'uuid', s: 'int8', c: 'int4', t: 'text', d: 'int8', a: 'text', f: 'int2' })} AS v
      WHERE t.environment_id = v.e AND t.endpoint_id = v.p AND t.sequence = v.s AND t.claims = v.c AND t.status = 'pending'
        AND t.leased_until IS NOT NULL`,
    values: [
      uuids(deliveries.map((delivery) => delivery.environmentId)),
      uuids(deliveries.map((delivery) => delivery.endpointId)),
      int8s(deliveries.map((delivery) => delivery.sequence)),
      int4s(deliveries.map((delivery) => delivery.claims)),
      texts(finished.map(({ status }) => status)),
      int8s(finished.map(({ delayMs }) => BigInt(Math.ceil(delayMs)))),
      texts(finished.map(({ attempt }) => attempt)),
      int2s(finished.map(({ failed }) => (failed ? 1 : 0))),
    ],
  };
}

/**
 * Endpoints with an attempt that succeeded. Returns those that had been without one, and whether they count as failing;
 * also those that count as failing by mistake, because a command was lost in a crash.
 */
export function bookSuccesses(endpoints: readonly Key[]): Statement {
  return {
    name: 'book_endpoint_successes',
    text: `UPDATE webhook_health h SET unsuccessful_since = NULL FROM ${unnest({ e: 'uuid', p: 'uuid' })} AS v
      JOIN webhook_endpoints w ON w.environment_id = v.e AND w.id = v.p
      WHERE h.environment_id = v.e AND h.endpoint_id = v.p
        AND (h.unsuccessful_since IS NOT NULL OR w.failing_since IS NOT NULL)
      RETURNING h.environment_id, h.endpoint_id, w.failing_since IS NOT NULL AS is_failing`,
    values: [uuids(endpoints.map((key) => key.environmentId)), uuids(endpoints.map((key) => key.id))],
  };
}

/** Endpoints with an attempt that failed. Returns since when each is without success, now, and whether it counts as failing. */
export function bookFailures(endpoints: readonly Key[]): Statement {
  return {
    name: 'book_endpoint_failures',
    text: `INSERT INTO webhook_health (environment_id, endpoint_id, unsuccessful_since)
      SELECT v.e, v.p, now() + e.clock_offset_ms * interval '1 millisecond'
      FROM ${unnest({ e: 'uuid', p: 'uuid' })} AS v JOIN environments e ON e.environment_id = v.e
      ON CONFLICT (environment_id, endpoint_id) DO UPDATE
        SET unsuccessful_since = coalesce(webhook_health.unsuccessful_since, excluded.unsuccessful_since)
      RETURNING environment_id, endpoint_id, unsuccessful_since,
        (SELECT now() + e.clock_offset_ms * interval '1 millisecond' FROM environments e
          WHERE e.environment_id = webhook_health.environment_id) AS now,
        (SELECT w.failing_since IS NOT NULL FROM webhook_endpoints w
          WHERE w.environment_id = webhook_health.environment_id AND w.id = webhook_health.endpoint_id) AS is_failing`,
    values: [uuids(endpoints.map((key) => key.environmentId)), uuids(endpoints.map((key) => key.id))],
  };
}

/** Endpoints that were disabled begin afresh when they are enabled again: what they failed before counts no more. */
export function forgetHealth(): Statement {
  return {
    name: 'forget_endpoint_health',
    text: `UPDATE webhook_health h SET unsuccessful_since = NULL FROM webhook_endpoints w
      WHERE w.environment_id = h.environment_id AND w.id = h.endpoint_id AND h.unsuccessful_since IS NOT NULL
        AND (w.status = 'disabled' OR w.deleted_at IS NOT NULL)`,
    values: [],
  };
}

const HOLD_ROWS = 1_000;

/** Holds what waits for endpoints that are disabled or deleted, in pieces. What is in somebody's hands comes next time. */
export function holdPending(inOrder: boolean): Statement {
  const kind = inOrder ? 'in_order' : 'NOT in_order';
  return {
    name: inOrder ? 'hold_ordered_deliveries' : 'hold_deliveries',
    text: `UPDATE deliveries t SET status = 'held', leased_until = NULL, claims = t.claims + 1
      FROM webhook_endpoints w
      CROSS JOIN LATERAL (SELECT d.environment_id, d.endpoint_id, d.sequence FROM deliveries d
        WHERE d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.status = 'pending' AND ${kind}
          AND (d.leased_until IS NULL OR d.leased_until < now()) LIMIT ${HOLD_ROWS} FOR UPDATE SKIP LOCKED) AS d
      WHERE (w.status = 'disabled' OR w.deleted_at IS NOT NULL)
        AND t.environment_id = d.environment_id AND t.endpoint_id = d.endpoint_id AND t.sequence = d.sequence
        AND t.status = 'pending' AND (t.leased_until IS NULL OR t.leased_until < now())`,
    values: [],
  };
}

/** Replays that are not finished and whose endpoints are enabled, oldest first. */
export function runningReplays(limit: number): Statement {
  return {
    name: 'running_replays',
    text: `SELECT r.environment_id, r.id, r.which, w.enabled_events FROM webhook_replays r
      JOIN webhook_endpoints w ON w.environment_id = r.environment_id AND w.id = r.endpoint_id
      WHERE r.finished_at IS NULL AND w.status = 'enabled' AND w.deleted_at IS NULL
      ORDER BY r.environment_id, r.id LIMIT $1`,
    values: [limit],
  };
}

/** Events that one step of a replay looks at. */
const REPLAY_STEP = 1_000;

/** The job, locked, so that no two processes take the same step; and how it goes on. */
const JOB = `job AS (
    SELECT r.*, w.ordered, now() + v.clock_offset_ms * interval '1 millisecond' AS due
    FROM webhook_replays r
    JOIN webhook_endpoints w ON w.environment_id = r.environment_id AND w.id = r.endpoint_id
    JOIN environments v ON v.environment_id = r.environment_id
    WHERE r.environment_id = $1 AND r.id = $2 AND r.finished_at IS NULL FOR UPDATE OF r SKIP LOCKED)`;
const ADVANCE = `UPDATE webhook_replays r SET deliveries_count = r.deliveries_count + (SELECT count(*) FROM changed),
      reached_sequence = CASE WHEN p.count < ${REPLAY_STEP} THEN r.until_sequence ELSE p.last END,
      finished_at = CASE WHEN p.count < ${REPLAY_STEP} THEN now() END
    FROM job, (SELECT count(*) AS count, max(sequence) AS last FROM picked) AS p
    WHERE r.environment_id = job.environment_id AND r.id = job.id
    RETURNING r.finished_at IS NOT NULL AS finished`;

/** One step of a replay of what did not succeed. Returns one row, or none when another process has the job. */
export function replayFailed(environmentId: string, replay: string): Statement {
  return {
    name: 'replay_failed',
    text: `WITH ${JOB}, picked AS (
        SELECT d.*, j.due FROM job j CROSS JOIN LATERAL (SELECT d.environment_id, d.endpoint_id, d.sequence FROM deliveries d
          WHERE d.environment_id = j.environment_id AND d.endpoint_id = j.endpoint_id
            AND d.sequence > j.reached_sequence AND d.sequence <= j.until_sequence
            AND (d.status IN ('failed', 'held', 'parked') OR (d.status = 'pending' AND d.failures > 0))
          ORDER BY d.environment_id, d.endpoint_id, d.sequence LIMIT ${REPLAY_STEP}) AS d),
      changed AS (
        UPDATE deliveries d SET status = 'pending', failures = 0, claims = d.claims + 1, leased_until = NULL, due_at = p.due
        FROM picked p
        WHERE d.environment_id = p.environment_id AND d.endpoint_id = p.endpoint_id AND d.sequence = p.sequence
          AND (d.status <> 'pending' OR d.leased_until IS NULL OR d.leased_until < now())
        RETURNING d.sequence)
      ${ADVANCE}`,
    values: [uuidOf(environmentId), uuidOf(replay)],
  };
}

/**
 * One step of a replay of everything the endpoint asks for (`types`), or of the named event whatever its type (`null`);
 * deliveries that never were are made. Events about the endpoint itself stay out, as ever.
 */
export function replayAll(environmentId: string, replay: string, types: readonly string[] | null): Statement {
  return {
    name: 'replay_all',
    text: `WITH ${JOB}, picked AS (
        SELECT e.sequence, e.type, e.created_at, e.object_id FROM job j CROSS JOIN LATERAL (SELECT * FROM events e
          WHERE e.environment_id = j.environment_id AND e.sequence > j.reached_sequence AND e.sequence <= j.until_sequence
          ORDER BY e.environment_id, e.sequence LIMIT ${REPLAY_STEP}) AS e),
      changed AS (
        INSERT INTO deliveries AS d (environment_id, endpoint_id, sequence, in_order, created_at, due_at, claims, status)
        SELECT j.environment_id, j.endpoint_id, p.sequence, j.ordered, p.created_at, j.due, 0, 'pending' FROM job j, picked p
        WHERE $3::text[] IS NULL OR (p.type = ANY ($3) AND (p.object_id = j.endpoint_id) = (p.type = 'ping'))
        ON CONFLICT (environment_id, endpoint_id, sequence) DO UPDATE
          SET status = 'pending', failures = 0, claims = d.claims + 1, leased_until = NULL, due_at = excluded.due_at
          WHERE d.status <> 'pending' OR d.leased_until IS NULL
        RETURNING d.sequence)
      ${ADVANCE}`,
    values: [uuidOf(environmentId), uuidOf(replay), types],
  };
}

/** Rows that {@link backlog} looks at for each endpoint. */
const COUNTED_ROWS = 10_000;

/**
 * How many deliveries wait and the age in seconds of the oldest event among them; of an endpoint with more than 10,000,
 * only the first that are due are looked at, so that a long backlog does not make its own measurement slow.
 */
export function backlog(): Statement {
  const some = (kind: string, order: string) => `(SELECT d.created_at FROM deliveries d
          WHERE d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.status = 'pending' AND ${kind}
          ORDER BY d.environment_id, d.endpoint_id, ${order} LIMIT ${COUNTED_ROWS})`;
  return {
    name: 'delivery_backlog',
    text: `SELECT count(*)::int4 AS pending,
        coalesce(max(extract(epoch FROM now() + v.clock_offset_ms * interval '1 millisecond' - d.created_at)), 0)::float8 AS oldest_seconds
      FROM webhook_endpoints w
      JOIN environments v ON v.environment_id = w.environment_id
      CROSS JOIN LATERAL (${some('NOT d.in_order', 'd.due_at')} UNION ALL ${some('d.in_order', 'd.sequence')}) AS d
      WHERE w.status = 'enabled' AND w.deleted_at IS NULL`,
    values: [],
  };
}
