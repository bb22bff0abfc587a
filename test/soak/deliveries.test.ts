/**
 * T13: deliveries are never lost, whatever dies, and never doubled when nothing does. Two servers on one database send
 * every event to a receiver that works, one that refuses three in ten, and one that is ordered. For longer: `npm run
 * soak -- t13`.
 */
import { describe, expect, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import { type Blow, deliver, type DeliveryOptions, type DeliveryOrdeal } from '../support/webhooks/deliveries.ts';

const EVENTS = 600;
/** One kill at each, of one server or of both. */
const PLACES = ['batch.committed', 'delivery.claimed', 'received', 'delivery.answered', 'delivery.booked'] as const;
const BLOWS: readonly Blow[] = [...PLACES, 'any moment'];

const seed = newSeed();
const ordeal = (options: Omit<DeliveryOptions, 'chance'>): Promise<DeliveryOrdeal> =>
  deliver({ ...options, chance: seeded(seed) });

describe(`deliveries, seed ${seed}`, () => {
  test('none is lost when servers are killed at every stop point and sessions are ended', async () => {
    const { complaints, events, kills, repeated, inHand } = await ordeal({ events: EVENTS, blows: BLOWS });
    expect(complaints).toEqual([]);
    expect(events).toBeGreaterThanOrEqual(EVENTS);
    expect(kills).toBe(8);
    // Each of these kills left something in a dead hand: handed over, taken from the queue, received, or answered.
    const hands = new Map(inHand);
    for (const place of PLACES.slice(0, 4)) expect([place, hands.get(place)]).not.toEqual([place, 0]);
    expect(inHand.map(([blow]) => blow)).toEqual(BLOWS);
    expect(repeated).toBeGreaterThan(0); // at least what was answered and not booked
  });

  test('none comes twice when nothing dies, also when a server is stopped in the middle', async () => {
    const { complaints, repeated, inHand } = await ordeal({ events: 300, blows: ['stopped'] });
    expect(complaints).toEqual([]);
    expect(repeated).toBe(0);
    expect(inHand).toEqual([['stopped', expect.any(Number)]]);
    expect(inHand[0]?.[1]).toBeGreaterThanOrEqual(300); // more than are sent at once: some were not begun
  });

  describe('control: the checker notices', () => {
    test('deliveries that are not written down', async () => {
      const { complaints } = await ordeal({ events: 100, blows: [], fault: 'lost_deliveries' });
      expect(complaints.join()).toContain('not written down');
    });

    test('deliveries that are written down outside the transaction of their event', async () => {
      const { complaints } = await ordeal({ events: 100, blows: ['batch.committed'], fault: 'late_deliveries' });
      expect(complaints.join()).toContain('not written down');
    });

    test('processes that take what another one has in hand', async () => {
      const { repeated } = await ordeal({ events: 60, blows: [], fault: 'no_lease', holdsFirst: true });
      expect(repeated).toBeGreaterThan(0);
    });
  });
});
