-- An entry of a bank can be voided and un-voided, by transfers with causes of their own (docs/decisions/0088).
ALTER TABLE bank_entries ADD COLUMN pending_change jsonb;
COMMENT ON COLUMN bank_entries.pending_change IS 'The status that waits for a second person, why, and who asked for it; NULL: none.';
COMMENT ON COLUMN bank_entries.status IS 'unmatched: a part of it has no place yet; voided: it was a wrong booking and counts nowhere.';
ALTER TABLE bank_entries DROP CONSTRAINT bank_entries_status_check,
  ADD CONSTRAINT bank_entries_status_check CHECK (status IN ('unmatched', 'matched', 'voided'));
CREATE INDEX bank_entries_voided ON bank_entries (environment_id, id) WHERE status = 'voided';

-- What is stored has passed the narrower check, and transfers are many: they are not read again.
ALTER TABLE transfers DROP CONSTRAINT transfers_cause_check,
  ADD CONSTRAINT transfers_cause_check CHECK (cause IN (
    'funding', 'transfer', 'exchange', 'exchange_fee', 'payout', 'payout_settlement', 'payout_reversal', 'payout_fee',
    'payout_fee_reversal', 'payment', 'payment_fee', 'bank_entry', 'bank_assignment', 'bank_entry_void', 'bank_entry_unvoid',
    'payout_settlement_void', 'payout_reversal_void'
  )) NOT VALID;
