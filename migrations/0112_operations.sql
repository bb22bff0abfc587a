-- What the service notes of its own work: leases of workers, restores, verifications and backups.

CREATE TABLE worker_leases (
  worker text PRIMARY KEY,
  owner uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE worker_leases IS 'Which process does the rounds of a worker. Nothing depends on it but the load: whoever sends a step twice is refused.';
COMMENT ON COLUMN worker_leases.worker IS 'settlement, expiry or retention.';
COMMENT ON COLUMN worker_leases.owner IS 'The process; a number of its own for each start.';
COMMENT ON COLUMN worker_leases.expires_at IS 'Until when, database clock. Then any process may take it.';

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

CREATE TABLE verifications (
  environment_id uuid NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  rules_count int NOT NULL CHECK (rules_count > 0),
  damages_count bigint NOT NULL CHECK (damages_count >= 0),
  damages jsonb NOT NULL,
  PRIMARY KEY (environment_id)
);
COMMENT ON TABLE verifications IS 'The last verification of the books of an environment. Written by whichever process verified; nothing depends on it.';
COMMENT ON COLUMN verifications.environment_id IS 'Environment.';
COMMENT ON COLUMN verifications.started_at IS 'When its snapshot was taken, database clock.';
COMMENT ON COLUMN verifications.finished_at IS 'When it ended, database clock.';
COMMENT ON COLUMN verifications.rules_count IS 'How many rules were looked at.';
COMMENT ON COLUMN verifications.damages_count IS 'How many breaks of them were found; 0: the books agree.';
COMMENT ON COLUMN verifications.damages IS 'The first breaks of each rule: kind, rule, object, expected and found.';

CREATE TABLE backups (
  finished_at timestamptz PRIMARY KEY,
  snapshot_at timestamptz NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes > 0),
  rows_count bigint NOT NULL CHECK (rows_count >= 0),
  is_sealed boolean NOT NULL
);
COMMENT ON TABLE backups IS 'Backups that bursar backup has made of this database. A restored database knows none.';
COMMENT ON COLUMN backups.finished_at IS 'When its file was whole and on disk, database clock.';
COMMENT ON COLUMN backups.snapshot_at IS 'What it is of, database clock.';
COMMENT ON COLUMN backups.size_bytes IS 'Size of the file.';
COMMENT ON COLUMN backups.rows_count IS 'Rows of all tables.';
COMMENT ON COLUMN backups.is_sealed IS 'Whether a passphrase is needed to read it.';
