/**
 * T3: 64 clients spend one account down to zero, in every way money leaves it: `test/support/faults/race.ts`. More:
 * `npm run soak -- t3`.
 */
import { expect, test } from 'vitest';
import { race, UNITS } from '../support/faults/race.ts';

test('exactly what is there is spent, by whatever way and through whichever process', async () => {
  const { spent, complaints, causes } = await race({ spends: 4_000 });
  expect(complaints).toEqual([]);
  expect(spent).toBe(UNITS);
  expect(causes.length).toBeGreaterThanOrEqual(4); // funding, payout, exchange, transfer: it was a mixed race
});

test('control: without the lock, transactions collide, and only the key of the sequence stops them', async () => {
  const { complaints } = await race({ spends: 300, fault: 'no_lock' });
  expect(complaints).not.toEqual([]);
  expect(complaints.join()).toContain('internal_error');
});

test('control: without lock and key, more is spent than there is', async () => {
  const { spent, complaints } = await race({
    spends: 1_000,
    fault: 'no_lock',
    damage: 'ALTER TABLE events DROP CONSTRAINT events_pkey',
  });
  expect(complaints).not.toEqual([]);
  expect(spent).toBeGreaterThan(UNITS);
});
