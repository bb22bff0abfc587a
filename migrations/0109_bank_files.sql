-- The operator's bank accounts, the payment files for their banks, and what the banks answered.
-- Each bank account is an account of the ledger: what the bank books moves it.

CREATE TABLE bank_accounts (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  name text,
  currency text NOT NULL,
  country text NOT NULL,
  holder text NOT NULL,
  holder_address jsonb,
  bank_details jsonb NOT NULL,
  uses text[] NOT NULL,
  profile text NOT NULL,
  calendar text NOT NULL,
  cut_off text NOT NULL,
  time_zone text NOT NULL,
  booked_by text NOT NULL,
  payee_check text NOT NULL,
  balance int8 NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'closed')),
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  closed_at timestamptz,
  books_from date,
  exports text NOT NULL,
  paid_by text NOT NULL,
  reversal_sign text NOT NULL,
  charges text NOT NULL DEFAULT 'to_fees' CHECK (charges IN ('to_fees', 'by_hand')),
  on_drift text NOT NULL CHECK (on_drift IN ('warn', 'stop_exports')),
  stopped_by_id uuid,
  PRIMARY KEY (environment_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX bank_accounts_iban ON bank_accounts (environment_id, (bank_details ->> 'iban'), currency) WHERE status = 'open' AND bank_details ? 'iban';
CREATE INDEX bank_accounts_scheduled ON bank_accounts (environment_id, id) WHERE exports = 'before_cut_off' AND status = 'open';
COMMENT ON TABLE bank_accounts IS 'Accounts at a bank that payouts leave from and payments come in to.';
COMMENT ON COLUMN bank_accounts.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_accounts.id IS 'UUIDv8 with the instant of its creation in front: transfers name it among accounts, whose ids are UUIDv7.';
COMMENT ON COLUMN bank_accounts.name IS 'The owner''s name for it; NULL: none.';
COMMENT ON COLUMN bank_accounts.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN bank_accounts.country IS 'Country of the account.';
COMMENT ON COLUMN bank_accounts.holder IS 'Account holder, as the bank has it.';
COMMENT ON COLUMN bank_accounts.holder_address IS 'line1, line2, postal_code, city, state, country; NULL: none.';
COMMENT ON COLUMN bank_accounts.bank_details IS 'iban, bic, account_number and so on, canonical.';
COMMENT ON COLUMN bank_accounts.uses IS 'payouts, collections.';
COMMENT ON COLUMN bank_accounts.profile IS 'The dialect of its bank''s payment files.';
COMMENT ON COLUMN bank_accounts.calendar IS 'On which days its bank works.';
COMMENT ON COLUMN bank_accounts.cut_off IS 'Until when a file leaves on the same day, HH:MM in its time zone.';
COMMENT ON COLUMN bank_accounts.time_zone IS 'IANA name.';
COMMENT ON COLUMN bank_accounts.booked_by IS 'The messages whose booked entries move the ledger.';
COMMENT ON COLUMN bank_accounts.payee_check IS 'Whether its files ask the bank to verify payees.';
COMMENT ON COLUMN bank_accounts.balance IS 'Minor units: sum of the bank''s booked entries. Below zero is an overdraft.';
COMMENT ON COLUMN bank_accounts.status IS 'open or closed.';
COMMENT ON COLUMN bank_accounts.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN bank_accounts.created_at IS 'When it was made.';
COMMENT ON COLUMN bank_accounts.closed_at IS 'When it was closed.';
COMMENT ON COLUMN bank_accounts.books_from IS 'First day of the first statement: what the bank booked before is in its opening balance. NULL: no statement came yet.';
COMMENT ON COLUMN bank_accounts.exports IS 'When payment files are made: by_hand, or before_cut_off too.';
COMMENT ON COLUMN bank_accounts.paid_by IS 'What makes a payout paid: its booking, or the status ACSC of its bank too.';
COMMENT ON COLUMN bank_accounts.reversal_sign IS 'Whose sign a reversal has (RvslInd): own, or original, that of the entry it undoes.';
COMMENT ON COLUMN bank_accounts.charges IS 'Where debits go that the bank says are its own charges: to_fees, or by_hand.';
COMMENT ON COLUMN bank_accounts.on_drift IS 'What a statement does that contradicts the ledger: warn, or stop_exports.';
COMMENT ON COLUMN bank_accounts.stopped_by_id IS 'The statement whose drift stopped the exports; NULL: they are not stopped.';

CREATE TABLE bank_files (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('claiming', 'sealed', 'abandoning', 'abandoned')),
  route text NOT NULL,
  profile text NOT NULL,
  currency text NOT NULL,
  execution_day date NOT NULL,
  payouts_count int NOT NULL CHECK (payouts_count >= 0),
  total bigint NOT NULL CHECK (total >= 0),
  message_id text NOT NULL UNIQUE,
  sha256 text,
  size_bytes int,
  reason text,
  created_by uuid,
  sealed_at timestamptz,
  answered_at timestamptz,
  abandoned_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (status <> 'sealed' OR (sealed_at IS NOT NULL AND sha256 IS NOT NULL)),
  CHECK ((status = 'abandoned') = (abandoned_at IS NOT NULL))
);
CREATE INDEX bank_files_under_way ON bank_files (id) WHERE status IN ('claiming', 'abandoning');
-- For the metric of files that banks have not reported on.
CREATE INDEX bank_files_unanswered ON bank_files (environment_id, sealed_at) WHERE status = 'sealed' AND answered_at IS NULL;
COMMENT ON TABLE bank_files IS 'Files of payments for a bank.';
COMMENT ON COLUMN bank_files.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_files.id IS 'Identifier, shown as bf_….';
COMMENT ON COLUMN bank_files.bank_account_id IS 'The bank account that pays.';
COMMENT ON COLUMN bank_files.status IS 'claiming, sealed, abandoning or abandoned.';
COMMENT ON COLUMN bank_files.route IS 'How its payments travel.';
COMMENT ON COLUMN bank_files.profile IS 'The dialect it is written in.';
COMMENT ON COLUMN bank_files.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN bank_files.execution_day IS 'When the bank is to execute it.';
COMMENT ON COLUMN bank_files.payouts_count IS 'Payouts that were claimed into it.';
COMMENT ON COLUMN bank_files.total IS 'Their sum, minor units.';
COMMENT ON COLUMN bank_files.message_id IS 'MsgId, unique for ever.';
COMMENT ON COLUMN bank_files.sha256 IS 'Of its bytes, hex; NULL until it is sealed.';
COMMENT ON COLUMN bank_files.size_bytes IS 'Size; NULL until it is sealed.';
COMMENT ON COLUMN bank_files.reason IS 'Why it was abandoned.';
COMMENT ON COLUMN bank_files.created_by IS 'Who asked for it, as in events.actor.';
COMMENT ON COLUMN bank_files.sealed_at IS 'Environment clock.';
COMMENT ON COLUMN bank_files.answered_at IS 'When the bank first reported on a payout in it.';
COMMENT ON COLUMN bank_files.abandoned_at IS 'When its last payout was given free.';
COMMENT ON COLUMN bank_files.created_at IS 'Environment clock.';

