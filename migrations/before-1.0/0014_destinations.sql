-- Payouts say where they went, and what made them.

ALTER TABLE payouts ADD COLUMN destination text;
COMMENT ON COLUMN payouts.destination IS 'The recipient as it was shown at creation: name, scheme, country, bank, last four, with U+001F between (src/core/destination.ts); NULL: the payout is older.';
ALTER TABLE payouts ADD COLUMN standing_order_id uuid, ADD COLUMN exchange_id uuid;
COMMENT ON COLUMN payouts.standing_order_id IS 'The standing order that made it.';
COMMENT ON COLUMN payouts.exchange_id IS 'The exchange that was booked in the same command, which paid for it.';
ALTER TABLE recipients ADD COLUMN bank_summary text;
COMMENT ON COLUMN recipients.bank_summary IS 'Scheme, bank and last four of the account, for payouts.destination, so that no payout opens the sealed details; NULL: the recipient is older, or erased.';
