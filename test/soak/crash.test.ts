/**
 * T8 and T9: servers and PostgreSQL die and freeze under load. Whatever was acknowledged is there, once, and the service
 * comes back by itself. What is done to them: `test/support/faults/kills.ts`; for longer: `npm run soak`.
 */
import { describe, expect, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import { type Blow, killServers, type Ordeal, strikePostgres } from '../support/faults/kills.ts';

/** Twenty starts of a server take 20 s, and twice that beside other tests. */
const LONG = { timeout: 120_000 };

const lost = ({ complaints }: Ordeal) => complaints.filter((complaint) => complaint.includes('lost'));

describe('T8: kill -9 of a server', () => {
  test('20 kills under load, now one of two servers, now both: nothing lost, nothing doubled', LONG, async () => {
    const seed = newSeed();
    const { complaints, felt } = await killServers({ kills: 20, chance: seeded(seed) });
    expect(complaints, `seed ${seed}`).toEqual([]);
    expect(felt).toBeGreaterThan(0);
  });

  test('control: notices what was acknowledged without being committed', async () => {
    const ordeal = await killServers({ kills: 2, chance: seeded(newSeed()), fault: 'lost_commits' });
    expect(lost(ordeal)).not.toEqual([]);
  });
});

describe('T9: PostgreSQL', () => {
  test('killed 5 times, its sessions ended for 2 s, frozen for 1 s: nothing lost, nothing doubled, soon back', async () => {
    const kills = Array.from({ length: 5 }, (): Blow => 'kill');
    const blows: readonly Blow[] = [...kills, 'end sessions', { freezeMs: 1_000 }];
    // Its server waits and goes on by itself: that clients feel nothing is right, and the control shows that it is hit.
    const seed = newSeed();
    const { complaints } = await strikePostgres({ blows, chance: seeded(seed) });
    expect(complaints, `seed ${seed}`).toEqual([]);
  });

  test('control: notices what a PostgreSQL loses that acknowledges before it writes', async () => {
    const ordeal = await strikePostgres({ blows: ['kill'], chance: seeded(newSeed()), volatile: true });
    expect(lost(ordeal)).not.toEqual([]);
  });
});
