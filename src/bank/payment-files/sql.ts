/** The statements of files for banks, and of the payouts that enter them. */
import { actorId } from '../../core/actor.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { uuids } from '../../platform/db/wire/columns.ts';
import type { Speed } from '../../core/rails/payment-schemes.ts';
import type { ReferenceType } from '../../core/rails/structured-references.ts';
import { type CategoryPurpose, isBookedAsOne } from '../../core/rails/purposes.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import type { PayeeCheckResult } from '../../core/bank-answer.ts';
import { PAYMENT_FILE, PAYMENT_FILE_CONTENT, BANK_INSTRUCTION, MOST_PAYEES, type PayeeChecks } from './fields.ts';

export const PAYMENT_FILES = tableOf(PAYMENT_FILE, 'payment_files');
export const BANK_INSTRUCTIONS = tableOf(BANK_INSTRUCTION, 'bank_instructions');
export const PAYMENT_FILE_CONTENTS = tableOf(PAYMENT_FILE_CONTENT, 'payment_file_contents');

/** Files of these environments that are being filled; few. */
export const loadFilling = (environmentIds: readonly string[]): Statement => ({
  name: 'load_filling_payment_files',
  text: `SELECT ${PAYMENT_FILES.columns('f')} FROM payment_files f
      WHERE f.environment_id = ANY ($1::uuid[]) AND f.status = 'claiming'`,
  values: [uuids(environmentIds)],
});

/**
 * Files that are filled or given up, of all environments (index payment_files_under_way), the oldest first; none is filled while the exports of
 * its bank account are stopped. `left`: ids that are left out.
 */
export const filesUnderWay = (left: readonly string[]): Statement => ({
  name: 'payment_files_under_way',
  text: `SELECT ${PAYMENT_FILES.columns('f')} FROM payment_files f
      WHERE f.status IN ('claiming', 'abandoning') AND f.id <> ALL ($1::uuid[])
        AND (f.status = 'abandoning' OR EXISTS (SELECT FROM bank_accounts b WHERE b.environment_id = f.environment_id
          AND b.id = f.bank_account_id AND b.stopped_by_id IS NULL)) ORDER BY f.id LIMIT 20`,
  values: [left.map(uuidOf)],
});

/** Who asked for the payouts of a file, or changed them (index bank_instructions_file); there are at most 10,000. */
export const makersOfFile = (environmentId: string, file: string): Statement => ({
  name: 'makers_of_payment_file',
  text: `SELECT DISTINCT p.created_by, p.changed_by::text FROM bank_instructions i
      JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      WHERE i.environment_id = $1 AND i.file_id = $2`,
  values: [uuidOf(environmentId), uuidOf(file)],
});

/** Whether the service itself made a file of this bank account since then, by the environment's clock. Those of instant payouts do not count. */
export const madeSince = (environmentId: string, bankAccount: string, sinceMs: number): Statement => ({
  name: 'payment_file_made_since',
  text: `SELECT true FROM payment_files f WHERE f.environment_id = $1 AND f.bank_account_id = $2
        AND f.created_by = $3 AND f.created_at >= to_timestamp($4::float8 / 1000) AND f.route <> 'sepa_instant' LIMIT 1`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), uuidOf(actorId('worker') as string), sinceMs],
});

/** Where a page of payouts begins: behind this one. */
export interface DueCursor {
  /** Microseconds since 1970, as text. */
  readonly due: string;
  readonly id: string;
}

/** A payout that may leave, with whom it pays as the payout was made. */
export interface DuePayout {
  readonly id: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string | null;
  readonly referenceType: ReferenceType | null;
  readonly speed: Speed;
  readonly categoryPurpose: CategoryPurpose | null;
  readonly purpose: string | null;
  readonly batchBooking: boolean;
  /** The bank account that it names. */
  readonly bankAccount: string | null;
  readonly creditor: Creditor;
}

interface Creditor {
  readonly recipient: string;
  readonly name: string;
  readonly latinName: string | null;
  readonly country: string;
  /** As in its column, null: none. */
  readonly address: Readonly<Record<string, string | null>> | null;
  /** The text of its column; sealed. */
  readonly bankDetails: string;
}

