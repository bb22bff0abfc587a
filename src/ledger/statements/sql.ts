/** The reads of statements: what an account had before and after a period, its movements with what names them, and whose statement it is. */
import { companyName } from '../../core/company.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { lastTransfer } from '../../platform/db/wire/last-transfer.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import type { Transfer } from '../../core/transfer.ts';
import { TRANSFERS } from '../transfers/sql.ts';
import { DAILY_STATEMENT } from './fields.ts';
import type { Cover, Issuer, StatementHead } from './lines.ts';

export const transferFrom = (row: Row): Transfer => TRANSFERS.read(row);

/** Who issues a statement, and how far the environment has come. By primary keys. */
export function issuerOf(environmentId: string): Statement {
  return {
    name: 'statement_issuer',
    text: `SELECT ${companyName('s', 'm', 'e')} AS name, s.logo, s.accent_color, now() AS now, e.clock_offset_ms,
        greatest(e.last_at, 'epoch') AS last_at
      FROM environments e JOIN merchants m ON m.id = e.merchant_id
      LEFT JOIN settings s ON s.environment_id = e.environment_id AND s.id = e.environment_id WHERE e.environment_id = $1`,
    values: [uuidOf(environmentId)],
  };
}

/** Instants are milliseconds, environment clock; `lastAtMs` is that of the newest batch: whatever is up to it is there, and comes no more. */
export function issuerFrom(row: Row): Issuer & { readonly nowMs: number; readonly lastAtMs: number } {
  const lastAtMs = row['last_at'] as number;
  return {
    name: row['name'] as string,
    logo: row['logo'] as string | null,
    accent: row['accent_color'] as string | null,
    nowMs: Math.max((row['now'] as number) + Number(row['clock_offset_ms']), lastAtMs),
    lastAtMs,
  };
}

export interface Heading extends StatementHead {
  /** The uuid of the last transfer of the statement or of before it; `null`: there was none. */
  readonly lastId: string | null;
}

const HEADING = `SELECT a.id, a.name, a.currency, o.balance AS opening, c.balance AS closing, c.id AS last_id FROM accounts a
      LEFT JOIN LATERAL ${lastTransfer('$2')} AS o ON true LEFT JOIN LATERAL ${lastTransfer('$3')} AS c ON true
      WHERE a.environment_id = $1`;

/** One snapshot, by primary key and two look-ups in the indexes of each instant. No row: no such account. */
export function statementHeading(environmentId: string, accountId: string, fromMs: number, untilMs: number): Statement {
  return {
    name: 'statement_heading',
    text: `${HEADING} AND a.id = $4`,
    values: [environmentId, firstIdAt(fromMs), firstIdAt(untilMs), accountId].map(uuidOf),
  };
}

export const HEADINGS_PAGE_ROWS = 100;

/** The headings of accounts above `after` that existed in a period, oldest first; of `only` if not null. Accounts by primary key. */
export function statementHeadings(
  environmentId: string,
  { fromMs, untilMs }: Pick<Cover, 'fromMs' | 'untilMs'>,
  after: string,
  only: Iterable<string> | null,
): Statement {
  return {
    name: 'statement_headings',
    text: `${HEADING} AND a.id > $4 AND a.id < $3 AND (a.closed_at IS NULL OR a.closed_at >= $5)
        AND ($6::uuid[] IS NULL OR a.id = ANY ($6::uuid[]))
      ORDER BY a.environment_id, a.id LIMIT ${HEADINGS_PAGE_ROWS}`,
    values: [
      ...[environmentId, firstIdAt(fromMs), firstIdAt(untilMs), after].map(uuidOf),
      new Date(fromMs).toISOString(),
      only && Array.from(only, uuidOf),
    ],
  };
}

/** Below every id of an account. */
export const FIRST_ACCOUNT = idOf('acct', '00000000-0000-0000-0000-000000000000');

export function headingFrom(row: Row): Heading {
  return {
    account: idOf('acct', row['id'] as string),
    name: row['name'] as string | null,
    currency: row['currency'] as string,
    opening: (row['opening'] as bigint | null) ?? 0n,
    closing: (row['closing'] as bigint | null) ?? 0n,
    lastId: row['last_id'] as string | null,
  };
}

