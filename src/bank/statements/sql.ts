/** The statements of what banks report. Loads run inside the write path. */
import { collectingIn } from '../../core/company.ts';
import type { WantedMark, WantedStatement } from '../../core/read-set.ts';
import { accountRange } from '../../core/rails/creditor-reference.ts';
import { instantOf, uuidOf } from '../../core/values/ids.ts';
import { uuids } from '../../platform/db/wire/columns.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import { byKeys } from '../../platform/db/wire/keyed.ts';
import { column, ofEnvironment, overRows, tableOf } from '../../platform/db/wire/table.ts';
import {
  STATEMENT_FILE,
  BANK_ENTRY,
  BANK_ENTRY_DETAILS,
  BANK_RULE,
  BANK_STATEMENT,
  BANK_WAITING_LINES,
} from './fields.ts';

export const STATEMENT_FILES = tableOf(STATEMENT_FILE, 'statement_files');
export const BANK_STATEMENTS = tableOf(BANK_STATEMENT, 'bank_statements');
export const BANK_WAITING = tableOf(BANK_WAITING_LINES, 'bank_waiting_lines');
export const BANK_ENTRIES = tableOf(BANK_ENTRY, 'bank_entries');
export const BANK_DETAILS = tableOf(BANK_ENTRY_DETAILS, 'bank_entry_details');
export const BANK_RULES = tableOf(BANK_RULE, 'bank_rules', {
  target_account_id: column('uuid', ({ target }) => (target.startsWith('acct_') ? target : null)),
});

/** The active rules of these environments; an environment has few. */
export const loadRulesOf = (environmentIds: readonly string[]): Statement => ({
  name: 'load_bank_rules_of',
  text: `SELECT ${BANK_RULES.columns('r')} FROM bank_rules r
      WHERE r.environment_id = ANY ($1::uuid[]) AND r.status = 'active' ORDER BY r.environment_id, r.id`,
  values: [uuids(environmentIds)],
});

/** The accounts that rules of these environments lead to; `table` is that of accounts. */
export const loadTargetsOfRules = (
  environmentIds: readonly string[],
  table: { columns(alias: string): string },
): Statement => ({
  name: 'load_targets_of_bank_rules',
  text: `SELECT ${table.columns('a')} FROM bank_rules r
      JOIN accounts a ON a.environment_id = r.environment_id AND a.id = r.target_account_id
      WHERE r.environment_id = ANY ($1::uuid[]) AND r.status = 'active'`,
  values: [uuids(environmentIds)],
});

/** The newest entries, for a rule that is tried on them. */
export const newestEntries = (environmentId: string, count: number): Statement => ({
  name: 'newest_bank_entries',
  text: `SELECT ${BANK_ENTRIES.columns('e')} FROM bank_entries e WHERE e.environment_id = $1 AND e.kind = 'entry' AND e.status <> 'voided'
      ORDER BY e.environment_id, e.id DESC LIMIT $2`,
  values: [uuidOf(environmentId), count],
});

/** Documents by the hashes of their bytes, in hex. */
export const loadDocumentsOfHashes = overRows<{ readonly environmentId: string; readonly sha256: string }>(
  'load_documents_of_hashes',
  { environment_id: ofEnvironment, sha256: column('text', (each) => each.sha256) },
  (rows) => `SELECT ${STATEMENT_FILES.columns('d')} FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM statement_files d
        WHERE d.environment_id = k.environment_id AND d.sha256 = decode(k.sha256, 'hex') LIMIT 1) AS d`,
);

/**
 * The statement itself if it is known, its other pages, those about days of it, the nearest before and behind it, the last one, and those
 * whose proof waits for something. A statement without days is beside all others: then the last thousand.
 */
export const loadNeighbours = overRows<WantedStatement>(
  'load_statements_beside',
  {
    environment_id: ofEnvironment,
    bank_account_id: column('uuid', (each) => each.bankAccount),
    identity: column('text', (each) => each.identity),
    series: column('text', (each) => each.series),
    starts_on: column('text', (each) => each.startsOn),
    closed_on: column('text', (each) => each.closedOn),
  },
  (rows) => {
    const booked = `SELECT * FROM bank_statements o WHERE o.environment_id = k.environment_id AND o.bank_account_id = k.bank_account_id`;
    const day = (what: string, than: string) =>
      `SELECT ${what} FROM bank_statements o WHERE o.environment_id = k.environment_id
      AND o.bank_account_id = k.bank_account_id AND o.status IN ('imported', 'importing') AND ${than}`;
    return `SELECT ${BANK_STATEMENTS.columns('s')} FROM (SELECT environment_id, bank_account_id, decode(identity, 'hex') AS identity,
        decode(series, 'hex') AS series, starts_on::date AS starts_on, closed_on::date AS closed_on
        FROM ${rows} AS u) AS k
      CROSS JOIN LATERAL (${booked} AND o.identity = k.identity
        UNION ${booked} AND o.closed_on >= k.starts_on AND o.starts_on <= k.closed_on
        UNION ${booked} AND o.closed_on = (${day('max(o.closed_on)', 'o.closed_on < k.starts_on')})
        UNION ${booked} AND o.starts_on = (${day('min(o.starts_on)', 'o.starts_on > k.closed_on')})
        UNION ${booked} AND o.series = k.series
        UNION ${booked} AND o.closed_on = (${day('max(o.closed_on)', 'true')})
        UNION (${booked} AND o.proof IN ('gap', 'drift') ORDER BY o.environment_id, o.bank_account_id, o.id DESC LIMIT 1000)
        UNION (${booked} AND (k.starts_on IS NULL OR k.closed_on IS NULL OR o.starts_on IS NULL OR o.closed_on IS NULL)
          ORDER BY o.environment_id, o.id DESC LIMIT 1000)) AS s`;
  },
);

