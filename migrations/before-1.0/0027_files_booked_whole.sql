-- Banks may book a payment file as one debit.

ALTER TABLE bank_entries ADD COLUMN file_id uuid;
COMMENT ON COLUMN bank_entries.file_id IS 'The bank file that it debits as a whole; NULL: none is named.';

CREATE INDEX bank_entries_of_file ON bank_entries (environment_id, file_id) WHERE status = 'unmatched' AND file_id IS NOT NULL;

-- For the metric of files that banks have not reported on.
CREATE INDEX bank_files_unanswered ON bank_files (environment_id, sealed_at) WHERE status = 'sealed' AND answered_at IS NULL;
