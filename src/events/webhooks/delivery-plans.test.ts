/**
 * How PostgreSQL runs the statements of the dispatcher. Its plans are made once, maybe while the tables are empty, and kept:
 * so they must find each delivery by its whole key, or a backlog of n would cost n² (measured: 30 times slower at 20,000).
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { bookFinished, claimDue, claimHeads, holdPending, replayAll, replayFailed } from './delivery-sql.ts';

let database: Database;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  // Like the dispatcher's own connection (`platform/db/pool.ts`).
  await client.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
}

/** Scans of `deliveries` that do not go by endpoint, or by the primary key but not down to the sequence. */
async function wideScans({ text }: Pick<Statement, 'text'>): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  const wide: string[] = [];
  const look = (node: Node) => {
    const { 'Node Type': type, 'Index Name': index = '', 'Index Cond': condition = '' } = node;
    const isScan = node['Relation Name'] === 'deliveries' && type.endsWith('Scan');
    const isNarrow =
      /\bendpoint_id =/.test(condition) && (index !== 'deliveries_pkey' || /\bsequence\b/.test(condition));
    if (isScan && !isNarrow) wide.push(`${type} by ${index || 'nothing'}: ${condition || 'no condition'}`);
    for (const below of node.Plans ?? []) look(below);
  };
  look(rows[0]!['QUERY PLAN'][0].Plan);
  return wide;
}

const [environment, replay] = [newId('env'), newId('rep')];

const STATEMENTS: readonly [string, Statement][] = [
  ['claiming what is due', claimDue(100, new Map(), 64)],
  ['claiming heads', claimHeads(null)],
  ['booking', bookFinished([])],
  ['holding', holdPending(false)],
  ['holding ordered ones', holdPending(true)],
  ['replaying failed ones', replayFailed(environment, replay)],
  ['replaying all', replayAll(environment, replay, null)],
];

/** The key of a delivery from two places, as it was once written. */
const bookedFromTwo = () =>
  bookFinished([]).text.replace(/\sWHERE t\./, ' JOIN environments e ON e.environment_id = v.e WHERE t.');
const heldFromTwo = () =>
  holdPending(false).text.replace(
    't.environment_id = d.environment_id AND t.endpoint_id = d.endpoint_id',
    't.environment_id = w.environment_id AND t.endpoint_id = w.id',
  );

describe('while the tables are empty, plans go by the whole key', () => {
  it.each(STATEMENTS)('%s', async (_, statement) => expect(await wideScans(statement)).toEqual([]));
});

/** Deliveries of endpoints that are all different, not counted. */
const grow = (rows: number) =>
  client.query(
    `INSERT INTO deliveries (environment_id, endpoint_id, sequence, in_order, created_at, due_at, claims, status)
     SELECT gen_random_uuid(), gen_random_uuid(), 1, false, now(), now(), 0, 'pending' FROM generate_series(1, $1)`,
    [rows],
  );

describe('once a few rows were counted', () => {
  beforeAll(async () => {
    await grow(5);
    await client.query('ANALYZE deliveries');
  });

  it('control: a plan is made that reads all of them, and kept', async () => {
    expect(await wideScans(bookFinished([]))).not.toEqual([]);
  });

  describe('a plan made after they have become many', () => {
    beforeAll(() => grow(2_000));
    it.each(STATEMENTS)('goes by the whole key: %s', async (_, statement) =>
      expect(await wideScans(statement)).toEqual([]),
    );

    it('control: unless the columns of the key come from two places', async () => {
      expect(await wideScans({ text: bookedFromTwo() })).not.toEqual([]);
      expect(await wideScans({ text: heldFromTwo() })).not.toEqual([]);
    });
  });
});
