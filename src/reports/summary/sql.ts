/**
 * The statements that keep the daily sums (docs/decisions/0106). Transfers of an environment are committed in the order of their ids, because
 * each batch holds the lock of its environment and has a later instant than the one before (0001, 0009). So a snapshot that shows a transfer
 * shows all older ones, and the sums may follow by "behind the last id". What reads the sums: `figures.ts`. Who runs this: `roll-up.ts`.
 */
import { HOUSE_KINDS } from '../../core/house-accounts.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';

/** Before every transfer. */
export const NOTHING_YET = '00000000-0000-0000-0000-000000000000';
/** Whole house accounts begin with eight bytes that no id of a bank account has. */
const FIRST_WITH_INSTANT = '00000001-0000-0000-0000-000000000000';

/** What is summed of a transfer (alias `t`); customer accounts are those that keep a balance, and here they are all one: NULL. */
export const SUMMED = `(t.created_at AT TIME ZONE 'UTC')::date AS day, t.currency, CASE WHEN t.debit_balance_after IS NULL THEN t.debit_account END AS debited,
      CASE WHEN t.credit_balance_after IS NULL THEN t.credit_account END AS credited`;

/** What a side of {@link SUMMED} is: `account`, or a kind of house account; bank accounts are `bank`. */
const side = (
  account: string,
): string => `CASE WHEN ${account} IS NULL THEN 'account' WHEN ${account} < '${FIRST_WITH_INSTANT}'
        THEN (ARRAY['${HOUSE_KINDS.join("', '")}'])[get_byte(uuid_send(${account}), 12)] ELSE 'bank' END`;
export const SIDES = `${side('debited')} AS debit_side, ${side('credited')} AS credit_side`;

const only = (what: string, condition: string): string => `coalesce(sum(${what}) FILTER (WHERE ${condition}), 0)`;
/** What came to a kind of side less what left it. */
const net = (kind: string, what: string): string =>
  `${only(what, `credit_side = '${kind}'`)} - ${only(what, `debit_side = '${kind}'`)}`;
const CAME = "debit_side = 'bank' AND credit_side <> 'bank'";
const WENT = "credit_side = 'bank' AND debit_side <> 'bank'";
/** The columns of a sum, and each of rows that have {@link SIDES}, `count` and `amount`. */
const COLUMNS: Readonly<Record<string, string>> = {
  count: 'sum(count)',
  in_count: only('count', CAME),
  in_amount: only('amount', CAME),
  out_count: only('count', WENT),
  out_amount: only('amount', WENT),
  fees_amount: net('fees', 'amount'),
  balance_amount: net('account', 'amount'),
  transit_count: net('in_transit', 'count'),
  transit_amount: net('in_transit', 'amount'),
};
const NAMES = Object.keys(COLUMNS);
const each = (sql: (name: string) => string): string => NAMES.map(sql).join(', ');
export const SUM_COLUMNS = NAMES.join(', ');
export const SUMS = each((name) => `${COLUMNS[name]} AS ${name}`);
/** Of rows that are sums already. */
export const SUMS_OF_SUMS = each((name) => `sum(${name}) AS ${name}`);

export interface Behind {
  readonly environment: string;
  readonly hasState: boolean;
  /** Age of its oldest transfer that is in no sum, by the clock of the environment, seconds. */
  readonly lagSeconds: number;
}

/**
 * Environments with transfers that are in no sum, the furthest behind first, at most `most`. Two look-ups by primary key each, so a thousand
 * environments cost some milliseconds.
 */
export const environmentsBehind = (most: number): Statement => ({
  name: 'environments_behind_in_sums',
  text: `SELECT e.environment_id, s.environment_id IS NOT NULL AS has_state,
      greatest(0, extract(epoch FROM now() - t.created_at) + e.clock_offset_ms / 1000.0)::float8 AS lag_seconds
    FROM environments e LEFT JOIN summary_state s ON s.environment_id = e.environment_id
    CROSS JOIN LATERAL (SELECT t.created_at FROM transfers t
      WHERE t.environment_id = e.environment_id AND t.id > coalesce(s.transfer_id, '${NOTHING_YET}')
      ORDER BY t.environment_id, t.id LIMIT 1) AS t
    ORDER BY t.created_at LIMIT $1::int4`,
  values: [most],
});

