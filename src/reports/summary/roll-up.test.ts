/**
 * Daily sums beside writers, resets, a second process that adds and one that dies: in the end they are those of the transfers. Judged by the checks of
 * `bursar verify`, which share nothing with the statements. Each way to go wrong has its control.
 */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { type Chance, newSeed, seeded } from '../../../test/support/generators/seeded.ts';
import { houseAccount } from '../../core/house-accounts.ts';
import { idOf, idSource, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { TYPES } from '../../platform/db/wire/types.ts';
import { resetSandbox } from '../../tenancy/sandbox/reset.ts';
import { DAILY_SUM_CHECKS } from '../../verify/daily-sums.ts';
import { rollUpOnce } from './roll-up.ts';
import { beginSums, forgetSums, NOTHING_YET, rollUp } from './sql.ts';

const ENVIRONMENTS = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'] as const;
const [FIRST] = ENVIRONMENTS;
const BANK_ACCOUNT = uuidOf(idSource(1_732_184_000_000).next('ba'));
const CUSTOMERS = [0, 1, 2].map((n) => `01900000-0001-7000-8000-00000000000${n}`);

let database: Database;
const clients: pg.Client[] = [];
async function connect(url: string, role?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: TYPES });
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
  if (role !== undefined) await client.query(`SET ROLE ${role}`);
  return client;
}
const run = (client: pg.Client) => (statement: Statement) =>
  client.query({ ...statement, values: [...statement.values] });
const adder = () => connect(database.serverUrl, 'bursar_app');

let owner: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await connect(database.url);
  const merchant = '01900000-0000-7000-8000-0000000000aa';
  await owner.query("INSERT INTO merchants VALUES ($1, 'first', now()), ($2, 'second', now())", [
    merchant,
    BANK_ACCOUNT,
  ]);
  await owner.query(
    'INSERT INTO environments (environment_id, merchant_id, livemode) VALUES ($1, $3, false), ($2, $4, false)',
    [...ENVIRONMENTS, merchant, BANK_ACCOUNT],
  );
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  await database?.drop();
});
beforeEach(async () => {
  for (const statement of forgetSums(null)) await run(owner)(statement);
  await owner.query('DELETE FROM transfers');
});

const SIDES = (chance: Chance): readonly [string, string, boolean, boolean] => {
  const customer = () => CUSTOMERS[Math.floor(chance() * CUSTOMERS.length)] as string;
  const house = () =>
    chance() < 0.3
      ? BANK_ACCOUNT
      : uuidOf(
          houseAccount((['bank', 'in_transit', 'fees', 'unmatched'] as const)[Math.floor(chance() * 4)] ?? 'fx', 'EUR'),
        );
  const [isDebit, isCredit] = [chance() < 0.6, chance() < 0.4];
  const [debit, credit] = [isDebit ? customer() : house(), isCredit ? customer() : house()];
  return debit === credit ? SIDES(chance) : [debit, credit, isDebit, isCredit];
};

/** A batch as the path makes it: the lock of its environments, a later instant, transfers in the order of their ids. */
async function batch(client: pg.Client, chance: Chance, environments: readonly string[], count: number): Promise<void> {
  for (const environment of environments.toSorted()) {
    const { rows } = await client.query('SELECT last_at FROM environments WHERE environment_id = $1 FOR UPDATE', [
      environment,
    ]);
    const last = rows[0].last_at as number;
    const atMs = Math.max(Number.isFinite(last) ? last + 1 : 0, 1_732_180_000_000) + Math.floor(chance() * 40_000_000);
    const ids = idSource(atMs);
    for (let i = 0; i < count; i++) {
      const [debit, credit, isDebit, isCredit] = SIDES(chance);
      await client.query(
        `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, debit_balance_after, credit_balance_after, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10::float8 / 1000))`,
        [
          environment,
          uuidOf(ids.next('trf')),
          debit,
          credit,
          BigInt(1 + Math.floor(chance() * 9_000)),
          chance() < 0.7 ? 'EUR' : 'USD',
          chance() < 0.5 ? 'payout' : 'payment',
          isDebit ? 1 : null,
          isCredit ? 1 : null,
          atMs,
        ],
      );
    }
    await client.query('UPDATE environments SET last_at = to_timestamp($2::float8 / 1000) WHERE environment_id = $1', [
      environment,
      atMs,
    ]);
  }
}

const damages = async (client = owner) =>
  (await Promise.all(DAILY_SUM_CHECKS.map(({ sql }) => client.query(sql)))).flatMap(({ rows }) => rows as object[]);
