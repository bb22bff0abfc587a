/** Bank accounts from before they waited for a second person: where one is asked for, nobody had agreed to them, so they wait now. */
import { expect, inject, it, onTestFinished } from 'vitest';
import { emptyDatabase } from '../../../test/support/harness/database.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { migrationsUpTo } from '../../../test/support/harness/migrations.ts';
import { withClient } from '../../../test/support/model/audit.ts';
import { idAs, uuidOf } from '../../core/values/ids.ts';
import { migrate } from '../../platform/db/migrate.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const [HELD, FREE] = [idAt('env', 1), idAt('env', 2)];
const BOTH = ['payouts', 'collections'];
const CHF = { account_holder: 'Acme', iban: 'G' };
const bank = (n: number) => idAs('ba', idAt('acct', n));
const key = (n: number) => idAt('key', n);
const waiting = (by: readonly string[]) => ({
  changes: { uses: BOTH },
  by,
  at: 1_790_000_000_123,
  approvalsRequired: 2,
  approvals: [],
});

/** Of which environment, its IBAN, uses and state; and what it has then. */
const ACCOUNTS = [
  ['stands in the settings', HELD, 'A', BOTH, 'open', BOTH, null],
  ['beside the settings', HELD, 'B', BOTH, 'open', ['payouts'], waiting([key(1), key(2)])],
  ['nobody knows who asked', HELD, 'C', BOTH, 'open', ['payouts'], waiting([])],
  ['pays only', HELD, 'D', ['payouts'], 'open', ['payouts'], null],
  ['is closed', HELD, 'E', BOTH, 'closed', BOTH, null],
  ['where nobody is asked', FREE, 'F', BOTH, 'open', BOTH, null],
] as const;

it('a bank account waits where changes wait, unless the settings show it', async () => {
  const database = await emptyDatabase(inject('clusterUrl'));
  onTestFinished(() => database.drop());
  await migrate(database.url, quiet, migrationsUpTo('0116_limits.sql'));
  await withClient(database.url, async (client) => {
    await client.query(`INSERT INTO merchants (id, name) VALUES ($1, 'Acme')`, [uuidOf(HELD)]);
    for (const environment of [HELD, FREE])
      await client.query(
        'INSERT INTO environments (environment_id, merchant_id, livemode, payout_rules) VALUES ($1, $2, $3, $4)',
        [
          uuidOf(environment),
          uuidOf(HELD),
          environment === HELD,
          JSON.stringify({ frozen: false, limits: [], holdBankAccounts: environment === HELD, approvalsRequired: 2 }),
        ],
      );
    await client.query(
      `INSERT INTO settings (environment_id, id, bank_accounts, pending_bank_accounts, metadata, created_at) VALUES ($1, $1, $2, '{}', '{}', now())`,
      [uuidOf(HELD), JSON.stringify({ EUR: { account_holder: 'Acme', iban: 'A' }, CHF })],
    );
    for (const n of [1, 2, 3])
      await client.query(
        `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, lineage) VALUES ($1, $2, $3, 'x', 'sk_live_', 'abcd', ARRAY[$4])`,
        [Buffer.from(key(n)), uuidOf(key(n)), uuidOf(HELD), key(n)],
      );
    for (const [n, [, environment, iban, uses, status]] of ACCOUNTS.entries())
      await client.query(
        `INSERT INTO bank_accounts (environment_id, id, currency, country, holder, bank_details, uses, profile, calendar, cut_off,
            time_zone, booked_by, payee_check, balance, status, metadata, created_at, exports, paid_by, reversal_sign, on_drift)
          VALUES ($1, $2, 'EUR', 'DE', 'Acme', $3, $4, 'epc', 'target', '14:30', 'UTC', 'camt.053', 'on', 0, $5, '{}',
            to_timestamp(1790000000.123), 'by_hand', 'booking', 'own', 'warn')`,
        [uuidOf(environment), uuidOf(bank(n)), JSON.stringify({ iban }), uses, status],
      );
    // The third key changed nothing that payers see, so it is a second person.
    for (const [n, [action, changed]] of [
      ['created', []],
      ['updated', ['name', 'uses']],
      ['updated', ['cut_off']],
    ].entries())
      await client.query(
        `INSERT INTO audit_log (environment_id, id, sequence, action, actor, subject, details, previous_hash, hash, created_at)
          VALUES ($1, $2, $3, $4, $2, $5, $6, '', '', now())`,
        [
          uuidOf(HELD),
          uuidOf(key(n + 1)),
          n + 1,
          `bank_account.${action as string}`,
          bank(1),
          JSON.stringify({ changed }),
        ],
      );
  });
  await migrate(database.url, quiet);
  const found = await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ id: string; uses: string[]; pending_change: unknown }>(
      'SELECT id, uses, pending_change FROM bank_accounts',
    );
    const settings = await client.query('SELECT bank_accounts, pending_bank_accounts FROM settings');
    return { banks: new Map(rows.map(({ id, ...row }) => [id, row])), settings: settings.rows };
  });
  expect(ACCOUNTS.map(([name], n) => [name, found.banks.get(uuidOf(bank(n)))])).toEqual(
    ACCOUNTS.map(([name, , , , , uses, pending]) => [name, { uses, pending_change: pending }]),
  );
  // What no bank account stands for is shown on; what waited in the settings is given up.
  expect(found.settings).toEqual([{ bank_accounts: { CHF }, pending_bank_accounts: null }]);
});
