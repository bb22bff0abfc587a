-- Rules of the operator for entries of banks that name nothing, and the banks' own charges.

CREATE TABLE bank_rules (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  bank_account_id uuid,
  direction text CHECK (direction IN ('credit', 'debit')),
  currency text,
  transaction_code text,
  iban text,
  text_pattern text,
  least bigint,
  most bigint,
  target text NOT NULL,
  target_account_id uuid,
  status text NOT NULL CHECK (status IN ('active', 'deleted')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (num_nonnulls(transaction_code, iban, text_pattern) > 0),
  CHECK (currency IS NOT NULL OR num_nonnulls(least, most) = 0)
);
COMMENT ON TABLE bank_rules IS 'Where entries go that name nothing of ours: the oldest active rule that means an entry decides.';
COMMENT ON COLUMN bank_rules.environment_id IS 'Whose it is.';
COMMENT ON COLUMN bank_rules.id IS 'Identifier, shown as br_….';
COMMENT ON COLUMN bank_rules.name IS 'What it is for.';
COMMENT ON COLUMN bank_rules.bank_account_id IS 'Only entries of this bank account; NULL: of all.';
COMMENT ON COLUMN bank_rules.direction IS 'credit or debit; NULL: both.';
COMMENT ON COLUMN bank_rules.currency IS 'Only entries of this currency; NULL: of all.';
COMMENT ON COLUMN bank_rules.transaction_code IS 'Pattern of the code of the bank; NULL: any.';
COMMENT ON COLUMN bank_rules.iban IS 'Account of the other side, sealed; NULL: any.';
COMMENT ON COLUMN bank_rules.text_pattern IS 'Pattern of name and words; NULL: any.';
COMMENT ON COLUMN bank_rules.least IS 'Smallest amount, minor units; NULL: any.';
COMMENT ON COLUMN bank_rules.most IS 'Largest amount, minor units; NULL: any.';
COMMENT ON COLUMN bank_rules.target IS 'Where they go: an account, a bank account, fees or fx.';
COMMENT ON COLUMN bank_rules.target_account_id IS 'The account that target names, to be found by; NULL: it names none.';
COMMENT ON COLUMN bank_rules.status IS 'active or deleted.';
COMMENT ON COLUMN bank_rules.created_at IS 'When it was made.';

ALTER TABLE bank_accounts ADD COLUMN charges text NOT NULL DEFAULT 'to_fees' CHECK (charges IN ('to_fees', 'by_hand'));
COMMENT ON COLUMN bank_accounts.charges IS 'Where debits go that the bank says are its own charges: to_fees, or by_hand.';
