-- What a stolen backup must not open: page tokens and bank details are sealed under the server secret (docs/decisions/0030). The
-- server converts the rows that are there when it starts; SQL cannot, because it does not know the secret.

CREATE TABLE sealings (
  name text PRIMARY KEY,
  key_id text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sealings IS 'Tables of which every row is sealed under the server secret. Written by the owner, at the start of a server.';
COMMENT ON COLUMN sealings.name IS 'The table.';
COMMENT ON COLUMN sealings.key_id IS 'Names the key: the server secret of that time cannot be read from it.';
COMMENT ON COLUMN sealings.sealed_at IS 'When its last row was sealed.';

ALTER TABLE recipients ADD COLUMN bank_fingerprint bytea;
CREATE INDEX recipients_fingerprint ON recipients (environment_id, bank_fingerprint) WHERE bank_fingerprint IS NOT NULL;
COMMENT ON COLUMN recipients.bank_fingerprint IS 'Blind index of the account (HMAC-SHA-256 under the server secret, of environment and account): finds the recipients of one account.';
COMMENT ON COLUMN recipients.bank_details IS 'Validated, normalised bank details as {"sealed": …}; masked in every answer.';
COMMENT ON COLUMN recipient_versions.bank_details IS 'As they were, as {"sealed": …}.';

COMMENT ON COLUMN payment_tokens.token IS 'Blind index of the token (HMAC-SHA-256 under the server secret, base64url): it finds a page and opens none.';
COMMENT ON COLUMN payment_links.token IS 'Unguessable last part of the address, sealed (payment_tokens finds it).';
COMMENT ON COLUMN payment_links.url IS 'Address of the page, as it was told, with the sealed token at its end.';
COMMENT ON COLUMN payments.token IS 'Unguessable last part of the address of its own page, sealed; NULL: a duplicate has none.';
COMMENT ON COLUMN payments.payer_iban IS 'From which account, for refunds, sealed; masked in every answer.';
COMMENT ON COLUMN events.object IS 'The object after the change, rendered once: by its shape the very bytes of data.object, but that the page token of a payment link is sealed. With a shape: the values of its members, U+001F between them, nothing for null and for a created that is the instant of the id.';
COMMENT ON COLUMN idempotency_records.body IS 'The body of the answer where no event holds it; the page token of a payment link is sealed.';
