/** The operations of quotes, exchanges and rates. Handlers parse, write or read, and render; decisions: `decide.ts`. */
import type { Code } from '../core/errors.ts';
import { expandIn, expandQuery } from '../http/expand.ts';
import { listParams, renderList } from '../http/lists.ts';
import { currency, id, optional, pathId } from '../http/request/params.ts';
import {
  always,
  AMOUNT_ERRORS,
  answers,
  answersList,
  answersOrTries,
  type Call,
  type Route,
  routesOf,
} from '../http/route.ts';
import { one, readsOf, type Service } from '../http/service.ts';
import type { ExchangeCommand } from './commands.ts';
import { EXCHANGE_EXAMPLE, QUOTE_EXAMPLE, RATE_EXAMPLE } from './examples.ts';
import type { RateSource } from './rate-source.ts';
import * as schema from './schema.ts';
import { EXCHANGE } from './fields.ts';
import { EXCHANGES, QUOTES, readQuote } from './sql.ts';

const route = routesOf('Exchanges', 'exchanges');

/** What can be wrong with a price. */
const PRICE_ERRORS: readonly Code[] = [
  ...AMOUNT_ERRORS,
  'currency_unsupported',
  'currency_pair_invalid',
  'rate_unavailable',
];

export function exchangeRoutes(service: Service<ExchangeCommand>, rates: RateSource): Route[] {
  const { idIn, list, retrieve } = readsOf(service, EXCHANGE, EXCHANGES);
  const rateOf = (call: Call<unknown, unknown>): schema.RateOf => {
    const nowMs = Date.now();
    return (sell, buy) => rates.current(call.caller.livemode, sell, buy, nowMs);
  };
  return [
    route('createQuote', 'POST /v1/exchanges/quote', {
      summary: 'Quote an exchange',
      description:
        'Promises a price for `expires_in` seconds. Moves no money and needs no balance; the computed side is rounded against you, once.',
      body: schema.createQuoteParams,
      request: { sell_currency: 'EUR', buy_currency: 'USD', amount: 100 },
      response: answers('Quote', QUOTE_EXAMPLE),
      errors: PRICE_ERRORS,
      handle: (call) => service.write(call, schema.quoteCommand(call.body, rateOf(call))),
    }),
    route('retrieveQuote', 'GET /v1/exchanges/quotes/:id', {
      summary: 'Retrieve a quote',
      response: answers('Quote', QUOTE_EXAMPLE),
      handle: (call) => {
        const { environmentId, livemode } = call.caller;
        const quote = pathId(call, 'quo');
        return one(service, readQuote(environmentId, quote), 'quote', quote, (row) =>
          schema.renderQuote(QUOTES.read(row), livemode, row['now_at'] as number),
        );
      },
    }),
    route('createExchange', 'POST /v1/exchanges', {
      summary: 'Book an exchange',
      description:
        'At a quote’s price (`quote`), or at the current rate (`sell_currency`, `buy_currency`, `amount`). Both sides move in one commit. Parameters sent beside a quote must agree with it.',
      body: schema.createExchangeParams,
      request: { quote: QUOTE_EXAMPLE.id },
      response: answersOrTries('Exchange', EXCHANGE_EXAMPLE),
      errors: [
        ...PRICE_ERRORS,
        'parameter_missing',
        'resource_missing',
        'quote_expired',
        'quote_already_used',
        'quote_mismatch',
        'account_missing',
        'account_closed',
        'account_currency_mismatch',
        'balance_insufficient',
        'balance_too_large',
      ],
      handle: (call) => {
        const command = schema.exchangeCommand(call.body, rateOf(call));
        return service.write(call, command, { dryRun: call.body.dry_run });
      },
    }),
    route('listExchanges', 'GET /v1/exchanges', {
      summary: 'List exchanges',
      isRepeatable: always,
      query: listParams('exc', {
        sell_currency: optional(currency({ description: 'Only exchanges that gave this currency.' })),
        buy_currency: optional(currency({ description: 'Only exchanges that received this currency.' })),
        quote: optional(id('quo', { description: 'Only the exchange booked on this quote.' })),
        ...expandIn(schema.EXCHANGE_EXPANDABLE),
      }),
      response: answersList('Exchange', EXCHANGE_EXAMPLE),
      errors: ['currency_unsupported'],
      handle: (call) => list(call, { quote: 'quote_id' }),
    }),
    route('retrieveExchange', 'GET /v1/exchanges/:id', {
      summary: 'Retrieve an exchange',
      isRepeatable: always,
      query: expandQuery(schema.EXCHANGE_EXPANDABLE),
      response: answers('Exchange', EXCHANGE_EXAMPLE),
      handle: retrieve,
    }),
    route('updateExchange', 'POST /v1/exchanges/:id', {
      summary: 'Update an exchange',
      description: 'Only metadata can change.',
      body: schema.updateExchangeParams,
      request: { metadata: { order: '6735' } },
      response: answers('Exchange', { ...EXCHANGE_EXAMPLE, metadata: { order: '6735' } }),
      errors: ['metadata_invalid'],
      handle: (call) =>
        service.write(call, { type: 'update_exchange', exchange: idIn(call), metadata: call.body.metadata }),
    }),
    route('listRates', 'GET /v1/rates', {
      summary: 'List current rates',
      description:
        'What exchanges would be priced at now, markup included. Without a filter: the rates for selling the base currency of the source (EUR in the sandbox). Not paged: at most one rate a currency.',
      query: schema.listRatesParams,
      response: answersList('Rate', RATE_EXAMPLE),
      errors: ['currency_unsupported'],
      handle: async (call) => {
        const { livemode } = call.caller;
        const { sell_currency: sell, buy_currency: buy } = call.query;
        const listed = rates.list(livemode, { sellCurrency: sell?.code, buyCurrency: buy?.code }, Date.now());
        const rendered = listed.map((pair) => schema.renderRate(pair, livemode));
        return renderList(rendered, false, call);
      },
    }),
  ];
}
