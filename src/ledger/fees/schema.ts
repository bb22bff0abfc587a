/** Fees on the wire: what a request may say, what an answer looks like. */
import * as field from '../../core/fields.ts';
import { RequestError } from '../../core/values/errors.ts';
import { CHARGED, type Charged, type FeeRule } from '../../core/fee-rules.ts';
import { strictObject } from '../../core/values/json-schema.ts';
import { PAYMENT_METHODS, PAYMENT_SCHEMES } from '../../core/rails/payment-schemes.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import * as param from '../../platform/http/request/params.ts';
import type { CreateFee } from './decide.ts';

/** All of it. */
const MOST_BASIS_POINTS = 10_000;

const fields = {
  on: param.oneOf(CHARGED, {
    description:
      'What is charged: `payout` and `exchange` in addition to the amount that is paid or sold, `payment` out of the money that comes in through a payment link.',
    example: 'payout',
  }),
  ...param.optional({
    currency: param.currency({
      description: 'Only in this currency; for exchanges, the sold one. An `amount` needs it.',
    }),
    scheme: param.oneOf(PAYMENT_SCHEMES, { description: 'Only payouts by this scheme.' }),
    buy_currency: param.currency({ description: 'Only exchanges into this currency.', example: 'USD' }),
    method: param.oneOf(PAYMENT_METHODS, { description: 'Only payments by this method.' }),
    payment_link: param.id('plink', { description: 'Only payments through this link.' }),
    amount: param.amount({ description: 'The fixed part, in major units of `currency`.', example: 0.25 }),
    basis_points: param.integer({
      min: 0,
      max: MOST_BASIS_POINTS,
      description:
        'Hundredths of a percent of the amount, rounded to the nearest minor unit, half up. 0 without an `amount` charges nothing.',
      example: 50,
    }),
  }),
};

export const createFeeParams = param.params(fields);

/** Terms that only one kind of occasion has. */
const ONLY: Readonly<Partial<Record<keyof typeof fields, Charged>>> = {
  scheme: 'payout',
  buy_currency: 'exchange',
  method: 'payment',
  payment_link: 'payment',
};

/** Throws `parameter_missing` and `parameter_conflict` for what does not fit together, and the faults of an amount. */
export function feeFrom(parsed: param.Parsed<typeof fields>): CreateFee {
  const { on, currency, amount, basis_points: basisPoints } = parsed;
  for (const [name, only] of Object.entries(ONLY)) {
    if (on === only || parsed[name as keyof typeof fields] === undefined) continue;
    throw new RequestError(
      'parameter_conflict',
      `${name} is about a ${only}, and this fee is on a ${on}. Leave ${name} out.`,
      {
        param: name,
      },
    );
  }
  if (amount === undefined && basisPoints === undefined) {
    throw new RequestError('parameter_missing', 'A fee needs amount, basis_points, or both.', { param: 'amount' });
  }
  if (amount !== undefined && currency === undefined) {
    throw new RequestError('parameter_missing', 'A fee with an amount needs its currency.', { param: 'currency' });
  }
  if (on === 'exchange' && currency !== undefined && parsed.buy_currency?.code === currency.code) {
    throw new RequestError('parameter_conflict', 'buy_currency is the same as currency; an exchange needs two.', {
      param: 'buy_currency',
    });
  }
  return {
    type: 'create_fee',
    on,
    currency: currency?.code ?? null,
    scheme: parsed.scheme ?? null,
    buyCurrency: parsed.buy_currency?.code ?? null,
    method: parsed.method ?? null,
    paymentLink: parsed.payment_link ?? null,
    fixed: amount === undefined || currency === undefined ? 0n : param.amountIn(currency, amount, 'amount'),
    basisPoints: basisPoints ?? 0,
  };
}

/** Kept in the environment's row: the list gives its JSON, schema and example. */
export const FEE = field.objectType('fee_rule', 'fee', {
  on: field.oneOf(CHARGED, { example: 'payment' }),
  currency: field.textOrNull({ example: 'EUR' }),
  scheme: field.oneOfOrNull(PAYMENT_SCHEMES),
  buyCurrency: field.textOrNull(),
  method: field.oneOfOrNull(PAYMENT_METHODS),
  paymentLink: field.textOrNull(),
  fixed: field.moneyOrNull({ description: 'The fixed part, in major units.', example: 25 }),
  basisPoints: field.count({ schema: { type: 'integer', minimum: 0, maximum: MOST_BASIS_POINTS }, example: 140 }),
});

export const renderFee = (rule: FeeRule, livemode: boolean): string =>
  FEE.render({ object: 'fee_rule', ...rule, fixed: rule.fixed || null }, livemode);

export const FEE_SCHEMAS: Readonly<Record<string, param.JsonSchema>> = {
  FeeRule: schemaOf(
    FEE,
    'A rule for charging. A null member fits anything. Of the rules that fit, the most specific applies: a payment link before a method; a scheme, a method or a bought currency before a currency.',
  ),
  DeletedFeeRule: strictObject('A fee that was deleted.', {
    id: { type: 'string' },
    object: { const: 'fee_rule' },
    deleted: { const: true },
  }),
};
