-- The reference by which an account is paid into is made of the instant and the counter in its id. Two environments may make an account in the same
-- millisecond, and have the same bank account: the second of them gets another id (the writer sends its command again). Accounts that are there keep
-- theirs. Not on the path of payouts: an update of a balance touches no column of it.

DO $$
BEGIN
  EXECUTE format(
    'CREATE UNIQUE INDEX accounts_deposit_reference ON accounts (substring(uuid_send(id) FROM 1 FOR 9), (get_byte(uuid_send(id), 9) >> 6)) WHERE id > %L::uuid',
    rpad(lpad(to_hex((extract(epoch FROM now()) * 1000)::int8), 12, '0'), 32, 'f'));
END
$$;
COMMENT ON INDEX accounts_deposit_reference IS 'No two accounts of the database have the same deposit reference (core/deposit-reference.ts).';

-- Standing orders whose payouts are instant or urgent.
ALTER TABLE standing_orders ADD COLUMN speed text NOT NULL DEFAULT 'standard';
COMMENT ON COLUMN standing_orders.speed IS 'Of each payout: standard, instant or urgent.';
