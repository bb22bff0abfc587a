/** The commands of quotes and exchanges, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as decide from './decide.ts';
import { updateFxSettings } from './settings-decide.ts';

export const exchangeDecisions = decisions({
  create_quote: decide.createQuote,
  create_exchange: decide.createExchange,
  update_exchange: decide.updateExchange,
  update_fx_settings: updateFxSettings,
});
export type ExchangeCommand = CommandOf<typeof exchangeDecisions>;
