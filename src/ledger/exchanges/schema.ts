/** Quotes, exchanges and rates on the wire: what a request may say, what an answer looks like. */
import { RequestError } from '../../core/values/errors.ts';
import { EXCHANGE, fixingJson, QUOTE, type Quote } from './fields.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { type Expandable, expandedSchema } from '../../platform/http/expand.ts';
import { commonMembers, dryRunOf, schemaOf } from '../../platform/http/object-schema.ts';
import { span } from '../../platform/http/request/instants.ts';
import { wholeLimit } from '../../platform/http/lists.ts';
import * as param from '../../platform/http/request/params.ts';
import { type CreateExchange, type CreateQuote, quoteStatus } from './decide.ts';
import type { PairRate, RatesNow } from './rate-source.ts';
import { clientRate } from './rates.ts';

type Body<P> = P extends param.Params<infer T> ? T : never;
const SIDES = ['sell', 'buy'] as const;
const DEFAULT_SIDE = 'sell';
const sellCurrency = param.currency({ description: 'The currency that you sell.', example: 'EUR' });
const buyCurrency = param.currency({ description: 'The currency that you buy.', example: 'USD' });
const amountGiven = param.amount({
  description: 'In major units of `sell_currency`; with `fixed_side=buy`, of `buy_currency`.',
  example: 100,
});
const SIDE_MEANING = 'The side that `amount` fixes; the other one is computed.';
const fixedSide = param.oneOf(SIDES, { description: SIDE_MEANING });

export const createQuoteParams = param.params({
  sell_currency: sellCurrency,
  buy_currency: buyCurrency,
  amount: amountGiven,
  fixed_side: param.withDefault(fixedSide, DEFAULT_SIDE),
  // Long enough to show it to a person, short enough to be priced.
  expires_in: param.withDefault(
    param.integer({ description: 'For so many seconds the quote can be used.', min: 30, max: 86_400 }),
    1_800,
  ),
  ...param.optional({ metadata: param.metadata() }),
});

const account = (what: string) => param.id('acct', { description: what });

const NEEDED_WITHOUT_QUOTE = ['sell_currency', 'buy_currency', 'amount'] as const;

const exchangeForm = param.optionalParams(
  {
    quote: param.id('quo', {
      description: 'Book at this quote’s price. Without it, `sell_currency`, `buy_currency` and `amount` are required.',
    }),
    sell_currency: sellCurrency,
    buy_currency: buyCurrency,
    amount: amountGiven,
    fixed_side: param.oneOf(SIDES, { description: `${SIDE_MEANING} Without a quote, \`${DEFAULT_SIDE}\` by default.` }),
    sell_account: account('Account to debit; by default the oldest open one of the currency.'),
    buy_account: account(
      'Account to credit; by default the oldest open one of the currency. If there is none, one is opened.',
    ),
    metadata: param.metadata(),
    dry_run: param.dryRun,
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

export const updateExchangeParams = param.changesParams({ metadata: param.metadata() });

export const listRatesParams = param.optionalParams({
  ...wholeLimit,
  sell_currency: param.currency({ description: 'Only rates for selling this currency.' }),
  buy_currency: param.currency({ description: 'Only rates for buying this currency.' }),
  at: span({
    description:
      'The rates that were good at this instant: Unix seconds, an ISO instant, or a day, which means its end (UTC). Seconds are included. It may not be in the future; today means now. The real clock counts, also in the sandbox, whose rates never change.',
  }),
});

export function quoteCommand(body: Body<typeof createQuoteParams>, rates: RatesNow): CreateQuote {
  const { expires_in: expiresIn, metadata: given } = body;
  return { type: 'create_quote', ...wanted(body, rates), expiresInMs: expiresIn * 1000, metadata: given };
}

/** The body has passed `createExchangeParams`: without a quote, currencies, amount and side are there. */
export function exchangeCommand(body: Body<typeof createExchangeParams>, rates: RatesNow): CreateExchange {
  const { sell_currency: sell, buy_currency: buy, amount: text, fixed_side: side, metadata } = body;
  const { sell_account: sellAccount = null, buy_account: buyAccount = null } = body;
  const booking = { type: 'create_exchange', sellAccount, buyAccount, metadata } as const;
  if (body.quote === undefined && sell && buy && text !== undefined && side) {
    const given = { sell_currency: sell, buy_currency: buy, amount: text, fixed_side: side };
    return { ...booking, quote: null, ...wanted(given, rates) };
  }
  return {
    ...booking,
    quote: body.quote as string,
    sellCurrency: sell?.code ?? null,
    buyCurrency: buy?.code ?? null,
    amount: text ?? null,
    fixedSide: side ?? null,
    rates: rates.all,
  };
}

/** Amount and currency belong together: only here does the text become minor units. */
function wanted(
  given: Pick<Body<typeof createQuoteParams>, 'sell_currency' | 'buy_currency' | 'amount' | 'fixed_side'>,
  rates: RatesNow,
) {
  const { sell_currency: sell, buy_currency: buy, fixed_side: side } = given;
  return {
    sellCurrency: sell.code,
    buyCurrency: buy.code,
    amount: param.amountIn(side === 'sell' ? sell : buy, given.amount, 'amount'),
    fixedSide: side,
    rate: rates.of(sell.code, buy.code),
    rates: rates.all,
  };
}

export function renderQuote(quote: Quote, livemode: boolean, atMs: number): string {
  return QUOTE.render({ ...quote, status: quoteStatus(quote, atMs) } as Quote, livemode);
}

/** A rate is no stored object: its id is the pair, and it was created when its source fixed it. */
export function renderRate(pair: PairRate, livemode: boolean): string {
  const { rate, inverseRate } = clientRate(pair.midRate, pair.markupBps);
  const at = unixSeconds(pair.at);
  return `{"id":"${pair.sellCurrency}_${pair.buyCurrency}","object":"rate","created":${at},"livemode":${livemode},"sell_currency":"${pair.sellCurrency}","buy_currency":"${pair.buyCurrency}","rate":"${rate}","inverse_rate":"${inverseRate}","mid_market_rate":"${pair.midRate}","markup_bps":${pair.markupBps},"rate_source":${JSON.stringify(pair.source)},"rate_at":${at},"fixing":${fixingJson({ rateSource: pair.source, rateAt: pair.at })}}`;
}

export const RATE_MEMBERS =
  'sell_currency buy_currency rate inverse_rate mid_market_rate markup_bps rate_source rate_at fixing'.split(' ');

export const EXCHANGE_EXPANDABLE: Expandable = {
  sell_account: 'Account',
  buy_account: 'Account',
  sell_transfer: 'Transfer',
  buy_transfer: 'Transfer',
};

const exchange = schemaOf(
  EXCHANGE,
  'Money of one currency turned into another; both sides moved in one commit.',
  {},
  expandedSchema(EXCHANGE_EXPANDABLE),
);

export const EXCHANGE_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  ExchangeQuote: schemaOf(QUOTE, 'A price promised for a while. Moves no money; books at most one exchange.'),
  Exchange: exchange,
  ExchangeDryRun: dryRunOf(exchange, ['id', 'buy_account', 'sell_transfer', 'buy_transfer']),
  Rate: strictObject('The present price of exchanges of a pair.', {
    ...commonMembers('rate', 'The pair, such as EUR_USD.'),
    ...Object.fromEntries(Object.entries(EXCHANGE.schemas).filter(([name]) => RATE_MEMBERS.includes(name))),
  }),
  RateList: strictObject('All items; there is never another page.', {
    data: { type: 'array', items: param.ref('Rate') },
  }),
};
