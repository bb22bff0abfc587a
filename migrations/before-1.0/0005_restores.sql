-- Restores of the database from a backup: each moves the sequences of events on (bursar restored).

CREATE TABLE restores (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  last_sequence bigint NOT NULL,
  next_sequence bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id),
  CHECK (next_sequence > last_sequence)
);
COMMENT ON TABLE restores IS 'When the database was put back to an earlier state. Explains the gaps between sequences of events.';
COMMENT ON COLUMN restores.environment_id IS 'Environment.';
COMMENT ON COLUMN restores.id IS 'Identifier, shown as rst_….';
COMMENT ON COLUMN restores.last_sequence IS 'The newest event that the restored database held.';
COMMENT ON COLUMN restores.next_sequence IS 'The event environment.restored; the numbers between the two are never given.';
COMMENT ON COLUMN restores.created_at IS 'Environment clock.';
GRANT SELECT, INSERT ON restores TO bursar_app;
