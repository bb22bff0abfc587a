/** Quotes and exchanges, field by field: both are a priced pair. Rates are exact decimal text. */
import { feesField } from '../../core/fees.ts';
import * as field from '../../core/fields.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { unixSeconds } from '../../core/values/time.ts';

/** The examples are 100 EUR at 1.155105. */
const rate = (description: string, example: string) =>
  field.code({ example, schema: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$', description } });

const amount = (side: 'sell' | 'buy') =>
  field.money({
    of: `${side}Currency`,
    prefix: `${side}_`,
    description: `Major units of \`${side}_currency\`.`,
    minorDescription: 'The same in minor units.',
    example: side === 'sell' ? 10_000 : 11_551,
  });

/** As JSON: which rates of which instant, as `GET /v1/rates?at=` lists them. */
export const fixingJson = ({ rateSource, rateAt }: Pick<Price, 'rateSource' | 'rateAt'>): string =>
  `{"source":${JSON.stringify(rateSource)},"at":${unixSeconds(rateAt)}}`;

const fixing = field.derived(
  'fixing',
  strictObject('The fixing behind the price: `GET /v1/rates?at=` with its `at` lists it.', {
    source: { type: 'string', description: 'Where the rate came from; `sandbox` for the fixed table.' },
    at: { type: 'integer', description: 'When the source fixed it, Unix seconds.' },
  }),
  (price: never): string => fixingJson(price),
  { source: 'sandbox', at: 1_732_183_980 },
);

const PRICE = {
  sellCurrency: field.code({ description: 'The sold currency.', example: 'EUR' }),
  buyCurrency: field.code({ description: 'The bought currency.', example: 'USD' }),
  sellAmount: amount('sell'),
  buyAmount: amount('buy'),
  fixedSide: field.oneOf(['sell', 'buy'], {
    description: 'The side of the request. The other side was computed: a buy side is rounded down, a sell side up.',
  }),
  rate: rate(
    'Buy units per one sell unit: the mid-market rate less the markup, rounded down to ten significant digits. The amounts follow from this text exactly.',
    '1.155105',
  ),
  inverseRate: rate(
    'Sell units per one buy unit: 1 / `rate`, rounded up to ten significant digits. For reading.',
    '0.8657221638',
  ),
  midMarketRate: rate('The rate without the markup.', '1.158'),
  markupBps: field.count({
    example: 25,
    schema: { type: 'integer', minimum: 0, description: 'Markup in basis points.' },
  }),
  rateSource: field.text({
    description: 'Where the rate came from; `sandbox` for the fixed table.',
    example: 'sandbox',
  }),
  rateAt: field.instant({
    member: 'rate_at',
    description: 'When the source fixed it, Unix seconds.',
    example: 1_732_183_980,
  }),
  fixing,
};
export type Price = field.Values<typeof PRICE>;

export const QUOTE_STATUSES = ['active', 'used', 'expired'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** Whoever renders a quote adds its `status`, which depends on the instant. */
export const QUOTE = field.objectType('exchange_quote', 'quo', {
  currentStatus: field.derived(
    'status',
    { type: 'string', enum: QUOTE_STATUSES },
    ({ status }: { readonly status: QuoteStatus }) => `"${status}"`,
  ),
  ...PRICE,
  fees: feesField('Fees of its exchange, in addition to the amounts.'),
  expiresAt: field.instant({ description: 'Last instant of use, Unix seconds.' }),
  exchangeId: field.idOrNull('exc', { member: 'exchange', description: 'The exchange that used it.', mutable: true }),
  metadata: field.metadata(),
});
export type Quote = field.ObjectOf<typeof QUOTE>;

export const EXCHANGE = field.objectType('exchange', 'exc', {
  status: field.derived('status', { const: 'completed' }, () => '"completed"'),
  ...PRICE,
  quoteId: field.idOrNull('quo', { member: 'quote', description: 'The quote it was booked on.' }),
  sellAccount: field.id('acct', { description: 'Account debited.' }),
  buyAccount: field.id('acct', { description: 'Account credited.' }),
  sellTransfer: field.id('trf', { description: 'Transfer of the sell side.' }),
  buyTransfer: field.id('trf', { description: 'Transfer of the buy side.' }),
  fees: feesField('Its fees, in addition to the amounts.'),
  metadata: field.metadata({ mutable: true }),
});
export type Exchange = field.ObjectOf<typeof EXCHANGE>;

/** The source of a table of rates. Its maker has checked it. */
export interface RateTableParts {
  readonly source: string;
  readonly base: string;
  readonly markupBps: number;
  /** Currency to units of it per one unit of the base, decimal text above zero. Without the base itself. */
  readonly rates: Readonly<Record<string, string>>;
}

declare module '../../core/objects.ts' {
  interface Stored {
    readonly exchange_quote: Quote;
    readonly exchange: Exchange;
  }
  interface Unannounced {
    readonly exchange_quote: Quote;
  }
}
