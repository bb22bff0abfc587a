-- Payouts, the batches they are made in, and how much of each limit is used.

-- Full pages: due_at has an index, and PostgreSQL moves a row whose indexed column changes, so room on the page would
-- stay unused (docs/decisions/0018).
-- One rule says what a payout has in each of its states. Its lists are literals, because PostgreSQL reads the text of
-- every rule again for each statement (docs/decisions/0071).
CREATE TABLE payouts (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recipient_id uuid NOT NULL,
  recipient_version int NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  status text NOT NULL,
  transfer_id uuid,
  created_at timestamptz NOT NULL,
  reversal_id uuid,
  batch_id uuid,
  reference text,
  statement_descriptor text,
  external_id text,
  scheduled_for date,
  failure_code text,
  metadata jsonb,
  due_at timestamptz,
  in_transit_at timestamptz,
  ended_at timestamptz,
  refund_of uuid,
  created_by uuid,
  release jsonb,
  destination text,
  standing_order_id uuid,
  exchange_id uuid,
  wait_until date,
  fees jsonb,
  speed text,
  expected_execution_date date,
  PRIMARY KEY (environment_id, id),
  CONSTRAINT payouts_state CHECK (
    status = ANY ('{waiting,pending,in_transit,paid,failed,canceled,returned}'::text[])
    AND (status = ANY ('{waiting,pending,in_transit}'::text[])) = (ended_at IS NULL)
    AND (status = ANY ('{failed,returned}'::text[])) = (failure_code IS NOT NULL)
    AND (status <> 'in_transit' OR in_transit_at IS NOT NULL)
    -- What waits has moved nothing yet, and where it ends so, nothing comes back.
    AND (status <> 'waiting' OR transfer_id IS NULL)
    AND (transfer_id IS NOT NULL OR (wait_until IS NOT NULL AND status = ANY ('{waiting,failed,canceled}'::text[])))
    AND (status = ANY ('{failed,canceled,returned}'::text[]) AND transfer_id IS NOT NULL) = (reversal_id IS NOT NULL)
  )
) WITH (fillfactor = 100);
CREATE UNIQUE INDEX payouts_external_id ON payouts (environment_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payouts_recipient ON payouts (recipient_id, id);
CREATE INDEX payouts_batch ON payouts (environment_id, batch_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX payouts_due ON payouts (environment_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payouts_waiting ON payouts (environment_id, account_id, id) WHERE status = 'waiting';
-- Instant payouts leave at once: found without a look at those that wait for a cut-off.
CREATE INDEX payouts_instant ON payouts (environment_id, due_at) WHERE speed = 'instant' AND due_at IS NOT NULL;
-- Payouts that wait for approval, and no other pending ones: a sandbox may move all of its payouts by hand.
CREATE INDEX payouts_held ON payouts (environment_id, currency) WHERE status = 'pending' AND due_at IS NULL AND release IS NOT NULL;
COMMENT ON TABLE payouts IS 'Money on its way to a recipient. The account is debited at creation.';
COMMENT ON COLUMN payouts.environment_id IS 'Environment.';
COMMENT ON COLUMN payouts.id IS 'Identifier, shown as po_…; goes to the bank as EndToEndId.';
COMMENT ON COLUMN payouts.account_id IS 'Account debited.';
COMMENT ON COLUMN payouts.recipient_id IS 'Recipient.';
COMMENT ON COLUMN payouts.recipient_version IS 'The recipient as it was at creation (recipient_versions).';
COMMENT ON COLUMN payouts.amount IS 'Minor units.';
COMMENT ON COLUMN payouts.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN payouts.status IS 'waiting, pending, in_transit, paid, failed, canceled or returned.';
COMMENT ON COLUMN payouts.transfer_id IS 'The transfer that debited the account.';
COMMENT ON COLUMN payouts.created_at IS 'Environment clock.';
COMMENT ON COLUMN payouts.reversal_id IS 'The transfer that credited the account back.';
COMMENT ON COLUMN payouts.batch_id IS 'The batch it was created in.';
COMMENT ON COLUMN payouts.reference IS 'Text for the recipient.';
COMMENT ON COLUMN payouts.statement_descriptor IS 'Short text for the recipient''s statement.';
COMMENT ON COLUMN payouts.external_id IS 'The owner''s own id, unique for ever.';
COMMENT ON COLUMN payouts.scheduled_for IS 'The day it is to leave; NULL is at once.';
COMMENT ON COLUMN payouts.failure_code IS 'Why it failed or came back.';
COMMENT ON COLUMN payouts.metadata IS 'The owner''s keys and values; NULL is none.';
COMMENT ON COLUMN payouts.due_at IS 'Pending: from when it may leave. Then when the sandbox moves it on. NULL is never.';
COMMENT ON COLUMN payouts.in_transit_at IS 'Environment clock.';
COMMENT ON COLUMN payouts.ended_at IS 'When it became paid, failed, canceled or returned, environment clock.';
COMMENT ON COLUMN payouts.refund_of IS 'The payment that it refunds.';
COMMENT ON COLUMN payouts.created_by IS 'Who asked for it, as in events.actor.';
COMMENT ON COLUMN payouts.release IS 'Why it waits for approval, and who approved it; NULL: nothing holds it.';
COMMENT ON COLUMN payouts.destination IS 'The recipient as it was shown at creation: name, scheme, country, bank, last four, with U+001F between (src/core/destination.ts); NULL: the payout is older.';
COMMENT ON COLUMN payouts.standing_order_id IS 'The standing order that made it.';
COMMENT ON COLUMN payouts.exchange_id IS 'The exchange that was booked in the same command, which paid for it.';
COMMENT ON COLUMN payouts.wait_until IS 'The last day on which it waits for money (status waiting); NULL: it never waited.';
COMMENT ON COLUMN payouts.fees IS 'Fees charged with it: rule, amount in minor units as text, currency, transfer, reversal; NULL: none.';
COMMENT ON COLUMN payouts.speed IS 'instant or urgent; NULL: standard.';
COMMENT ON COLUMN payouts.expected_execution_date IS 'When the bank executes it, by its cut-off and calendar; NULL: not known.';

CREATE TABLE payout_batches (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('processing', 'completed', 'completed_with_failures')),
  mode text NOT NULL CHECK (mode IN ('atomic', 'partial')),
  payouts_count int NOT NULL CHECK (payouts_count >= 0),
  rejected_count int NOT NULL CHECK (rejected_count >= 0),
  open_count int NOT NULL CHECK (open_count >= 0),
  failed_count int NOT NULL CHECK (failed_count >= 0),
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  external_id text,
  rejected_items jsonb,
  PRIMARY KEY (environment_id, id),
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK ((status = 'processing') = (open_count > 0))
);
CREATE UNIQUE INDEX payout_batches_external_id ON payout_batches (environment_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX payout_batches_status ON payout_batches (environment_id, status, id);
CREATE INDEX payout_batches_mode ON payout_batches (environment_id, mode, id);
CREATE INDEX payout_batches_status_mode ON payout_batches (environment_id, status, mode, id);
COMMENT ON TABLE payout_batches IS 'Payouts created by one request.';
COMMENT ON COLUMN payout_batches.environment_id IS 'Environment.';
COMMENT ON COLUMN payout_batches.id IS 'Identifier, shown as pob_….';
COMMENT ON COLUMN payout_batches.status IS 'processing until every payout is paid, failed or canceled.';
COMMENT ON COLUMN payout_batches.mode IS 'atomic: all or nothing; partial: item by item.';
COMMENT ON COLUMN payout_batches.payouts_count IS 'Payouts created.';
COMMENT ON COLUMN payout_batches.rejected_count IS 'Items rejected (partial mode).';
COMMENT ON COLUMN payout_batches.open_count IS 'Payouts still pending or in transit.';
COMMENT ON COLUMN payout_batches.failed_count IS 'Payouts failed or canceled.';
COMMENT ON COLUMN payout_batches.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN payout_batches.created_at IS 'Environment clock.';
COMMENT ON COLUMN payout_batches.completed_at IS 'Environment clock.';
COMMENT ON COLUMN payout_batches.external_id IS 'The owner''s own id, unique for ever; NULL: none.';
COMMENT ON COLUMN payout_batches.rejected_items IS 'The items that no payout was made of, with what was read of each and why not (partial mode); NULL: none. At most 1000.';

CREATE TABLE limit_usages (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  limit_id uuid NOT NULL,
  subject text NOT NULL,
  day date NOT NULL,
  used_amount bigint NOT NULL CHECK (used_amount >= 0),
  used_count int NOT NULL CHECK (used_count >= 0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX limit_usages_subject ON limit_usages (environment_id, limit_id, subject);
COMMENT ON TABLE limit_usages IS 'How much of a limit a key, account, recipient or environment has used, on the last day on which it used any.';
COMMENT ON COLUMN limit_usages.environment_id IS 'Environment.';
COMMENT ON COLUMN limit_usages.id IS 'Identifier.';
COMMENT ON COLUMN limit_usages.limit_id IS 'The limit (environments.payout_rules).';
COMMENT ON COLUMN limit_usages.subject IS 'Whose usage: the id of the key, account, recipient or environment.';
COMMENT ON COLUMN limit_usages.day IS 'The day (UTC, environment clock) that the figures are of; another day starts from zero.';
COMMENT ON COLUMN limit_usages.used_amount IS 'Minor units of payouts created that day, ended ones too.';
COMMENT ON COLUMN limit_usages.used_count IS 'Payouts created that day, ended ones too.';
COMMENT ON COLUMN limit_usages.created_at IS 'Environment clock.';
