-- Statements that are made day by day, without anyone asking.

ALTER TABLE settings ADD COLUMN next_statement_day date;
COMMENT ON COLUMN settings.next_statement_day IS 'The day (UTC, environment clock) whose statement is made next, once it has ended; NULL: none is.';
CREATE INDEX settings_statements ON settings (next_statement_day) WHERE next_statement_day IS NOT NULL;

CREATE TABLE daily_statements (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  day date NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX daily_statements_day ON daily_statements (environment_id, day);
COMMENT ON TABLE daily_statements IS 'Statements of the accounts of an environment, one a day. Their content is read from the transfers when it is asked for (docs/decisions/0066). The unique index is the last guard against two of a day.';
COMMENT ON COLUMN daily_statements.environment_id IS 'Environment.';
COMMENT ON COLUMN daily_statements.id IS 'Identifier.';
COMMENT ON COLUMN daily_statements.day IS 'The day that it is of (UTC, environment clock). It had ended.';
COMMENT ON COLUMN daily_statements.created_at IS 'Environment clock.';
GRANT SELECT, INSERT ON daily_statements TO bursar_app;
