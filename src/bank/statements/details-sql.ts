/** What the import asks of details that messages bring which do not book (decision 0089). Loads of the write path: `sql.ts`. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { BANK_DETAILS } from './sql.ts';

/** Details that are looked at at once. */
export const MOST_DETAILS = 500;
/** Entries of one day, amount and sign. With more of them nobody can say which is meant. */
export const MOST_OF_A_DAY = 2_000;

/**
 * Details that wait, in order of their ids behind `after`, each with the entries of its amount, sign and day: `details`, and `entry`,
 * `statement` and `explanation`, which are NULL where there is none. Of details: `mark` in hex, `is_exact`, `direction`, `amount`, `booked_on`.
 */
export const waitingDetails = (environmentId: string, bankAccount: string, after: string): Statement => ({
  name: 'waiting_entry_details',
  text: `SELECT d.id AS details, encode(d.mark, 'hex') AS mark, d.is_exact, d.direction, d.amount, d.booked_on::text AS booked_on,
        e.id AS entry, e.statement_id AS statement, e.explanation
      FROM (SELECT * FROM bank_entry_details d WHERE d.environment_id = $1 AND d.bank_account_id = $2 AND d.is_waiting AND d.id > $3
        ORDER BY d.environment_id, d.bank_account_id, d.id LIMIT ${MOST_DETAILS}) AS d
      LEFT JOIN LATERAL (SELECT * FROM bank_entries e WHERE e.environment_id = $1 AND e.bank_account_id = $2 AND e.amount = d.amount
        AND coalesce(e.booked_on, e.value_on, '-infinity') = d.booked_on AND e.direction = d.direction
        AND e.kind = 'entry' AND e.status <> 'voided' LIMIT ${MOST_OF_A_DAY + 1}) AS e ON true
      ORDER BY d.id`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), after],
});

/** Details by their ids. */
export const detailsOfIds = (environmentId: string, ids: readonly string[]): Statement =>
  BANK_DETAILS.load(ids.map((id) => ({ environmentId, id })));

/** Which of these marks (hex) have details that wait and name something: `mark`. */
export const marksThatWait = (environmentId: string, bankAccount: string, marks: readonly string[]): Statement => ({
  name: 'marks_that_wait',
  text: `SELECT encode(d.mark, 'hex') AS mark FROM bank_entry_details d WHERE d.environment_id = $1 AND d.bank_account_id = $2
      AND d.mark = ANY (SELECT decode(m, 'hex') FROM unnest($3::text[]) AS m) AND d.is_waiting AND d.is_naming`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), marks],
});

/** How many entries of a statement are looked through for a reference that repeats. */
export const MOST_OF_A_STATEMENT = 60_000;
/** The entries of a statement: `entry`, `direction`, `amount`, `booked_on`, `explanation`. */
export const entriesOfStatement = (environmentId: string, statement: string): Statement => ({
  name: 'explained_entries_of_statement',
  text: `SELECT e.id AS entry, e.direction, e.amount, coalesce(e.booked_on, e.value_on)::text AS booked_on, e.explanation
      FROM bank_entries e WHERE e.environment_id = $1 AND e.statement_id = $2 AND e.kind = 'entry' AND e.status <> 'voided'
      LIMIT ${MOST_OF_A_STATEMENT + 1}`,
  values: [uuidOf(environmentId), uuidOf(statement)],
});
