/**
 * What the ledger knows that a statement may tell again, read beside the write path. A plan that rests on it is carried out only if the version
 * of the bank account is the same by then. Next: `core/deduplication/plan.ts`.
 */
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { NEAR_DAYS } from '../../core/deduplication/doubts.ts';
import { likenessOf, type Said } from '../../core/deduplication/likeness.ts';
import type { Likeness } from '../../core/deduplication/pairs.ts';
import {
  type Beside,
  besideOf,
  type Booked,
  hasBalances,
  MOST_COMPARED,
  type Outline,
} from '../../core/deduplication/outline.ts';
import { withEntries } from '../../core/deduplication/spans.ts';

export interface BooksParts {
  rows(this: void, statement: Statement): Promise<readonly Row[]>;
  /** Of the id of an entry and the text of its column. */
  explanationOf(this: void, id: string, explanation: string): Said['explanation'];
}

/** Of whom. */
interface Whose {
  readonly environmentId: string;
  readonly bankAccount: string;
}

/** The books of bank accounts. */
export interface LedgerBooks {
  stateOf(this: void, bankAccount: string): Promise<BooksState>;
  /** Statements that share a day with it and were booked, and all that are being imported. */
  statementsBeside(this: void, bankAccount: string, reported: Outline): Promise<readonly Beside[]>;
  /** Entries that these statements reported first, and of statements without balances those of about its days. */
  entriesBeside(
    this: void,
    bankAccount: string,
    reported: Outline,
    beside: readonly Beside[],
  ): Promise<readonly Booked[]>;
  /** Entries near the days of the statement, of those that share days with these and not with it (`Books.behind`). */
  entriesBehind(
    this: void,
    bankAccount: string,
    reported: Outline,
    beside: readonly Beside[],
  ): Promise<readonly Booked[]>;
  /** Entries of the same amounts on days near by, or on none. */
  entriesAlike(this: void, bankAccount: string, reported: readonly Likeness[]): Promise<readonly Booked[]>;
  /** What it held before a day by entries that came without balances, minor units. */
  heldBefore(this: void, bankAccount: string, day: string): Promise<bigint>;
}

export function ledgerBooks(parts: BooksParts, environmentId: string): LedgerBooks {
  return {
    stateOf: (bankAccount) => stateOf(parts, { environmentId, bankAccount }),
    statementsBeside: (bankAccount, reported) => statementsBeside(parts, { environmentId, bankAccount }, reported),
    entriesBeside: (bankAccount, reported, beside) =>
      entriesBeside(parts, { environmentId, bankAccount }, reported, beside),
    entriesBehind: (bankAccount, reported, beside) =>
      entriesBehind(parts, { environmentId, bankAccount }, reported, beside),
    entriesAlike: (bankAccount, reported) => entriesAlike(parts, { environmentId, bankAccount }, reported),
    heldBefore: (bankAccount, day) => heldBefore(parts, { environmentId, bankAccount }, day),
  };
}

/** What a bank account says of its books. */
export interface BooksState {
  readonly version: number;
  readonly booksFrom: string | null;
}

async function stateOf({ rows }: BooksParts, { environmentId, bankAccount }: Whose): Promise<BooksState> {
  const [row] = await rows({
    name: 'books_of_bank_account',
    text: 'SELECT books_version, books_from::text AS books_from FROM bank_accounts WHERE environment_id = $1 AND id = $2',
    values: [uuidOf(environmentId), uuidOf(bankAccount)],
  });
  const { books_version: version = 0, books_from: booksFrom = null } = row ?? {};
  return { version: version as number, booksFrom: booksFrom as string | null };
}

async function statementsBeside({ rows }: BooksParts, whose: Whose, reported: Outline): Promise<readonly Beside[]> {
  const { startsOn, closedOn } = withEntries(reported);
  const found = await rows({
    name: 'statements_beside',
    text: `SELECT id, document_id, encode(identity, 'hex') AS identity, encode(series, 'hex') AS series, page, status, supersedes_id,
        starts_on::text AS starts_on, opened_on::text AS opened_on, opening, closed_on::text AS closed_on, closing, entries_count,
        entries_from::text AS entries_from, entries_until::text AS entries_until, message, sequence, period_from, period_until
      FROM bank_statements WHERE environment_id = $1 AND bank_account_id = $2 AND id IN (
        SELECT id FROM bank_statements WHERE environment_id = $1 AND status = 'importing'
        UNION ALL SELECT id FROM bank_statements WHERE environment_id = $1 AND bank_account_id = $2
          AND closed_on >= $3::date AND starts_on <= $4::date AND status = 'imported'
        UNION ALL SELECT id FROM bank_statements WHERE environment_id = $1 AND bank_account_id = $2 AND status = 'imported'
          AND (entries_from IS NOT NULL OR entries_until IS NOT NULL)
          AND coalesce(entries_until, closed_on) >= $3::date AND coalesce(entries_from, starts_on) <= $4::date)`,
    values: [uuidOf(whose.environmentId), uuidOf(whose.bankAccount), startsOn, closedOn],
  });
  const all = found.map(
    (row): Beside => ({
      id: idOf('bs', row['id'] as string),
      document: idOf('sf', row['document_id'] as string),
      identity: row['identity'] as string,
      series: row['series'] as string,
      page: row['page'] as number | null,
      status: row['status'] as string,
      supersedes: row['supersedes_id'] === null ? null : idOf('bs', row['supersedes_id'] as string),
      startsOn: row['starts_on'] as string | null,
      openedOn: row['opened_on'] as string | null,
      opening: row['opening'] as bigint | null,
      closedOn: row['closed_on'] as string | null,
      closing: row['closing'] as bigint | null,
      entriesCount: row['entries_count'] as number,
      entriesFrom: row['entries_from'] as string | null,
      entriesUntil: row['entries_until'] as string | null,
      message: row['message'] as string,
      sequence: row['sequence'] as string | null,
      periodFrom: row['period_from'] as number | null,
      periodUntil: row['period_until'] as number | null,
    }),
  );
  return besideOf(reported, all);
}

