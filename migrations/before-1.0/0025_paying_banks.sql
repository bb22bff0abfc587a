-- Whether a bank could take a payout is said when the payout is made.

ALTER TABLE environments ADD COLUMN paying_banks jsonb;
COMMENT ON COLUMN environments.paying_banks IS 'The bank accounts that payouts leave from, one a currency: currency, profile, country, hasIban (src/core/paying-banks.ts). NULL: none.';

UPDATE environments e SET paying_banks = b.banks
  FROM (SELECT environment_id, jsonb_agg(jsonb_build_object('currency', currency, 'profile', profile, 'country', country, 'hasIban', bank_details ? 'iban')) AS banks
    FROM (SELECT DISTINCT ON (environment_id, currency) * FROM bank_accounts WHERE status = 'open' AND 'payouts' = ANY (uses)
      ORDER BY environment_id, currency, id) AS oldest
    GROUP BY environment_id) AS b
  WHERE b.environment_id = e.environment_id;
