/** Quotes, exchanges and rates on the wire: what a request may say, what an answer looks like. */
import { RequestError } from '../core/errors.ts';
import { amountMembers } from '../core/money.ts';
import type { Exchange, Price, Quote } from '../core/objects.ts';
import { unixSeconds } from '../core/time.ts';
import { commonMembers, nullableText, strictObject } from '../http/object-schema.ts';
import {
  amount,
  amountIn,
  boolean,
  currency,
  id,
  integer,
  type JsonSchema,
  metadata,
  oneOf,
  optional,
  type Params,
  params,
  ref,
  withDefault,
} from '../http/request/params.ts';
import { type CreateExchange, type CreateQuote, quoteStatus } from './decide.ts';
import type { PairRate } from './rate-source.ts';
import { type CurrentRate, clientRate } from './rates.ts';

type Body<P> = P extends Params<infer T> ? T : never;
/** The rate of a pair at the moment of the request. */
export type RateOf = (sellCurrency: string, buyCurrency: string) => CurrentRate | null;

const SIDES = ['sell', 'buy'] as const;
const DEFAULT_SIDE = 'sell';
const sellCurrency = currency({ description: 'Currency you give.', example: 'EUR' });
const buyCurrency = currency({ description: 'Currency you get.', example: 'USD' });
const amountGiven = amount({
  description: 'In major units of `sell_currency`; with `fixed_side=buy`, of `buy_currency`.',
  example: 100,
});
const SIDE_MEANING = 'The side `amount` is about; the other one is computed.';
const fixedSide = oneOf(SIDES, { description: SIDE_MEANING });

/** Seconds a quote lives: long enough to show it to a person, short enough to be priced. */
const EXPIRES_IN_S = { min: 30, max: 86_400, usual: 1_800 };

export const createQuoteParams = params({
  sell_currency: sellCurrency,
  buy_currency: buyCurrency,
  amount: amountGiven,
  fixed_side: withDefault(fixedSide, DEFAULT_SIDE),
  expires_in: withDefault(
    integer({ description: 'Seconds the quote can be used.', min: EXPIRES_IN_S.min, max: EXPIRES_IN_S.max }),
    EXPIRES_IN_S.usual,
  ),
  metadata: optional(metadata()),
});

const account = (what: string) => optional(id('acct', 'account', { description: what }));

/** What an exchange without a quote cannot do without. */
const NEEDED_WITHOUT_QUOTE = ['sell_currency', 'buy_currency', 'amount'] as const;

const exchangeForm = params(
  {
    quote: optional(
      id('quo', 'quote', {
        description:
          'Book at this quote’s price. Without it, `sell_currency`, `buy_currency` and `amount` are required.',
      }),
    ),
    sell_currency: optional(sellCurrency),
    buy_currency: optional(buyCurrency),
    amount: optional(amountGiven),
    fixed_side: optional(
      oneOf(SIDES, { description: `${SIDE_MEANING} Without a quote, \`${DEFAULT_SIDE}\` by default.` }),
    ),
    sell_account: account('Account to debit; by default the oldest open one of the currency.'),
    buy_account: account('Account to credit; by default the oldest open one of the currency, opened if there is none.'),
    metadata: optional(metadata()),
    dry_run: optional(boolean({ description: 'Check everything, answer as if it had happened, write nothing.' })),
  },
  (parsed) => {
    if (parsed.quote !== undefined) return;
    const absent = NEEDED_WITHOUT_QUOTE.find((name) => parsed[name] === undefined);
    if (absent === undefined) return;
    throw new RequestError('parameter_missing', `${absent} is required without a quote.`, { param: absent });
  },
);

/** With its default side, so that naming it makes no other request for the key; a quote has a side of its own. */
export const createExchangeParams: typeof exchangeForm = {
  ...exchangeForm,
  parse(tree) {
    const body = exchangeForm.parse(tree);
    return body.quote === undefined ? { ...body, fixed_side: body.fixed_side ?? DEFAULT_SIDE } : body;
  },
};