/**
 * Entries about payouts that wait for another one, by the keys of the instructions. Each step is a LATERAL with LIMIT, as in
 * `platform/db/wire/keyed.ts`: as plain joins, a plan made for small tables took 2 s for 50 keys among 1,000 payouts.
 */
export const loadWaitingEntries = byKeys(
  'load_waiting_entries',
  BANK_ENTRIES.columns('e'),
  `CROSS JOIN LATERAL (SELECT i.early || i.second_debits AS waiting FROM bank_instructions i WHERE i.environment_id = k.environment_id AND i.id = k.id LIMIT 1) AS i
    CROSS JOIN LATERAL jsonb_array_elements(i.waiting) AS r
    CROSS JOIN LATERAL (SELECT * FROM bank_entries e WHERE e.environment_id = k.environment_id AND e.id = (r->>'entry')::uuid LIMIT 1) AS e`,
);

const MARKS = {
  environment_id: ofEnvironment,
  bank_account_id: column<WantedMark, 'uuid'>('uuid', (each) => each.bankAccount),
  mark: column<WantedMark, 'text'>('text', (each) => each.mark),
} as const;
/** Of one mark there are two at most: the first, and the first that comes to the amount. */
const OF_MARKS = (rows: string): string => `${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM bank_entry_details d WHERE d.environment_id = k.environment_id
        AND d.bank_account_id = k.bank_account_id AND d.mark = decode(k.mark, 'hex') ORDER BY d.id LIMIT 10) AS d`;

/** What is kept of these entries (index bank_entry_details_of_mark). */
export const loadDetailsOfMarks = overRows<WantedMark>(
  'load_details_of_marks',
  MARKS,
  (rows) => `SELECT ${BANK_DETAILS.columns('d')} FROM ${OF_MARKS(rows)}`,
);

/** The entries that have them. */
export const loadEntriesOfMarks = overRows<WantedMark>(
  'load_entries_of_marks',
  MARKS,
  (rows) => `SELECT ${BANK_ENTRIES.columns('e')} FROM ${OF_MARKS(rows)}
      CROSS JOIN LATERAL (SELECT * FROM bank_entries e WHERE e.environment_id = d.environment_id AND e.id = d.entry_id LIMIT 1) AS e`,
);

/** Other details of the same entries, by the keys of details. */
export const loadDetailsBeside = byKeys(
  'load_details_beside',
  BANK_DETAILS.columns('o'),
  `CROSS JOIN LATERAL (SELECT * FROM bank_entry_details d WHERE d.environment_id = k.environment_id AND d.id = k.id LIMIT 1) AS d
    CROSS JOIN LATERAL (SELECT * FROM bank_entry_details o WHERE o.environment_id = d.environment_id
      AND o.bank_account_id = d.bank_account_id AND o.mark = d.mark ORDER BY o.id LIMIT 10) AS o`,
);

/** Debits of a whole payment file of which nothing has a place yet (index bank_entries_of_file). */
export const waitingDebits = (environmentId: string, file: string): Statement => ({
  name: 'waiting_debits_of_file',
  text: `SELECT e.id, e.amount FROM bank_entries e
      WHERE e.environment_id = $1 AND e.file_id = $2 AND e.status = 'unmatched' AND e.assignments = '[]' ORDER BY e.id`,
  values: [uuidOf(environmentId), uuidOf(file)],
});

/** How a part of an entry was moved to its place (primary key). */
export const causeOf = (environmentId: string, transfer: string): Statement => ({
  name: 'cause_of_transfer',
  text: 'SELECT cause, cause_id FROM transfers WHERE environment_id = $1 AND id = $2',
  values: [uuidOf(environmentId), uuidOf(transfer)],
});

/**
 * What the same batch moved next for the payment that a transfer brought money to: its fee, if there is one, or more money. A range of the
 * primary key: the ids of a batch begin with its instant.
 */
export const nextOfPayment = (environmentId: string, transfer: string, payment: string): Statement => ({
  name: 'next_transfer_of_payment',
  text: `SELECT t.id, t.cause FROM transfers t WHERE t.environment_id = $1 AND t.id > $2 AND t.id < $3
        AND t.cause_id = $4 AND t.cause IN ('payment', 'payment_fee') ORDER BY t.environment_id, t.id LIMIT 1`,
  values: [uuidOf(environmentId), uuidOf(transfer), uuidOf(firstIdAt(instantOf(transfer) + 1)), uuidOf(payment)],
});

