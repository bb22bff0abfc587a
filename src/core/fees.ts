/** Fees as objects carry them: charged for a payout, an exchange or a payment, or promised by a quote. */
import type { Field } from './fields.ts';
import { idOf, uuidOf } from './values/ids.ts';
import { strictObject } from './values/json-schema.ts';
import { amountMembers } from './values/money.ts';

export interface Fee {
  readonly rule: string;
  /** Minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
  /** The transfer that took it; `null` before it is taken. */
  readonly transfer: string | null;
  /** The transfer that gave it back. */
  readonly reversal: string | null;
}

/** What fees come to, minor units; all fees of an object are in one currency. */
export const sumOf = (fees: readonly Fee[]): bigint => fees.reduce((sum, { amount }) => sum + amount, 0n);

const idOrNull = (description: string) => ({ type: ['string', 'null'], description });

const SCHEMA = {
  type: 'array',
  items: strictObject('A fee.', {
    fee_rule: { type: 'string', description: 'What charged it.' },
    amount: { type: 'number', exclusiveMinimum: 0, description: 'Major units.' },
    amount_minor: { type: 'integer', minimum: 1 },
    currency: { type: 'string' },
    transfer: idOrNull('The transfer that took it; `null` before it is taken.'),
    reversal: idOrNull('The transfer that gave it back.'),
  }),
};

const shownFee = ({ rule, amount, currency, transfer, reversal }: Fee): string =>
  `{"fee_rule":"${rule}",${amountMembers(amount, currency)},"currency":"${currency}","transfer":${JSON.stringify(transfer)},"reversal":${JSON.stringify(reversal)}}`;

/** As a row holds it: amounts as text, ids as uuids, which SQL can join. */
type StoredFee = Readonly<Record<'rule' | 'amount' | 'currency', string>> &
  Readonly<Record<'transfer' | 'reversal', string | null>>;

const stored = ({ rule, amount, currency, transfer, reversal }: Fee): StoredFee => ({
  rule: uuidOf(rule),
  amount: String(amount),
  currency,
  transfer: transfer && uuidOf(transfer),
  reversal: reversal && uuidOf(reversal),
});

const restored = ({ rule, amount, currency, transfer, reversal }: StoredFee): Fee => ({
  rule: idOf('fee', rule),
  amount: BigInt(amount),
  currency,
  transfer: transfer && idOf('trf', transfer),
  reversal: reversal && idOf('trf', reversal),
});

/** `fees` of an object; none are null in its row. */
export function feesField(description: string, { mutable = false } = {}): Field<readonly Fee[]> {
  return {
    column: {
      type: 'jsonb',
      name: null,
      mutable,
      encode: (fees) => (fees.length === 0 ? null : JSON.stringify(fees.map(stored))),
      decode: (text) => (text === null ? NONE : (JSON.parse(text as string) as StoredFee[]).map(restored)),
    },
    shown: () => ({
      schemas: { fees: { ...SCHEMA, description } },
      json: (fees) => (fees.length === 0 ? '"fees":[]' : `"fees":[${fees.map(shownFee).join(',')}]`),
    }),
  };
}

export const NONE: readonly Fee[] = [];
