/** Quotes and exchanges, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { nothing, slice } from '../../core/slice.ts';
import * as decide from './decide.ts';
import { EXCHANGE } from './fields.ts';
import { renderFxSettings } from './position-schema.ts';
import { renderQuote } from './schema.ts';
import { updateFxSettings } from './settings-decide.ts';
import { EXCHANGES, QUOTES } from './sql.ts';

export const exchanges = slice({
  decisions: {
    create_quote: decide.createQuote,
    create_exchange: decide.createExchange,
    update_exchange: decide.updateExchange,
    update_fx_settings: updateFxSettings,
  },
  needs: {
    create_quote: nothing,
    create_exchange: (need, { quote, sellAccount, sellCurrency, buyAccount, buyCurrency }) => {
      need.keys('quotes', quote);
      need.account(sellAccount, sellCurrency);
      need.account(buyAccount, buyCurrency);
    },
    update_exchange: (need, { exchange }) => need.keys('exchanges', exchange),
    update_fx_settings: nothing,
  },
  audited: ['update_fx_settings'],
  tables: { quote: QUOTES, exchange: EXCHANGES },
  objects: { exchange: EXCHANGE },
  replies: {
    quote: (quote, livemode, { atMs }) => renderQuote(quote, livemode, atMs),
    fx_settings: ({ fx }, livemode) => renderFxSettings(fx, livemode),
  },
});
export type ExchangeCommand = CommandOf<typeof exchanges.decisions>;