/** The payouts of a payment file that were settled by an instant's transfers up to this one: a range of their primary key. */
export const settledOfFile = (
  environmentId: string,
  { to: file, transfer, at }: { readonly to: string; readonly transfer: string; readonly at: number },
): Statement => ({
  name: 'payouts_settled_of_file',
  text: `SELECT t.cause_id AS id FROM transfers t
      JOIN bank_instructions i ON i.environment_id = t.environment_id AND i.id = t.cause_id AND i.file_id = $2
      WHERE t.environment_id = $1 AND t.id >= $3 AND t.id <= $4 AND t.cause = 'payout_settlement' ORDER BY t.id`,
  values: [uuidOf(environmentId), uuidOf(file), uuidOf(firstIdAt(at)), uuidOf(transfer)],
});

/** Payouts with the sealed bank details that they went to (primary keys). */
export const payeesOf = (environmentId: string, payouts: readonly string[]): Statement => ({
  name: 'payees_of_payouts',
  text: `SELECT p.id, p.amount, p.currency, p.recipient_id, v.bank_details FROM payouts p
      JOIN recipient_versions v ON v.environment_id = p.environment_id AND v.recipient_id = p.recipient_id AND v.version = p.recipient_version
      WHERE p.environment_id = $1 AND p.id = ANY ($2::uuid[])`,
  values: [uuidOf(environmentId), payouts.map(uuidOf)],
});

/** Currency and message of a bank account, by primary key. */
export const bankAccountOf = (environmentId: string, bankAccount: string): Statement => ({
  name: 'bank_account_of_entries',
  text: 'SELECT id, currency, booked_by FROM bank_accounts WHERE environment_id = $1 AND id = $2',
  values: [uuidOf(environmentId), uuidOf(bankAccount)],
});

/** The last day of which a bank has reported: `day`, or NULL. */
export const lastDayReported = (environmentId: string, bankAccount: string): Statement => ({
  name: 'last_day_reported',
  text: `SELECT greatest((SELECT max(s.closed_on) FROM bank_statements s WHERE s.environment_id = $1 AND s.bank_account_id = $2),
        (SELECT max(e.booked_on) FROM bank_entries e WHERE e.environment_id = $1 AND e.bank_account_id = $2))::text AS day`,
  values: [uuidOf(environmentId), uuidOf(bankAccount)],
});

/** The ranges of ids that deposit references name, for a load of accounts. */
export function rangesOf(
  references: readonly { readonly environmentId: string; readonly reference: string }[],
): { readonly environmentId: string; readonly from: string; readonly to: string }[] {
  return references.flatMap(({ environmentId, reference }) => {
    const range = accountRange(reference);
    return range === null ? [] : [{ environmentId, ...range }];
  });
}

/** The currency of an account, and the oldest open bank account that collects in it (null columns: none). */
export const depositsOf = (environmentId: string, accountId: string): Statement => ({
  name: 'deposits_of_account',
  text: `SELECT a.currency, b.id AS bank_id, b.holder, b.bank_details FROM accounts a
      LEFT JOIN LATERAL (${collectingIn('a.environment_id', 'a.currency')}) AS b ON true
      WHERE a.environment_id = $1 AND a.id = $2`,
  values: [uuidOf(environmentId), uuidOf(accountId)],
});

/** A statement by all that it says of itself. */
export const knownStatement = (environmentId: string, bankAccount: string, identity: string): Statement => ({
  name: 'known_bank_statement',
  text: `SELECT ${BANK_STATEMENTS.columns('s')} FROM bank_statements s
      WHERE s.environment_id = $1 AND s.bank_account_id = $2 AND s.identity = decode($3, 'hex')`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), identity],
});

/** That are decided again at once. */
const MOST_WAITING = 200;

/** The oldest statements of which entries wait, or that were decided and are not booked to their end. */
export const waitingStatements = (environmentId: string, bankAccount: string): Statement => ({
  name: 'waiting_bank_statements',
  text: `SELECT ${BANK_STATEMENTS.columns('s')} FROM bank_statements s
      WHERE s.environment_id = $1 AND s.bank_account_id = $2
        AND (s.status = 'needs_review' OR s.status = 'importing' AND s.waiting_count = 0)
        AND EXISTS (SELECT FROM bank_waiting_lines w WHERE w.environment_id = $1 AND w.statement_id = s.id AND w.is_waiting)
      ORDER BY s.environment_id, s.id LIMIT ${MOST_WAITING}`,
  values: [uuidOf(environmentId), uuidOf(bankAccount)],
});

/** What of a statement waits. */
export const waitingRows = (environmentId: string, statement: string): Statement => ({
  name: 'bank_waiting_lines',
  text: `SELECT ${BANK_WAITING.columns('w')} FROM bank_waiting_lines w
      WHERE w.environment_id = $1 AND w.statement_id = $2 AND w.is_waiting ORDER BY w.id`,
  values: [uuidOf(environmentId), uuidOf(statement)],
});
