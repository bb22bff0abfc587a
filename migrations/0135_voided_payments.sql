-- The money of a payment can be taken back, when the entry of a bank that brought it is voided (docs/decisions/0088).
ALTER TABLE transfers DROP CONSTRAINT transfers_cause_check,
  ADD CONSTRAINT transfers_cause_check CHECK (cause IN (
    'funding', 'transfer', 'exchange', 'exchange_fee', 'payout', 'payout_settlement', 'payout_reversal', 'payout_fee',
    'payout_fee_reversal', 'payment', 'payment_fee', 'bank_entry', 'bank_assignment', 'bank_entry_void', 'bank_entry_unvoid',
    'payout_settlement_void', 'payout_reversal_void', 'payment_void', 'payment_fee_reversal'
  ));

ALTER TABLE payment_links ADD COLUMN ended_as text CHECK (ended_as IN ('expired', 'canceled'));
COMMENT ON COLUMN payment_links.ended_as IS 'How it had ended before money that came late completed it; NULL: it was active until then.';
ALTER TABLE payment_links ADD CONSTRAINT payment_links_ended_as_completed CHECK (ended_as IS NULL OR status = 'completed');
-- A link that was active ended in the instant in which a payment of it was paid. One that had ended before keeps that earlier instant.
UPDATE payment_links l SET ended_as = CASE WHEN l.expires_at <= l.ended_at THEN 'expired' ELSE 'canceled' END
  WHERE l.status = 'completed' AND NOT EXISTS (
    SELECT FROM payments p WHERE p.environment_id = l.environment_id AND p.link_id = l.id AND p.paid_at = l.ended_at);
