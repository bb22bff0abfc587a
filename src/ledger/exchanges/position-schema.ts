/** Settings and positions of foreign exchange on the wire. */
import { currencyOf } from '../../core/values/currencies.ts';
import { type Fx, pairName, realisedResult } from '../../core/fx.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { moneyMembers } from '../../core/values/money.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { invalid, isObject, param } from '../../platform/http/request/param.ts';
import * as params from '../../platform/http/request/params.ts';
import { openPosition, type Valuation, valueIn } from './exposure.ts';
import { MAX_MARKUP_BPS } from './rates.ts';

const positive = params.amount({ description: 'Above zero.' });
/** Major-unit text; empty: none. */
const limit: params.Param<string> = {
  ...param(
    {
      description:
        'The most that may be open, in major units of `base_currency`. An exchange, or a payout from another currency, that would exceed it is refused with `position_limit_exceeded`. An empty value or null removes the limit.',
      example: 100_000,
    },
    { ...positive.schema, pattern: '^([0-9]+(\\.[0-9]+)?)?$' },
    (value, path, notation) => (value === '' ? '' : positive.parse(value, path, notation)),
    positive.codes,
  ),
  clearable: true,
};
const bps = params.integer({ min: 0, max: MAX_MARKUP_BPS, description: 'Basis points.' });

/** Pair to basis points; an empty value removes one. */
const markups = params.unsettable(
  param<Readonly<Record<string, number | null>>>(
    {
      description:
        'Markups of pairs in basis points, instead of the source’s markup. `markups[EUR_USD]=40` counts when EUR is sold for USD. An empty value or null removes a markup; null (form: `markups=`) removes all.',
    },
    {
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z]{3}_[A-Za-z]{3}$' },
      additionalProperties: { anyOf: [bps.schema, { const: '' }, { type: 'null' }] },
    },
    (value, path, notation) => {
      if (!isObject(value)) throw invalid(path, value, `an object (form: ${path}[EUR_USD]=40)`);
      return Object.fromEntries(
        Object.entries(value).map(([pair, given]) => {
          const at = `${path}[${pair}]`;
          const [, sell = '', buy = ''] = /^([A-Za-z]{3})_([A-Za-z]{3})$/.exec(pair) ?? [];
          const [selling, buying] = [currencyOf(sell.toUpperCase()), currencyOf(buy.toUpperCase())];
          if (!selling || !buying || selling === buying)
            throw params.paramError('currency_pair_invalid', at, `${at} must name two currencies, such as EUR_USD.`);
          return [
            pairName(selling.code, buying.code),
            given === '' || given === null ? null : bps.parse(given, at, notation),
          ];
        }),
      );
    },
    ['currency_pair_invalid'],
  ),
);

export const updateExchangeSettingsParams = params.changesParams({
  base_currency: params.currency({
    description: 'Currency in which positions are valued. A change starts the result again.',
  }),
  position_limit: limit,
  markups,
});

export function renderExchangeSettings({ base, positionLimit, markups: of }: Fx, livemode: boolean): string {
  return `{"object":"exchange_settings","livemode":${livemode},"base_currency":"${base}",${moneyMembers('position_limit', positionLimit, base)},"markups":${JSON.stringify(of)}}`;
}

/** `rates`: of `at`, milliseconds; both `null`: there are none now. */
export function renderPositions(fx: Fx, rates: Valuation, at: number | null, livemode: boolean): string {
  const { base, positionLimit, positions } = fx;
  const rendered = Object.entries(positions)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { amount, book }]) => {
      const value = valueIn(base, { currency, amount }, rates);
      const rate = currency === base ? '1' : (rates?.rate(currency, base, 0)?.midRate ?? null);
      return `{"currency":"${currency}",${moneyMembers('amount', amount, currency)},"rate":${JSON.stringify(rate)},${moneyMembers('value', value, base)},${moneyMembers('book_value', currency === base ? amount : book, base)}}`;
    });
  const values = Object.entries(positions).map(([currency, { amount }]) => valueIn(base, { currency, amount }, rates));
  const all = values.reduce<bigint | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0n);
  const realised = realisedResult(fx);
  const open = openPosition(fx, rates);
  return (
    `{"object":"exchange_positions","livemode":${livemode},"base_currency":"${base}","rate_at":${at === null ? null : unixSeconds(at)},` +
    `"positions":[${rendered.join(',')}],${moneyMembers('open_position', typeof open === 'string' ? null : open, base)},` +
    `${moneyMembers('position_limit', positionLimit, base)},${moneyMembers('realised', realised, base)},${moneyMembers('unrealised', all === null ? null : all - realised, base)}}`
  );
}

const number = (description: string) => ({ type: ['number', 'null'], description }) as const;
const integer = (description: string) => ({ type: ['integer', 'null'], description }) as const;
const pair = (name: string, description: string) => ({
  [name]: number(`${description} Major units.`),
  [`${name}_minor`]: integer('The same in minor units.'),
});
const baseCurrency = { type: 'string', description: 'Currency in which positions are valued.' } as const;
const LIMIT = pair('position_limit', 'The most that may be open; `null`: no limit.');

export const FX_SCHEMAS: Readonly<Record<string, params.JsonSchema>> = {
  ExchangeSettings: strictObject('The settings of an environment’s exchanges.', {
    object: { const: 'exchange_settings' },
    livemode: { type: 'boolean' },
    base_currency: baseCurrency,
    ...LIMIT,
    markups: {
      type: 'object',
      description: 'Basis points by pair. In `EUR_USD`, EUR is sold.',
      additionalProperties: { type: 'integer' },
    },
  }),
  ExchangePositions: strictObject(
    'The open positions of exchanges, and their result. Amounts are in `base_currency`, except `amount`. `null` if there is no current rate.',
    {
      object: { const: 'exchange_positions' },
      livemode: { type: 'boolean' },
      base_currency: baseCurrency,
      rate_at: integer('When the source fixed the rates that value it, Unix seconds.'),
      positions: {
        type: 'array',
        description: 'One for each currency, in the order of the codes. Positions of zero are left out.',
        items: strictObject('The open amount of a currency: the balance of `house:fx`.', {
          currency: { type: 'string' },
          ...pair('amount', 'Above zero you hold it, below zero you owe it.'),
          rate: { type: ['string', 'null'], description: 'Mid-market rate: units of the base currency for one unit.' },
          ...pair('value', 'Its value at that rate.'),
          ...pair('book_value', 'The value at which it was taken in.'),
        }),
      },
      ...pair(
        'open_position',
        'The larger of two sums: all that you hold, and all that you owe, in other currencies than the base.',
      ),
      ...LIMIT,
      ...pair('realised', 'The result so far: the amount left if every position were given away for its book value.'),
      ...pair('unrealised', 'How much more the positions are worth than their book values.'),
    },
  ),
};
