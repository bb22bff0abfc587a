/** The statements of accounts, set-based. */
import { ACCOUNT } from '../../core/account.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { KEYS, valuesOf } from '../../platform/db/wire/keyed.ts';
import { lastTransfer } from '../../platform/db/wire/last-transfer.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Key, Statement } from '../../platform/db/wire/statement.ts';
import { column, ofEnvironment, overRows, tableOf } from '../../platform/db/wire/table.ts';

/** A busy account is updated once a batch. The update is heap-only (HOT): only a close changes an indexed column. */
export const ACCOUNTS = tableOf(ACCOUNT, 'accounts');
const COLUMNS = ACCOUNTS.columns('a');

interface OfCurrency {
  readonly environmentId: string;
  readonly currency: string;
  readonly count: number;
}

/** The `count` oldest open accounts of a currency (index accounts_default). More than one: the batch may close some. */
export const loadOldestOpenAccounts = overRows<OfCurrency>(
  'load_oldest_open_accounts',
  {
    environment_id: ofEnvironment,
    currency: column('text', (each) => each.currency),
    count: column('int4', (each) => each.count),
  },
  (rows) => `SELECT ${COLUMNS} FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM accounts a
        WHERE a.environment_id = k.environment_id AND a.currency = k.currency AND a.status = 'open'
        ORDER BY a.environment_id, a.currency, a.id LIMIT k.count) AS a`,
);

/** Accounts with uuids between two, both included: those that deposit references lead to. */
export const loadAccountsInRanges = overRows<{
  readonly environmentId: string;
  readonly from: string;
  readonly to: string;
}>(
  'load_accounts_in_ranges',
  { environment_id: ofEnvironment, low: column('text', (each) => each.from), high: column('text', (each) => each.to) },
  (rows) => `SELECT ${COLUMNS} FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM accounts a WHERE a.environment_id = k.environment_id
        AND a.id >= k.low::uuid AND a.id <= k.high::uuid ORDER BY a.environment_id, a.id LIMIT 2) AS a`,
);

/** The oldest open accounts of both currencies of quotes, for exchanges that name only the quote. */
export function loadAccountsOfQuotes(quotes: readonly Key[], count: number): Statement {
  return {
    name: 'load_accounts_of_quotes',
    text: `SELECT ${COLUMNS} FROM ${KEYS}
      CROSS JOIN LATERAL (SELECT * FROM quotes q
        WHERE q.environment_id = k.environment_id AND q.id = k.id LIMIT 1) AS q
      CROSS JOIN LATERAL (VALUES (q.sell_currency), (q.buy_currency)) AS c (currency)
      CROSS JOIN LATERAL (SELECT * FROM accounts a
        WHERE a.environment_id = k.environment_id AND a.currency = c.currency AND a.status = 'open'
        ORDER BY a.environment_id, a.currency, a.id LIMIT $3::int4) AS a`,
    values: [...valuesOf(quotes), count],
  };
}

export interface Wanted {
  /** `null`: now. */
  readonly endMs: number | null;
  readonly currency: string | null;
  /** Ids, for keys that see some. */
  readonly only: readonly string[] | null;
  readonly most: number;
}

/**
 * Accounts with their balances now, or before an instant; accounts made later are left out. By primary key, and for an instant two
 * look-ups of the last transfer each (indexes transfers_debit, transfers_credit). At most `most + 1` rows.
 */
export function balances(environmentId: string, { endMs, currency, only, most }: Wanted): Statement {
  const values: unknown[] = [uuidOf(environmentId)];
  const param = (value: unknown) => `$${values.push(value)}`;
  const before = endMs === null ? null : param(uuidOf(firstIdAt(endMs)));
  const conditions = ['a.environment_id = $1'];
  if (before !== null) conditions.push(`a.id < ${before}`);
  if (currency !== null) conditions.push(`a.currency = ${param(currency)}`);
  if (only !== null) conditions.push(`a.id = ANY (${param(only.map(uuidOf))}::uuid[])`);
  const at = before === null ? '' : `LEFT JOIN LATERAL ${lastTransfer(before)} AS l ON true`;
  const balance = before === null ? 'a.balance' : 'coalesce(l.balance, 0)';
  return {
    text: `SELECT ${COLUMNS}, ${balance} AS balance_then FROM accounts a ${at} WHERE ${conditions.join(' AND ')}
      ORDER BY a.environment_id, a.id LIMIT ${most + 1}`,
    values,
  };
}
