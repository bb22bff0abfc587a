-- A duplicate is told by duplicate_of; its status says what became of its money, as that of every payment (docs/decisions/0096).
-- All that came of it is its amount, so one that was not refunded has succeeded. Events that were told keep what they told.
ALTER TABLE payments DROP CONSTRAINT payments_status_check;
UPDATE payments SET status = 'succeeded' WHERE status = 'duplicate';
ALTER TABLE payments
  ADD CHECK (status IN ('pending', 'partially_paid', 'succeeded', 'overpaid', 'failed', 'refunded'));
-- For the list of duplicates, of which there are few.
CREATE INDEX payments_duplicates ON payments (environment_id, id) WHERE duplicate_of IS NOT NULL;
COMMENT ON COLUMN payments.status IS 'pending; partially_paid, succeeded, overpaid: by what came in; failed; refunded: all went back.';

-- The list of replays has the filter webhook_endpoint (docs/decisions/0096). Replays are few, and made by hand.
CREATE INDEX webhook_replays_endpoint ON webhook_replays (environment_id, endpoint_id, id);
-- The same for the runs of a standing order, newest first; a run is written once a planned day.
CREATE INDEX standing_order_runs_order ON standing_order_runs (environment_id, standing_order_id, id);
