-- Instant and urgent payouts, and the day on which the bank executes a payout.

ALTER TABLE payouts ADD COLUMN speed text;
ALTER TABLE payouts ADD COLUMN expected_execution_date date;
COMMENT ON COLUMN payouts.speed IS 'instant or urgent; NULL: standard.';
COMMENT ON COLUMN payouts.expected_execution_date IS 'When the bank executes it, by its cut-off and calendar; NULL: not known.';

-- Instant payouts leave at once: found without a look at those that wait for a cut-off.
CREATE INDEX payouts_instant ON payouts (environment_id, due_at) WHERE speed = 'instant' AND due_at IS NOT NULL;

UPDATE environments e SET paying_banks = b.banks
  FROM (SELECT environment_id, jsonb_agg(jsonb_build_object('currency', currency, 'profile', profile, 'country', country, 'hasIban', bank_details ? 'iban',
      'calendar', calendar, 'cutOff', cut_off, 'timeZone', time_zone)) AS banks
    FROM (SELECT DISTINCT ON (environment_id, currency) * FROM bank_accounts WHERE status = 'open' AND 'payouts' = ANY (uses)
      ORDER BY environment_id, currency, id) AS oldest
    GROUP BY environment_id) AS b
  WHERE b.environment_id = e.environment_id;
COMMENT ON COLUMN environments.paying_banks IS 'The bank accounts that payouts leave from, one a currency: currency, profile, country, hasIban, calendar, cutOff, timeZone (src/core/paying-banks.ts). NULL: none.';
