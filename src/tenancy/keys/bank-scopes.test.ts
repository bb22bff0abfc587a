/** Keys from before a right was divided: they keep their rights, and get no others. */
import { expect, inject, it, onTestFinished } from 'vitest';
import { emptyDatabase } from '../../../test/support/harness/database.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { migrationsUpTo } from '../../../test/support/harness/migrations.ts';
import { withClient } from '../../../test/support/model/audit.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { migrate } from '../../platform/db/migrate.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const all = (verb: string) =>
  ['bank_accounts', 'statement_files', 'bank_entries', 'payment_files', 'reconciliation'].map((of) => `${of}:${verb}`);

/** What keys had, and what they have. */
type Keys = readonly (readonly [had: readonly string[] | null, has: readonly string[] | null])[];

const BANK: Keys = [
  [['bank:read'], all('read')],
  [
    ['payouts:write', 'bank:write', 'payout_approvals:write'],
    ['payouts:write', ...all('write'), 'payout_approvals:write'],
  ],
  [
    ['bank:read', 'bank:write'],
    [...all('read'), ...all('write')],
  ],
  // To approve changes of bank accounts was no right to set them up.
  [['bank_accounts:write'], ['bank_account_approvals:write']],
  [
    ['bank_accounts:read', 'settings:write'],
    ['bank_account_approvals:read', 'settings:write'],
  ],
  [['payouts:read'], ['payouts:read']],
  [[], []],
  [null, null],
];

/** Whom a payroll pays is a right of its own: whoever saw it sees it still. */
const PAYROLL: Keys = [
  ...['payouts:read', 'payouts:write', 'accounts:read', 'events:read', 'bank_entries:write', 'payment_files:read'].map(
    (scope) => [[scope], [scope, 'payroll:read']] as const,
  ),
  [
    ['recipients:read', 'webhook_endpoints:write'],
    ['recipients:read', 'webhook_endpoints:write', 'payroll:read'],
  ],
  [
    ['recipients:read', 'settings:write', 'metrics:read'],
    ['recipients:read', 'settings:write', 'metrics:read'],
  ],
  [[], []],
  [null, null],
];

it.each([
  ['bank:read or bank:write', 'the five scopes of the same verb', '0116_limits.sql', '0117_bank_rights.sql', BANK],
  ['what showed whom a payroll pays', 'payroll:read too', '0129_second_debits.sql', null, PAYROLL],
])('a key with %s has %s', async (_had, _has, before, after, keys) => {
  const database = await emptyDatabase(inject('clusterUrl'));
  onTestFinished(() => database.drop());
  await migrate(database.url, quiet, migrationsUpTo(before));
  const [environment, merchant] = [uuidOf(idAt('env', 1)), uuidOf(idAt('env', 2))];
  const ids = keys.map((_, n) => idAt('key', n + 1));
  await withClient(database.url, async (client) => {
    await client.query(`INSERT INTO merchants (id, name) VALUES ($1, 'Acme')`, [merchant]);
    const made = 'INSERT INTO environments (environment_id, merchant_id, livemode) VALUES ($1, $2, false)';
    await client.query(made, [environment, merchant]);
    for (const [n, [had]] of keys.entries()) {
      const id = ids[n] as string;
      await client.query(
        `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, lineage, scopes) VALUES ($1, $2, $3, 'x', 'rk_test_', 'abcd', ARRAY[$4], $5)`,
        [Buffer.from(id), uuidOf(id), environment, id, had],
      );
    }
  });
  await migrate(database.url, quiet, after === null ? undefined : migrationsUpTo(after));
  const found = await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ id: string; scopes: string[] | null }>('SELECT id, scopes FROM api_keys');
    return new Map(rows.map(({ id, scopes }) => [id, scopes]));
  });
  expect(ids.map((id) => found.get(uuidOf(id)))).toEqual(keys.map(([, has]) => has));
});
