-- What banks report: documents, statements and entries, and rules for entries that name nothing of ours.
-- Each entry moves the ledger once.

CREATE TABLE bank_documents (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  status text NOT NULL CHECK (status IN ('importing', 'imported')),
  size_bytes bigint NOT NULL,
  statements_count int NOT NULL,
  skipped_count int NOT NULL,
  notes jsonb NOT NULL,
  imported_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX bank_documents_sha256 ON bank_documents (environment_id, sha256);
COMMENT ON TABLE bank_documents IS 'Files of banks that were handed in, each once.';
COMMENT ON COLUMN bank_documents.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_documents.id IS 'Identifier, shown as bd_….';
COMMENT ON COLUMN bank_documents.sha256 IS 'Of its bytes, which are not kept.';
COMMENT ON COLUMN bank_documents.status IS 'importing or imported.';
COMMENT ON COLUMN bank_documents.size_bytes IS 'Size.';
COMMENT ON COLUMN bank_documents.statements_count IS 'Statements in it that were imported.';
COMMENT ON COLUMN bank_documents.skipped_count IS 'Statements in it that book nothing.';
COMMENT ON COLUMN bank_documents.notes IS 'Sentences on what was tolerated.';
COMMENT ON COLUMN bank_documents.imported_at IS 'When its last entry was booked.';
COMMENT ON COLUMN bank_documents.created_at IS 'When it was handed in.';

CREATE TABLE bank_statements (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  document_id uuid NOT NULL,
  message text NOT NULL,
  reference text,
  sequence text,
  page int,
  starts_on date,
  opened_on date,
  opening bigint,
  closed_on date,
  closing bigint,
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('importing', 'imported', 'before_opening')),
  entries_count int NOT NULL,
  new_count int NOT NULL,
  unmatched_count int NOT NULL,
  proof text NOT NULL,
  difference bigint,
  identity bytea NOT NULL CHECK (length(identity) = 32),
  series bytea NOT NULL CHECK (length(series) = 32),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX bank_statements_identity ON bank_statements (environment_id, bank_account_id, identity);
CREATE INDEX bank_statements_day ON bank_statements (environment_id, bank_account_id, closed_on);
-- Each import looks at the statements whose proof waits for something.
CREATE INDEX bank_statements_unproved ON bank_statements (environment_id, bank_account_id, id) WHERE proof IN ('gap', 'drift');
COMMENT ON TABLE bank_statements IS 'Pages of statements of banks.';
COMMENT ON COLUMN bank_statements.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_statements.id IS 'Identifier, shown as bs_….';
COMMENT ON COLUMN bank_statements.bank_account_id IS 'The bank account.';
COMMENT ON COLUMN bank_statements.document_id IS 'The document that it came with first.';
COMMENT ON COLUMN bank_statements.message IS 'camt.052, camt.053 or camt.054.';
COMMENT ON COLUMN bank_statements.reference IS 'The bank''s id of it.';
COMMENT ON COLUMN bank_statements.sequence IS 'The bank''s number of it.';
COMMENT ON COLUMN bank_statements.page IS 'Page; NULL where the bank does not divide.';
COMMENT ON COLUMN bank_statements.starts_on IS 'First day that it is about.';
COMMENT ON COLUMN bank_statements.opened_on IS 'Day of the opening balance.';
COMMENT ON COLUMN bank_statements.opening IS 'Opening balance, minor units.';
COMMENT ON COLUMN bank_statements.closed_on IS 'Day of the closing balance.';
COMMENT ON COLUMN bank_statements.closing IS 'Closing balance, minor units.';
COMMENT ON COLUMN bank_statements.currency IS 'ISO 4217 code, that of the bank account.';
COMMENT ON COLUMN bank_statements.status IS 'importing, imported, or before_opening: it books nothing.';
COMMENT ON COLUMN bank_statements.entries_count IS 'Booked entries in it.';
COMMENT ON COLUMN bank_statements.new_count IS 'Entries that it reported first.';
COMMENT ON COLUMN bank_statements.unmatched_count IS 'Of these, those that found no place by themselves.';
COMMENT ON COLUMN bank_statements.proof IS 'ok, gap, failed, drift or none.';
COMMENT ON COLUMN bank_statements.difference IS 'What the bank says less what was counted, minor units.';
COMMENT ON COLUMN bank_statements.identity IS 'SHA-256 of all that it says of itself.';
COMMENT ON COLUMN bank_statements.series IS 'SHA-256 of what names the statement without its page.';
COMMENT ON COLUMN bank_statements.created_at IS 'When it was first handed in.';

CREATE TABLE bank_entries (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  statement_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('entry', 'opening')),
  direction text NOT NULL CHECK (direction IN ('credit', 'debit')),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('unmatched', 'matched')),
  booked_on date,
  value_on date,
  assignments jsonb NOT NULL,
  conflict text,
  explanation jsonb NOT NULL,
  identity bytea NOT NULL CHECK (length(identity) = 32),
  ordinal int NOT NULL,
  created_at timestamptz NOT NULL,
  file_id uuid,
  return_payout_id uuid,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX bank_entries_identity ON bank_entries (environment_id, bank_account_id, identity, ordinal);
