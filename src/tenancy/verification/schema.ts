/** The result of a verification on the wire. */
import { strictObject } from '../../core/values/json-schema.ts';
import { unixSeconds } from '../../core/values/time.ts';
import type { JsonSchema } from '../../platform/http/request/params.ts';

const text = (description: string) => ({ type: 'string', description }) as const;

export const VERIFICATION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Verification: strictObject('The result of the last verification of this environment’s books.', {
    object: { const: 'verification' },
    livemode: { type: 'boolean' },
    status: {
      type: 'string',
      enum: ['none', 'clean', 'damaged'],
      description: '`none`: it has not run since this environment was created.',
    },
    started_at: { type: ['integer', 'null'], description: 'When its snapshot was taken, Unix seconds.' },
    finished_at: { type: ['integer', 'null'], description: 'When it ended, Unix seconds.' },
    rules_count: { type: 'integer', description: 'How many rules were checked.' },
    damages_count: { type: 'integer', description: 'How many breaks of rules were found.' },
    damages: {
      type: 'array',
      description: 'The first breaks, at most 50 of each rule.',
      items: strictObject('One break of a rule.', {
        kind: text('The kind of object, such as `balance`, `payout` or `event`.'),
        rule: text('What must hold.'),
        object: text('The id of the object, or another name of it, such as `sequence 41`.'),
        expected: text('The value that follows from the rest of the books.'),
        found: text('The value that was found.'),
      }),
    },
  }),
};

/** `row`: of {@link lastVerified} in `sql.ts`; `undefined`: none has run. */
export function renderVerification(row: Readonly<Record<string, unknown>> | undefined, livemode: boolean): string {
  const seconds = (column: string) => (row === undefined ? null : unixSeconds(Number(row[column])));
  const count = (column: string) => Number(row?.[column] ?? 0);
  return JSON.stringify({
    object: 'verification',
    livemode,
    status: row === undefined ? 'none' : count('damages_count') === 0 ? 'clean' : 'damaged',
    started_at: seconds('started_ms'),
    finished_at: seconds('finished_ms'),
    rules_count: count('rules_count'),
    damages_count: count('damages_count'),
    damages: row === undefined ? [] : (JSON.parse(row['damages'] as string) as unknown),
  });
}
