/**
 * T13: deliveries are never lost, whatever dies, and never doubled when nothing does. Two servers on one database send
 * every event to a receiver that works, one that refuses three in ten, and one that is ordered. For longer: `npm run
 * soak -- t13`.
 */
import { describe, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import {
  type Blow,
  deliver,
  type DeliveryOptions,
  type DeliveryOrdeal,
  heldAtStop,
} from '../support/webhooks/deliveries.ts';
import { isRelease } from '../support/generators/random-cases.ts';

const EVENTS = 60;
/** So few exchanges at once that a few events fill them. */
const CONCURRENCY = 8;
/** One kill at each, of one server or of both. */
const PLACES = ['batch.committed', 'delivery.claimed', 'received', 'delivery.answered', 'delivery.booked'] as const;
const BLOWS: readonly Blow[] = [...PLACES, 'any moment'];

const seed = newSeed();
const ordeal = (options: Omit<DeliveryOptions, 'chance'>): Promise<DeliveryOrdeal> =>
  deliver({ ...options, chance: seeded(seed) });

describe.concurrent(`deliveries, seed ${seed}`, () => {
  test('none is lost when servers are killed at every stop point and sessions are ended', async ({ expect }) => {
    const { complaints, events, kills, repeated, inHand } = await ordeal({ events: EVENTS, blows: BLOWS });
    expect(complaints).toEqual([]);
    expect(events).toBeGreaterThanOrEqual(EVENTS);
    expect(kills).toBeGreaterThanOrEqual(8); // more where a blow had to fall again
    // Each of these kills left something in a dead hand: handed over, taken from the queue, received, or answered.
    const hands = new Map(inHand);
    for (const place of PLACES.slice(0, 4)) expect([place, hands.get(place)]).not.toEqual([place, 0]);
    expect(inHand.map(([blow]) => blow)).toEqual(BLOWS);
    expect(repeated).toBeGreaterThan(0); // at least what was answered and not booked
  });

  test('none comes twice when nothing dies, also when a server is stopped in the middle', async ({ expect }) => {
    const stopped = { events: 40, blows: ['stopped'], concurrency: CONCURRENCY } as const;
    const { complaints, repeated, inHand } = await ordeal(stopped);
    expect(complaints).toEqual([]);
    expect(repeated).toBe(0);
    expect(inHand).toEqual([['stopped', expect.any(Number)]]);
    expect(inHand[0]?.[1]).toBeGreaterThanOrEqual(heldAtStop(CONCURRENCY)); // some were not begun
  });

  describe.runIf(isRelease)('control: the checker notices', () => {
    test('deliveries that are not written down', async ({ expect }) => {
      const { complaints } = await ordeal({ events: 40, blows: [], fault: 'lost_deliveries', serverCount: 1 });
      expect(complaints.join()).toContain('not written down');
    });

    test('deliveries that are written down outside the transaction of their event', async ({ expect }) => {
      const late = { events: 40, blows: ['batch.committed'], fault: 'late_deliveries', serverCount: 1 } as const;
      const { complaints } = await ordeal(late);
      expect(complaints.join()).toContain('not written down');
    });

    test('processes that take what another one has in hand', async ({ expect }) => {
      const { repeated } = await ordeal({ events: 40, blows: [], fault: 'no_lease', holdsFirst: true });
      expect(repeated).toBeGreaterThan(0);
    });
  });
});
