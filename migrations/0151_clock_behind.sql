-- The clock of a sandbox may begin in the past, so that a history can be made (docs/decisions/0112). Only a reset sets it back: `environments_go_forward`
-- still refuses that to the server. The table has a row an environment, so both steps take milliseconds.
ALTER TABLE environments DROP CONSTRAINT environments_check;
ALTER TABLE environments ADD CONSTRAINT environments_clock_behind_check
  CHECK (clock_offset_ms >= -31622400000 AND (clock_offset_ms = 0 OR NOT livemode));
COMMENT ON COLUMN environments.clock_offset_ms IS 'Sandbox clock: milliseconds ahead of the database clock; below zero: behind it, by at most 366 days.';
