-- Who asks is a line of keys: a key and what it was rolled to. What a key makes descends from it (docs/decisions/0074).
ALTER TABLE api_keys ADD COLUMN lineage text[];
COMMENT ON COLUMN api_keys.lineage IS 'The lines it descends from, the root first and its own last, each by the id of its first key.';

-- What a key was rolled from stands in the audit log, and who made it in created_by.
WITH RECURSIVE named AS (
  SELECT k.id, k.created_by, 'key_' || (SELECT string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substr(b.bits, i, 5)::bit(5)::int, 1), '' ORDER BY i)
      FROM generate_series(1, 126, 5) AS i) AS name
  FROM api_keys k, LATERAL (SELECT '00' || ('x' || replace(k.id::text, '-', ''))::bit(128)::text AS bits) AS b
), rolled AS (
  SELECT a.subject AS before, a.details::json ->> 'to' AS after FROM audit_log a
  WHERE a.action = 'key.rolled' AND a.subject IN (SELECT name FROM named)
), origins AS (
  SELECT n.name, r.before, m.name AS maker FROM named n
  LEFT JOIN rolled r ON r.after = n.name LEFT JOIN named m ON m.id = n.created_by
), lines AS (
  SELECT name, ARRAY[name] AS lineage FROM origins WHERE before IS NULL AND maker IS NULL
  UNION ALL
  SELECT o.name, CASE WHEN o.before IS NULL THEN l.lineage || o.name ELSE l.lineage END
  FROM origins o JOIN lines l ON l.name = COALESCE(o.before, o.maker)
)
, written AS (
  UPDATE api_keys k SET lineage = l.lineage FROM named n JOIN lines l ON l.name = n.name WHERE n.id = k.id
)
-- A limit on a key is one on its line. What its later keys have used of it today begins at zero.
UPDATE environments e SET payout_rules = jsonb_set(e.payout_rules, '{limits}', (
  SELECT jsonb_agg(CASE WHEN l.lineage IS NULL THEN x.rule
      ELSE x.rule || jsonb_build_object('of', l.lineage[array_upper(l.lineage, 1)]) END ORDER BY x.place)
  FROM jsonb_array_elements(e.payout_rules -> 'limits') WITH ORDINALITY AS x (rule, place)
  LEFT JOIN lines l ON x.rule ->> 'per' = 'key' AND l.name = x.rule ->> 'of'))
WHERE e.payout_rules -> 'limits' @> '[{"per": "key"}]';

ALTER TABLE api_keys ALTER COLUMN lineage SET NOT NULL;

ALTER TABLE idempotency_records ADD COLUMN maker uuid;
COMMENT ON COLUMN idempotency_records.maker IS 'Who made the request; NULL where its event says so, and in records from before this column.';
ALTER TABLE idempotency_records ADD COLUMN request_id uuid;
COMMENT ON COLUMN idempotency_records.request_id IS 'The request; NULL where its event names it, and in records from before this column.';

COMMENT ON COLUMN idempotency_records.key IS 'Idempotency-Key as sent, or § and the request id where none was; no client can send that.';

-- Secrets are given again for ten minutes (src/write/idempotency.ts).
CREATE INDEX idempotency_secrets ON idempotency_records (created_at)
  WHERE resource_prefix IN ('key', 'we') AND body ~ ',"secret":"v1\.[^"]*"(\}$|,"metadata":\{)';
