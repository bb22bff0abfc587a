/**
 * Many kinds of damage, each in its first and in its last place, planted as the owner of the database could: each is
 * found, and located by the object it was done to. A database that is in order gives nothing, also when retention
 * has deleted what it deletes. In every place: `test/long/verify-damage.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../../src/verify/check.ts';
import { verdicts, verify } from '../../../src/verify/verify.ts';
import { must } from '../../support/harness/tenant-fixture.ts';
import { withClient } from '../../support/model/audit.ts';
import { assertFound, type Books, CASES, damagesOf, PLACES, startBooks } from '../../support/model/damaged-books.ts';

let books: Books;
beforeAll(async () => {
  books = await startBooks();
});
afterAll(() => books?.end());

describe.each(Object.entries(CASES))('%s', (_, damage) => {
  test.each([0, PLACES - 1])('is found in place %i', (place) => assertFound(books, damage, place));
});

test('control: what was not done is not found', async () => {
  const [damage] = Object.values(CASES);
  if (damage === undefined) throw new Error('There is no damage.');
  const nothing = { ...damage, damage: 'SELECT $1::uuid, $2::uuid' };
  await expect(assertFound(books, nothing, 0)).rejects.toThrow('is not among');
});

describe('books that are in order', () => {
  test('give nothing, in a snapshot of their own', async () => {
    const found = await withClient(books.application.databaseUrl, (client) =>
      damagesOf(
        verify(
          async (text, values = []) =>
            (await client.query<object>(values.length === 0 ? text : { text, values: [...values] })).rows,
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  /** Everything but the audit log, which is hashed with its instants, so many days back; then what retention does. */
  const grownOld = async (run: Run, days: number) => {
    const columns = (await run(
      `SELECT c.table_name AS name, string_agg(format('%1$I = %1$I - $1 * interval ''1 day''', c.column_name), ', ') AS sets
      FROM information_schema.columns c WHERE c.table_schema = 'public' AND c.data_type = 'timestamp with time zone'
      AND c.table_name NOT IN ('audit_log', 'schema_migrations', 'worker_leases', 'sealings') GROUP BY 1`,
    )) as { name: string; sets: string }[];
    // Days of transfers are other ones then; a server would make their sums anew.
    for (const table of ['daily_sums', 'summary_state']) await run(`DELETE FROM ${table}`);
    for (const { name, sets } of columns) await run(`UPDATE ${name} SET ${sets}`, [days]);
    for (const [table, age] of [
      ['idempotency_records', 30],
      ['deliveries', 90],
      ['events', 90],
    ] as const)
      await run(`DELETE FROM ${table} WHERE created_at < now() - $1 * interval '1 day'`, [age]);
  };

  test.each([40, 89.5, 90.5, 400])('give nothing when they are %i days old', (days) =>
    books.attempt(async (run) => {
      await grownOld(run, days);
      expect(await damagesOf(verdicts(run))).toEqual([]);
    }),
  );

  test('control: what retention deletes is missed when it is younger', () =>
    books.attempt(async (run) => {
      await run('DELETE FROM events WHERE environment_id = $1 AND sequence < 30', [books.environment]);
      expect((await damagesOf(verdicts(run))).length).toBeGreaterThan(10);
    }));

  test('give nothing after a reset of the sandbox', async () => {
    must(await books.application.otherSandbox.client.post('/v1/accounts', { currency: 'EUR' }));
    must(await books.application.otherSandbox.client.post('/v1/test_helpers/reset', { seed: true }));
    expect(await books.attempt((run) => damagesOf(verdicts(run)))).toEqual([]);
  });
});
