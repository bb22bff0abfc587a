-- Recipients have an address and a name in Latin letters, which banks ask for, and say whether another has the same account.

ALTER TABLE recipients ADD COLUMN address jsonb, ADD COLUMN latin_name text, ADD COLUMN duplicate_of uuid;
COMMENT ON COLUMN recipients.address IS 'line1, line2, postal_code, city, state, country; NULL: none.';
COMMENT ON COLUMN recipients.latin_name IS 'The name in letters that every bank can write; NULL: none.';
COMMENT ON COLUMN recipients.duplicate_of IS 'The oldest recipient with the same account when this one was made; NULL: there was none.';

ALTER TABLE recipient_versions ADD COLUMN address jsonb, ADD COLUMN latin_name text;
COMMENT ON COLUMN recipient_versions.address IS 'As it was.';
COMMENT ON COLUMN recipient_versions.latin_name IS 'As it was.';
