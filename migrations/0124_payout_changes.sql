-- A payout remembers everybody who changed it: whatever holds it later asks a person of another family of keys (docs/decisions/0074).
-- Until now that stood in its release, and named the last one.
ALTER TABLE payouts ADD COLUMN changed_by jsonb;
COMMENT ON COLUMN payouts.changed_by IS 'Actors who changed its reference or its day, once each; NULL: nobody.';
UPDATE payouts SET changed_by = jsonb_build_array(release -> 'changedBy') WHERE release IS NOT NULL AND release ? 'changedBy';
