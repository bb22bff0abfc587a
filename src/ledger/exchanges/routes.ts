/** The operations of quotes, exchanges and rates. Handlers parse, write or read, and render; decisions: `decide.ts`. */
import type { Code } from '../../core/values/errors.ts';
import { fxFromJson } from '../../core/fx.ts';
import { expandIn, expandQuery } from '../../platform/http/expand.ts';
import { listParams, renderWhole } from '../../platform/http/lists.ts';
import type { Span } from '../../platform/http/request/instants.ts';
import { currency, id, paramError, pathId } from '../../platform/http/request/params.ts';
import {
  always,
  AMOUNT_ERRORS,
  answers,
  answersList,
  answersOrTries,
  type Caller,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { jsonOfEnvironment, one, readsOf, type Service } from '../../platform/http/service.ts';
import type { ExchangeCommand } from './slice.ts';
import type { FiledRates } from './filed-rates.ts';
import { pairsOf, type RateSource } from './rate-source.ts';
import { RateTable } from './rate-table.ts';
import type { NoRate } from './rates.ts';
import * as schema from './schema.ts';
import { whyNotGood } from './staleness.ts';
import { exampleOf } from '../../platform/http/object-schema.ts';
import { EXCHANGE, QUOTE } from './fields.ts';
import { EXCHANGES, fixingAt, fixingFrom, QUOTES, readQuote } from './sql.ts';

const route = routesOf('Exchanges', 'exchanges');

const QUOTE_EXAMPLE = exampleOf(QUOTE, { expires_at: 1_732_185_800 });

const EXCHANGE_EXAMPLE = exampleOf(EXCHANGE, {
  quote: QUOTE_EXAMPLE.id,
  buy_account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xb',
  buy_transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb',
});

const RATE_EXAMPLE = {
  id: 'EUR_USD',
  object: 'rate',
  created: 1_732_183_980,
  livemode: false,
  ...Object.fromEntries(schema.RATE_MEMBERS.map((member) => [member, EXCHANGE.examples[member]])),
};

/** What can be wrong with a price. */
const PRICE_ERRORS: readonly Code[] = [
  ...AMOUNT_ERRORS,
  'currency_unsupported',
  'currency_pair_invalid',
  'rate_unavailable',
];

export function exchangeRoutes(service: Service<ExchangeCommand>, rates: RateSource): Route[] {
  const { idIn, list, retrieve } = readsOf(service, EXCHANGE, EXCHANGES);
  /** The table that counted at an instant: the one in use, or the newest fixing that was stored until then, if it was good then. */
  const tableAt = async ({ environmentId, livemode }: Caller, at: Span | undefined): Promise<FiledRates | NoRate> => {
    const nowMs = Date.now();
    if (at !== undefined && at.startMs > nowMs) {
      const message = `at must not be in the future; now is ${Math.floor(nowMs / 1000)} (${new Date(nowMs).toISOString()}).`;
      throw paramError('parameter_invalid', 'at', message);
    }
    if (at === undefined || at.endMs > nowMs || !livemode)
      return rates.table(livemode, Math.min(nowMs, (at?.endMs ?? nowMs + 1) - 1));
    const thenMs = at.endMs - 1;
    const fixing = fixingFrom(await service.rows(fixingAt(environmentId, thenMs)));
    const why = fixing === null ? 'none was stored' : whyNotGood(fixing.atMs, thenMs, rates.businessDays);
    if (fixing === null || why !== null) return { unavailable: why ?? '' };
    return { table: new RateTable(fixing), at: fixing.atMs };
  };
  return [
    route('createQuote', 'POST /v1/exchanges/quote', {
      summary: 'Quote an exchange',
      description:
        'Promises a price for `expires_in` seconds. Moves no money and needs no balance; the computed side is rounded against you, once.',
      body: schema.createQuoteParams,
      request: { sell_currency: 'EUR', buy_currency: 'USD', amount: 100 },
      response: answers('ExchangeQuote', QUOTE_EXAMPLE),
      errors: PRICE_ERRORS,
      handle: (call) => service.write(call, schema.quoteCommand(call.body, rates.now(call.caller.livemode))),
    }),
    route('retrieveQuote', 'GET /v1/exchange_quotes/:id', {
      summary: 'Retrieve a quote',
      response: answers('ExchangeQuote', QUOTE_EXAMPLE),
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
        'At a quote’s price (`quote`), or at the current rate (`sell_currency`, `buy_currency`, `amount`). Both sides move in one commit. Parameters that you send together with a quote must agree with it.',
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
        'position_limit_exceeded',
        'limit_exceeded',
        'balance_insufficient',
        'balance_too_large',
      ],
      handle: (call) => {
        const command = schema.exchangeCommand(call.body, rates.now(call.caller.livemode));
        return service.write(call, command, { dryRun: call.body.dry_run });
      },
    }),
    route('listExchanges', 'GET /v1/exchanges', {
      summary: 'List exchanges',
      isRepeatable: always,
      query: listParams('exc', {
        sell_currency: currency({ description: 'Only exchanges that gave this currency.' }),
        buy_currency: currency({ description: 'Only exchanges that received this currency.' }),
        quote: id('quo', { description: 'Only the exchange booked on this quote.' }),
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
      summary: 'List the rates, present or past',
      description:
        'The rates at which exchanges are priced now, markup included, or were priced at the instant `at`. In live, past rates come from the stored fixings. The list is empty where no rate was good. Without a filter it has the rates for selling the source’s base currency (EUR in the sandbox). It has no pages: at most one rate a currency.',
      query: schema.listRatesParams,
      response: answersList('Rate', RATE_EXAMPLE),
      errors: ['currency_unsupported'],
      handle: async (call) => {
        const { livemode } = call.caller;
        const { sell_currency: sell, buy_currency: buy, at } = call.query;
        const found = await tableAt(call.caller, at);
        const filter = { sellCurrency: sell?.code, buyCurrency: buy?.code };
        const { markups } = fxFromJson(await jsonOfEnvironment(service, call.caller, 'fx'));
        const listed = 'unavailable' in found ? [] : pairsOf(found, filter, markups);
        const rendered = listed.map((pair) => schema.renderRate(pair, livemode));
        return renderWhole(rendered, call);
      },
    }),
  ];
}