CREATE INDEX bank_entries_unmatched ON bank_entries (environment_id, id) WHERE status = 'unmatched';
CREATE INDEX bank_entries_of_file ON bank_entries (environment_id, file_id) WHERE status = 'unmatched' AND file_id IS NOT NULL;
COMMENT ON TABLE bank_entries IS 'Bookings of banks, each once. Each is moved by transfers with its id as their cause, or with that of what it belongs to.';
COMMENT ON COLUMN bank_entries.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_entries.id IS 'Identifier, shown as be_….';
COMMENT ON COLUMN bank_entries.bank_account_id IS 'The bank account.';
COMMENT ON COLUMN bank_entries.statement_id IS 'The statement that reported it first.';
COMMENT ON COLUMN bank_entries.kind IS 'entry, or opening: the balance with which the first statement began.';
COMMENT ON COLUMN bank_entries.direction IS 'credit: money came in; debit: it went out.';
COMMENT ON COLUMN bank_entries.amount IS 'Minor units, above zero.';
COMMENT ON COLUMN bank_entries.currency IS 'ISO 4217 code, that of the bank account.';
COMMENT ON COLUMN bank_entries.status IS 'unmatched: a part of it has no place yet.';
COMMENT ON COLUMN bank_entries.booked_on IS 'Booking day.';
COMMENT ON COLUMN bank_entries.value_on IS 'Value day.';
COMMENT ON COLUMN bank_entries.assignments IS 'Where its parts went: to, amount (minor units, as text), transfer, by, at, reason, undoneBy.';
COMMENT ON COLUMN bank_entries.conflict IS 'What of it contradicts what was known, in words; NULL: nothing.';
COMMENT ON COLUMN bank_entries.explanation IS 'Name, account, words and references, sealed.';
COMMENT ON COLUMN bank_entries.identity IS 'SHA-256 of day, amount, sign and the bank''s reference.';
COMMENT ON COLUMN bank_entries.ordinal IS 'Tells entries with the same identity apart.';
COMMENT ON COLUMN bank_entries.created_at IS 'When it was booked.';
COMMENT ON COLUMN bank_entries.file_id IS 'The bank file that it debits as a whole; NULL: none is named.';
COMMENT ON COLUMN bank_entries.return_payout_id IS 'The payout that sends it back to who sent it; NULL: none does.';

CREATE TABLE bank_rules (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  bank_account_id uuid,
  direction text CHECK (direction IN ('credit', 'debit')),
  currency text,
  transaction_code text,
  iban text,
  text_pattern text,
  least bigint,
  most bigint,
  target text NOT NULL,
  target_account_id uuid,
  status text NOT NULL CHECK (status IN ('active', 'deleted')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (num_nonnulls(transaction_code, iban, text_pattern) > 0),
  CHECK (currency IS NOT NULL OR num_nonnulls(least, most) = 0)
);
COMMENT ON TABLE bank_rules IS 'Where entries go that name nothing of ours: the oldest active rule that means an entry decides.';
COMMENT ON COLUMN bank_rules.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_rules.id IS 'Identifier, shown as br_….';
COMMENT ON COLUMN bank_rules.name IS 'What it is for.';
COMMENT ON COLUMN bank_rules.bank_account_id IS 'Only entries of this bank account; NULL: of all.';
COMMENT ON COLUMN bank_rules.direction IS 'credit or debit; NULL: both.';
COMMENT ON COLUMN bank_rules.currency IS 'Only entries of this currency; NULL: of all.';
COMMENT ON COLUMN bank_rules.transaction_code IS 'Pattern of the code of the bank; NULL: any.';
COMMENT ON COLUMN bank_rules.iban IS 'Account of the other side, sealed; NULL: any.';
COMMENT ON COLUMN bank_rules.text_pattern IS 'Pattern of name and words; NULL: any.';
COMMENT ON COLUMN bank_rules.least IS 'Smallest amount, minor units; NULL: any.';
COMMENT ON COLUMN bank_rules.most IS 'Largest amount, minor units; NULL: any.';
COMMENT ON COLUMN bank_rules.target IS 'Where they go: an account, a bank account, fees or fx.';
COMMENT ON COLUMN bank_rules.target_account_id IS 'The account that target names, to be found by; NULL: it names none.';
COMMENT ON COLUMN bank_rules.status IS 'active or deleted.';
COMMENT ON COLUMN bank_rules.created_at IS 'When it was made.';
