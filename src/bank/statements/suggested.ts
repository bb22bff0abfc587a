/** Where an entry without a place may belong, as its `suggestions` say. Who finds them: `bank/matching/suggestions.ts`. */
import * as field from '../../core/fields.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { amountMembers, majorOf } from '../../core/values/money.ts';

export const REASONS = ['reference', 'amount', 'account', 'name', 'return', 'charges'] as const;
export type Reason = (typeof REASONS)[number];

/** A part of an entry and its place, in the form that an assignment takes. Minor units. */
export interface Split {
  readonly to: string;
  readonly amount: bigint;
}

export interface Suggestion {
  /** `null`: several places, which `split` has. */
  readonly to: string | null;
  readonly amount: bigint;
  readonly reasons: readonly Reason[];
  readonly split: readonly Split[];
}

/** An entry that was read with its suggestions. */
interface Suggested {
  readonly currency: string;
  readonly suggestions?: readonly Suggestion[];
}

export const suggested = field.derived(
  'suggestions',
  {
    type: ['array', 'null'],
    description:
      'For an entry without a place that you retrieve or list: where it may belong. First a division among everything that it names, if that is clear; then the places with the most reasons. `null` for other entries, in events, and in a CSV without `limit`. A suggestion moves no money.',
    items: strictObject('A place where it may belong.', {
      to: nullableText(
        'The place, in the form that an assignment takes. `null` if there are several; `assignments` has each.',
      ),
      amount: { type: 'number', description: 'Major units.' },
      amount_minor: { type: 'integer', description: 'Minor units.' },
      reasons: {
        type: 'array',
        items: { type: 'string', enum: REASONS },
        description:
          '`reference`: the entry names it with a typing error, or names others too. `amount`: the place waits for that amount, or sent it. `account`, `name`: earlier money from the same account or name went there, or it belongs to the recipient. `return`: the bank says that it is a return. `charges`: what is above the amount of the payout.',
      },
      assignments: {
        type: 'array',
        description:
          'Ready for one call of `POST /v1/bank_entries/:id/assign`. Money that names nothing stays without a place.',
        items: strictObject('A part of the entry.', {
          to: { type: 'string', description: 'The place, in the form that an assignment takes.' },
          amount: { type: 'number', description: 'Major units.' },
        }),
      },
    }),
  },
  ({ suggestions, currency }: Suggested) =>
    suggestions === undefined ? 'null' : `[${suggestions.map((each) => suggestionJson(each, currency)).join(',')}]`,
  null,
);

function suggestionJson({ to, amount, reasons, split }: Suggestion, currency: string): string {
  const assignments = split.map((part) => `{"to":"${part.to}","amount":${majorOf(part.amount, currency)}}`);
  return `{"to":${JSON.stringify(to)},${amountMembers(amount, currency)},"reasons":${JSON.stringify(reasons)},"assignments":[${assignments.join(',')}]}`;
}
