-- Money of banks that has no place yet: what it may belong to, and its way back to who sent it.

ALTER TABLE bank_entries ADD COLUMN return_payout_id uuid;
COMMENT ON COLUMN bank_entries.return_payout_id IS 'The payout that sends it back to who sent it; NULL: none does.';

CREATE INDEX payments_unpaid ON payments (environment_id, currency, (amount - received))
  WHERE status IN ('pending', 'partially_paid') AND refund_id IS NULL;
