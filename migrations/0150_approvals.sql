-- What approvers see before they decide, and what proves that they saw it (docs/decisions/0111).
ALTER TABLE recipients ADD COLUMN bank_details_changed_at timestamptz;
COMMENT ON COLUMN recipients.bank_details_changed_at IS 'When the bank details last became others; NULL: never, or before this was kept.';
-- Of lately it is not known whether the name or the bank details changed: whoever approves had better look.
UPDATE recipients SET bank_details_changed_at = changed_at WHERE changed_at > now() - interval '30 days';
-- Whether anybody in a country was ever paid. A recipient keeps its country for ever.
CREATE INDEX recipients_country ON recipients (environment_id, country, id);

-- How a factor was last shown in a session. What a passkey approves it signs; a code cannot.
ALTER TABLE sessions ADD COLUMN stepped_up_by text CHECK (stepped_up_by IN ('passkey', 'code'));
COMMENT ON COLUMN sessions.stepped_up_by IS 'The factor that was last shown: passkey, or code; NULL: none since it was opened, or before this was kept.';
ALTER TABLE sign_in_challenges ADD COLUMN nonce text, ADD COLUMN approves text;
COMMENT ON COLUMN sign_in_challenges.nonce IS 'Of a question about approvals: random bytes, base64url; NULL: of any other.';
COMMENT ON COLUMN sign_in_challenges.approves IS 'Of a question about approvals: a line with id and fingerprint for each thing that was on the screen, sorted; NULL: of any other.';

CREATE TABLE approval_proofs (
  challenge text PRIMARY KEY,
  session_id uuid NOT NULL,
  person_id uuid NOT NULL,
  passkey_id text NOT NULL,
  nonce text NOT NULL,
  approves text NOT NULL,
  assertion jsonb NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  environment_id uuid,
  used_for text,
  used_at timestamptz
);
CREATE INDEX approval_proofs_session ON approval_proofs (session_id, made_at);
COMMENT ON TABLE approval_proofs IS 'What passkeys signed to approve payouts, kept for ever once it was used. The challenge is the SHA-256 of nonce, line break and approves. Of the whole service: a session names the environment with each request.';
COMMENT ON COLUMN approval_proofs.challenge IS 'SHA-256 that the passkey signed, base64url; release.approvals of a payout names it as proof.';
COMMENT ON COLUMN approval_proofs.session_id IS 'The session (sessions.id) in which it was signed.';
COMMENT ON COLUMN approval_proofs.person_id IS 'The person (people).';
COMMENT ON COLUMN approval_proofs.passkey_id IS 'The passkey (passkeys.id), whose public key proves the signature.';
COMMENT ON COLUMN approval_proofs.nonce IS 'Random bytes, base64url.';
COMMENT ON COLUMN approval_proofs.approves IS 'A line with id and fingerprint for each thing that was on the screen, sorted.';
COMMENT ON COLUMN approval_proofs.assertion IS 'What the authenticator answered: authenticatorData, clientDataJSON and signature, base64url.';
COMMENT ON COLUMN approval_proofs.made_at IS 'When it was signed.';
COMMENT ON COLUMN approval_proofs.environment_id IS 'The environment in which it was used; NULL: it was not.';
COMMENT ON COLUMN approval_proofs.used_for IS 'The idempotency key, or else the id, of the request that used it, which alone may come again; NULL: it was not.';
COMMENT ON COLUMN approval_proofs.used_at IS 'When it was used; NULL: it was not.';
