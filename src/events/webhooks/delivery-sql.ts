/**
 * The statements of the dispatcher. Each is one transaction and a compare-and-set, so any number of processes may run
 * them. The fence is `claims`: it counts up with every claim, and a result with an old number changes nothing.
 */
import { uuidOf } from '../../core/values/ids.ts';
import { int2s, int4s, int8s, texts, uuids } from '../../platform/db/wire/columns.ts';
import { valuesOf } from '../../platform/db/wire/keyed.ts';
import type { Key, Statement } from '../../platform/db/wire/statement.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';
import { type ClaimedDelivery, LEASE_MS } from './delivery.ts';
import type { DeliveryStatus } from './fields.ts';

// A statement that names rows of `deliveries` takes all three columns of the key from one source (`due`, `picked`, one
// `unnest`). With two sources, a plan that was made while the table was empty uses the index for the first column only:
// 3.7 ms a delivery in a backlog of 20,000 instead of 0.1 (`delivery-plans.test.ts`).

/** Claims the rows of `due` and returns them with their events and environments. */
const CLAIM = `claimed AS (
    UPDATE deliveries t SET claims = t.claims + 1, leased_until = now() + interval '${LEASE_MS} milliseconds'
    FROM due WHERE t.environment_id = due.environment_id AND t.endpoint_id = due.endpoint_id AND t.sequence = due.sequence
      AND t.status = 'pending' AND (t.leased_until IS NULL OR t.leased_until < now())
    RETURNING t.environment_id, t.endpoint_id, t.sequence, t.in_order, t.claims, t.failures, t.traceparent)
  SELECT e.*, c.endpoint_id, c.in_order, c.claims, c.failures, c.traceparent, v.livemode, v.clock_offset_ms, v.endpoints_version
  FROM claimed c
  JOIN environments v ON v.environment_id = c.environment_id
  CROSS JOIN LATERAL (SELECT * FROM events e
    WHERE e.environment_id = c.environment_id AND e.sequence = c.sequence LIMIT 1) AS e
  ORDER BY c.sequence`;

const DUE = `d.due_at <= now() + v.clock_offset_ms * interval '1 millisecond' AND (d.leased_until IS NULL OR d.leased_until < now())`;

/**
 * Claims due deliveries: at most `limit` in all, and of an endpoint its number in `rooms`, or `usualRoom`. Reads the
 * index endpoint by endpoint, in random order, so that no long backlog hides others. Rows locked by another process are
 * skipped: processes that wait for each other would deadlock.
 */
export const claimDue = (limit: number, rooms: ReadonlyMap<string, number>, usualRoom: number): Statement => ({
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
});

/**
 * Claims the first pending delivery of each ordered endpoint, if it is due and has no lease. Locked rows are not
 * skipped, or the second delivery would be sent before the first. `endpoints`: only these; `null`: all.
 */
export const claimHeads = (endpoints: readonly Key[] | null): Statement => ({
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
  values: [endpoints === null, ...valuesOf(endpoints ?? [])],
});

/** The result of a claimed delivery. */
export interface Finished {
  readonly delivery: ClaimedDelivery;
  readonly status: DeliveryStatus;
  /** For `pending`: how long from now until the next attempt. */
  readonly delayMs: number;
  /** The attempt as JSON; `null` if none was made. */
  readonly attempt: string | null;
  readonly failed: boolean;
}

/** Attempts of one delivery that are kept. Replays can make any number. */
const MAX_ATTEMPTS = 100;

/** Writes results where the claim still holds, and ends the leases. Running it twice has no further effect. */
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
 * Notes successes. Returns the endpoints that had failed before, and whether each counts as failing, also where a
 * command was lost in a crash.
 */
export const bookSuccesses = (endpoints: readonly Key[]): Statement => ({
  name: 'book_endpoint_successes',
  text: `UPDATE webhook_health h SET unsuccessful_since = NULL FROM ${unnest({ e: 'uuid', p: 'uuid' })} AS v
      JOIN webhook_endpoints w ON w.environment_id = v.e AND w.id = v.p
      WHERE h.environment_id = v.e AND h.endpoint_id = v.p
        AND (h.unsuccessful_since IS NOT NULL OR w.first_failed_at IS NOT NULL)
      RETURNING h.environment_id, h.endpoint_id, w.first_failed_at IS NOT NULL AS is_failing`,
  values: valuesOf(endpoints),
});

