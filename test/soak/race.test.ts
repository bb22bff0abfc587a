/**
 * T3: 64 clients spend one account down to zero, in every way money leaves it: `test/support/faults/race.ts`. More:
 * `npm run soak -- t3`.
 */
import { expect, test } from 'vitest';
import { isRelease } from '../support/generators/random-cases.ts';
import { race, UNITS } from '../support/faults/race.ts';

test.concurrent('exactly what is there is spent, by whatever way and through whichever process', async () => {
  const [{ spent, complaints, causes } = NOTHING] = await race([{ spends: 800 }]);
  expect(complaints).toEqual([]);
  expect(spent).toBe(UNITS);
  expect(causes.length).toBeGreaterThanOrEqual(4); // funding, payout, exchange, transfer: it was a mixed race
});

test
  .runIf(isRelease)
  .concurrent(
    'control: without the lock transactions collide, and only the key of the sequence stops them; without that key too, more is spent than there is',
    async () => {
      const damage = 'ALTER TABLE events DROP CONSTRAINT events_pkey';
      const [collided = NOTHING, overspent = NOTHING] = await race(
        [
          { spends: 200, until: ({ complaints }) => complaints.join().includes('internal_error') },
          { spends: 800, damage, until: ({ spent }) => spent > UNITS },
        ],
        'no_lock',
      );
      expect(collided.complaints).not.toEqual([]);
      expect(collided.complaints.join()).toContain('internal_error');
      expect(overspent.complaints).not.toEqual([]);
      expect(overspent.spent).toBeGreaterThan(UNITS);
    },
  );

const NOTHING = { spent: 0, complaints: [], causes: [] };
