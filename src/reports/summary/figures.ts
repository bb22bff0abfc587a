/**
 * The reads behind `GET /v1/summary`. None is longer for a longer history: daily sums, what is not summed yet up to a bound, and indexes of
 * what is unusual, each up to a bound. All lock nothing. Amounts are minor units. On the wire: `schema.ts`.
 */
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { RELEASE_STATUS } from '../../paying/payouts/sql.ts';
import { NOTHING_YET, SIDES, SUM_COLUMNS, SUMMED, SUMS } from './sql.ts';

const DAY = 'day, in_count, in_amount, out_count, out_amount';
/** And not the row of all days together. */
const IS_DAY = "s.day > '-infinity'";

/** Transfers that are added up while an answer waits: two milliseconds. */
export const MOST_TAIL = 5_000;
/** Payouts that are held or wait, and entries without a place, oldest first: more of a kind are not counted. */
export const MOST_COUNTED = 1_000;
/** Payouts that failed, and payouts that came back, those first that ended last. */
export const MOST_ENDED = 1_000;
/** Deliveries of an endpoint, those first that are due first. */
const MOST_DELIVERIES = 200;
const MOST_FILES = 2_000;
/** Statements of a bank account, newest first. */
const MOST_STATEMENTS = 400;

/**
 * A row a currency: its days (both ends count) as a text, a line each of {@link DAY}, and what all its days together come to. A day that has sums
 * and transfers behind them has two lines; {@link sumsFrom} adds them up. One snapshot of the sums and of the transfers behind them (primary
 * keys). `tail` is how many of the transfers were read: {@link MOST_TAIL} means that there may be more. Texts, because of 400 days and
 * three currencies a row a day takes 13 ms, and this takes 5.
 */
export const movedOf = (environmentId: string, { from, to }: { readonly from: string; readonly to: string }) =>
  ({
    name: 'summary_moved',
    text: `WITH tail AS MATERIALIZED (SELECT day, currency, ${SIDES}, 1 AS count, amount, created_at FROM (SELECT ${SUMMED}, t.amount, t.created_at FROM transfers t
        WHERE t.environment_id = $1 AND t.id > coalesce((SELECT s.transfer_id FROM summary_state s WHERE s.environment_id = $1), '${NOTHING_YET}')
        ORDER BY t.environment_id, t.id LIMIT ${MOST_TAIL}) AS t),
      late AS (SELECT day, currency, ${SUMS} FROM tail GROUP BY 1, 2)
      SELECT currency, coalesce(string_agg(concat_ws(' ', ${DAY}), E'\n' ORDER BY s.day) FILTER (WHERE ${IS_DAY} AND in_count + out_count > 0), '') AS days,
        coalesce(sum(fees_amount) FILTER (WHERE ${IS_DAY}), 0)::text AS fees_amount, coalesce(sum(balance_amount) FILTER (WHERE NOT ${IS_DAY}), 0)::text AS balance_amount,
        coalesce(sum(transit_count) FILTER (WHERE NOT ${IS_DAY}), 0)::int8 AS transit_count, coalesce(sum(transit_amount) FILTER (WHERE NOT ${IS_DAY}), 0)::text AS transit_amount,
        (SELECT count(*)::int4 FROM tail) AS tail, (SELECT max(created_at) FROM tail) AS tail_until
      FROM (SELECT day, currency, ${SUM_COLUMNS} FROM daily_sums WHERE environment_id = $1 AND day BETWEEN $2::date AND $3::date
        UNION ALL SELECT day, currency, ${SUM_COLUMNS} FROM daily_sums WHERE environment_id = $1 AND day = '-infinity'
        UNION ALL SELECT day, currency, ${SUM_COLUMNS} FROM late WHERE day BETWEEN $2::date AND $3::date
        UNION ALL SELECT '-infinity', currency, ${SUM_COLUMNS} FROM late) AS s GROUP BY currency ORDER BY currency`,
    values: [uuidOf(environmentId), from, to],
  }) satisfies Statement;

export interface Day {
  readonly day: string;
  readonly in: Counted;
  readonly out: Counted;
}
export interface Counted {
  readonly count: bigint;
  readonly amount: bigint;
}

export interface Moved {
  readonly balance: bigint;
  readonly inFlight: Counted;
  /** Of the days. */
  readonly fees: bigint;
  /** Those on which money came in or went out, in order. */
  readonly days: readonly Day[];
}

export interface Sums {
  readonly currencies: ReadonlyMap<string, Moved>;
  /** The instant of the last transfer that is counted, where there may be more; `null`: all are counted. */
  readonly untilMs: number | null;
}

/** Of the rows of {@link movedOf}. */
export function sumsFrom(rows: readonly Row[]): Sums {
  const currencies = rows.map((row): [string, Moved] => {
    const amount = (name: string) => BigInt(row[`${name}_amount`] as string);
    const inFlight = { count: row['transit_count'] as bigint, amount: amount('transit') };
    const days = daysFrom(row['days'] as string);
    return [row['currency'] as string, { balance: amount('balance'), inFlight, fees: amount('fees'), days }];
  });
  const [first] = rows;
  const isCut = first !== undefined && (first['tail'] as number) >= MOST_TAIL;
  return { currencies: new Map(currencies), untilMs: isCut ? (first['tail_until'] as number) : null };
}

