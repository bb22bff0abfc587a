/** The statements of quotes and exchanges. Loads and writes run inside the write path, the rest on the readers. */
import { idOf, uuidOf } from '../core/ids.ts';
import type { Exchange, Metadata, Price, Quote } from '../core/objects.ts';
import { keyed } from '../db/wire/keyed.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { column, json, mutable, table } from '../db/wire/table.ts';

const PRICE_COLUMNS = {
  sell_currency: column('text', (price: Price) => price.sellCurrency),
  buy_currency: column('text', (price: Price) => price.buyCurrency),
  sell_amount: column('int8', (price: Price) => price.sellAmount),
  buy_amount: column('int8', (price: Price) => price.buyAmount),
  fixed_side: column('text', (price: Price) => price.fixedSide),
  rate: column('text', (price: Price) => price.rate),
  inverse_rate: column('text', (price: Price) => price.inverseRate),
  mid_market_rate: column('text', (price: Price) => price.midMarketRate),
  markup_bps: column('int4', (price: Price) => price.markupBps),
  rate_source: column('text', (price: Price) => price.rateSource),
  rate_at: column('timestamptz', (price: Price) => price.rateAt),
};

/** Written twice at the most: made, then used. */
export const QUOTES = table<Quote>('quotes', {
  id: column('uuid', (quote) => quote.id),
  ...PRICE_COLUMNS,
  expires_at: column('timestamptz', (quote) => quote.expiresAt),
  exchange_id: mutable('uuid', (quote) => quote.exchangeId),
  metadata: column('jsonb', (quote) => json(quote.metadata)),
  created_at: column('timestamptz', (quote) => quote.createdAt),
});

/** Immutable but for metadata. The unique index exchanges_quote stands behind "a quote is used at most once". */
export const EXCHANGES = table<Exchange>('exchanges', {
  id: column('uuid', (exchange) => exchange.id),
  quote_id: column('uuid', (exchange) => exchange.quoteId),
  sell_account: column('uuid', (exchange) => exchange.sellAccount),
  buy_account: column('uuid', (exchange) => exchange.buyAccount),
  ...PRICE_COLUMNS,
  sell_transfer: column('uuid', (exchange) => exchange.sellTransfer),
  buy_transfer: column('uuid', (exchange) => exchange.buyTransfer),
  metadata: mutable('jsonb', (exchange) => json(exchange.metadata)),
  created_at: column('timestamptz', (exchange) => exchange.createdAt),
});

function priceFrom(row: Row): Price {
  return {
    sellCurrency: row['sell_currency'] as string,
    buyCurrency: row['buy_currency'] as string,
    sellAmount: row['sell_amount'] as bigint,
    buyAmount: row['buy_amount'] as bigint,
    fixedSide: row['fixed_side'] as Price['fixedSide'],
    rate: row['rate'] as string,
    inverseRate: row['inverse_rate'] as string,
    midMarketRate: row['mid_market_rate'] as string,
    markupBps: row['markup_bps'] as number,
    rateSource: row['rate_source'] as string,
    rateAt: row['rate_at'] as number,
  };
}

export function quoteFrom(row: Row): Quote {
  const exchange = row['exchange_id'] as string | null;
  return {
    object: 'quote',
    id: idOf('quo', row['id'] as string),
    ...priceFrom(row),
    expiresAt: row['expires_at'] as number,
    exchangeId: exchange === null ? null : idOf('exc', exchange),
    metadata: JSON.parse(row['metadata'] as string) as Metadata,
    createdAt: row['created_at'] as number,
  };
}

export function exchangeFrom(row: Row): Exchange {
  const quote = row['quote_id'] as string | null;
  return {
    object: 'exchange',
    id: idOf('exc', row['id'] as string),
    ...priceFrom(row),
    quoteId: quote === null ? null : idOf('quo', quote),
    sellAccount: idOf('acct', row['sell_account'] as string),
    buyAccount: idOf('acct', row['buy_account'] as string),
    sellTransfer: idOf('trf', row['sell_transfer'] as string),
    buyTransfer: idOf('trf', row['buy_transfer'] as string),
    metadata: JSON.parse(row['metadata'] as string) as Metadata,
    createdAt: row['created_at'] as number,
  };
}

/** Quotes and exchanges by id. */
export const loadQuotes = keyed('quotes', QUOTES.columns('q'), 'q');
export const loadExchanges = keyed('exchanges', EXCHANGES.columns('e'), 'e');

/**
 * A quote by primary key, and in `now_at` the environment's instant that decides whether it has expired: the clock the
 * write path goes by, sandbox offset included, never before the newest batch. Locks nothing.
 */
export function readQuote(environmentId: string, quoteId: string): Statement {
  return {
    name: 'read_quote',
    text: `SELECT ${QUOTES.columns('q')},
        greatest(clock_timestamp() + e.clock_offset_ms * interval '1 millisecond', e.last_at) AS now_at
      FROM quotes q JOIN environments e ON e.environment_id = q.environment_id
      WHERE q.environment_id = $1 AND q.id = $2`,
    values: [uuidOf(environmentId), uuidOf(quoteId)],
  };
}
