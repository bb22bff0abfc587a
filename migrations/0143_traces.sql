-- A delivery keeps the trace of the request that caused its event, for attempts from the database: retries, ordered endpoints, after a crash.
-- Empty for requests without a trace: then the row is as long as before, and its insert is the same statement.
ALTER TABLE deliveries ADD COLUMN traceparent text;
COMMENT ON COLUMN deliveries.traceparent IS 'W3C trace context of the request that caused the event; NULL: it had none, or a worker caused the event.';
