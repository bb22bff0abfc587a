/**
 * What the history of a payout is read from: each statement by a primary key, or by an index that the payout's id, or its amount, leads into.
 * All but names and entries go in one flight.
 */
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { DeliveryAttempt } from '../../events/webhooks/fields.ts';
import { deliveryFrom } from '../../events/webhooks/schema.ts';
import { eventsOf } from '../../events/log/sql.ts';
import { PAYOUTS } from '../../paying/payouts/sql.ts';
import { page } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { OfDelivery, OfEntry, OfFile } from './fields.ts';

/** A payout has five or so. */
const MAX_EVENTS = 200;
const MAX_DELIVERIES = 20;
const MAX_ENTRIES = 10;
/** Entries of one amount that are looked through for those of the payout. */
const MAX_ALIKE = 1_000;
const DAY_S = 86_400;

/** The payout with the names of its account and batch. `accounts`: the only ones that it may debit; `null`: any. */
export const payoutWithNames = (environmentId: string, id: string, accounts: readonly string[] | null): Statement => ({
  name: accounts === null ? 'payout_with_names' : 'payout_of_accounts_with_names',
  text: `SELECT ${PAYOUTS.columns('t')}, a.name AS account_name, b.external_id AS batch_name FROM payouts t
      LEFT JOIN accounts a ON a.environment_id = t.environment_id AND a.id = t.account_id
      LEFT JOIN payout_batches b ON b.environment_id = t.environment_id AND b.id = t.batch_id
      WHERE t.environment_id = $1 AND t.id = $2${accounts === null ? '' : ' AND t.account_id = ANY ($3::uuid[])'}`,
  values: [uuidOf(environmentId), uuidOf(id), ...(accounts === null ? [] : [accounts.map(uuidOf)])],
});

/** Its events, the oldest first (index events_object). */
export const eventsOfPayout = (environmentId: string, id: string): Statement =>
  page(eventsOf(environmentId, [{ sql: 't.object_id = $', value: uuidOf(id) }]), { limit: MAX_EVENTS, order: 'asc' });

export const fileOfPayout = (environmentId: string, id: string): Statement => ({
  name: 'payment_file_of_payout',
  text: `SELECT f.id, f.message_id, f.execution_on, f.bank_account_id, b.name AS bank_name FROM bank_instructions i
      JOIN payment_files f ON f.environment_id = i.environment_id AND f.id = i.file_id
      JOIN bank_accounts b ON b.environment_id = f.environment_id AND b.id = f.bank_account_id
      WHERE i.environment_id = $1 AND i.id = $2 AND i.status = 'claimed'`,
  values: [uuidOf(environmentId), uuidOf(id)],
});

export const fileFrom = (row: Row): OfFile => ({
  id: idOf('pf', row['id'] as string),
  messageId: row['message_id'] as string,
  bankAccount: idOf('ba', row['bank_account_id'] as string),
  executionOn: row['execution_on'] as string,
});

/** Deliveries of its events that failed once, and have not succeeded since (index events_object, primary key of deliveries). */
export const undeliveredOf = (environmentId: string, id: string): Statement => ({
  name: 'undelivered_of_payout',
  text: `SELECT t.endpoint_id, t.sequence, t.created_at, t.due_at, t.status, t.attempts, e.id AS event_id, e.type AS event_type, w.url
      FROM (SELECT * FROM events o WHERE o.object_id = $2 AND o.environment_id = $1 ORDER BY o.object_id, o.sequence LIMIT ${MAX_EVENTS}) AS e
      CROSS JOIN webhook_endpoints w
      JOIN deliveries t ON t.environment_id = $1 AND t.endpoint_id = w.id AND t.sequence = e.sequence
      WHERE w.environment_id = $1 AND w.deleted_at IS NULL AND (t.status IN ('failed', 'parked', 'held') OR (t.status = 'pending' AND t.failures > 0))
      ORDER BY t.sequence, t.endpoint_id LIMIT ${MAX_DELIVERIES}`,
  values: [uuidOf(environmentId), uuidOf(id)],
});

export function deliveryOf(row: Row): OfDelivery {
  const { id, endpoint, event, eventType, status, attempts, createdAt } = deliveryFrom(row);
  const last: DeliveryAttempt | undefined = attempts.at(-1);
  return {
    id,
    endpoint,
    host: new URL(row['url'] as string).host,
    event: event as string,
    eventType: eventType as string,
    status,
    attempts: attempts.length,
    at: last?.started_at ?? Math.floor(createdAt / 1000),
    error: last?.error ?? (last?.http_status == null ? null : `it answered ${last.http_status}`),
  };
}

/** Where entries of the payout's amount are looked for. Instants are Unix seconds; `null`: until now. */
interface Alike {
  readonly payout: string;
  readonly amountMinor: number;
  readonly fromS: number;
  readonly untilS: number | null;
}

/**
 * Entries of a bank account that were assigned to the payout as a whole (index bank_entries_alike). Of a payment that was booked together with
 * others there is none.
 */
export function entriesOfPayout(environmentId: string, bankAccount: string, alike: Alike): Statement {
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  return {
    name: 'bank_entries_of_payout',
    text: `SELECT t.id, t.direction, t.amount, t.booked_on, t.created_at FROM (SELECT * FROM bank_entries e
        WHERE e.environment_id = $1 AND e.bank_account_id = $2 AND e.amount = $3
          AND coalesce(e.booked_on, e.value_on, '-infinity') BETWEEN $4::date AND $5::date LIMIT ${MAX_ALIKE}) AS t
      WHERE t.status <> 'voided' AND t.assignments @> jsonb_build_array(jsonb_build_object('to', $6::text))
      ORDER BY t.id LIMIT ${MAX_ENTRIES}`,
    values: [
      uuidOf(environmentId),
      uuidOf(bankAccount),
      alike.amountMinor,
      day(alike.fromS - 2 * DAY_S),
      alike.untilS === null ? 'infinity' : day(alike.untilS + 7 * DAY_S),
      alike.payout,
    ],
  };
}

export const entryFrom = (row: Row): OfEntry => ({
  id: idOf('be', row['id'] as string),
  direction: row['direction'] as OfEntry['direction'],
  amount: row['amount'] as bigint,
  bookedOn: row['booked_on'] as string | null,
  at: Math.floor((row['created_at'] as number) / 1000),
});