function daysFrom(lines: string): Day[] {
  const days: Day[] = [];
  for (const line of lines === '' ? [] : lines.split('\n')) {
    const [day, ...figures] = line.split(' ') as [string, ...string[]];
    const [inCount, inAmount, outCount, outAmount] = figures.map(BigInt) as [bigint, bigint, bigint, bigint];
    const next = { day, in: { count: inCount, amount: inAmount }, out: { count: outCount, amount: outAmount } };
    const last = days.at(-1);
    if (last?.day !== day) days.push(next);
    else days[days.length - 1] = { day, in: added(last.in, next.in), out: added(last.out, next.out) };
  }
  return days;
}

const added = (one: Counted, other: Counted): Counted => ({
  count: one.count + other.count,
  amount: one.amount + other.amount,
});

const OPEN_PART = `e.amount - coalesce((SELECT sum((p ->> 'amount')::int8) FROM jsonb_array_elements(e.assignments) AS p
  WHERE p ->> 'undoneBy' IS NULL), 0)`;
const payouts = (condition: string, order: string, most: number): string =>
  `(SELECT t.currency, t.amount, t.created_at FROM payouts t WHERE t.environment_id = $1 AND ${condition} ORDER BY ${order} LIMIT ${most})`;
const grouped = (what: string, source: string): string =>
  `SELECT '${what}' AS what, currency, count(*)::int8 AS count, sum(amount)::text AS amount, min(created_at) AS oldest_at, NULL AS oldest_on FROM ${source} AS t`;

/**
 * What asks for somebody's attention, by kind and currency: payouts that are held, wait, failed or came back since an instant (indexes
 * payouts_release, payouts_status, payouts_ended_badly), and entries of banks without a place (index bank_entries_unmatched).
 */
export const openOf = (environmentId: string, sinceMs: number) =>
  ({
    name: 'summary_open',
    text: `${grouped('held', payouts(`${RELEASE_STATUS} = 'held'`, 't.id', MOST_COUNTED))} GROUP BY currency
      UNION ALL ${grouped('waiting', payouts("t.status = 'waiting'", 't.id', MOST_COUNTED))} GROUP BY currency
      UNION ALL SELECT 'unmatched', currency, count(*)::int8, sum(amount)::text, min(created_at), min(day)::text FROM (SELECT e.currency, ${OPEN_PART} AS amount,
          e.created_at, coalesce(e.booked_on, (e.created_at AT TIME ZONE 'UTC')::date) AS day
        FROM bank_entries e WHERE e.environment_id = $1 AND e.status = 'unmatched' ORDER BY e.environment_id, e.id LIMIT ${MOST_COUNTED}) AS e GROUP BY currency
      ${['failed', 'returned']
        .map(
          (status) =>
            `UNION ALL ${grouped(status, payouts(`t.status = '${status}' AND t.ended_at >= $2::timestamptz`, 't.ended_at DESC', MOST_ENDED))} GROUP BY currency`,
        )
        .join('\n      ')}`,
    values: [uuidOf(environmentId), new Date(sinceMs).toISOString()],
  }) satisfies Statement;

export type What = 'held' | 'waiting' | 'unmatched' | 'failed' | 'returned';

export interface Found extends Counted {
  readonly what: What;
  readonly currency: string;
  readonly oldestAtMs: number;
  readonly oldestOn: string | null;
}

export const foundFrom = (row: Row): Found => ({
  what: row['what'] as What,
  currency: row['currency'] as string,
  count: row['count'] as bigint,
  amount: BigInt(row['amount'] as string),
  oldestAtMs: row['oldest_at'] as number,
  oldestOn: row['oldest_on'] as string | null,
});

const pending = (kind: string, order: string): string => `(SELECT d.created_at FROM deliveries d
          WHERE d.environment_id = w.environment_id AND d.endpoint_id = w.id AND d.status = 'pending' AND ${kind}
          ORDER BY d.environment_id, d.endpoint_id, ${order} LIMIT ${MOST_DELIVERIES})`;

/**
 * One row about all that surrounds the money: currencies of open accounts (one step of index accounts_default each), endpoints that fail,
 * the oldest event that an enabled one has not had (indexes deliveries_due, deliveries_in_order), the last verification, the last backup.
 */