const ENTRY = `e.id, e.statement_id, s.document_id, e.direction, e.amount, e.booked_on::text AS booked_on, e.value_on::text AS value_on,
        e.file_id, e.explanation, encode(s.series, 'hex') AS series, s.page, s.message_in_file`;
const ENTRIES = `FROM bank_entries e JOIN bank_statements s ON s.environment_id = e.environment_id AND s.id = e.statement_id`;
const DAY = `coalesce(e.booked_on, e.value_on, '-infinity')`;
/** SQL: a statement without both balances and days proves nothing, and is beside none (index bank_statements_proofless). */
const proofless = (alias: string): string =>
  `num_nulls(${alias}.opening, ${alias}.closing, ${alias}.starts_on, ${alias}.closed_on) > 0`;
const near = (day: string, days: number): string => isoDay(dayStartMs(day) + days * DAY_MS);

async function entriesBeside(
  parts: BooksParts,
  whose: Whose,
  reported: Outline,
  beside: readonly Beside[],
): Promise<readonly Booked[]> {
  const whom = [uuidOf(whose.environmentId), uuidOf(whose.bankAccount)];
  const first = await parts.rows({
    name: 'entries_of_statements',
    text: `SELECT ${ENTRY} ${ENTRIES}
      WHERE e.environment_id = $1 AND e.bank_account_id = $2 AND e.statement_id = ANY ($3::uuid[]) AND e.kind = 'entry' AND e.status <> 'voided'
      ORDER BY e.id LIMIT ${MOST_COMPARED + 1}`,
    values: [...whom, beside.map(({ id }) => uuidOf(id))],
  });
  const [day, until] = [near(reported.startsOn as string, -NEAR_DAYS), near(reported.closedOn as string, NEAR_DAYS)];
  const loose = await parts.rows({
    name: 'entries_without_balances',
    text: `SELECT ${ENTRY} ${ENTRIES}
      WHERE e.environment_id = $1 AND e.bank_account_id = $2 AND e.kind = 'entry' AND e.status <> 'voided' AND ${proofless('s')}
        AND NOT (s.id = ANY ($3::uuid[])) AND (${DAY} BETWEEN $4::date AND $5::date OR ${DAY} = '-infinity')
        AND EXISTS (SELECT FROM bank_statements n WHERE n.environment_id = $1 AND n.bank_account_id = $2 AND ${proofless('n')})
      ORDER BY e.id LIMIT ${MOST_COMPARED + 1}`,
    values: [...whom, beside.map(({ id }) => uuidOf(id)), day, until],
  });
  return [...first, ...loose].map((row) => bookedOf(parts, row));
}

async function entriesBehind(
  parts: BooksParts,
  { environmentId, bankAccount }: Whose,
  reported: Outline,
  beside: readonly Beside[],
): Promise<readonly Booked[]> {
  const whole = beside.filter(hasBalances).map(withEntries);
  if (whole.length === 0) return [];
  const starts = whole.map(({ startsOn }) => startsOn as string).toSorted();
  const closes = whole.map(({ closedOn }) => closedOn as string).toSorted();
  const rows = await parts.rows({
    name: 'entries_behind_statements',
    // Statement by statement (index bank_entries_of_statement), whatever the planner thinks of the days.
    text: `SELECT ${ENTRY} FROM bank_statements s CROSS JOIN LATERAL (SELECT * FROM bank_entries e
          WHERE e.environment_id = s.environment_id AND e.statement_id = s.id AND e.kind = 'entry' AND e.status <> 'voided'
            AND ${DAY} BETWEEN $6::date AND $7::date OFFSET 0) AS e
        WHERE s.environment_id = $1 AND s.bank_account_id = $2 AND s.closed_on >= $4::date AND s.starts_on <= $5::date
          AND s.status = 'imported' AND NOT (s.id = ANY ($3::uuid[]))
        LIMIT ${MOST_COMPARED + 1}`,
    values: [
      uuidOf(environmentId),
      uuidOf(bankAccount),
      beside.map(({ id }) => uuidOf(id)),
      starts[0],
      closes.at(-1),
      near(reported.startsOn as string, -NEAR_DAYS),
      near(reported.closedOn as string, NEAR_DAYS),
    ],
  });
  return rows.map((row) => bookedOf(parts, row));
}