const PAYMENT = `p.id, p.amount, p.currency, p.reference, p.reference_type, p.speed, p.category_purpose, p.purpose, p.bank_account_id,
        (SELECT b.batch_booking FROM payout_batches b WHERE b.environment_id = p.environment_id AND b.id = p.batch_id) AS batch_booking, p.recipient_id, v.name, v.latin_name, v.country, v.address, v.bank_details`;
/** Their creditors (primary key). */
const CREDITORS = `JOIN recipient_versions v ON v.environment_id = p.environment_id AND v.recipient_id = p.recipient_id
        AND v.version = p.recipient_version`;

/**
 * A page of the payouts of an environment that may leave now, the longest due first (index payouts_due). `withinMs`: as if it were so much
 * later. `currency`: null is every one. `speed`: only instant ones (index payouts_instant). The page is cut before anything is joined to it:
 * joined first, a plan made for small tables reads all that is due for each page.
 */
export function duePage(
  environmentId: string,
  options: {
    readonly currency: string | null;
    readonly speed: 'instant' | null;
    readonly withinMs: number;
    readonly after: DueCursor | null;
    readonly limit: number;
  },
): Statement {
  const { currency, speed, withinMs, after, limit } = options;
  return {
    name: speed === null ? 'due_payouts_of_environment' : 'due_instant_payouts_of_environment',
    text: `SELECT ${PAYMENT}, (extract(epoch FROM p.due_at) * 1000000)::int8::text AS due
      FROM (SELECT * FROM payouts p WHERE p.environment_id = $1 AND p.status = 'pending'
        AND p.due_at <= now() + ((SELECT clock_offset_ms FROM environments WHERE environment_id = $1) + $2::int8) * interval '1 millisecond'
        AND (p.due_at, p.id) > (to_timestamp(0) + $3::int8 * interval '1 microsecond', $4::uuid)
        AND ($5::text IS NULL OR p.currency = $5)${speed === null ? '' : " AND p.speed = 'instant'"}
        ORDER BY p.environment_id, p.due_at, p.id LIMIT $6) AS p
      ${CREDITORS} ORDER BY p.due_at, p.id`,
    values: [
      uuidOf(environmentId),
      BigInt(withinMs),
      BigInt(after?.due ?? 0),
      after === null ? '00000000-0000-0000-0000-000000000000' : uuidOf(after.id),
      currency,
      limit,
    ],
  };
}

export const cursorOfDue = (row: Row): DueCursor => ({
  due: row['due'] as string,
  id: idOf('po', row['id'] as string),
});

export function payoutFrom(row: Row): DuePayout {
  const address = row['address'] as string | null;
  const categoryPurpose = row['category_purpose'] as CategoryPurpose | null;
  return {
    id: idOf('po', row['id'] as string),
    amount: row['amount'] as bigint,
    currency: row['currency'] as string,
    reference: row['reference'] as string | null,
    referenceType: row['reference_type'] as ReferenceType | null,
    speed: (row['speed'] as Speed | null) ?? 'standard',
    categoryPurpose,
    purpose: row['purpose'] as string | null,
    bankAccount: row['bank_account_id'] === null ? null : idOf('ba', row['bank_account_id'] as string),
    batchBooking: isBookedAsOne(row['batch_booking'] as boolean | null, categoryPurpose),
    creditor: {
      recipient: idOf('rcp', row['recipient_id'] as string),
      name: row['name'] as string,
      latinName: row['latin_name'] as string | null,
      country: row['country'] as string,
      address: address === null ? null : (JSON.parse(address) as Creditor['address']),
      bankDetails: row['bank_details'] as string,
    },
  };
}

/** A page of what a file holds, in its order (index bank_instructions_file). */
export const instructionsOf = (environmentId: string, file: string, after: number, limit: number): Statement => ({
  name: 'instructions_of_payment_file',
  text: `SELECT i.position, i.unbooked, p.status, ${PAYMENT}
      FROM (SELECT * FROM bank_instructions i WHERE i.environment_id = $1 AND i.file_id = $2 AND i.status = 'claimed' AND i.position > $3
        ORDER BY i.environment_id, i.file_id, i.position LIMIT $4) AS i
      JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id ${CREDITORS} ORDER BY i.position`,
  values: [uuidOf(environmentId), uuidOf(file), after, limit],
});