export const aroundOf = (environmentId: string) =>
  ({
    name: 'summary_around',
    text: `WITH RECURSIVE codes AS (
        (SELECT a.currency FROM accounts a WHERE a.environment_id = $1 AND a.status = 'open' ORDER BY a.environment_id, a.currency LIMIT 1)
        UNION ALL SELECT (SELECT a.currency FROM accounts a WHERE a.environment_id = $1 AND a.status = 'open' AND a.currency > codes.currency
          ORDER BY a.environment_id, a.currency LIMIT 1) FROM codes WHERE codes.currency IS NOT NULL),
      failing AS (SELECT coalesce(h.unsuccessful_since, w.first_failed_at) AS since FROM webhook_endpoints w
        LEFT JOIN webhook_health h ON h.environment_id = w.environment_id AND h.endpoint_id = w.id
        WHERE w.environment_id = $1 AND w.deleted_at IS NULL
          AND CASE w.status WHEN 'enabled' THEN h.unsuccessful_since IS NOT NULL ELSE w.disabled_reason IN ('failing', 'gone') END)
      SELECT ARRAY(SELECT currency FROM codes WHERE currency IS NOT NULL) AS currencies,
        (SELECT count(*)::int4 FROM failing) AS failing, (SELECT min(since) FROM failing) AS failing_since,
        (SELECT min(d.created_at) FROM webhook_endpoints w
          CROSS JOIN LATERAL (${pending('NOT d.in_order', 'd.due_at')} UNION ALL ${pending('d.in_order', 'd.sequence')}) AS d
          WHERE w.environment_id = $1 AND w.status = 'enabled' AND w.deleted_at IS NULL) AS undelivered,
        v.finished_at AS verified_at, v.damages_count, (SELECT max(finished_at) FROM backups) AS backup_at
      FROM (SELECT $1::uuid AS environment_id) AS e LEFT JOIN verifications v ON v.environment_id = e.environment_id`,
    values: [uuidOf(environmentId)],
  }) satisfies Statement;

export interface Around {
  readonly currencies: readonly string[];
  readonly webhooks: {
    readonly failing: number;
    readonly failingSinceMs: number | null;
    readonly undeliveredMs: number | null;
  };
  /** `null`: none has ended. */
  readonly verification: { readonly finishedMs: number; readonly damages: bigint } | null;
  readonly backupMs: number | null;
}

export function aroundFrom(row: Row): Around {
  const at = (name: string) => row[name] as number | null;
  const finishedMs = at('verified_at');
  return {
    currencies: row['currencies'] as readonly string[],
    webhooks: {
      failing: row['failing'] as number,
      failingSinceMs: at('failing_since'),
      undeliveredMs: at('undelivered'),
    },
    verification: finishedMs === null ? null : { finishedMs, damages: row['damages_count'] as bigint },
    backupMs: at('backup_at'),
  };
}

/** The newest statements of a bank account that have balances. */
const statements = (most: number): string => `SELECT o.closed_on, o.proof, o.difference FROM bank_statements o
        WHERE o.environment_id = b.environment_id AND o.bank_account_id = b.id AND o.closed_on IS NOT NULL AND o.status = 'imported' AND o.proof <> 'none'
        ORDER BY o.closed_on DESC, o.page DESC NULLS LAST LIMIT ${most}`;

/**
 * The open bank accounts, oldest first: until when the bank's balances are proved, whether the newest of them agrees (index
 * bank_statements_day), and files that the bank has said nothing of (index payment_files_unanswered).
 */
export const banksOf = (environmentId: string) =>
  ({
    name: 'summary_banks',
    text: `WITH silent AS (SELECT bank_account_id, count(*)::int4 AS files, min(sealed_at) AS since FROM (SELECT f.bank_account_id, f.sealed_at FROM payment_files f
        WHERE f.environment_id = $1 AND f.status = 'sealed' AND f.answered_at IS NULL ORDER BY f.environment_id, f.sealed_at LIMIT ${MOST_FILES}) AS f GROUP BY 1)
      SELECT b.id, b.name, b.currency, coalesce(s.files, 0) AS files, s.since, newest.proof,
        CASE newest.proof WHEN 'drift' THEN newest.difference WHEN 'ok' THEN 0 END AS drift, ok.closed_on::text AS proved_until
      FROM bank_accounts b LEFT JOIN silent s ON s.bank_account_id = b.id
      LEFT JOIN LATERAL (${statements(1)}) AS newest ON true
      LEFT JOIN LATERAL (SELECT n.closed_on FROM (${statements(MOST_STATEMENTS)}) AS n WHERE n.proof = 'ok' ORDER BY n.closed_on DESC LIMIT 1) AS ok ON true
      WHERE b.environment_id = $1 AND b.status = 'open' ORDER BY b.environment_id, b.id`,
    values: [uuidOf(environmentId)],
  }) satisfies Statement;

export interface Bank {
  readonly id: string;
  readonly name: string | null;
  readonly currency: string;
  /** `null`: no balance of the bank is proved. */
  readonly provedUntilOn: string | null;
  /** Of the newest statement with balances: `ok`, `gap`, `failed`, `drift`; `null`: there is none. */
  readonly proof: string | null;
  /** What the bank says less what the ledger says; `null`: not known. */
  readonly drift: bigint | null;
  readonly unansweredFiles: number;
  readonly unansweredSinceMs: number | null;
}

export const bankFrom = (row: Row): Bank => ({
  id: idOf('ba', row['id'] as string),
  name: row['name'] as string | null,
  currency: row['currency'] as string,
  provedUntilOn: row['proved_until'] as string | null,
  proof: row['proof'] as string | null,
  drift: row['drift'] as bigint | null,
  unansweredFiles: row['files'] as number,
  unansweredSinceMs: row['since'] as number | null,
});
