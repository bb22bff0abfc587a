/** The checks of webhook deliveries against events and endpoints. With the others: `verify.ts`. */
import { broken, checks, KEPT_SINCE } from './check.ts';

/**
 * What each endpoint must have been sent since it asks for what it asks for now, until it was deleted: of pings its own alone, and
 * nothing else about itself. What it asked for before a change is not on record, so that is not judged. An endpoint whose own events
 * retention has deleted asks for the same at least since then.
 */
const SUBSCRIBED = `asked AS (
  SELECT w.environment_id, w.id, w.enabled_events, coalesce(min(e.sequence) FILTER (WHERE e.type = 'webhook_endpoint.created'), 0) AS born,
    coalesce(max(e.sequence) FILTER (WHERE e.type = 'webhook_endpoint.created' OR e.previous_attributes::jsonb ? 'enabled_events'), 0) AS since,
    max(e.sequence) FILTER (WHERE e.type = 'webhook_endpoint.deleted') AS gone
  FROM webhook_endpoints w LEFT JOIN events e ON e.environment_id = w.environment_id AND e.object_id = w.id AND e.type LIKE 'webhook\\_endpoint.%'
  WHERE w.deleted_at IS NULL OR w.deleted_at >= ${KEPT_SINCE}
  GROUP BY w.environment_id, w.id, w.enabled_events),
types AS (SELECT DISTINCT environment_id, type FROM events),
wanted AS (
  SELECT a.environment_id, a.id AS endpoint_id, a.since, a.gone, t.type FROM asked a JOIN types t USING (environment_id)
  WHERE EXISTS (SELECT FROM jsonb_array_elements_text(a.enabled_events) AS p (wish)
    WHERE wish IN ('*', t.type) OR (wish LIKE '%.*' AND starts_with(t.type, left(wish, -1)))) OR t.type = 'ping'),
subscribed AS (
  SELECT w.environment_id, w.endpoint_id, e.sequence, e.created_at FROM wanted w
  JOIN events e ON e.environment_id = w.environment_id AND e.type = w.type AND e.sequence > w.since AND (w.gone IS NULL OR e.sequence < w.gone)
  WHERE (e.type = 'ping') = (e.object_id = w.endpoint_id))`;

const DELIVERY = {
  environment: 'd.environment_id',
  prefix: "'we'",
  id: 'd.endpoint_id',
  name: "'delivery of event ' || d.sequence",
};

export const DELIVERY_CHECKS = checks('delivery', {
  'a delivery has its endpoint and its event, and is as old as that': `SELECT ${broken({ ...DELIVERY, expected: "'its endpoint and its event'", found: "CASE WHEN w.id IS NULL THEN 'no such endpoint' WHEN e.id IS NULL THEN 'no such event' ELSE 'an event of another instant' END" })}
      FROM deliveries d
      LEFT JOIN webhook_endpoints w ON w.environment_id = d.environment_id AND w.id = d.endpoint_id
      LEFT JOIN events e ON e.environment_id = d.environment_id AND e.sequence = d.sequence
      WHERE w.id IS NULL OR (d.created_at IS DISTINCT FROM e.created_at AND (e.id IS NOT NULL OR d.created_at >= ${KEPT_SINCE}))`,
  'an event has a delivery to every endpoint that asks for it': `WITH ${SUBSCRIBED} SELECT ${broken({ environment: 's.environment_id', prefix: "'we'", id: 's.endpoint_id', name: "'event ' || s.sequence", expected: "'a delivery'", found: "'none'" })}
      FROM subscribed s LEFT JOIN deliveries d USING (environment_id, endpoint_id, sequence) WHERE d.status IS NULL AND s.created_at >= ${KEPT_SINCE}`,
  'no delivery goes to an endpoint that did not ask for its event, unless it was sent again': `WITH ${SUBSCRIBED} SELECT ${broken({ ...DELIVERY, expected: "'none: the endpoint did not ask for this event'", found: "'a delivery, ' || d.status" })}
      FROM deliveries d JOIN asked a ON a.environment_id = d.environment_id AND a.id = d.endpoint_id
      LEFT JOIN subscribed s ON s.environment_id = d.environment_id AND s.endpoint_id = d.endpoint_id AND s.sequence = d.sequence
      WHERE s.sequence IS NULL AND d.created_at >= ${KEPT_SINCE} AND (d.sequence > a.since OR d.sequence <= a.born)
      AND EXISTS (SELECT FROM events e WHERE e.environment_id = d.environment_id AND e.sequence = d.sequence)
      AND NOT EXISTS (SELECT FROM webhook_replays r WHERE r.environment_id = d.environment_id AND r.endpoint_id = d.endpoint_id
        AND r.which <> 'failed' AND r.after_sequence < d.sequence AND d.sequence <= r.until_sequence)`,
  'a delivery succeeded exactly if its last attempt did, and failed or was parked only after one that did not': `SELECT ${broken({ ...DELIVERY, expected: "'a status that its last attempt bears out'", found: "d.status || ', last attempt ' || coalesce(d.last, 'none')" })}
      FROM (SELECT environment_id, endpoint_id, sequence, status, attempts -> -1 ->> 'outcome' AS last FROM deliveries) AS d
      WHERE (d.status = 'succeeded' AND d.last IS DISTINCT FROM 'succeeded')
      OR (d.status IN ('failed', 'parked') AND (d.last IS NULL OR d.last = 'succeeded'))`,
});
