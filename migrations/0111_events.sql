-- Events, answers that are kept for repeated requests, and webhooks. The write path writes endpoints and replays like
-- every object. It inserts deliveries in the transaction of their event; from then on the dispatcher keeps them
-- (docs/decisions/0013).

CREATE TABLE events (
  environment_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence > 0),
  id uuid NOT NULL,
  type text NOT NULL,
  created_at timestamptz NOT NULL,
  object_id uuid NOT NULL,
  object text NOT NULL,
  previous_attributes text,
  transfer_id uuid,
  request_id uuid,
  idempotency_key text,
  shape smallint,
  actor uuid,
  PRIMARY KEY (environment_id, sequence)
);
CREATE INDEX events_object ON events (object_id, sequence);
-- The four types that every payout makes are found by the primary key; an index for the others stays small.
CREATE INDEX events_rare_type ON events (environment_id, type, sequence)
  WHERE type <> ALL (ARRAY['balance.updated', 'payout.created', 'payout.in_transit', 'payout.paid']);
CREATE INDEX events_created ON events USING brin (created_at);
COMMENT ON TABLE events IS 'What the outside hears. Written in the same transaction as the change; immutable.';
COMMENT ON COLUMN events.environment_id IS 'Environment.';
COMMENT ON COLUMN events.sequence IS 'Gapless per environment, in commit order.';
COMMENT ON COLUMN events.id IS 'Identifier, shown as evt_…; carries the sequence in its low 40 bits.';
COMMENT ON COLUMN events.type IS 'What happened, such as payout.created.';
COMMENT ON COLUMN events.created_at IS 'Environment clock.';
COMMENT ON COLUMN events.object_id IS 'The object it is about.';
COMMENT ON COLUMN events.object IS 'The object after the change, rendered once: by its shape the very bytes of data.object, but that the page token of a payment link is sealed. With a shape: the values of its members, U+001F between them, nothing for null and for a created that is the instant of the id.';
COMMENT ON COLUMN events.previous_attributes IS 'What the changed members were before, as JSON text.';
COMMENT ON COLUMN events.transfer_id IS 'The transfer behind a balance.updated.';
COMMENT ON COLUMN events.request_id IS 'The request that caused it; NULL for the service itself.';
COMMENT ON COLUMN events.idempotency_key IS 'The key that request came with.';
COMMENT ON COLUMN events.shape IS 'How object is written: NULL: as JSON; else by the shape of this number, src/core/shapes.ts.';
COMMENT ON COLUMN events.actor IS 'Who asked for it: the id of an API key, or 00000000-0000-8000-8000-00000000000n for the n-th word of src/core/actor.ts. NULL is older.';

CREATE TABLE idempotency_records (
  environment_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  status smallint NOT NULL,
  event_sequence bigint,
  body text,
  resource_id uuid,
  resource_prefix text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, key),
  CHECK ((event_sequence IS NULL) <> (body IS NULL))
);
CREATE INDEX idempotency_created ON idempotency_records USING brin (created_at);
-- The erasure of a person finds the records of its requests.
CREATE INDEX idempotency_recipients ON idempotency_records (environment_id, resource_id)
  WHERE resource_prefix = 'rcp' AND body IS NOT NULL;
COMMENT ON TABLE idempotency_records IS 'What each write was answered, written in its own transaction.';
COMMENT ON COLUMN idempotency_records.environment_id IS 'Environment.';
COMMENT ON COLUMN idempotency_records.key IS 'Idempotency-Key as sent, or the request id where none was (then only this service asks for it).';
COMMENT ON COLUMN idempotency_records.fingerprint IS 'Method, path and canonical parameters, a line each.';
COMMENT ON COLUMN idempotency_records.status IS 'HTTP status of the answer.';
COMMENT ON COLUMN idempotency_records.event_sequence IS 'The event whose object is the body of the answer, byte for byte.';
COMMENT ON COLUMN idempotency_records.body IS 'The body of the answer where no event holds it; the page token of a payment link is sealed.';
COMMENT ON COLUMN idempotency_records.resource_id IS 'What the request made or changed, or what refused it; NULL with an event_sequence: the object of that event.';
COMMENT ON COLUMN idempotency_records.resource_prefix IS 'Its type.';
COMMENT ON COLUMN idempotency_records.created_at IS 'Database clock.';

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
