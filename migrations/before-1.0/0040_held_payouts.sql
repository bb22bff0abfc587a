-- The index of payouts that wait for approval held every pending one that no date moves, as all of a sandbox whose payouts are moved by hand.

DROP INDEX payouts_pending;
CREATE INDEX payouts_held ON payouts (environment_id, currency) WHERE status = 'pending' AND due_at IS NULL AND release IS NOT NULL;
