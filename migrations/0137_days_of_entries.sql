-- Entries of days that their statement is not about: another source has them in the statement of their own day (docs/decisions/0079).
ALTER TABLE bank_statements ADD COLUMN entries_from date, ADD COLUMN entries_until date,
  ADD COLUMN period_from timestamptz, ADD COLUMN period_until timestamptz;
COMMENT ON COLUMN bank_statements.entries_from IS 'The first day of its entries, if it is before the days of the statement.';
COMMENT ON COLUMN bank_statements.entries_until IS 'The last day of its entries, if it is after the days of the statement.';
COMMENT ON COLUMN bank_statements.period_from IS 'When its period begins, if it says the instants of both ends.';
COMMENT ON COLUMN bank_statements.period_until IS 'When its period ends, if it says the instants of both ends.';
UPDATE bank_statements s SET entries_from = CASE WHEN e.first < s.starts_on THEN e.first END,
    entries_until = CASE WHEN e.last > s.closed_on THEN e.last END
  FROM (SELECT environment_id, statement_id, min(booked_on) AS first, max(booked_on) AS last FROM bank_entries WHERE kind = 'entry' GROUP BY 1, 2) AS e
  WHERE e.environment_id = s.environment_id AND e.statement_id = s.id AND (e.first < s.starts_on OR e.last > s.closed_on);
CREATE INDEX bank_statements_of_other_days ON bank_statements (environment_id, bank_account_id, coalesce(entries_until, closed_on))
  WHERE entries_from IS NOT NULL OR entries_until IS NOT NULL;
