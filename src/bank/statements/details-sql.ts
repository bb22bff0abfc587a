/** What the import asks of details that messages bring which do not book (decision 0089). Loads of the write path: `sql.ts`. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { BANK_DETAILS } from './sql.ts';

/** Details that are looked at at once. */
export const MOST_DETAILS = 500;
/** Entries of one day, amount and sign. With more of them nobody can say which is meant. */
export const MOST_OF_A_DAY = 10_000;

/**
 * Details that wait up to a day, in order of day and id, behind `after`: `id`, `mark` in hex, `is_exact`, `direction`, `amount`, `booked_on`
 * (index bank_entry_details_waiting). Days may be infinite.
 */
export const waitingDetails = (
  environmentId: string,
  bankAccount: string,
  { after, to }: { readonly after: { readonly day: string; readonly uuid: string }; readonly to: string },
): Statement => ({
  name: 'waiting_entry_details',
  text: `SELECT d.id, encode(d.mark, 'hex') AS mark, d.is_exact, d.direction, d.amount, d.booked_on::text AS booked_on
      FROM bank_entry_details d WHERE d.environment_id = $1 AND d.bank_account_id = $2 AND d.is_waiting
        AND (d.booked_on, d.id) > ($3::date, $4::uuid) AND d.booked_on <= $5::date
      ORDER BY d.environment_id, d.bank_account_id, d.booked_on, d.id LIMIT ${MOST_DETAILS}`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), after.day, after.uuid, to],
});

/** What entries are looked for by. */
interface EntryKey {
  readonly amount: bigint;
  readonly direction: string;
  readonly day: string;
}

/** The entries of these keys: `entry`, `statement`, `direction`, `amount`, `booked_on`, `explanation` (index bank_entries_alike). */
export const entriesOfKeys = (environmentId: string, bankAccount: string, keys: readonly EntryKey[]): Statement => ({
  name: 'entries_of_keys',
  text: `SELECT e.id AS entry, e.statement_id AS statement, e.direction, e.amount, k.day AS booked_on, e.explanation
      FROM unnest($3::int8[], $4::text[], $5::text[]) AS k (amount, direction, day)
      CROSS JOIN LATERAL (SELECT * FROM bank_entries e WHERE e.environment_id = $1 AND e.bank_account_id = $2 AND e.amount = k.amount
        AND coalesce(e.booked_on, e.value_on, '-infinity') = k.day::date AND e.direction = k.direction
        AND e.kind = 'entry' AND e.status <> 'voided' LIMIT ${MOST_OF_A_DAY + 1}) AS e`,
  values: [
    uuidOf(environmentId),
    uuidOf(bankAccount),
    keys.map(({ amount }) => amount),
    keys.map(({ direction }) => direction),
    keys.map(({ day }) => day),
  ],
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
