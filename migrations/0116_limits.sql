-- What leaves counts on the day on which it leaves, and what does not leave gives its share back.
ALTER TABLE payouts ADD COLUMN limit_shares jsonb;
COMMENT ON COLUMN payouts.limit_shares IS 'What it has used of limits: usage, day, amount in minor units as text (src/core/limits.ts); NULL: nothing counts it.';
