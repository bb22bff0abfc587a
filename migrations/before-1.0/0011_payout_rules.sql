-- Rules of payouts: a freeze, limits, and payouts that wait for a second person.

ALTER TABLE environments ADD COLUMN payout_rules jsonb;
COMMENT ON COLUMN environments.payout_rules IS 'Freeze, limits and what is held (src/core/payout-rules.ts); NULL: none.';
ALTER TABLE payouts ADD COLUMN release jsonb;
COMMENT ON COLUMN payouts.release IS 'Why it waits for approval, and who approved it; NULL: nothing holds it.';
ALTER TABLE recipients ADD COLUMN changed_at timestamptz;
COMMENT ON COLUMN recipients.changed_at IS 'When name or bank details changed last; NULL: never.';

CREATE TABLE limit_usages (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  limit_id uuid NOT NULL,
  subject text NOT NULL,
  day date NOT NULL,
  used_amount bigint NOT NULL CHECK (used_amount >= 0),
  used_count int NOT NULL CHECK (used_count >= 0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX limit_usages_subject ON limit_usages (environment_id, limit_id, subject);
COMMENT ON TABLE limit_usages IS 'How much of a limit a key, account, recipient or environment has used, on the last day on which it used any.';
COMMENT ON COLUMN limit_usages.environment_id IS 'Environment.';
COMMENT ON COLUMN limit_usages.id IS 'Identifier.';
COMMENT ON COLUMN limit_usages.limit_id IS 'The limit (environments.payout_rules).';
COMMENT ON COLUMN limit_usages.subject IS 'Whose usage: the id of the key, account, recipient or environment.';
COMMENT ON COLUMN limit_usages.day IS 'The day (UTC, environment clock) that the figures are of; another day starts from zero.';
COMMENT ON COLUMN limit_usages.used_amount IS 'Minor units of payouts created that day, ended ones too.';
COMMENT ON COLUMN limit_usages.used_count IS 'Payouts created that day, ended ones too.';
COMMENT ON COLUMN limit_usages.created_at IS 'Environment clock.';