export const STATEMENT_PAGE_ROWS = 500;

const branch = (party: 'debit' | 'credit') => `(SELECT * FROM transfers
    WHERE ${party}_account = $2 AND environment_id = $1 AND ${party}_balance_after IS NOT NULL AND id > $3 AND id <= $4
    ORDER BY ${party}_account, id LIMIT ${STATEMENT_PAGE_ROWS + 1})`;

const STATEMENT_PAGE = `SELECT ${TRANSFERS.columns('t')}, po.recipient_id, r.name AS recipient_name, r.latin_name AS recipient_latin_name,
    coalesce(po.reference, m.reference) AS reference, po.category_purpose, po.external_id, po.refund_of, m.link_id, m.payer_name,
    CASE WHEN row_number() OVER (PARTITION BY b.id ORDER BY t.id) = 1 THEN b.explanation END AS explanation, b.id AS entry_id
  FROM (SELECT * FROM (${branch('debit')} UNION ALL ${branch('credit')}) AS u ORDER BY id LIMIT ${STATEMENT_PAGE_ROWS + 1}) AS t
  LEFT JOIN LATERAL (SELECT p.recipient_id, p.recipient_version, p.reference, p.category_purpose, p.external_id, p.refund_of
    FROM payouts p WHERE p.environment_id = t.environment_id AND p.id = t.cause_id
      AND t.cause IN ('payout', 'payout_settlement', 'payout_reversal', 'payout_fee', 'payout_fee_reversal') LIMIT 1) AS po ON true
  LEFT JOIN LATERAL (SELECT v.name, v.latin_name FROM recipient_versions v WHERE v.environment_id = t.environment_id
    AND v.recipient_id = po.recipient_id AND v.version = po.recipient_version LIMIT 1) AS r ON true
  LEFT JOIN LATERAL (SELECT m.link_id, m.reference, m.payer_name FROM payments m WHERE m.environment_id = t.environment_id
    AND m.id = t.cause_id AND t.cause IN ('payment', 'payment_fee', 'payment_void', 'payment_fee_reversal') LIMIT 1) AS m ON true
  LEFT JOIN LATERAL (SELECT e.id, e.explanation FROM bank_entries e WHERE e.environment_id = t.environment_id
    AND e.id = t.cause_id AND t.cause IN ('bank_entry', 'bank_assignment') LIMIT 1) AS b ON true
  ORDER BY t.id`;

/**
 * The transfers of an account with ids (uuids) above `after` up to `last`, oldest first, with what names a payout, its recipient, a payment or
 * an entry of a bank (`entry_id`; its explanation, which may be long, in the first row alone): one row more than a page if another follows. Each side reads a page from its index. (A limit behind the merge alone makes
 * PostgreSQL sort all of them for every page, at a third of the speed.)
 */
export function statementPage(environmentId: string, accountId: string, after: string, last: string): Statement {
  return {
    name: 'statement_page',
    text: STATEMENT_PAGE,
    values: [uuidOf(environmentId), uuidOf(accountId), after, last],
  };
}

export const DAILY_STATEMENTS = tableOf(DAILY_STATEMENT, 'daily_statements');

/** Most environments of one round. */
const DUE_ROWS = 200;

/** Environments in which a day has ended whose statement is wanted, the oldest day first (index settings_statements). `left`: ids that are left out. */
export function dueStatements(left: readonly string[]): Statement {
  return {
    name: 'due_statements',
    text: `SELECT s.environment_id, s.next_statement_day FROM settings s JOIN environments e ON e.environment_id = s.environment_id
      WHERE s.next_statement_day IS NOT NULL AND s.environment_id <> ALL ($1::uuid[])
        AND (s.next_statement_day + 1)::timestamp AT TIME ZONE 'UTC' <= now() + e.clock_offset_ms * interval '1 millisecond'
      ORDER BY s.next_statement_day LIMIT ${DUE_ROWS}`,
    values: [left.map(uuidOf)],
  };
}
