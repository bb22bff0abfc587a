/** Examples of the API reference, as the sandbox answers them. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { EXCHANGE, QUOTE } from './fields.ts';

const PRICE = {
  sell_currency: 'EUR',
  buy_currency: 'USD',
  sell_amount: 100,
  sell_amount_minor: 10_000,
  buy_amount: 115.51,
  buy_amount_minor: 11_551,
  fixed_side: 'sell',
  rate: '1.155105',
  inverse_rate: '0.8657221638',
  mid_market_rate: '1.158',
  markup_bps: 25,
  rate_source: 'sandbox',
  rate_time: 1_732_183_980,
  fixing: { source: 'sandbox', at: 1_732_183_980 },
};

export const QUOTE_EXAMPLE = exampleOf(QUOTE, { status: 'active', ...PRICE, expires_at: 1_732_185_800 });

export const EXCHANGE_EXAMPLE = exampleOf(EXCHANGE, {
  status: 'completed',
  ...PRICE,
  quote: QUOTE_EXAMPLE.id,
  sell_account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  buy_account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xb',
  sell_transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xa',
  buy_transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb',
});

export const RATE_EXAMPLE = {
  id: 'EUR_USD',
  object: 'rate',
  created: PRICE.rate_time,
  livemode: false,
  sell_currency: 'EUR',
  buy_currency: 'USD',
  rate: PRICE.rate,
  inverse_rate: PRICE.inverse_rate,
  mid_market_rate: PRICE.mid_market_rate,
  markup_bps: PRICE.markup_bps,
  rate_source: PRICE.rate_source,
  rate_time: PRICE.rate_time,
  fixing: PRICE.fixing,
};