/** Notes that attempts to these endpoints failed. Returns the first failure since the last success, the time, and whether each counts as failing. */
export const bookFailures = (endpoints: readonly Key[]): Statement => ({
  name: 'book_endpoint_failures',
  text: `INSERT INTO webhook_health (environment_id, endpoint_id, unsuccessful_since)
      SELECT v.e, v.p, now() + e.clock_offset_ms * interval '1 millisecond'
      FROM ${unnest({ e: 'uuid', p: 'uuid' })} AS v JOIN environments e ON e.environment_id = v.e
      ON CONFLICT (environment_id, endpoint_id) DO UPDATE
        SET unsuccessful_since = coalesce(webhook_health.unsuccessful_since, excluded.unsuccessful_since)
      RETURNING environment_id, endpoint_id, unsuccessful_since,
        (SELECT now() + e.clock_offset_ms * interval '1 millisecond' FROM environments e
          WHERE e.environment_id = webhook_health.environment_id) AS now,
        (SELECT w.first_failed_at IS NOT NULL FROM webhook_endpoints w
          WHERE w.environment_id = webhook_health.environment_id AND w.id = webhook_health.endpoint_id) AS is_failing`,
  values: valuesOf(endpoints),
});

/** Clears the failures of endpoints that are disabled or deleted, so that they count no more once the endpoint is enabled. */
export const forgetHealth = (): Statement => ({
  name: 'forget_endpoint_health',
  text: `UPDATE webhook_health h SET unsuccessful_since = NULL FROM webhook_endpoints w
      WHERE w.environment_id = h.environment_id AND w.id = h.endpoint_id AND h.unsuccessful_since IS NOT NULL
        AND (w.status = 'disabled' OR w.deleted_at IS NOT NULL)`,
  values: [],
});

const HOLD_ROWS = 1_000;

/** Holds pending deliveries of endpoints that are disabled or deleted, at most 1,000 an endpoint. Those with a lease come later. */
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
export const runningReplays = (limit: number): Statement => ({
  name: 'running_replays',
  text: `SELECT r.environment_id, r.id, r.which, w.enabled_events FROM webhook_replays r
      JOIN webhook_endpoints w ON w.environment_id = r.environment_id AND w.id = r.endpoint_id
      WHERE r.finished_at IS NULL AND w.status = 'enabled' AND w.deleted_at IS NULL
      ORDER BY r.environment_id, r.id LIMIT $1`,
  values: [limit],
});

/** Events that one step of a replay looks at. */
const REPLAY_STEP = 1_000;

/** The replay, locked, so that no two processes take the same step. */
const JOB = `job AS (
    SELECT r.*, w.ordered, now() + v.clock_offset_ms * interval '1 millisecond' AS due
    FROM webhook_replays r
    JOIN webhook_endpoints w ON w.environment_id = r.environment_id AND w.id = r.endpoint_id
    JOIN environments v ON v.environment_id = r.environment_id
    WHERE r.environment_id = $1 AND r.id = $2 AND r.finished_at IS NULL FOR UPDATE OF r SKIP LOCKED)`;
/** Moves the replay on by the rows of `picked`. */
const ADVANCE = `UPDATE webhook_replays r SET deliveries_count = r.deliveries_count + (SELECT count(*) FROM changed),
      reached_sequence = CASE WHEN p.count < ${REPLAY_STEP} THEN r.until_sequence ELSE p.last END,
      finished_at = CASE WHEN p.count < ${REPLAY_STEP} THEN now() END
    FROM job, (SELECT count(*) AS count, max(sequence) AS last FROM picked) AS p
    WHERE r.environment_id = job.environment_id AND r.id = job.id
    RETURNING r.finished_at IS NOT NULL AS finished`;

/** One step of a replay of deliveries that did not succeed. Returns one row, or none when another process has the replay. */
export const replayFailed = (environmentId: string, replay: string): Statement => ({
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
});

/**
 * One step of a replay of all events of these types; `null`: of the named event, whatever its type. Inserts deliveries that
 * do not exist. Events about the endpoint itself are not sent to it, except a ping.
 */
export const replayAll = (environmentId: string, replay: string, types: readonly string[] | null): Statement => ({
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
});

/** Rows that {@link backlog} looks at for each endpoint. */
const COUNTED_ROWS = 10_000;

/** Pending deliveries, and the age in seconds of the oldest event. Of each endpoint only the first 10,000 are read. */
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
