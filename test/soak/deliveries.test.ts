/**
 * T13: deliveries are never lost, whatever dies, and never doubled when nothing does. Two servers on one database send
 * every event to a receiver that works, one that refuses three in ten, and one that is ordered.
 */
import { describe, expect, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import { type Blow, deliver, type DeliveryOrdeal } from '../support/webhooks/deliveries.ts';
import type { Fault } from '../support/faults/fault-injection.ts';

const EVENTS = 2_000;
const BLOWS: readonly Blow[] = ['committed', 'received', 'answered', 'any'];
/** Half a minute on a quiet machine: servers take their time to start. */
const WITHIN_MS = 180_000;

const seed = newSeed();
const ordeal = (events: number, blows: readonly Blow[], fault?: Fault): Promise<DeliveryOrdeal> =>
  deliver({ events, blows, chance: seeded(seed), ...(fault && { fault }) });

describe(`deliveries, seed ${seed}`, { timeout: WITHIN_MS }, () => {
  test('none is lost when servers are killed at the worst moments and sessions are ended', async () => {
    const { complaints, events, kills, repeated, inHand } = await ordeal(EVENTS, BLOWS);
    expect(complaints).toEqual([]);
    expect(events).toBeGreaterThanOrEqual(EVENTS);
    expect(kills).toBeGreaterThanOrEqual(6);
    expect(inHand).toBeGreaterThan(20); // the kills hit something
    expect(repeated).toBeGreaterThan(0);
  });

  test('none comes twice when nothing dies, also when a server is stopped in the middle', async () => {
    const { complaints, repeated, inHand } = await ordeal(600, ['stopped']);
    expect(complaints).toEqual([]);
    expect(repeated).toBe(0);
    expect(inHand).toBeGreaterThan(0);
  });

  describe('control: the checker notices', () => {
    test('deliveries that are not written down', async () => {
      const { complaints } = await ordeal(150, [], 'lost_deliveries');
      expect(complaints.join()).toContain('not written down');
    });

    test('deliveries that are written down outside the transaction of their event', async () => {
      const { complaints } = await ordeal(150, ['committed'], 'late_deliveries');
      expect(complaints.join()).toContain('not written down');
    });

    test('processes that take what another one has in hand', async () => {
      const { repeated } = await ordeal(150, [], 'no_lease');
      expect(repeated).toBeGreaterThan(0);
    });
  });
});