export const behindFrom = (row: Row): Behind => ({
  environment: row['environment_id'] as string,
  hasState: row['has_state'] as boolean,
  lagSeconds: row['lag_seconds'] as number,
});

/** The rows without which an environment is not summed. Waits for a reset or a rebuild of the environment that is under way. */
export const beginSums = (environments: readonly string[]): Statement => ({
  name: 'begin_sums',
  text: `INSERT INTO summary_state (environment_id, transfer_id)
    SELECT e.environment_id, '${NOTHING_YET}' FROM environments e WHERE e.environment_id = ANY ($1::uuid[]) ORDER BY 1
    ON CONFLICT (environment_id) DO NOTHING`,
  values: [environments],
});

/**
 * Adds at most so many transfers of each environment to its sums, and moves its state on: one statement, so both or neither. It locks the rows
 * of `summary_state`, leaves out those that another process or a reset has, and reads each as it is once it is locked. A row that a reset
 * has deleted meanwhile is not found, so transfers that the reset erased cannot come back as sums. Returns how many were added.
 * The limit is a part of the text, and a power of two so that there are few: of a parameter PostgreSQL assumes a tenth of the table, and sorts.
 */
export function rollUp(environments: readonly string[], atMost: number): Statement {
  const most = 2 ** Math.floor(Math.log2(Math.max(1, atMost)));
  return {
    name: `roll_up_${most}_transfers`,
    text: `WITH state AS MATERIALIZED (SELECT s.environment_id, s.transfer_id FROM summary_state s
        WHERE s.environment_id = ANY ($1::uuid[]) ORDER BY s.environment_id FOR UPDATE SKIP LOCKED),
      moved AS (SELECT t.* FROM state s CROSS JOIN LATERAL (SELECT t.environment_id, t.id, ${SUMMED}, t.amount FROM transfers t
        WHERE t.environment_id = s.environment_id AND t.id > s.transfer_id ORDER BY t.environment_id, t.id LIMIT ${most}) AS t),
      grouped AS MATERIALIZED (SELECT environment_id, day, currency, debited, credited, count(*) AS count, sum(amount) AS amount,
          max(id::text COLLATE "C") AS last FROM moved GROUP BY 1, 2, 3, 4, 5),
      sums AS (SELECT environment_id, day, currency, ${SUMS} FROM (SELECT *, ${SIDES} FROM grouped) AS g GROUP BY 1, 2, 3),
      added AS (INSERT INTO daily_sums AS d (environment_id, day, currency, ${SUM_COLUMNS})
        SELECT environment_id, day, currency, ${SUM_COLUMNS} FROM sums
        UNION ALL SELECT environment_id, '-infinity', currency, ${SUMS_OF_SUMS} FROM sums GROUP BY 1, 3
        ON CONFLICT (environment_id, day, currency) DO UPDATE SET ${each((name) => `${name} = d.${name} + excluded.${name}`)}),
      reached AS (UPDATE summary_state u SET transfer_id = r.last::uuid
        FROM (SELECT environment_id, max(last COLLATE "C") AS last FROM grouped GROUP BY 1) AS r WHERE u.environment_id = r.environment_id)
      SELECT coalesce(sum(count), 0)::int8 AS count FROM grouped`,
    values: [environments],
  };
}

/**
 * Begins the sums of an environment anew (`null`: of all), in the transaction of whoever runs them, in this order, as the owner: the worker
 * then makes them from the transfers that are left. The first takes the row that {@link rollUp} locks, also where there is none yet.
 */
export const forgetSums = (environmentId: string | null): readonly Statement[] => {
  const values = [environmentId === null ? null : uuidOf(environmentId)];
  const mine = '($1::uuid IS NULL OR environment_id = $1::uuid)';
  return [
    {
      text: `INSERT INTO summary_state (environment_id, transfer_id)
        SELECT environment_id, '${NOTHING_YET}' FROM environments WHERE ${mine} ORDER BY 1
        ON CONFLICT (environment_id) DO UPDATE SET transfer_id = excluded.transfer_id`,
      values,
    },
    { text: `DELETE FROM daily_sums WHERE ${mine}`, values },
    { text: `DELETE FROM summary_state WHERE ${mine}`, values },
  ];
};
