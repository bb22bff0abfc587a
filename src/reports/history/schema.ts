/** The history of a payout on the wire. */
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { exampleId } from '../../core/values/ids.ts';
import type { JsonSchema } from '../../platform/http/request/params.ts';
import { actorInWords, amountsIn, storyOf, summaryOf } from './story.ts';
import { type Facts, KINDS } from './fields.ts';

export function renderHistory(facts: Facts): string {
  const { id, livemode, batch } = facts.payout;
  const summary = summaryOf(facts);
  const lines = storyOf(facts);
  const texts = [summary, ...lines.map(({ text }) => text)];
  const isNamed = (amount: string) => {
    const whole = new RegExp(`(?<![\\d.])${amount.replace('.', '\\.')}`);
    return texts.some((text) => whole.test(text));
  };
  return JSON.stringify({
    object: 'payout_history',
    livemode,
    payout: id,
    batch,
    summary,
    amounts: amountsIn(facts).filter(isNamed),
    data: lines.map(({ at, kind, actor, text, refs }) => {
      return { at, kind, actor, actor_name: actorInWords(facts, actor), text, refs };
    }),
  });
}

export const HISTORY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PayoutHistory: strictObject('What happened to a payout, in sentences to read out.', {
    object: { const: 'payout_history' },
    livemode: { type: 'boolean' },
    payout: { type: 'string' },
    batch: nullableText('The batch it was created in.'),
    summary: { type: 'string', description: 'Where the money is now, and what to do.' },
    amounts: {
      type: 'array',
      description:
        'The amounts in `summary` and in the sentences, each as it stands there: digits without groups, a point, the currency. For who shows them otherwise.',
      items: { type: 'string' },
    },
    data: {
      type: 'array',
      description: 'Oldest first.',
      items: strictObject('One thing that happened.', {
        at: { type: 'integer', description: 'Unix seconds.' },
        kind: {
          type: 'string',
          enum: KINDS,
          description:
            '`sent`: it left. `bank`: the bank said something. `booked`: an entry of a statement. `delivery`: an event that an endpoint has not got.',
        },
        actor: nullableText('Who did it; `null`: the bank, or nobody.'),
        actor_name: nullableText('The name of the key or person, or what part of the service it was.'),
        text: { type: 'string', description: 'In English. Not for programs: it may change.' },
        refs: {
          type: 'object',
          description: 'Ids by what they are of, such as `payment_file`, `bank_entry` and `event`.',
          additionalProperties: { type: 'string' },
        },
      }),
    },
  }),
};

export const HISTORY_EXAMPLE = {
  object: 'payout_history',
  livemode: false,
  payout: exampleId('po'),
  batch: null,
  summary:
    'No bank account was found for these bank details. The money is back on Main EUR. Correct the recipient, and pay again.',
  amounts: ['250.00 EUR'],
  data: [
    {
      at: 1_732_184_000,
      kind: 'created',
      actor: exampleId('key'),
      actor_name: 'payroll',
      text: 'Created by payroll: 250.00 EUR to Ada Lovelace, account ending in 3000, from Main EUR.',
      refs: { account: exampleId('acct'), transfer: exampleId('trf') },
    },
    {
      at: 1_732_184_006,
      kind: 'failed',
      actor: 'worker',
      actor_name: 'the service',
      text: 'Failed. No bank account was found for these bank details. The money is back on Main EUR.',
      refs: { event: exampleId('evt'), transfer: 'trf_01jd3v9q4ne8v8k3w2m6r5t7xb' },
    },
  ],
};
