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

  /** The statements before which plans were forgotten: `a 4` is the fourth `a`. Those without a name have no plan. */
  async function forgottenBefore(names: readonly (string | undefined)[]): Promise<string[]> {
    const sent: string[] = [];
    const run = refreshingPlans((statement: Statement) => Promise.resolve(sent.push(statement.text)));
    const counts = new Map<string | undefined, number>();
    for (const name of names) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await run({ ...(name !== undefined && { name }), text: `${name} ${counts.get(name)}`, values: [] });
    }
    return sent.flatMap((text, at) => (text === 'DISCARD PLANS' ? [sent[at + 1] as string] : []));
  }

  it('forgets plans when a statement has run twice as often as before, and not otherwise', async () => {
    const names = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 'a' : undefined));
    expect(await forgottenBefore(names)).toEqual(['a 4', 'a 8', 'a 16']);
  });

  it('forgets them for a statement that begins later than others', async () => {
    const names = [...Array<string>(1_000).fill('a'), ...Array<string>(10).fill('b')];
    expect((await forgottenBefore(names)).filter((each) => each.startsWith('b'))).toEqual(['b 4', 'b 8']);
  });

  it('once for statements that run equally often', async () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `s${n % 10}`);
    expect((await forgottenBefore(names)).length).toBeLessThan(12);
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
      const rollback = () => refreshed({ text: 'ROLLBACK', values: [] });
      for (let n = 1; n <= 3; n++) {
        const done = rollback();
        sync();
        await done;
      }
      const [, failed] = await group('BEGIN', 'SELECT 1/0');
      expect(failed?.status).toBe('rejected');
      const ended = rollback();
      sync();
      await ended;
      expect((await group('SELECT 1'))[0]?.status).toBe('fulfilled');
    } finally {
      await client.end();
    }
  });
});