const PAGE_INSTRUCTIONS = 100;

/** The same, page by page to the end. */
export async function* allInstructionsOf(
  rows: (statement: Statement) => Promise<readonly Row[]>,
  environmentId: string,
  file: string,
): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const page = await rows(instructionsOf(environmentId, file, after, PAGE_INSTRUCTIONS));
    yield* page;
    if (page.length < PAGE_INSTRUCTIONS) return;
    after = page.at(-1)?.['position'] as number;
  }
}

/** The last hundred files that left a bank account. */
export const sealedFilesOf = (environmentId: string, bankAccount: string): Statement => ({
  name: 'sealed_files_of_bank_account',
  text: `SELECT ${PAYMENT_FILES.columns('f')} FROM payment_files f
      WHERE f.environment_id = $1 AND f.bank_account_id = $2 AND f.status = 'sealed' ORDER BY f.environment_id, f.id DESC LIMIT 100`,
  values: [uuidOf(environmentId), uuidOf(bankAccount)],
});

/** A page of the payouts of a file that are under way, or whose debit is not booked yet, in its order (index bank_instructions_file). */
export const underWayPage = (environmentId: string, file: string, after: number, limit: number): Statement => ({
  name: 'payouts_under_way_of_file',
  text: `SELECT i.position, p.id, p.amount FROM bank_instructions i JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      WHERE i.environment_id = $1 AND i.file_id = $2 AND i.status = 'claimed' AND i.position > $3 AND (p.status = 'in_transit' OR i.unbooked)
      ORDER BY i.environment_id, i.file_id, i.position LIMIT $4`,
  values: [uuidOf(environmentId), uuidOf(file), after, limit],
});

/** What is known of the names of the payees in a file, by result (index bank_instructions_file). */
export const payeeChecks = (environmentId: string, file: string): Statement => ({
  name: 'payee_checks_of_file',
  text: `SELECT p.bank_answer -> 'payeeCheck' ->> 'result' AS result, count(*)::int4 AS count,
        (array_agg(p.id ORDER BY i.position))[1:${MOST_PAYEES}] AS payouts, (array_agg(i.position ORDER BY i.position))[1:${MOST_PAYEES}] AS positions
      FROM bank_instructions i JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      WHERE i.environment_id = $1 AND i.file_id = $2 AND i.status = 'claimed' AND p.bank_answer -> 'payeeCheck' ->> 'result' IS NOT NULL GROUP BY 1`,
  values: [uuidOf(environmentId), uuidOf(file)],
});

/** Of these rows. */
export function payeeChecksIn(rows: readonly Row[]): PayeeChecks | null {
  if (rows.length === 0) return null;
  const countOf = (result: PayeeCheckResult) =>
    (rows.find((row) => row['result'] === result)?.['count'] ?? 0) as number;
  const differing = rows.flatMap(({ result, payouts, positions }) =>
    result === 'match'
      ? []
      : (payouts as string[]).map((id, at) => ({
          id: idOf('po', id),
          position: (positions as number[])[at] as number,
        })),
  );
  return {
    match_count: countOf('match'),
    close_match_count: countOf('close_match'),
    no_match_count: countOf('no_match'),
    not_possible_count: countOf('not_possible'),
    payouts: differing
      .toSorted((one, other) => one.position - other.position)
      .slice(0, MOST_PAYEES)
      .map(({ id }) => id),
  };
}

/** Pending payouts that are not due, by currency: those that wait for approval (index payouts_held), and those of a later day (payouts_due). */
export const notDue = (environmentId: string, withinMs: number): Statement => ({
  name: 'payouts_not_due',
  text: `SELECT p.currency, p.due_at IS NULL AS is_held, count(*) AS count, sum(p.amount)::text AS total, min(p.scheduled_on)::text AS first
      FROM environments e JOIN payouts p ON p.environment_id = e.environment_id
      WHERE e.environment_id = $1 AND p.status = 'pending'
        AND (p.due_at IS NULL AND p.release IS NOT NULL OR p.due_at > now() + (e.clock_offset_ms + $2::int8) * interval '1 millisecond')
      GROUP BY p.currency, is_held ORDER BY p.currency, is_held`,
  values: [uuidOf(environmentId), BigInt(withinMs)],
});