export const updateExchangeParams = params({ metadata: metadata() });

export const listRatesParams = params({
  sell_currency: optional(currency({ description: 'Only rates for selling this currency.' })),
  buy_currency: optional(currency({ description: 'Only rates for buying this currency.' })),
});

export function quoteCommand(body: Body<typeof createQuoteParams>, rateOf: RateOf): CreateQuote {
  const { expires_in: expiresIn, metadata: given } = body;
  return { type: 'create_quote', ...wanted(body, rateOf), expiresInMs: expiresIn * 1000, metadata: given };
}

/** The body has passed `createExchangeParams`: without a quote, currencies, amount and side are there. */
export function exchangeCommand(body: Body<typeof createExchangeParams>, rateOf: RateOf): CreateExchange {
  const { sell_currency: sell, buy_currency: buy, amount: text, fixed_side: side } = body;
  const booking = {
    type: 'create_exchange',
    sellAccount: body.sell_account ?? null,
    buyAccount: body.buy_account ?? null,
    metadata: body.metadata,
  } as const;
  if (body.quote === undefined && sell && buy && text !== undefined && side) {
    const given = { sell_currency: sell, buy_currency: buy, amount: text, fixed_side: side };
    return { ...booking, quote: null, ...wanted(given, rateOf) };
  }
  return {
    ...booking,
    quote: body.quote as string,
    sellCurrency: sell?.code ?? null,
    buyCurrency: buy?.code ?? null,
    amount: text ?? null,
    fixedSide: side ?? null,
  };
}

/** Amount and currency belong together: only here does the text become minor units. */
function wanted(
  given: Pick<Body<typeof createQuoteParams>, 'sell_currency' | 'buy_currency' | 'amount' | 'fixed_side'>,
  rateOf: RateOf,
) {
  const { sell_currency: sell, buy_currency: buy, fixed_side: side } = given;
  return {
    sellCurrency: sell.code,
    buyCurrency: buy.code,
    amount: amountIn(side === 'sell' ? sell : buy, given.amount, 'amount'),
    fixedSide: side,
    rate: rateOf(sell.code, buy.code),
  };
}

const textOrNull = (value: string | null) => (value === null ? 'null' : `"${value}"`);

const priceMembers = (price: Price) =>
  `"sell_currency":"${price.sellCurrency}","buy_currency":"${price.buyCurrency}",${amountMembers(price.sellAmount, price.sellCurrency, 'sell_')},${amountMembers(price.buyAmount, price.buyCurrency, 'buy_')},"fixed_side":"${price.fixedSide}","rate":"${price.rate}","inverse_rate":"${price.inverseRate}","mid_market_rate":"${price.midMarketRate}","markup_bps":${price.markupBps},"rate_source":${JSON.stringify(price.rateSource)},"rate_time":${unixSeconds(price.rateAt)}`;

/** A quote as it stands at `atMs`, environment clock. */
export function renderQuote(quote: Quote, livemode: boolean, atMs: number): string {
  return `{"id":"${quote.id}","object":"quote","created":${unixSeconds(quote.createdAt)},"livemode":${livemode},"status":"${quoteStatus(quote, atMs)}",${priceMembers(quote)},"expires_at":${unixSeconds(quote.expiresAt)},"exchange":${textOrNull(quote.exchangeId)},"metadata":${JSON.stringify(quote.metadata)}}`;
}

export function renderExchange(exchange: Exchange, livemode: boolean): string {
  return `{"id":"${exchange.id}","object":"exchange","created":${unixSeconds(exchange.createdAt)},"livemode":${livemode},"status":"completed",${priceMembers(exchange)},"quote":${textOrNull(exchange.quoteId)},"sell_account":"${exchange.sellAccount}","buy_account":"${exchange.buyAccount}","sell_transfer":"${exchange.sellTransfer}","buy_transfer":"${exchange.buyTransfer}","metadata":${JSON.stringify(exchange.metadata)}}`;
}

