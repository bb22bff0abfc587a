/** Examples of the API reference, as the sandbox answers them. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { EXCHANGE, QUOTE } from './fields.ts';
import { RATE_MEMBERS } from './schema.ts';

export const QUOTE_EXAMPLE = exampleOf(QUOTE, { expires_at: 1_732_185_800 });

export const EXCHANGE_EXAMPLE = exampleOf(EXCHANGE, {
  quote: QUOTE_EXAMPLE.id,
  buy_account: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xb',
  buy_transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb',
});

export const RATE_EXAMPLE = {
  id: 'EUR_USD',
  object: 'rate',
  created: 1_732_183_980,
  livemode: false,
  ...Object.fromEntries(RATE_MEMBERS.map((member) => [member, EXCHANGE.examples[member]])),
};
