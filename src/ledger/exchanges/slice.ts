/** Quotes and exchanges, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { nothing, slice } from '../../core/slice.ts';
import type { State } from '../../core/state.ts';
import * as decide from './decide.ts';
import { valueIn } from './exposure.ts';
import { EXCHANGE, type RateTableParts } from './fields.ts';
import { renderExchangeSettings } from './position-schema.ts';
import { sandboxRates } from './rate-source.ts';
import { RateTable } from './rate-table.ts';
import { renderQuote } from './schema.ts';
import { updateExchangeSettings } from './settings-decide.ts';
import { EXCHANGES, QUOTES } from './sql.ts';

export const exchanges = slice({
  decisions: {
    create_quote: decide.createQuote,
    create_exchange: decide.createExchange,
    update_exchange: decide.updateExchange,
    update_exchange_settings: updateExchangeSettings,
  },
  needs: {
    create_quote: nothing,
    create_exchange: (need, { quote, sellAccount, sellCurrency, buyAccount, buyCurrency }) => {
      need.keys('quotes', quote);
      need.account(sellAccount, sellCurrency);
      need.account(buyAccount, buyCurrency);
    },
    update_exchange: (need, { exchange }) => need.keys('exchanges', exchange),
    update_exchange_settings: nothing,
  },
  audited: ['update_exchange_settings'],
  tables: { exchange_quote: QUOTES, exchange: EXCHANGES },
  objects: { exchange: EXCHANGE },
  replies: {
    exchange_quote: (quote, livemode, { atMs }) => renderQuote(quote, livemode, atMs),
    exchange_settings: ({ fx }, livemode) => renderExchangeSettings(fx, livemode),
  },
});
export type ExchangeCommand = CommandOf<typeof exchanges.decisions>;

const SANDBOX = sandboxRates(0);

/** What limits in all currencies value by: the rates of a fixing, or those of the sandbox; `null`: there are none. */
export function valuerBy(fixing: RateTableParts | 'sandbox' | null): State['valueIn'] {
  const rates = fixing === 'sandbox' ? SANDBOX : fixing && new RateTable(fixing);
  return (currency, money) => valueIn(currency, money, rates, 'up');
}
