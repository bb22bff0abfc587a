-- Webhooks: endpoints, deliveries, replays. Endpoints and replays are written by the path like every object; deliveries
-- are inserted in the transaction of their event and from then on kept by the dispatcher (docs/decisions/0013).

ALTER TABLE environments ADD COLUMN endpoints_version bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN environments.endpoints_version IS 'Counts up with every change of a webhook endpoint, so that processes know when to read them again; 0: there never was one.';

CREATE TABLE webhook_endpoints (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  enabled_events jsonb NOT NULL,
  description text,
  ordered boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
  disabled_reason text CHECK (disabled_reason IN ('requested', 'failing', 'gone')),
  failing_since timestamptz,
  secrets jsonb NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (environment_id, id),
  CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL))
);
COMMENT ON TABLE webhook_endpoints IS 'Where events are sent. A deleted one stays, so that its deliveries can be explained.';
COMMENT ON COLUMN webhook_endpoints.environment_id IS 'Environment.';
COMMENT ON COLUMN webhook_endpoints.id IS 'Identifier, shown as we_….';
COMMENT ON COLUMN webhook_endpoints.url IS 'Where to.';
COMMENT ON COLUMN webhook_endpoints.enabled_events IS 'Types and families of types it asked for, as given: ["payout.*"].';
COMMENT ON COLUMN webhook_endpoints.description IS 'The owner''s words.';
COMMENT ON COLUMN webhook_endpoints.ordered IS 'true: one delivery in flight, in order of sequence.';
COMMENT ON COLUMN webhook_endpoints.status IS 'enabled or disabled.';
COMMENT ON COLUMN webhook_endpoints.disabled_reason IS 'requested, failing (five days without a success) or gone (it answered 410).';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'First failure since the last success, once it counts as failing; environment clock.';
COMMENT ON COLUMN webhook_endpoints.secrets IS 'Signing secrets, newest first, sealed under the server secret: [{"sealed", "expires_at"}]; milliseconds, null is never.';
COMMENT ON COLUMN webhook_endpoints.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN webhook_endpoints.created_at IS 'Environment clock.';
COMMENT ON COLUMN webhook_endpoints.deleted_at IS 'Environment clock.';

CREATE TABLE deliveries (
  environment_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  sequence bigint NOT NULL,
  in_order boolean NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  claims int NOT NULL,
  failures int NOT NULL DEFAULT 0 CHECK (failures >= 0),
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'held', 'parked')),
  attempts jsonb,
  PRIMARY KEY (environment_id, endpoint_id, sequence)
) WITH (fillfactor = 80);
-- A delivery is in one of the two: those of ordered endpoints are found by sequence, the others by when they are due.
CREATE INDEX deliveries_due ON deliveries (environment_id, endpoint_id, due_at) WHERE status = 'pending' AND NOT in_order;
CREATE INDEX deliveries_in_order ON deliveries (environment_id, endpoint_id, sequence) WHERE status = 'pending' AND in_order;
CREATE INDEX deliveries_unsuccessful ON deliveries (environment_id, endpoint_id, sequence) WHERE status IN ('failed', 'held', 'parked');
CREATE INDEX deliveries_created ON deliveries USING brin (created_at);
COMMENT ON TABLE deliveries IS 'One event on its way to one endpoint, with its attempts.';
COMMENT ON COLUMN deliveries.environment_id IS 'Environment.';
COMMENT ON COLUMN deliveries.endpoint_id IS 'Where to.';
COMMENT ON COLUMN deliveries.sequence IS 'The event.';
COMMENT ON COLUMN deliveries.in_order IS 'true: waits for every pending one before it (the endpoint was ordered when the event happened).';
COMMENT ON COLUMN deliveries.created_at IS 'When the event happened, environment clock.';
COMMENT ON COLUMN deliveries.due_at IS 'When the next attempt is due, environment clock.';
COMMENT ON COLUMN deliveries.leased_until IS 'Until then a dispatcher has it in hand; database clock.';
COMMENT ON COLUMN deliveries.claims IS 'Counts up with every claim: the fence. A dispatcher whose number is old no longer writes.';
COMMENT ON COLUMN deliveries.failures IS 'Failed attempts of the present run through the schedule.';
COMMENT ON COLUMN deliveries.status IS 'pending; succeeded; failed: the schedule is used up; held: the endpoint was disabled; parked: took too long at the head of an ordered endpoint.';
COMMENT ON COLUMN deliveries.attempts IS 'Every attempt, oldest first: when, how long, outcome, status, short body, why it failed.';

CREATE TABLE webhook_health (
  environment_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  unsuccessful_since timestamptz,
  PRIMARY KEY (environment_id, endpoint_id)
) WITH (fillfactor = 50);
COMMENT ON TABLE webhook_health IS 'Whether an endpoint works, as the dispatchers see it.';
COMMENT ON COLUMN webhook_health.environment_id IS 'Environment.';
COMMENT ON COLUMN webhook_health.endpoint_id IS 'Endpoint.';
COMMENT ON COLUMN webhook_health.unsuccessful_since IS 'First failure since the last success, environment clock; NULL when the last attempt succeeded.';

CREATE TABLE webhook_replays (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  after_sequence bigint NOT NULL,
  until_sequence bigint NOT NULL,
  which text NOT NULL CHECK (which IN ('failed', 'all', 'named')),
  created_at timestamptz NOT NULL,
  reached_sequence bigint NOT NULL,
  deliveries_count bigint NOT NULL DEFAULT 0,
  finished_at timestamptz,
  PRIMARY KEY (environment_id, id),
  CHECK (after_sequence <= until_sequence AND reached_sequence BETWEEN after_sequence AND until_sequence)
) WITH (fillfactor = 80);
CREATE INDEX webhook_replays_running ON webhook_replays (environment_id, id) WHERE finished_at IS NULL;
COMMENT ON TABLE webhook_replays IS 'Jobs that send events again.';
COMMENT ON COLUMN webhook_replays.environment_id IS 'Environment.';
COMMENT ON COLUMN webhook_replays.id IS 'Identifier, shown as rep_….';
COMMENT ON COLUMN webhook_replays.endpoint_id IS 'Where to.';
COMMENT ON COLUMN webhook_replays.after_sequence IS 'Events after this one …';
COMMENT ON COLUMN webhook_replays.until_sequence IS '… up to and with this one.';
COMMENT ON COLUMN webhook_replays.which IS 'failed: what did not succeed; all: everything the endpoint asks for; named: the one event, whatever its type.';
COMMENT ON COLUMN webhook_replays.created_at IS 'Environment clock.';
COMMENT ON COLUMN webhook_replays.reached_sequence IS 'How far the job is.';
COMMENT ON COLUMN webhook_replays.deliveries_count IS 'Deliveries it made due again.';
COMMENT ON COLUMN webhook_replays.finished_at IS 'Database clock.';

GRANT SELECT, INSERT, UPDATE ON webhook_endpoints, deliveries, webhook_health, webhook_replays TO bursar_app;
