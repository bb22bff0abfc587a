/** What a statement reads, by each plan that PostgreSQL may take for it. Used by the tests of lists and their filters. */
import pg from 'pg';
import type { Statement } from '../../../src/platform/db/wire/statement.ts';

export interface Cost {
  /** Of 8 kB, from memory or disk. */
  readonly blocks: number;
  readonly rows: number;
}

export interface PlanReader {
  /** The connection, for what has to stand before: a plan sees what its own transaction has changed. */
  readonly client: pg.Client;
  /** One cost a plan: that for the values, and of a statement with a name also the one that is kept for all values. */
  costs(statement: Statement): Promise<readonly Cost[]>;
  end(): Promise<void>;
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
}

export async function readPlans(databaseUrl: string): Promise<PlanReader> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const read = async (explained: string, given: readonly unknown[]): Promise<Cost> => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${explained}`, [...given]);
    const plan = (rows[0]['QUERY PLAN'] as [{ Plan: Plan }])[0].Plan;
    return { blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], rows: plan['Actual Rows'] };
  };
  return {
    client,
    async costs({ name, text, values }) {
      const planned = [await read(text, values)];
      if (!name) return planned;
      await client.query(`DEALLOCATE ALL; PREPARE kept AS ${text}`);
      await client.query('SET plan_cache_mode = force_generic_plan');
      planned.push(await read(`EXECUTE kept (${(values as readonly Value[]).map(literal).join(', ')})`, []));
      await client.query('RESET plan_cache_mode');
      return planned;
    },
    end: () => client.end(),
  };
}

type Value = string | number | bigint | boolean | null | readonly (string | number)[];
function literal(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'object' ? `'{${value.join(',')}}'` : `'${String(value)}'`;
}
