/**
 * T8 and T9: servers and PostgreSQL die and freeze under load. Whatever was acknowledged is there, once, and the
 * service comes back by itself. Servers are killed at each stop point of the write path. What is done to them:
 * `test/support/faults/kills.ts`; for longer, at any moment and with limits of time: `npm run soak -- t8` and `t9`.
 */
import { describe, expect, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import {
  type Blow,
  type BatchPoint,
  type Kill,
  killServers,
  type Ordeal,
  strikePostgres,
} from '../support/faults/kills.ts';
import { isRelease } from '../support/generators/random-cases.ts';

const POINTS: readonly BatchPoint[] = ['batch.decided', 'batch.written', 'batch.committed'];
/** Of one server, of both, of the other one. */
const KILLS = POINTS.map((at, number): Kill => ({ at, both: number === 1 }));

const lost = ({ complaints }: Ordeal) => complaints.filter((complaint) => complaint.includes('lost'));

describe('T8: kill -9 of a server', () => {
  test.concurrent('at every stop point of the write path, now one of two servers, now both: nothing lost, nothing doubled', async () => {
    const { complaints, outcomes, kills } = await killServers({ kills: KILLS, chance: seeded(newSeed()) });
    expect(complaints).toEqual([]);
    expect(kills).toBeGreaterThan(POINTS.length);
    // Before its COMMIT left, a batch is not there, and its clients' next attempts do it.
    expect(outcomes['batch.decided']?.repeated).toBeGreaterThan(0);
    expect(outcomes['batch.written']?.repeated).toBeGreaterThan(0);
    // Committed and not answered: the next attempts are told what is there.
    expect(outcomes['batch.committed']?.replayed).toBeGreaterThan(0);
  });

  test.runIf(isRelease).concurrent('control: notices what was acknowledged without being committed', async () => {
    // So many answers that one of two servers has come to commits that the fault loses.
    const kills: readonly Kill[] = [{ at: 'any moment', after: 800 }];
    const ordeal = await killServers({ kills, chance: seeded(newSeed()), fault: 'lost_commits' });
    expect(lost(ordeal)).not.toEqual([]);
  });
});

describe('T9: PostgreSQL', () => {
  test.concurrent('killed twice, its sessions ended, frozen: nothing lost, nothing doubled, and it goes on', async () => {
    const blows: readonly Blow[] = ['kill', 'kill', 'end sessions briefly', { freezeMs: 300 }];
    // Its server waits and goes on by itself: that clients feel nothing is right, and the control shows that it is hit.
    const seed = newSeed();
    const { complaints } = await strikePostgres({ blows, chance: seeded(seed) });
    expect(complaints, `seed ${seed}`).toEqual([]);
  });

  test
    .runIf(isRelease)
    .concurrent('control: notices what a PostgreSQL loses that acknowledges before it writes', async () => {
      const ordeal = await strikePostgres({ blows: ['kill'], chance: seeded(newSeed()), volatile: true });
      expect(lost(ordeal)).not.toEqual([]);
    });
});
