/** Statements that are made once a day, field by field. What they say is read from the ledger when it is asked for (decision 0066). */
import * as field from '../../core/fields.ts';
import { DAY_MS, dayStartMs, unixSeconds } from '../../core/values/time.ts';

const secondOf =
  (afterMs: number) =>
  ({ day }: { readonly day: string }) =>
    String(unixSeconds(dayStartMs(day) + afterMs));

export const DAILY_STATEMENT = field.objectType('daily_statement', 'stm', {
  day: field.day({ description: 'Its day, in UTC by the clock of the environment.' }),
  from: field.derived(
    'from',
    { type: 'integer', description: 'The first second of the day. Unix seconds.' },
    secondOf(0),
  ),
  to: field.derived('to', { type: 'integer', description: 'The last second of the day.' }, secondOf(DAY_MS - 1)),
  content: field.derived(
    'content',
    {
      type: 'string',
      description:
        'The path of this service for downloading it with a key. It takes `format` and `account`; by default it answers the JSON of all accounts.',
    },
    ({ id }: { readonly id: string }) => `"/v1/daily_statements/${id}/content"`,
  ),
});
export type DailyStatement = field.ObjectOf<typeof DAILY_STATEMENT>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly daily_statement: DailyStatement;
  }
}
