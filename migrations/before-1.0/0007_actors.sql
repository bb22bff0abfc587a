-- Who did what: the actor of every event, payout and transfer (src/core/actor.ts).

ALTER TABLE events ADD COLUMN actor uuid;
COMMENT ON COLUMN events.actor IS 'Who asked for it: the id of an API key, or 00000000-0000-8000-8000-00000000000n for the n-th word of src/core/actor.ts. NULL is older.';
ALTER TABLE payouts ADD COLUMN created_by uuid;
COMMENT ON COLUMN payouts.created_by IS 'Who asked for it, as in events.actor.';
ALTER TABLE transfers ADD COLUMN created_by uuid;
COMMENT ON COLUMN transfers.created_by IS 'Who asked for it, as in events.actor.';
