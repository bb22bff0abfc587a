/** The checks of events: their sequence, and that they say what happened to accounts and payouts. With the others: `verify.ts`. */
import { broken, checks, KEPT_SINCE, LINES, outside, EVENT } from './check.ts';

/** The balance an event of an account tells of: the third value of its encodings, which this check reads for itself. */
const BALANCE = String.raw`CASE WHEN shape IN (1, 2, 5, 6) THEN split_part(object, E'\x1f', 3) ELSE object::jsonb ->> 'balance' END`;

/** What an event says was created, and where it must be. */
const CREATED = {
  'payout.created': ['payouts', 'po'],
  'exchange.completed': ['exchanges', 'exc'],
  'account.created': ['accounts', 'acct'],
  'payout_batch.created': ['payout_batches', 'pob'],
  'webhook_endpoint.created': ['webhook_endpoints', 'we'],
  'recipient.created': ['recipients', 'rcp'],
  'key.created': ['api_keys', 'key'],
} as const;

export const EVENT_CHECKS = checks('event', {
  'the event sequence has no gap, but for those that restores left out, and ends where the environment says': `WITH ends AS (SELECT v.environment_id, v.last_sequence, v.last_at, o.sequence AS oldest, n.sequence AS newest, n.created_at AS newest_at,
        coalesce(r.created_at, v.created_at) AS began_at, CASE WHEN r.created_at IS NULL THEN 0 ELSE (r.details::jsonb ->> 'last_sequence')::bigint END AS erased FROM environments v
        LEFT JOIN LATERAL (SELECT e.sequence FROM events e WHERE e.environment_id = v.environment_id ORDER BY e.environment_id, e.sequence LIMIT 1) AS o ON true
        LEFT JOIN LATERAL (SELECT e.sequence, e.created_at FROM events e WHERE e.environment_id = v.environment_id ORDER BY e.environment_id DESC, e.sequence DESC LIMIT 1) AS n ON true
        LEFT JOIN LATERAL (SELECT l.details, l.created_at FROM audit_log l WHERE l.environment_id = v.environment_id AND l.action = 'sandbox.reset' ORDER BY l.sequence DESC LIMIT 1) AS r ON true),
      gaps AS (SELECT e.environment_id, e.before, e.sequence FROM (
          SELECT environment_id, sequence, lag(sequence) OVER (PARTITION BY environment_id ORDER BY sequence) AS before FROM events WHERE created_at >= ${KEPT_SINCE}) AS e
        WHERE e.sequence <> e.before + 1 AND NOT EXISTS (SELECT FROM restores r
          WHERE r.environment_id = e.environment_id AND r.last_sequence = e.before AND r.next_sequence = e.sequence))
      SELECT ${broken({ environment: 'environment_id', prefix: "'sequence'", id: 'NULL::uuid', name: '(before + 1)::text', expected: "'events ' || (before + 1) || ' to ' || (sequence - 1)", found: "'none of them'" })} FROM gaps
      UNION ALL SELECT ${broken({ environment: 'v.environment_id', prefix: "'sequence'", id: 'NULL::uuid', name: 'v.last_sequence::text', expected: "'newest event ' || v.last_sequence", found: "coalesce('newest event ' || v.newest, 'no event')" })}
        FROM ends v WHERE v.last_sequence <> coalesce(v.newest, v.erased, 0) AND (v.newest_at >= ${KEPT_SINCE} OR (v.last_sequence > 0 AND v.last_at >= ${KEPT_SINCE}))
      UNION ALL SELECT ${broken({ environment: 'k.environment_id', prefix: "'sequence'", id: 'NULL::uuid', name: '(k.erased + 1)::text', expected: "'events from ' || (k.erased + 1) || ' on'", found: "'events from ' || k.oldest || ' on'" })}
        FROM ends k WHERE k.oldest <> k.erased + 1 AND k.began_at >= ${KEPT_SINCE}
        AND NOT EXISTS (SELECT FROM restores r WHERE r.environment_id = k.environment_id AND r.last_sequence = k.erased AND r.next_sequence = k.oldest)`,
  'events are in order of time and of their ids': `SELECT ${broken({ ...EVENT, expected: "'an instant and an id after those of the event before'", found: "CASE WHEN e.created_at < e.before THEN 'an earlier instant' ELSE 'an earlier id' END" })}
      FROM (SELECT environment_id, id, type, sequence, created_at, lag(created_at) OVER w AS before, lag(id) OVER w AS id_before
        FROM events WINDOW w AS (PARTITION BY environment_id ORDER BY sequence)) AS e
      WHERE e.created_at < e.before OR e.id <= e.id_before`,
  // A payout leaves once more, where its file was given up, and is paid once more, where the debit or the return of it was voided.
  'a payout has one event for being created and one for how it ended': `WITH freed AS (SELECT environment_id, object_id, max(sequence) AS at FROM events
        WHERE (type = 'payout.updated' AND previous_attributes::jsonb ->> 'status' IN ('in_transit', 'paid'))
          OR (type = 'payout.in_transit' AND previous_attributes::jsonb ->> 'status' = 'paid')
          OR (type = 'payout.paid' AND previous_attributes::jsonb ->> 'status' = 'returned') GROUP BY 1, 2),
      said AS (SELECT e.environment_id, e.object_id, count(*) FILTER (WHERE e.type = 'payout.created') AS created,
        count(*) FILTER (WHERE e.type = 'payout.funded') AS funded, count(*) FILTER (WHERE e.type = 'payout.in_transit' AND e.sequence >= coalesce(f.at, 0)) AS in_transit,
        count(*) FILTER (WHERE e.type = 'payout.paid' AND e.sequence >= coalesce(f.at, 0)) AS paid, count(*) FILTER (WHERE e.type = 'payout.failed') AS failed,
        count(*) FILTER (WHERE e.type = 'payout.canceled') AS canceled, count(*) FILTER (WHERE e.type = 'payout.returned' AND e.sequence > coalesce(f.at, 0)) AS returned
        FROM events e LEFT JOIN freed f USING (environment_id, object_id) WHERE e.type IN ('payout.created', 'payout.funded', 'payout.in_transit', 'payout.paid', 'payout.failed', 'payout.canceled', 'payout.returned') GROUP BY 1, 2),
      compared AS (SELECT p.environment_id, p.id, p.status, coalesce(s.created, 0) AS created, p.created_at >= ${KEPT_SINCE} AS keeps_created,
        CASE p.status WHEN 'in_transit' THEN p.in_transit_at WHEN 'waiting' THEN p.created_at WHEN 'pending' THEN p.created_at ELSE p.ended_at END >= ${KEPT_SINCE} AS keeps_ended,
        coalesce(CASE p.status WHEN 'pending' THEN CASE WHEN p.wait_until_on IS NOT NULL THEN s.funded ELSE 1 END WHEN 'waiting' THEN 1
          WHEN 'in_transit' THEN s.in_transit WHEN 'paid' THEN s.paid WHEN 'failed' THEN s.failed WHEN 'canceled' THEN s.canceled
          WHEN 'returned' THEN CASE WHEN r.amount < p.amount_returned + coalesce(v.amount, 0) THEN least(s.returned, 1) ELSE s.returned END END, 0) AS ended
        FROM payouts p LEFT JOIN said s ON s.environment_id = p.environment_id AND s.object_id = p.id
        LEFT JOIN transfers r ON r.environment_id = p.environment_id AND r.id = p.reversal_id
        LEFT JOIN (SELECT environment_id, cause_id, sum(amount) AS amount FROM transfers WHERE cause = 'payout_reversal_void' GROUP BY 1, 2) AS v ON v.environment_id = p.environment_id AND v.cause_id = p.id)
      SELECT ${broken({ environment: 'environment_id', prefix: "'po'", id: 'id', name: 'status', expected: "'one event payout.created and one for ' || status", found: "created || ' and ' || ended" })} FROM compared
      WHERE created > 1 OR ended > 1 OR (keeps_created AND created = 0) OR (keeps_ended AND ended = 0)`,
  'what an event says was created is there': Object.entries(CREATED)
    .map(
      ([type, [table, prefix]]) =>
        `SELECT ${broken({ ...EVENT, expected: `'${prefix}:' || e.object_id`, found: "'no such object'" })} FROM events e
      LEFT JOIN ${table} o ON o.environment_id = e.environment_id AND o.id = e.object_id WHERE e.type = '${type}' AND o.id IS NULL`,
    )
    .join(' UNION ALL '),
  'every customer side of a transfer has one balance.updated with the balance after it, and there are no others': `WITH ${LINES}, sides AS (SELECT l.environment_id, l.id, l.account, l.after, t.created_at FROM lines l JOIN transfers t USING (environment_id, id) WHERE NOT ${outside('l.account')}),
      updates AS (SELECT environment_id, transfer_id AS id, object_id AS account, count(*) AS events, min((${BALANCE})::bigint) AS after
        FROM events WHERE type = 'balance.updated' GROUP BY 1, 2, 3)
      SELECT ${broken({ environment: 'environment_id', prefix: "'trf'", id: 'id', name: "'on account acct:' || account", expected: "coalesce('one event balance.updated with ' || sides.after, 'no event, because there is no such transfer')", found: "coalesce(updates.events || ' with ' || updates.after, 'none')" })}
      FROM sides FULL JOIN updates USING (environment_id, id, account)
      WHERE (updates.events IS DISTINCT FROM 1 OR sides.after IS DISTINCT FROM updates.after) AND NOT (updates.events IS NULL AND sides.created_at < ${KEPT_SINCE})`,
});
