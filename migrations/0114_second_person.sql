-- A key that another key made approves nothing until a second person confirms it, and a key is rolled once (docs/decisions/0074).
ALTER TABLE api_keys ADD COLUMN confirmed_by uuid, ADD COLUMN rolled_to uuid;
COMMENT ON COLUMN api_keys.confirmed_by IS 'The line of another family that confirmed its right to approve; NULL: nobody, or it needs nobody.';
COMMENT ON COLUMN api_keys.rolled_to IS 'The key that took its place; NULL: none, or it was rolled before this column.';

-- A key that is restricted to accounts changes only recipients that it made.
ALTER TABLE recipients ADD COLUMN created_by uuid;
COMMENT ON COLUMN recipients.created_by IS 'Who made it, as in events.actor; NULL is older.';
