-- Fees: what an environment charges (environments.fees), and what was charged for each object.

ALTER TABLE environments ADD COLUMN fees jsonb;
COMMENT ON COLUMN environments.fees IS 'What is charged for payouts, exchanges and payments; NULL: nothing. At most 100.';

ALTER TABLE payouts ADD COLUMN fees jsonb;
COMMENT ON COLUMN payouts.fees IS 'Fees charged with it: rule, amount in minor units as text, currency, transfer, reversal; NULL: none.';
ALTER TABLE quotes ADD COLUMN fees jsonb;
COMMENT ON COLUMN quotes.fees IS 'Fees that its exchange will bear; NULL: none.';
ALTER TABLE exchanges ADD COLUMN fees jsonb;
COMMENT ON COLUMN exchanges.fees IS 'Fees charged with it; NULL: none.';
ALTER TABLE payments ADD COLUMN fees jsonb;
COMMENT ON COLUMN payments.fees IS 'Fees charged with the money that came in; NULL: none.';

ALTER TABLE transfers DROP CONSTRAINT transfers_cause_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_cause_check CHECK (cause IN (
  'funding', 'transfer', 'exchange', 'exchange_fee', 'payout', 'payout_settlement', 'payout_reversal', 'payout_fee',
  'payout_fee_reversal', 'payment', 'payment_fee'
)) NOT VALID;
