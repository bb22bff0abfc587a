/** Plans keep up with tables that grow; the control shows what they would be otherwise. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { pipelineOver } from './wire/pipeline.ts';
import { refreshingPlans } from './plan-refresh.ts';
import type { Statement } from './wire/statement.ts';

let database: Database;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** The plan of an update that was first made on five rows, after the table has grown to 20,000 in 200 statements. */
async function planAfterGrowth(wrap: typeof refreshingPlans): Promise<string> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await client.query('CREATE TEMPORARY TABLE things (e uuid, id uuid, n int, PRIMARY KEY (e, id))');
    const grow = (rows: number) =>
      client.query('INSERT INTO things SELECT gen_random_uuid(), gen_random_uuid(), 0 FROM generate_series(1, $1)', [
        rows,
      ]);
    await grow(5);
    await client.query('ANALYZE things');
    await client.query(
      'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
    );
    const run = wrap((statement: Statement) => client.query(statement));
    const update: Statement = {
      name: 'update_things',
      text: 'UPDATE things t SET n = 1 FROM unnest($1::uuid[], $2::uuid[]) AS v (e, id) WHERE t.e = v.e AND t.id = v.id',
      values: [[], []],
    };
    for (let statements = 0; statements < 200; statements++) {
      await run(update);
      await grow(100);
    }
    const { rows } = await client.query('EXPLAIN EXECUTE update_things (NULL, NULL)');
    return rows.map((row) => row['QUERY PLAN'] as string).join('\n');
  } finally {
    await client.end();
  }
}

describe('an update by primary key on a table that was small', () => {
  it('goes by the key once the table has grown', async () => {
    expect(await planAfterGrowth(refreshingPlans)).toMatch(/Index Cond: \(\(e = v\.e\) AND \(id = v\.id\)\)/);
  });

  it('control: with the plans of the beginning it reads the table', async () => {
    expect(await planAfterGrowth((run) => run)).toMatch(/Join Filter/);
  });

  it('forgets plans at 64, 128, 256 … statements or the next one with a plan, and not otherwise', async () => {
    const sent: string[] = [];
    const run = refreshingPlans((statement: Statement) => Promise.resolve(sent.push(statement.text)));
    const named = (n: number) => (n === 128 ? {} : { name: 'named' }); // what has no name has no plan
    for (let n = 1; n <= 300; n++) await run({ ...named(n), text: String(n), values: [] });
    const forgotten = sent.flatMap((text, at) => (text === 'DISCARD PLANS' ? [sent[at + 1]] : []));
    expect(forgotten).toEqual(['64', '129', '256']);
  });

  it('does not stand in the way of a ROLLBACK', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      const { run, sync } = pipelineOver(client);
      const refreshed = refreshingPlans(run);
      const group = (...texts: readonly string[]) => {
        const answers = texts.map((text) => refreshed({ name: text, text, values: [] }));
        sync();
        return Promise.allSettled(answers);
      };
      for (let n = 1; n <= 61; n++) await group('SELECT 1');
      const [, failed] = await group('BEGIN', 'SELECT 1/0');
      expect(failed?.status).toBe('rejected');
      const ended = refreshed({ text: 'ROLLBACK', values: [] }); // the 64th
      sync();
      await ended;
      expect((await group('SELECT 1'))[0]?.status).toBe('fulfilled');
    } finally {
      await client.end();
    }
  });
});
