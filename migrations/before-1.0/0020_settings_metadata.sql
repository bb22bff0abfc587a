-- Settings take metadata, like every object that a user may write.

ALTER TABLE settings ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN settings.metadata IS 'The owner''s keys and values.';
