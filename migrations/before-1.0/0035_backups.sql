-- When the last backups were made, so that somebody notices when none has been (bursar doctor).

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
