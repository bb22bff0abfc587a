-- What a payout has in each of its states: the seven rules of 0001 and 0015 in one, with lists as literals, because PostgreSQL reads the text of
-- every rule anew for each statement (docs/decisions/0071). It takes the same rows, and those that are there have passed, so none is read again.

ALTER TABLE payouts
  DROP CONSTRAINT payouts_status_known, DROP CONSTRAINT payouts_reversed, DROP CONSTRAINT payouts_ended, DROP CONSTRAINT payouts_funded,
  DROP CONSTRAINT payouts_waiting_is_unfunded, DROP CONSTRAINT payouts_check1, DROP CONSTRAINT payouts_check3,
  ADD CONSTRAINT payouts_state CHECK (
    status = ANY ('{waiting,pending,in_transit,paid,failed,canceled,returned}'::text[])
    AND (status = ANY ('{waiting,pending,in_transit}'::text[])) = (ended_at IS NULL)
    AND (status = ANY ('{failed,returned}'::text[])) = (failure_code IS NOT NULL)
    AND (status <> 'in_transit' OR in_transit_at IS NOT NULL)
    -- What waits has moved nothing yet, and where it ends so, nothing comes back.
    AND (status <> 'waiting' OR transfer_id IS NULL)
    AND (transfer_id IS NOT NULL OR (wait_until IS NOT NULL AND status = ANY ('{waiting,failed,canceled}'::text[])))
    AND (status = ANY ('{failed,canceled,returned}'::text[]) AND transfer_id IS NOT NULL) = (reversal_id IS NOT NULL)
  ) NOT VALID;
