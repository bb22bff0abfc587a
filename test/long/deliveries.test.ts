/**
 * A server that stops with as many deliveries in hand as a server takes by itself. With few:
 * `test/soak/deliveries.test.ts`; kills: `npm run soak -- t13`.
 */
import { expect, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import { deliver, heldAtStop } from '../support/webhooks/deliveries.ts';

test('none comes twice when nothing dies, also when a server is stopped in the middle', async () => {
  const seed = newSeed();
  const { complaints, repeated, inHand } = await deliver({ events: 300, blows: ['stopped'], chance: seeded(seed) });
  expect(complaints, `seed ${seed}`).toEqual([]);
  expect(repeated).toBe(0);
  expect(inHand).toEqual([['stopped', expect.any(Number)]]);
  expect(inHand[0]?.[1]).toBeGreaterThanOrEqual(heldAtStop()); // more than are sent at once: some were not begun
});
