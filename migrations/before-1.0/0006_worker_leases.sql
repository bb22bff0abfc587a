-- One process at a time does the rounds of each worker; and money that comes in or back is not refused (decision 0027): the
-- largest balance that a client may order is a rule of the ledger, and no longer one of the table.

CREATE TABLE worker_leases (
  worker text PRIMARY KEY,
  owner uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE worker_leases IS 'Which process does the rounds of a worker. Nothing depends on it but the load: whoever sends a step twice is refused.';
COMMENT ON COLUMN worker_leases.worker IS 'settlement, expiry or retention.';
COMMENT ON COLUMN worker_leases.owner IS 'The process; a number of its own for each start.';
COMMENT ON COLUMN worker_leases.expires_at IS 'Until when, database clock. Then any process may take it.';

ALTER TABLE accounts DROP CONSTRAINT accounts_balance_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_balance_check CHECK (balance >= 0) NOT VALID; -- the old one held more
