-- What was asked of the API and what came of it, for days (docs/decisions/0108). Written behind the answer; nothing depends on it.
-- Ids carry their instant, so a range of ids is a day: a partition is found by the id, and an old day is dropped instead of deleted.
-- The worker of the owner makes the partitions of the next days. Rows of a day without one are in request_logs_rest.
CREATE TABLE request_logs (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  actor uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('api', 'dashboard')),
  method text NOT NULL,
  path text NOT NULL,
  route text NOT NULL,
  operation text NOT NULL,
  status int NOT NULL,
  code text,
  duration_ms int NOT NULL,
  idempotency_key text,
  replayed boolean NOT NULL,
  resource text,
  ip text,
  user_agent text,
  request text,
  error text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE request_logs_rest PARTITION OF request_logs DEFAULT;

-- Lists are newest first, so every filter has an index in that order. What only refusals have costs the others nothing.
CREATE INDEX request_logs_operation ON request_logs (environment_id, operation, id);
CREATE INDEX request_logs_actor ON request_logs (environment_id, actor, id);
CREATE INDEX request_logs_resource ON request_logs (environment_id, resource, id) WHERE resource IS NOT NULL;
CREATE INDEX request_logs_key ON request_logs (environment_id, idempotency_key, id) WHERE idempotency_key IS NOT NULL;
CREATE INDEX request_logs_refused ON request_logs (environment_id, id) WHERE status >= 400;
CREATE INDEX request_logs_status ON request_logs (environment_id, status, id) WHERE status >= 400;
CREATE INDEX request_logs_code ON request_logs (environment_id, code, id) WHERE code IS NOT NULL;

COMMENT ON TABLE request_logs IS 'Requests with a known key or session and what came of them: refusals, and as many others as there is room for. A partition a day.';
COMMENT ON COLUMN request_logs.environment_id IS 'Environment.';
COMMENT ON COLUMN request_logs.id IS 'The id of the request, shown as req_…; its instant is that of the request, process clock.';
COMMENT ON COLUMN request_logs.actor IS 'Who asked: the first key of the line of the key, or a user. Of a key that had ended, the key itself.';
COMMENT ON COLUMN request_logs.source IS 'api: with a key. dashboard: in a session.';
COMMENT ON COLUMN request_logs.method IS 'GET, POST or DELETE.';
COMMENT ON COLUMN request_logs.path IS 'The path without its query; what is no id of ours in it is masked.';
COMMENT ON COLUMN request_logs.route IS 'The path with names for ids: /v1/payouts/:id.';
COMMENT ON COLUMN request_logs.operation IS 'The operationId of the API document. Of a method and a route.';
COMMENT ON COLUMN request_logs.status IS 'Status of the answer.';
COMMENT ON COLUMN request_logs.code IS 'Code of the refusal; NULL: it was none.';
COMMENT ON COLUMN request_logs.duration_ms IS 'From the whole request read to its answer.';
COMMENT ON COLUMN request_logs.idempotency_key IS 'The Idempotency-Key as sent; NULL: none, or none that may be one.';
COMMENT ON COLUMN request_logs.replayed IS 'The answer was that of an earlier request with the same key.';
COMMENT ON COLUMN request_logs.resource IS 'The first id in the path; of a path without one, the id of what was made.';
COMMENT ON COLUMN request_logs.ip IS 'Address of the client.';
COMMENT ON COLUMN request_logs.user_agent IS 'How the client calls itself, its first 200 characters.';
COMMENT ON COLUMN request_logs.request IS 'The parameters after masking, JSON of at most 4,096 characters; NULL: none, or not kept.';
COMMENT ON COLUMN request_logs.error IS 'Type, code, parameter and message of the refusal after masking, JSON; NULL: it was none.';
COMMENT ON COLUMN request_logs.created_at IS 'When it was asked, process clock.';
COMMENT ON TABLE request_logs_rest IS 'Requests of days without a partition of their own.';