CREATE TABLE bank_file_contents (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  content text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
COMMENT ON TABLE bank_file_contents IS 'The bytes of sealed files, written once.';
COMMENT ON COLUMN bank_file_contents.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_file_contents.id IS 'The file.';
COMMENT ON COLUMN bank_file_contents.content IS 'gzip in base64, sealed.';
COMMENT ON COLUMN bank_file_contents.created_at IS 'When the file was sealed.';

CREATE TABLE bank_instructions (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  file_id uuid,
  position int NOT NULL,
  status text NOT NULL CHECK (status IN ('claimed', 'released', 'unfiled')),
  created_at timestamptz NOT NULL,
  answer text,
  reason text,
  reason_text text,
  returned bigint NOT NULL DEFAULT 0 CHECK (returned >= 0),
  early jsonb NOT NULL DEFAULT '[]',
  unbooked boolean NOT NULL,
  PRIMARY KEY (environment_id, id),
  CONSTRAINT bank_instructions_file CHECK ((status = 'unfiled') = (file_id IS NULL))
);
CREATE INDEX bank_instructions_file ON bank_instructions (environment_id, file_id, position);
COMMENT ON TABLE bank_instructions IS 'Payouts at their bank: the file each left in, and what the bank has reported. The primary key is that of the payout, so each is in one file at a time.';
COMMENT ON COLUMN bank_instructions.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_instructions.id IS 'The payout.';
COMMENT ON COLUMN bank_instructions.file_id IS 'The file it was last claimed into; NULL: it never was in one.';
COMMENT ON COLUMN bank_instructions.position IS 'Its place in the file, from 1.';
COMMENT ON COLUMN bank_instructions.status IS 'claimed; released: the file was abandoned; unfiled: it never was in a file.';
COMMENT ON COLUMN bank_instructions.created_at IS 'When it was first claimed.';
COMMENT ON COLUMN bank_instructions.answer IS 'The last status that the bank gave it, ISO 20022.';
COMMENT ON COLUMN bank_instructions.reason IS 'Why it was rejected or came back, ISO 20022 or the bank''s own word.';
COMMENT ON COLUMN bank_instructions.reason_text IS 'The same in words of the bank.';
COMMENT ON COLUMN bank_instructions.returned IS 'What came back so far, minor units.';
COMMENT ON COLUMN bank_instructions.early IS 'Entries by which it came back before its debit was reported.';
COMMENT ON COLUMN bank_instructions.unbooked IS 'Paid by a message of the bank; its debit is not booked yet, and its money lies in house:bank.';
