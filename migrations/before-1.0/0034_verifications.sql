-- What the last verification of the books came to, environment by environment (src/process/verification.ts).

CREATE TABLE verifications (
  environment_id uuid NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  rules_count int NOT NULL CHECK (rules_count > 0),
  damages_count bigint NOT NULL CHECK (damages_count >= 0),
  damages jsonb NOT NULL,
  PRIMARY KEY (environment_id)
);
COMMENT ON TABLE verifications IS 'The last verification of the books of an environment. Written by whichever process verified; nothing depends on it.';
COMMENT ON COLUMN verifications.environment_id IS 'Environment.';
COMMENT ON COLUMN verifications.started_at IS 'When its snapshot was taken, database clock.';
COMMENT ON COLUMN verifications.finished_at IS 'When it ended, database clock.';
COMMENT ON COLUMN verifications.rules_count IS 'How many rules were looked at.';
COMMENT ON COLUMN verifications.damages_count IS 'How many breaks of them were found; 0: the books agree.';
COMMENT ON COLUMN verifications.damages IS 'The first breaks of each rule: kind, rule, object, expected and found.';