const summed = async () =>
  Number((await owner.query("SELECT coalesce(sum(count), 0) AS n FROM daily_sums WHERE day = '-infinity'")).rows[0].n);
const stored = async () => Number((await owner.query('SELECT count(*) AS n FROM transfers')).rows[0].n);

/** Rounds until nothing is left. */
async function rollAll(client: pg.Client, most = 7): Promise<number> {
  const parts = {
    rows: async (each: Statement) => (await run(client)(each)).rows,
    keep: run(client),
    onLag: () => undefined,
  };
  for (let rounds = 1; ; rounds += 1) if ((await rollUpOnce(parts, most)).isAll) return rounds;
}

const SEED = newSeed();

describe('whatever happens at once', () => {
  it.each([0, 1, 2, 3])('the sums come to be those of the transfers (story %i)', async (story) => {
    const chance = seeded(SEED + story);
    const [one, two] = [await connect(database.url), await connect(database.url)];
    const adders = [await adder(), await adder()];
    const STEPS = 25;
    const many = async (step: () => Promise<void>, count = STEPS) => {
      for (let i = 0; i < count; i++) await step();
    };
    const writes = (client: pg.Client) => async () => {
      const isBoth = chance() < 0.3;
      const isLost = chance() < 0.15;
      await client.query('BEGIN');
      await batch(
        client,
        chance,
        isBoth ? ENVIRONMENTS : [ENVIRONMENTS[chance() < 0.7 ? 0 : 1]],
        1 + Math.floor(chance() * 4),
      );
      await client.query(isLost ? 'ROLLBACK' : 'COMMIT');
    };
    /** Dies before its commit: nothing of the round has happened; or behind it: all of it has. */
    const rolls = (at: number) => async () => {
      const client = adders[at] as pg.Client;
      const [isLost, isKilled] = [chance() < 0.2, chance() < 0.1];
      if (isKilled) adders[at] = await adder();
      await run(client)(beginSums(ENVIRONMENTS));
      await client.query('BEGIN');
      await run(client)(rollUp(ENVIRONMENTS, 1 + Math.floor(chance() * 6)));
      if (isKilled) await client.end();
      else await client.query(isLost ? 'ROLLBACK' : 'COMMIT');
    };
    let resets = 0;
    const resets1 = async () => {
      const client = await connect(database.url);
      await client.query('BEGIN');
      // Others may be in the way: then nothing is erased.
      await resetSandbox(run(client), idOf('env', FIRST), { offsetMs: 0, record: null }, async () => undefined)
        .then(() => client.query('COMMIT'))
        .then(
          () => (resets += 1),
          () => undefined,
        );
      await client.end();
    };
    await Promise.all([many(writes(one)), many(writes(two)), many(rolls(0)), many(rolls(1)), many(resets1, 3)]);
    expect(await damages()).toEqual([]);
    await rollAll(adders[0] as pg.Client);
    expect(await damages()).toEqual([]);
    expect(await summed()).toBe(await stored());
    expect(resets).toBeGreaterThan(0);
    const { rows } = await owner.query(
      'SELECT transfer_id = (SELECT t.id FROM transfers t WHERE t.environment_id = s.environment_id ORDER BY t.id DESC LIMIT 1) AS is_last FROM summary_state s',
    );
    expect(rows.filter((row: { is_last: boolean | null }) => row.is_last === false)).toEqual([]);
  });
});

describe('a reset', () => {
  /** A adder has added up what is erased meanwhile, and commits. */
  async function erasedBeside(reset: (client: pg.Client) => Promise<unknown>): Promise<object[]> {
    await batch(owner, seeded(1), [FIRST], 5);
    const client = await adder();
    await run(client)(beginSums(ENVIRONMENTS));
    await client.query('BEGIN');
    await run(client)(rollUp(ENVIRONMENTS, 10));
    const resetting = await connect(database.url);
    await resetting.query('BEGIN');
    const done = reset(resetting).then(() => resetting.query('COMMIT'));
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 100))]);
    await client.query('COMMIT');
    await done;
    await rollAll(client);
    return damages();
  }

  it('leaves no sum of what it erases', async () => {
    expect(
      await erasedBeside((client) =>
        resetSandbox(run(client), idOf('env', FIRST), { offsetMs: 0, record: null }, async () => undefined),
      ),
    ).toEqual([]);
    expect(await summed()).toBe(0);
  });
  it('control: without the lock of the state it would', async () => {
    const found = await erasedBeside(async (client) => {
      for (const table of ['transfers', 'daily_sums'])
        await client.query(`DELETE FROM ${table} WHERE environment_id = $1`, [FIRST]);
    });
    expect(found.length).toBeGreaterThan(1);
  });
  it('is not undone by a round whose snapshot is older', async () => {
    await batch(owner, seeded(1), [FIRST], 5);
    const client = await adder();
    await run(client)(beginSums(ENVIRONMENTS));
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT 1 FROM transfers'); // the snapshot
    const resetting = await connect(database.url);
    await resetting.query('BEGIN');
    await resetSandbox(run(resetting), idOf('env', FIRST), { offsetMs: 0, record: null }, async () => undefined);
    await resetting.query('COMMIT');
    await run(client)(rollUp([FIRST], 10)).catch(() => undefined);
    await client.query('COMMIT');
    expect([await summed(), await damages()]).toEqual([0, []]);
  });
});

