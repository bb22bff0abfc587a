-- Which message of its file a statement came in: equal entries of one message are bookings of their own, those of two may be the same
-- (docs/decisions/0079). What was imported before counts as one message a file, as it was compared then.
ALTER TABLE bank_statements ADD COLUMN message_in_file int NOT NULL DEFAULT 1;
COMMENT ON COLUMN bank_statements.message_in_file IS 'Which message of its document it came in, from 1; copies in a message count as another one.';
