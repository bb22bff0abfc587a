-- Details of entries by messages that do not book them (docs/decisions/0089).
CREATE TABLE bank_entry_details (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  document_id uuid NOT NULL,
  message text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('credit', 'debit')),
  amount bigint NOT NULL CHECK (amount > 0),
  booked_on date NOT NULL,
  mark bytea NOT NULL,
  is_exact boolean NOT NULL,
  is_naming boolean NOT NULL,
  is_waiting boolean NOT NULL,
  entry_id uuid,
  content text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (NOT is_waiting OR entry_id IS NULL)
);
-- What is known of an entry already; and what waits for entries of the days that an import is about.
CREATE INDEX bank_entry_details_of_mark ON bank_entry_details (environment_id, bank_account_id, mark);
CREATE INDEX bank_entry_details_waiting ON bank_entry_details (environment_id, bank_account_id, booked_on, id) WHERE is_waiting;
COMMENT ON TABLE bank_entry_details IS 'What messages that do not book say of the transactions of entries. It waits for the entry, and is kept there.';
COMMENT ON COLUMN bank_entry_details.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_entry_details.id IS 'Identifier, shown to nobody.';
COMMENT ON COLUMN bank_entry_details.bank_account_id IS 'The bank account of the entry.';
COMMENT ON COLUMN bank_entry_details.document_id IS 'The document that says it.';
COMMENT ON COLUMN bank_entry_details.message IS 'camt.052, camt.053, camt.054, mt940 or mt942.';
COMMENT ON COLUMN bank_entry_details.direction IS 'Of the entry: credit or debit.';
COMMENT ON COLUMN bank_entry_details.amount IS 'Of the entry, minor units.';
COMMENT ON COLUMN bank_entry_details.booked_on IS 'Booking day of the entry; without one, its value day.';
COMMENT ON COLUMN bank_entry_details.mark IS 'Hash of the bank''s reference, the amount, the sign and the day of the entry.';
COMMENT ON COLUMN bank_entry_details.is_exact IS 'Whether the amounts of the transactions come to that of the entry.';
COMMENT ON COLUMN bank_entry_details.is_naming IS 'Whether a transaction names something: then no rule is asked where the entry goes.';
COMMENT ON COLUMN bank_entry_details.is_waiting IS 'Whether it waits for its entry; else its content is empty.';
COMMENT ON COLUMN bank_entry_details.entry_id IS 'The entry that has it; NULL: none, or better details came first.';
COMMENT ON COLUMN bank_entry_details.content IS 'The transactions as JSON, sealed.';
COMMENT ON COLUMN bank_entry_details.created_at IS 'When it was made.';