/** How many (day, amount) are asked for at once. */
const CHUNK = 1_000;
/** Of one day and amount; and of the days near it, where a reference may be told once more. */
const MOST_ALIKE = 10_000;
const MOST_NEAR = 200;
const alike = (
  days: string,
): string => `SELECT * FROM bank_entries e WHERE e.environment_id = $1 AND e.bank_account_id = $2
          AND e.amount = k.amount AND ${days} AND e.direction = k.direction AND e.kind = 'entry' AND e.status <> 'voided' ORDER BY e.id DESC`;

async function entriesAlike(
  parts: BooksParts,
  { environmentId, bankAccount }: Whose,
  reported: readonly Likeness[],
): Promise<readonly Booked[]> {
  const keys = [...new Map(reported.map(({ amount, day }) => [`${amount} ${day}`, { amount, day }])).values()];
  const found: Booked[] = [];
  for (let at = 0; at < keys.length; at += CHUNK) {
    const chunk = keys.slice(at, at + CHUNK);
    const rows = await parts.rows({
      name: 'entries_alike',
      text: `SELECT ${ENTRY} FROM unnest($3::int8[], $4::text[], $5::text[]) AS k (amount, direction, day)
        CROSS JOIN LATERAL ((${alike(`${DAY} = k.day::date`)} LIMIT ${MOST_ALIKE})
          UNION ALL (${alike(`(${DAY} BETWEEN k.day::date - ${NEAR_DAYS} AND k.day::date - 1 OR ${DAY} BETWEEN k.day::date + 1 AND k.day::date + ${NEAR_DAYS})`)} LIMIT ${MOST_NEAR})
          UNION ALL (${alike(`(${DAY} = '-infinity') <> (k.day = '-infinity')`)} LIMIT ${MOST_NEAR})) AS e
        JOIN bank_statements s ON s.environment_id = e.environment_id AND s.id = e.statement_id`,
      values: [
        uuidOf(environmentId),
        uuidOf(bankAccount),
        chunk.map(({ amount }) => (amount < 0n ? -amount : amount)),
        chunk.map(({ amount }) => (amount < 0n ? 'debit' : 'credit')),
        chunk.map(({ day }) => day ?? '-infinity'),
      ],
    });
    for (const row of rows) found.push(bookedOf(parts, row));
  }
  return found;
}

function bookedOf({ explanationOf }: BooksParts, row: Row): Booked {
  const id = idOf('be', row['id'] as string);
  const said: Said = {
    direction: row['direction'] as Said['direction'],
    amount: row['amount'] as bigint,
    bookedOn: row['booked_on'] as string | null,
    valueOn: row['value_on'] as string | null,
    file: row['file_id'] === null ? null : idOf('pf', row['file_id'] as string),
    explanation: explanationOf(id, row['explanation'] as string),
  };
  const [statement, document] = [row['statement_id'] as string, row['document_id'] as string];
  const page = row['page'] as number | null;
  const of = { series: row['series'] as string, page, messageInFile: row['message_in_file'] as number };
  return { ...likenessOf(said), ...of, id, statement: idOf('bs', statement), document: idOf('sf', document) };
}

async function heldBefore({ rows }: BooksParts, { environmentId, bankAccount }: Whose, day: string): Promise<bigint> {
  const [row] = await rows({
    name: 'held_before_day',
    text: `SELECT coalesce(sum(CASE e.direction WHEN 'credit' THEN e.amount ELSE -e.amount END), 0)::int8 AS held FROM bank_entries e
      WHERE e.environment_id = $1 AND e.bank_account_id = $2 AND e.kind = 'entry' AND e.status <> 'voided' AND coalesce(e.booked_on, e.value_on) < $3::date`,
    values: [uuidOf(environmentId), uuidOf(bankAccount), day],
  });
  return row?.['held'] as bigint;
}

/** Whether the balances of the statement are all that says what is new: it lies beside none. */
export const isAlone = (
  reported: Outline,
  state: BooksState,
  beside: readonly Beside[],
  known: readonly Booked[],
): boolean =>
  hasBalances(reported) &&
  beside.length === 0 &&
  known.length === 0 &&
  (state.booksFrom ?? '') <= (reported.startsOn as string);
