/** The table refuses every row that no payout can be (`payouts_state` in migrations/0105): each state with each of what it may have or lack. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { PAYOUT_STATUSES } from './fields.ts';

const COLUMNS = ['transfer_id', 'reversal_id', 'failure_code', 'in_transit_at', 'ended_at', 'wait_until_on'] as const;
interface Shape {
  readonly status: string;
  readonly has: Readonly<Record<(typeof COLUMNS)[number], boolean>>;
}

const SHAPES: readonly Shape[] = [...PAYOUT_STATUSES, 'lost'].flatMap((status) =>
  Array.from({ length: 2 ** COLUMNS.length }, (_, bits) => {
    const has = Object.fromEntries(COLUMNS.map((column, index) => [column, (bits & (1 << index)) !== 0]));
    return { status, has: has as Shape['has'] };
  }),
);

/** The seven rules that became the one `payouts_state` (docs/decisions/0071), in the words that they had. */
const RULES: readonly ((shape: Shape) => boolean)[] = [
  ({ status }) => (PAYOUT_STATUSES as readonly string[]).includes(status),
  ({ status, has }) => (['failed', 'canceled', 'returned'].includes(status) && has.transfer_id) === has.reversal_id,
  ({ status, has }) => ['failed', 'returned'].includes(status) === has.failure_code,
  ({ status, has }) => ['waiting', 'pending', 'in_transit'].includes(status) === !has.ended_at,
  ({ status, has }) => status !== 'in_transit' || has.in_transit_at,
  ({ status, has }) => has.transfer_id || (has.wait_until_on && ['waiting', 'failed', 'canceled'].includes(status)),
  ({ status, has }) => status !== 'waiting' || !has.transfer_id,
];

let database: Database;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** The shapes that the rule of the table takes. */
async function taken(): Promise<readonly Shape[]> {
  const { rows } = await client.query<{ readonly rule: string }>(
    `SELECT pg_get_expr(conbin, conrelid) AS rule FROM pg_constraint WHERE conname = 'payouts_state'`,
  );
  const values = SHAPES.map(({ status, has }) => {
    const given = COLUMNS.map((column) => (has[column] ? "'x'" : 'NULL'));
    return `('${status}', ${given.join(', ')})`;
  });
  const answers = await client.query<{ readonly ok: boolean | null }>(
    `SELECT ${rows[0]?.rule} AS ok FROM (VALUES ${values.join(', ')}) AS v (status, ${COLUMNS.join(', ')})`,
  );
  return SHAPES.filter((_, index) => answers.rows[index]?.ok !== false); // a CHECK takes what is unknown
}

it('takes what the seven rules before it took, and nothing else', async () => {
  const expected = SHAPES.filter((shape) => RULES.every((rule) => rule(shape)));
  expect(expected.length).toBeGreaterThan(20);
  expect(await taken()).toEqual(expected);
});

it.each(RULES.map((rule, index) => [index, rule] as const))('control: rule %i is not idle', async (_, dropped) => {
  const weaker = SHAPES.filter((shape) => RULES.every((rule) => rule === dropped || rule(shape)));
  expect(await taken()).not.toEqual(weaker);
});