/** A rate is no stored object: its id is the pair, and it was created when its source fixed it. */
export function renderRate(pair: PairRate, livemode: boolean): string {
  const { rate, inverseRate } = clientRate(pair.midRate, pair.markupBps);
  const at = unixSeconds(pair.at);
  return `{"id":"${pair.sellCurrency}_${pair.buyCurrency}","object":"rate","created":${at},"livemode":${livemode},"sell_currency":"${pair.sellCurrency}","buy_currency":"${pair.buyCurrency}","rate":"${rate}","inverse_rate":"${inverseRate}","mid_market_rate":"${pair.midRate}","markup_bps":${pair.markupBps},"rate_source":${JSON.stringify(pair.source)},"rate_time":${at}}`;
}

const rateText = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^[0-9]+(\\.[0-9]+)?$',
  description,
});

const pair: Readonly<Record<string, JsonSchema>> = {
  sell_currency: { type: 'string', description: 'Currency given.' },
  buy_currency: { type: 'string', description: 'Currency received.' },
};
const rates: Readonly<Record<string, JsonSchema>> = {
  rate: rateText(
    'Buy units per one sell unit: the mid-market rate less the markup, rounded down to ten significant digits. The amounts follow from this text exactly.',
  ),
  inverse_rate: rateText('Sell units per one buy unit: 1 / `rate`, rounded up to ten significant digits. For reading.'),
  mid_market_rate: rateText('Without the markup.'),
  markup_bps: { type: 'integer', minimum: 0, description: 'Markup in basis points.' },
  rate_source: { type: 'string', description: 'Where the rate came from; `sandbox` for the fixed table.' },
  rate_time: { type: 'integer', description: 'When the source fixed it, Unix seconds.' },
};
const price: Readonly<Record<string, JsonSchema>> = {
  ...pair,
  sell_amount: { type: 'number', exclusiveMinimum: 0, description: 'Major units of `sell_currency`.' },
  sell_amount_minor: { type: 'integer', minimum: 1, description: 'The same in minor units.' },
  buy_amount: { type: 'number', exclusiveMinimum: 0, description: 'Major units of `buy_currency`.' },
  buy_amount_minor: { type: 'integer', minimum: 1, description: 'The same in minor units.' },
  fixed_side: {
    type: 'string',
    enum: ['sell', 'buy'],
    description: 'The side that was asked for. The other was computed: the buy side rounded down, the sell side up.',
  },
  ...rates,
};

export const EXCHANGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Quote: strictObject('A price promised for a while. Moves no money; books at most one exchange.', {
    ...commonMembers('quote', 'quo_…'),
    status: { type: 'string', enum: ['active', 'used', 'expired'] },
    ...price,
    expires_at: { type: 'integer', description: 'Last instant of use, Unix seconds.' },
    exchange: nullableText('The exchange that used it.'),
    metadata: ref('Metadata'),
  }),
  Exchange: strictObject('Money of one currency turned into another; both sides moved in one commit.', {
    ...commonMembers('exchange', 'exc_…'),
    status: { const: 'completed' },
    ...price,
    quote: nullableText('The quote it was booked on.'),
    sell_account: { type: 'string', description: 'Account debited.' },
    buy_account: { type: 'string', description: 'Account credited.' },
    sell_transfer: { type: 'string', description: 'Transfer of the sell side.' },
    buy_transfer: { type: 'string', description: 'Transfer of the buy side.' },
    metadata: ref('Metadata'),
  }),
  Rate: strictObject('What an exchange of a pair would be priced at now.', {
    ...commonMembers('rate', 'The pair, such as EUR_USD.'),
    ...pair,
    ...rates,
  }),
  RateList: strictObject('All of them; there is never another page.', { data: { type: 'array', items: ref('Rate') } }),
};
