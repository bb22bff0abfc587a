-- Under which server secret the hash of a key was made, so that after a rotation one can see which keys still need the previous one.

ALTER TABLE api_keys ADD COLUMN secret_id text;
COMMENT ON COLUMN api_keys.secret_id IS 'Names the server secret that hash was made under, 8 hex digits that tell nothing of it; NULL: made before this column, and not used since.';
COMMENT ON COLUMN api_keys.hash IS 'HMAC-SHA-256 of the key under the server secret secret_id; moves to the new one when the key is used after a rotation.';
