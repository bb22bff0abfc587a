/**
 * T5: one key is one effect and one answer, however often it is sent at once and wherever: `test/support/faults/flood.ts`. T6:
 * `test/idempotency-reuse.soak.test.ts`.
 */
import { expect, test } from 'vitest';
import { flood } from '../support/faults/flood.ts';

const copies = 20;

test('100 keys, 20 times each: one effect a key, one answer', async () => {
  expect(await flood({ keys: 100, copies })).toEqual([]);
});

test('control: where keys are not looked up, only the key of their table stands between', async () => {
  expect((await flood({ keys: 12, copies, fault: 'no_memory' })).join()).toContain('internal_error');
});

test('control: where keys are neither looked up nor unique, everything happens again', async () => {
  const damage = 'ALTER TABLE idempotency_records DROP CONSTRAINT idempotency_records_pkey';
  const complaints = await flood({ keys: 6, copies, fault: 'no_memory', damage });
  expect(complaints.filter((complaint) => complaint.includes('payout.created,payout.created'))).not.toEqual([]);
});
