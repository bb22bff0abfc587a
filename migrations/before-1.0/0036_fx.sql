-- Fixings of live exchange rates, and what an environment says of its exchanges.

CREATE TABLE fixings (
  environment_id uuid NOT NULL,
  at timestamptz NOT NULL,
  source text NOT NULL,
  currency text NOT NULL,
  base text NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  markup_bps int NOT NULL CHECK (markup_bps >= 0),
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (environment_id, at, source, currency)
);
COMMENT ON TABLE fixings IS 'Live exchange rates as their source gave them, once each; only ever added (src/process/live-rates.ts).';
COMMENT ON COLUMN fixings.environment_id IS 'Whose it is: each live environment has its own.';
COMMENT ON COLUMN fixings.at IS 'When the source fixed it; whole seconds.';
COMMENT ON COLUMN fixings.source IS 'Name of the source, as quotes and exchanges show it.';
COMMENT ON COLUMN fixings.currency IS 'ISO 4217 code.';
COMMENT ON COLUMN fixings.base IS 'ISO 4217 code of the base.';
COMMENT ON COLUMN fixings.rate IS 'Units of the currency for one unit of the base, with as many decimals as the source gave.';
COMMENT ON COLUMN fixings.markup_bps IS 'Markup of the source, basis points.';
COMMENT ON COLUMN fixings.stored_at IS 'When it was stored, database clock.';

ALTER TABLE environments ADD COLUMN fx jsonb;
COMMENT ON COLUMN environments.fx IS 'Base currency, limit and markups of exchanges, and the open position of each currency, the balance of house:fx (src/core/fx.ts). NULL: no exchange yet.';

-- The positions that exchanges and the bank's legs have left so far. Locked first, so that no exchange falls between.
SELECT count(*) FROM (SELECT FROM environments ORDER BY environment_id FOR UPDATE) AS locked;
WITH legs AS (
  SELECT environment_id, sell_currency AS currency, sell_amount::numeric AS amount,
      CASE WHEN buy_currency = 'EUR' THEN buy_amount ELSE 0 END::numeric AS book FROM exchanges
  UNION ALL
  SELECT environment_id, buy_currency, -buy_amount, CASE WHEN sell_currency = 'EUR' THEN -sell_amount ELSE 0 END FROM exchanges
  UNION ALL
  SELECT environment_id, currency, CASE direction WHEN 'credit' THEN 1 ELSE -1 END * (a ->> 'amount')::numeric, 0
  FROM bank_entries CROSS JOIN LATERAL jsonb_array_elements(assignments) AS a
  WHERE a ->> 'to' = 'fx' AND a ->> 'undoneBy' IS NULL
), positions AS (
  SELECT environment_id, currency, sum(amount) AS amount, CASE WHEN currency = 'EUR' THEN 0 ELSE sum(book) END AS book
  FROM legs GROUP BY 1, 2 HAVING sum(amount) <> 0
)
UPDATE environments AS e SET fx = jsonb_build_object('base', 'EUR', 'limit', NULL, 'markups', '{}'::jsonb, 'positions', p.positions)
  FROM (SELECT environment_id, jsonb_object_agg(currency, jsonb_build_array(amount::text, book::text)) AS positions FROM positions GROUP BY 1) AS p
  WHERE p.environment_id = e.environment_id;
