-- What payers read about a company on its payment page and receipts.
ALTER TABLE settings
  ADD COLUMN contact_email text,
  ADD COLUMN contact_phone text,
  ADD COLUMN address jsonb,
  ADD COLUMN legal_url text,
  ADD COLUMN privacy_url text;
COMMENT ON COLUMN settings.contact_email IS 'Where payers write to.';
COMMENT ON COLUMN settings.contact_phone IS 'Where payers call.';
COMMENT ON COLUMN settings.address IS 'The company''s address, as payers read it.';
COMMENT ON COLUMN settings.legal_url IS 'The company''s legal notice.';
COMMENT ON COLUMN settings.privacy_url IS 'How the company handles data of payers.';
