/**
 * T5: one key is one effect and one answer, however often it is sent at once and wherever: `test/support/faults/flood.ts`. T6:
 * `test/long/idempotency-reuse.test.ts`.
 */
import { expect, test } from 'vitest';
import { isRelease } from '../support/generators/random-cases.ts';
import { flood } from '../support/faults/flood.ts';

const copies = 20;

test.concurrent('36 keys, 20 times each: one effect a key, one answer', async () => {
  expect(await flood([{ keys: 36, copies }])).toEqual([[]]);
});

test
  .runIf(isRelease)
  .concurrent(
    'control: where keys are not looked up, only the key of their table stands between; where they are not unique either, everything happens again',
    async () => {
      const damage = 'ALTER TABLE idempotency_records DROP CONSTRAINT idempotency_records_pkey';
      const [refused = [], repeated = []] = await flood(
        [
          { keys: 12, copies },
          { keys: 6, copies, damage },
        ],
        'no_memory',
      );
      expect(refused.join()).toContain('internal_error');
      expect(repeated.filter((complaint) => complaint.includes('payout.created,payout.created'))).not.toEqual([]);
    },
  );
