/**
 * Daily sums of real servers that are killed where they add up, two of them beside each other, while money moves: in the end each transfer is
 * in the sums once. Judged by `bursar verify`'s checks. The statements with every fault: `roll-up.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { type ServerProcess, startServer } from '../../../test/support/harness/server-process.ts';
import { createTenant, type Tenant } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../../../test/support/model/audit.ts';

const TRANSFERS = 20;
const KILLS = ['daily_sums.found', 'daily_sums.added', 'daily_sums.found', 'daily_sums.added'] as const;

let database: Database;
const servers: ServerProcess[] = [];
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  for (const server of servers) await server.kill();
  await database?.drop();
});

const start = async () => {
  const server = await startServer({ databaseUrl: database.url });
  servers.push(server);
  return server;
};
const move = async ({ client }: Tenant, from: string, to: string, at: string) => {
  for (let n = 0; n < TRANSFERS; n += 1) await client.post('/v1/transfers', { from, to, amount: 1 }, { at });
};
const counts = async () =>
  (
    await rowsOf<{ summed: number; moved: number }>(
      database.url,
      "SELECT (SELECT coalesce(sum(count), 0) FROM daily_sums WHERE day = '-infinity')::int AS summed, (SELECT count(*) FROM transfers)::int AS moved",
    )
  )[0] ?? { summed: 0, moved: -1 };

it('kill -9 where sums are made: each transfer is in them once', async () => {
  const first = await start();
  const tenant = await createTenant(database.url, first.address);
  const [one, two] = [await tenant.account('EUR', '1000'), await tenant.account('EUR')];
  let server = first;
  for (const point of KILLS) {
    const { reached } = await server.stopAt(point);
    await move(tenant, one, two, server.address);
    await reached;
    const { summed, moved } = await counts();
    expect(summed).toBeLessThanOrEqual(moved);
    await server.kill();
    server = await start();
  }
  const other = await start();
  await Promise.all([move(tenant, one, two, server.address), move(tenant, one, two, other.address)]);
  await server.kill(); // the lease lapses, and the other goes on
  await move(tenant, two, one, other.address);
  await eventually('every transfer is in the sums', async () => {
    const { summed, moved } = await counts();
    return summed === moved;
  });
  expect((await counts()).moved).toBeGreaterThan(TRANSFERS * KILLS.length);
  expect(await auditDatabase(database.url)).toEqual([]);
});
