-- Whether entries of a statement are new: what waits until the balance, or a person, decides (docs/decisions/0079).
ALTER TABLE bank_accounts ADD COLUMN books_version int NOT NULL DEFAULT 0;
COMMENT ON COLUMN bank_accounts.books_version IS 'How often what a bank reported has changed its books. A plan for a statement is dropped if it is another one by then.';

ALTER TABLE bank_statements
  DROP CONSTRAINT bank_statements_status_check,
  ADD CONSTRAINT bank_statements_status_check CHECK (status IN ('importing', 'imported', 'before_opening', 'needs_review', 'superseded')),
  ADD COLUMN waiting_count int NOT NULL DEFAULT 0,
  ADD COLUMN readings jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN missing_entries jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN supersedes_id uuid,
  ADD COLUMN added text NOT NULL DEFAULT '',
  ADD COLUMN taken int NOT NULL DEFAULT 0;
COMMENT ON COLUMN bank_statements.status IS 'importing, imported, before_opening: it books nothing; needs_review: a person says what is new; or superseded: it waited, and its file was read otherwise since.';
COMMENT ON COLUMN bank_statements.message IS 'camt.052, camt.053, camt.054, mt940 or mt942.';
COMMENT ON COLUMN bank_statements.waiting_count IS 'Entries of it that wait.';
COMMENT ON COLUMN bank_statements.readings IS 'Ways to read it: entries (positions, as 1-3,7) and count of those that are new.';
COMMENT ON COLUMN bank_statements.missing_entries IS 'Entries that the statement in whose place it was issued again told, and it does not.';
COMMENT ON COLUMN bank_statements.supersedes_id IS 'The statement in whose place it was issued again; NULL: none.';
COMMENT ON COLUMN bank_statements.added IS 'Positions of its new entries, as 1-3,7. Statements of before this column have none.';
COMMENT ON COLUMN bank_statements.taken IS 'The position up to which its entries are booked, or wait.';
-- Each import looks at what waits, and so does a person.
CREATE INDEX bank_statements_status ON bank_statements (environment_id, status, id);
-- Statements without both balances and days say nothing of what they share with others.
CREATE INDEX bank_statements_proofless ON bank_statements (environment_id, bank_account_id)
  WHERE num_nulls(opening, closing, starts_on, closed_on) > 0;

CREATE TABLE bank_waiting_lines (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  statement_id uuid NOT NULL,
  is_waiting boolean NOT NULL,
  content text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE INDEX bank_waiting_lines_of_statement ON bank_waiting_lines (environment_id, statement_id, id) WHERE is_waiting;
COMMENT ON TABLE bank_waiting_lines IS 'Entries of statements that wait until it is known whether they are new, some hundred a row.';
COMMENT ON COLUMN bank_waiting_lines.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_waiting_lines.id IS 'Identifier, shown to nobody.';
COMMENT ON COLUMN bank_waiting_lines.statement_id IS 'The statement.';
COMMENT ON COLUMN bank_waiting_lines.is_waiting IS 'Whether they wait; else its content is empty.';
COMMENT ON COLUMN bank_waiting_lines.content IS 'The entries as JSON, sealed.';
COMMENT ON COLUMN bank_waiting_lines.created_at IS 'When it was made.';

-- What a statement reported first, and what is like an entry of another document.
CREATE INDEX bank_entries_of_statement ON bank_entries (environment_id, statement_id);
CREATE INDEX bank_entries_alike ON bank_entries (environment_id, bank_account_id, amount, coalesce(booked_on, value_on, '-infinity'));
COMMENT ON COLUMN bank_entries.identity IS 'That of the statement that reported it; entries of before: SHA-256 of day, amount, sign and the bank''s reference.';
COMMENT ON COLUMN bank_entries.ordinal IS 'Its position in the statement, from 1; of entries of before: tells those with the same identity apart.';
