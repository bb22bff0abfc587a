-- What leaves counts on the day on which it leaves, and what does not leave gives its share back.
ALTER TABLE payouts ADD COLUMN limit_shares jsonb;
COMMENT ON COLUMN payouts.limit_shares IS 'What it has used of limits: limit, usage, day, amount in minor units as text (src/core/limits.ts); NULL: nothing counts it.';

-- One row a day, found by its subject. There is one for each limit and subject with figures, so this is quick.
DROP INDEX limit_usages_subject;
CREATE UNIQUE INDEX limit_usages_subject ON limit_usages (environment_id, subject, limit_id, day);
COMMENT ON TABLE limit_usages IS 'How much of a limit a key, account, recipient or environment has used on a day. A row of a day that is over is used again.';
COMMENT ON COLUMN limit_usages.subject IS 'Whose usage: the id of the key, account or environment, or of the recipient that the limit names; else the keyed hash of the account of a recipient.';
COMMENT ON COLUMN limit_usages.day IS 'The day (time zone of payout_rules, environment clock) that the figures are of: that on which it leaves.';
COMMENT ON COLUMN limit_usages.used_amount IS 'Minor units that leave that day.';
COMMENT ON COLUMN limit_usages.used_count IS 'Payouts that leave that day.';
