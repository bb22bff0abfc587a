-- Exchange rates, quotes and booked exchanges.

CREATE TABLE quotes (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  sell_currency text NOT NULL,
  buy_currency text NOT NULL,
  sell_amount bigint NOT NULL CHECK (sell_amount > 0),
  buy_amount bigint NOT NULL CHECK (buy_amount > 0),
  fixed_side text NOT NULL CHECK (fixed_side IN ('sell', 'buy')),
  rate text NOT NULL,
  inverse_rate text NOT NULL,
  mid_market_rate text NOT NULL,
  markup_bps int NOT NULL CHECK (markup_bps >= 0),
  rate_source text NOT NULL,
  rate_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  exchange_id uuid,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  fees jsonb,
  PRIMARY KEY (environment_id, id),
  CHECK (sell_currency <> buy_currency),
  CHECK (expires_at > created_at)
);
COMMENT ON TABLE quotes IS 'A rate promised for a while; moves no money.';
COMMENT ON COLUMN quotes.environment_id IS 'Environment.';
COMMENT ON COLUMN quotes.id IS 'Identifier, shown as quo_….';
COMMENT ON COLUMN quotes.sell_currency IS 'Currency given.';
COMMENT ON COLUMN quotes.buy_currency IS 'Currency received.';
COMMENT ON COLUMN quotes.sell_amount IS 'Minor units of sell_currency.';
COMMENT ON COLUMN quotes.buy_amount IS 'Minor units of buy_currency.';
COMMENT ON COLUMN quotes.fixed_side IS 'The side that was asked for; the other was computed.';
COMMENT ON COLUMN quotes.rate IS 'Decimal text, buy units per one sell unit, markup included.';
COMMENT ON COLUMN quotes.inverse_rate IS 'Decimal text, sell units per one buy unit, markup included.';
COMMENT ON COLUMN quotes.mid_market_rate IS 'Decimal text, without markup.';
COMMENT ON COLUMN quotes.markup_bps IS 'Markup in basis points.';
COMMENT ON COLUMN quotes.rate_source IS 'Where the rate came from.';
COMMENT ON COLUMN quotes.rate_at IS 'When the source fixed it.';
COMMENT ON COLUMN quotes.expires_at IS 'Last instant of use, environment clock.';
COMMENT ON COLUMN quotes.exchange_id IS 'The exchange that used it; a quote is used at most once.';
COMMENT ON COLUMN quotes.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN quotes.created_at IS 'Environment clock.';
COMMENT ON COLUMN quotes.fees IS 'Fees that its exchange will bear; NULL: none.';

CREATE TABLE exchanges (
  environment_id uuid NOT NULL,
  id uuid NOT NULL,
  quote_id uuid,
  sell_account uuid NOT NULL,
  buy_account uuid NOT NULL,
  sell_currency text NOT NULL,
  buy_currency text NOT NULL,
  sell_amount bigint NOT NULL CHECK (sell_amount > 0),
  buy_amount bigint NOT NULL CHECK (buy_amount > 0),
  fixed_side text NOT NULL CHECK (fixed_side IN ('sell', 'buy')),
  rate text NOT NULL,
  inverse_rate text NOT NULL,
  mid_market_rate text NOT NULL,
  markup_bps int NOT NULL,
  rate_source text NOT NULL,
  rate_at timestamptz NOT NULL,
  sell_transfer uuid NOT NULL,
  buy_transfer uuid NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  fees jsonb,
  PRIMARY KEY (environment_id, id),
  CHECK (sell_currency <> buy_currency)
);
CREATE UNIQUE INDEX exchanges_quote ON exchanges (environment_id, quote_id) WHERE quote_id IS NOT NULL;
COMMENT ON TABLE exchanges IS 'Booked exchanges; both sides moved in one commit. Immutable but for metadata.';
COMMENT ON COLUMN exchanges.environment_id IS 'Environment.';
COMMENT ON COLUMN exchanges.id IS 'Identifier, shown as exc_….';
COMMENT ON COLUMN exchanges.quote_id IS 'The quote it was booked on, if any; unique.';
COMMENT ON COLUMN exchanges.sell_account IS 'Account debited.';
COMMENT ON COLUMN exchanges.buy_account IS 'Account credited.';
COMMENT ON COLUMN exchanges.sell_currency IS 'Currency given.';
COMMENT ON COLUMN exchanges.buy_currency IS 'Currency received.';
COMMENT ON COLUMN exchanges.sell_amount IS 'Minor units of sell_currency.';
COMMENT ON COLUMN exchanges.buy_amount IS 'Minor units of buy_currency.';
COMMENT ON COLUMN exchanges.fixed_side IS 'The side that was asked for; the other was computed.';
COMMENT ON COLUMN exchanges.rate IS 'As in quotes.';
COMMENT ON COLUMN exchanges.inverse_rate IS 'As in quotes.';
COMMENT ON COLUMN exchanges.mid_market_rate IS 'As in quotes.';
COMMENT ON COLUMN exchanges.markup_bps IS 'As in quotes.';
COMMENT ON COLUMN exchanges.rate_source IS 'As in quotes.';
COMMENT ON COLUMN exchanges.rate_at IS 'As in quotes.';
COMMENT ON COLUMN exchanges.sell_transfer IS 'Transfer of the sell side.';
COMMENT ON COLUMN exchanges.buy_transfer IS 'Transfer of the buy side.';
COMMENT ON COLUMN exchanges.metadata IS 'The owner''s keys and values.';
COMMENT ON COLUMN exchanges.created_at IS 'Environment clock.';
COMMENT ON COLUMN exchanges.fees IS 'Fees charged with it; NULL: none.';

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
