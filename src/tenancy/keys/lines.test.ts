/** The lines of keys that are in a database from before lines were kept: told from the audit log and from who made them. */
import { expect, inject, it, onTestFinished } from 'vitest';
import { emptyDatabase } from '../../../test/support/harness/database.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { migrationsUpTo } from '../../../test/support/harness/migrations.ts';
import { withClient } from '../../../test/support/model/audit.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { migrate } from '../../platform/db/migrate.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

it('are those of their roots, of what they were rolled from, and of who made them', async () => {
  const database = await emptyDatabase(inject('clusterUrl'));
  onTestFinished(() => database.drop());
  await migrate(database.url, quiet, migrationsUpTo('0112_operations.sql'));
  const [environment, merchant] = [uuidOf(idAt('env', 1)), uuidOf(idAt('env', 2))];
  const key = (n: number) => idAt('key', n);
  /** Who made it, and what it was rolled from. */
  const keys: Record<number, [maker: string | null, before: number | null]> = {
    1: [null, null], // the first start
    2: [key(1), 1], // rolled by itself
    3: [key(2), null], // made by the rolled one
    4: [key(3), 3], // rolled by itself
    5: [key(4), null],
    6: ['00000000-0000-8000-8000-000000000004', null], // the command line
    7: [key(6), 4], // somebody else rolled it
    8: [key(99), null], // its maker is not in this database
  };
  const limits = [2, 7, 99].map((n) => ({ per: 'key', of: key(n), id: `lim_${n}` }));
  const rules = { frozen: false, limits: [...limits, { per: 'account', of: idAt('acct', 1), id: 'lim_a' }] };
  await withClient(database.url, async (client) => {
    await client.query(`INSERT INTO merchants (id, name) VALUES ($1, 'Acme')`, [merchant]);
    const made =
      'INSERT INTO environments (environment_id, merchant_id, livemode, payout_rules) VALUES ($1, $2, false, $3)';
    await client.query(made, [environment, merchant, JSON.stringify(rules)]);
    for (const [n, [maker, before]] of Object.entries(keys)) {
      const by = maker?.startsWith('key_') ? uuidOf(maker) : maker;
      await client.query(
        `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, created_by) VALUES ($1, $2, $3, 'x', 'sk_test_', 'abcd', $4)`,
        [Buffer.from(n), uuidOf(key(Number(n))), environment, by],
      );
      if (before === null) continue;
      await client.query(
        `INSERT INTO audit_log (environment_id, id, sequence, action, actor, subject, details, previous_hash, hash, created_at)
          VALUES ($1, $2, $3, 'key.rolled', $2, $4, $5, '', '', now())`,
        [environment, uuidOf(key(100 + Number(n))), n, key(before), JSON.stringify({ to: key(Number(n)) })],
      );
    }
  });
  await migrate(database.url, quiet);
  const found = await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ id: string; lineage: string[] }>('SELECT id, lineage FROM api_keys');
    const [row] = (
      await client.query<{ limits: typeof limits }>("SELECT payout_rules -> 'limits' AS limits FROM environments")
    ).rows;
    return { lines: new Map(rows.map(({ id, lineage }) => [id, lineage])), limits: row?.limits };
  });
  const lineOf = (n: number) => found.lines.get(uuidOf(key(n)));
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(lineOf)).toEqual([
    [key(1)],
    [key(1)],
    [key(1), key(3)],
    [key(1), key(3)],
    [key(1), key(3), key(5)],
    [key(6)],
    [key(1), key(3)],
    [key(8)],
  ]);
  expect(found.limits?.map(({ id, of }) => [id, of])).toEqual([
    ['lim_2', key(1)],
    ['lim_7', key(3)],
    ['lim_99', key(99)],
    ['lim_a', idAt('acct', 1)],
  ]);
});
