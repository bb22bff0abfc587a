-- What payouts are for, which bank account pays, and how the bank books them (docs/decisions/0085). Columns without an index: no list
-- filters by them.
ALTER TABLE payouts ADD COLUMN category_purpose text, ADD COLUMN purpose text, ADD COLUMN bank_account_id uuid;
COMMENT ON COLUMN payouts.category_purpose IS 'ISO 20022 category purpose, such as SALA; NULL: none.';
COMMENT ON COLUMN payouts.purpose IS 'ISO 20022 purpose, such as BONU; NULL: none.';
COMMENT ON COLUMN payouts.bank_account_id IS 'The bank account that pays it; NULL: the oldest open one of its currency.';

ALTER TABLE payout_batches ADD COLUMN category_purpose text, ADD COLUMN purpose text, ADD COLUMN bank_account_id uuid,
  ADD COLUMN batch_booking boolean;
COMMENT ON COLUMN payout_batches.category_purpose IS 'Of its payouts that name none; NULL: none.';
COMMENT ON COLUMN payout_batches.purpose IS 'Of its payouts that name none; NULL: none.';
COMMENT ON COLUMN payout_batches.bank_account_id IS 'Of its payouts that name none; NULL: none.';
COMMENT ON COLUMN payout_batches.batch_booking IS 'Whether the bank is asked to book its payouts as one entry; NULL: as their category says.';

ALTER TABLE recipients ADD COLUMN category_purpose text, ADD COLUMN purpose text, ADD COLUMN bank_account_id uuid;
COMMENT ON COLUMN recipients.category_purpose IS 'Of payouts to it that name none; NULL: none.';
COMMENT ON COLUMN recipients.purpose IS 'Of payouts to it that name none; NULL: none.';
COMMENT ON COLUMN recipients.bank_account_id IS 'Of payouts to it that name none; NULL: none.';

ALTER TABLE bank_files ADD COLUMN category_purpose text, ADD COLUMN batch_booking boolean NOT NULL DEFAULT false,
  ADD COLUMN only_named boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN bank_files.category_purpose IS 'ISO 20022 category purpose of all its payouts; NULL: none.';
COMMENT ON COLUMN bank_files.batch_booking IS 'Whether the bank is asked to book it as one entry.';
COMMENT ON COLUMN bank_files.only_named IS 'Whether it takes only payouts that name its bank account.';

-- A payout may name any bank account that pays: the row of the environment has all of them, the oldest first.
UPDATE environments e SET paying_banks = (
  SELECT jsonb_agg(jsonb_build_object('id', b.id, 'currency', b.currency, 'profile', b.profile, 'country', b.country,
      'hasIban', b.bank_details ? 'iban', 'calendar', b.calendar, 'cutOff', b.cut_off, 'timeZone', b.time_zone) ORDER BY b.id)
    FROM bank_accounts b WHERE b.environment_id = e.environment_id AND b.status = 'open' AND 'payouts' = ANY (b.uses))
  WHERE paying_banks IS NOT NULL;
