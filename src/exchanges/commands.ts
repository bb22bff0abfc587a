/** The commands of quotes and exchanges, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import {
  type CreateQuote,
  createQuote,
  type CreateExchange,
  createExchange,
  type UpdateExchange,
  updateExchange,
} from './decide.ts';

export type ExchangeCommand = CreateQuote | CreateExchange | UpdateExchange;

export const exchangeDecisions: Decisions<ExchangeCommand> = {
  create_quote: createQuote,
  create_exchange: createExchange,
  update_exchange: updateExchange,
};
