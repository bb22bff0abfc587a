-- Files of payments for a bank: which payouts are in them, and their bytes. Live payouts say from when they may leave.

UPDATE payouts p SET due_at = greatest(p.created_at, p.scheduled_for AT TIME ZONE 'UTC')
  FROM environments e
  WHERE e.environment_id = p.environment_id AND e.livemode AND p.status = 'pending' AND p.due_at IS NULL
    AND (p.release IS NULL OR p.release->>'status' = 'approved');
COMMENT ON COLUMN payouts.due_at IS 'Pending: from when it may leave. Then when the sandbox moves it on. NULL is never.';

-- Pending payouts, for what an export leaves out.
CREATE INDEX payouts_pending ON payouts (environment_id, currency) WHERE status = 'pending' AND due_at IS NULL;

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

CREATE TABLE bank_instructions (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  file_id uuid NOT NULL,
  position int NOT NULL,
  status text NOT NULL CHECK (status IN ('claimed', 'released')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE INDEX bank_instructions_file ON bank_instructions (environment_id, file_id, position);
COMMENT ON TABLE bank_instructions IS 'Payouts in files for a bank. The primary key is that of the payout, so each is in one file at a time.';
COMMENT ON COLUMN bank_instructions.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_instructions.id IS 'The payout.';
COMMENT ON COLUMN bank_instructions.file_id IS 'The file it was last claimed into.';
COMMENT ON COLUMN bank_instructions.position IS 'Its place in the file, from 1.';
COMMENT ON COLUMN bank_instructions.status IS 'claimed, or released: the file was abandoned.';
COMMENT ON COLUMN bank_instructions.created_at IS 'When it was first claimed.';

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
