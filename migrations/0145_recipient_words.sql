-- The words of names, by which recipients are found (docs/decisions/0107). `lower` of a database keeps accents and depends on its locale, so
-- words are made in our code (src/core/values/words.ts): with each new version of a recipient, and for those of before at the next start.
CREATE TABLE recipient_words (
  environment_id uuid NOT NULL,
  word text COLLATE "C" NOT NULL,
  recipient_id uuid NOT NULL,
  PRIMARY KEY (environment_id, word, recipient_id)
);
-- The other words of a recipient that one word found, and what an erasure deletes.
CREATE INDEX recipient_words_recipient ON recipient_words (environment_id, recipient_id, word);
COMMENT ON TABLE recipient_words IS 'The words of the names of recipients, also of former ones, without case and accents.';
COMMENT ON COLUMN recipient_words.environment_id IS 'Environment.';
COMMENT ON COLUMN recipient_words.word IS 'At most 40 letters and digits.';
COMMENT ON COLUMN recipient_words.recipient_id IS 'The recipient.';

ALTER TABLE recipients ADD COLUMN has_words boolean;
COMMENT ON COLUMN recipients.has_words IS 'Whether recipient_words has its words; NULL: it is older than these, until the next start.';
CREATE INDEX recipients_wordless ON recipients (environment_id, id) WHERE has_words IS NULL;
