-- Payouts that wait for money: their account is debited when it has enough.

ALTER TABLE payouts ADD COLUMN wait_until date;
COMMENT ON COLUMN payouts.wait_until IS 'The last day on which it waits for money (status waiting); NULL: it never waited.';
ALTER TABLE payouts ALTER COLUMN transfer_id DROP NOT NULL;
COMMENT ON COLUMN payouts.status IS 'waiting, pending, in_transit, paid, failed, canceled or returned.';

-- The rules of the first migration, with what waits: it has moved nothing yet, and where it ends so nothing comes back.
ALTER TABLE payouts DROP CONSTRAINT payouts_status_check, DROP CONSTRAINT payouts_check, DROP CONSTRAINT payouts_check2;
ALTER TABLE payouts
  ADD CONSTRAINT payouts_status_known CHECK (status IN ('waiting', 'pending', 'in_transit', 'paid', 'failed', 'canceled', 'returned')) NOT VALID,
  ADD CONSTRAINT payouts_reversed CHECK ((status IN ('failed', 'canceled', 'returned') AND transfer_id IS NOT NULL) = (reversal_id IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT payouts_ended CHECK ((status IN ('waiting', 'pending', 'in_transit')) = (ended_at IS NULL)) NOT VALID,
  ADD CONSTRAINT payouts_funded CHECK (transfer_id IS NOT NULL OR (wait_until IS NOT NULL AND status IN ('waiting', 'failed', 'canceled'))) NOT VALID,
  ADD CONSTRAINT payouts_waiting_is_unfunded CHECK (status <> 'waiting' OR transfer_id IS NULL) NOT VALID;
ALTER TABLE payouts VALIDATE CONSTRAINT payouts_status_known, VALIDATE CONSTRAINT payouts_reversed,
  VALIDATE CONSTRAINT payouts_ended, VALIDATE CONSTRAINT payouts_funded, VALIDATE CONSTRAINT payouts_waiting_is_unfunded;

CREATE INDEX payouts_waiting ON payouts (environment_id, account_id, id) WHERE status = 'waiting';