describe('the checks', () => {
  it.each([
    [
      'a sum off by one',
      'UPDATE daily_sums SET balance_amount = balance_amount + 1 WHERE ctid = (SELECT min(ctid) FROM daily_sums)',
    ],
    ['a count off by one', 'UPDATE daily_sums SET count = count + 1 WHERE ctid = (SELECT max(ctid) FROM daily_sums)'],
    ['a sum that is lost', 'DELETE FROM daily_sums WHERE ctid = (SELECT min(ctid) FROM daily_sums)'],
    ['sums that were added twice', `UPDATE summary_state SET transfer_id = '${NOTHING_YET}'`],
    [
      'a sum of another day',
      "UPDATE daily_sums SET day = day - 1 WHERE ctid = (SELECT min(ctid) FROM daily_sums WHERE day > '-infinity')",
    ],
    ['a state that leads nowhere', "UPDATE summary_state SET transfer_id = 'ffffffff-0000-7000-8000-000000000000'"],
    ['a state that is lost', 'DELETE FROM summary_state'],
  ])('see %s', async (_, damage) => {
    await batch(owner, seeded(5), ENVIRONMENTS, 20);
    await rollAll(owner);
    expect(await damages()).toEqual([]);
    await owner.query(damage);
    expect((await damages()).length).toBeGreaterThan(0);
  });

  it('control: see a transfer that was committed behind a younger one, which the lock of the environment rules out', async () => {
    await batch(owner, seeded(5), [FIRST], 3);
    await rollAll(owner);
    await owner.query("UPDATE environments SET last_at = '-infinity'"); // as if it were another environment
    await owner.query(
      `INSERT INTO transfers SELECT environment_id, '01900000-0000-7000-8000-00000000dead', debit_account, credit_account, amount, currency, cause, cause_id,
        debit_balance_after, credit_balance_after, created_at FROM transfers LIMIT 1`,
    );
    await rollAll(owner);
    expect((await damages()).length).toBeGreaterThan(0);
  });
});

it('the sums are made anew from nothing, in rounds of any size', async () => {
  await batch(owner, seeded(9), ENVIRONMENTS, 60);
  const client = await adder();
  expect(await rollAll(client, 8)).toBeGreaterThan(10);
  const all = async () => (await owner.query('SELECT * FROM daily_sums ORDER BY 1, 2, 3')).rows as object[];
  const before = await all();
  for (const statement of forgetSums(null)) await run(owner)(statement);
  expect(await all()).toEqual([]);
  await rollAll(client, 1_000);
  expect(await all()).toEqual(before);
  expect(before.length).toBeGreaterThanOrEqual(8); // two environments, two currencies, a day and all days
});

it('an environment far behind does not keep others waiting', async () => {
  await batch(owner, seeded(2), [FIRST], 50);
  await batch(owner, seeded(3), [ENVIRONMENTS[1]], 3);
  const client = await adder();
  const rows = async (each: Statement) => (await run(client)(each)).rows;
  await rollUpOnce({ rows, keep: run(client), onLag: () => undefined }, 8);
  const { rows: states } = await owner.query(
    'SELECT sum(count) AS n FROM daily_sums WHERE day = $1 GROUP BY environment_id',
    ['-infinity'],
  );
  expect(states.map(({ n }) => Number(n)).toSorted((one, other) => one - other)).toEqual([3, 4]);
});

it('two adders at once add nothing twice, and neither waits', async () => {
  await batch(owner, seeded(4), [FIRST], 20);
  const [one, two] = [await adder(), await adder()];
  await run(one)(beginSums(ENVIRONMENTS));
  await one.query('BEGIN');
  const first = await run(one)(rollUp(ENVIRONMENTS, 100));
  const second = await run(two)(rollUp(ENVIRONMENTS, 100));
  await one.query('COMMIT');
  expect([first, second].map(({ rows }) => Number(rows[0].count))).toEqual([20, 0]);
  expect(await damages()).toEqual([]);
});
