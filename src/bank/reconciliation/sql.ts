/**
 * The statements of the reconciliation of a bank account: what its stored entries come to in a month. All of them read, and none locks.
 * What the figures mean: `report.ts`.
 */
import { idAs, idOf, uuidOf } from '../../core/values/ids.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Figures, Month, Proved, UnderWay } from './fields.ts';

/** The bank account and the instants at which a month begins and ends where its bank is. By primary key. */
export const monthOf = (environmentId: string, bankAccount: string, firstDay: string): Statement => ({
  name: 'month_of_bank_account',
  text: `SELECT b.currency, b.time_zone, $3::date::text AS first_day, ($3::date + interval '1 month' - interval '1 day')::date::text AS last_day,
        $3::date::timestamp AT TIME ZONE b.time_zone AS starts_at, ($3::date + interval '1 month') AT TIME ZONE b.time_zone AS ends_at
      FROM bank_accounts b WHERE b.environment_id = $1 AND b.id = $2`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), firstDay],
});

export const monthFrom = (row: Row): Omit<Month, 'untilMs' | 'isClosed'> => ({
  currency: row['currency'] as string,
  timeZone: row['time_zone'] as string,
  firstDay: row['first_day'] as string,
  lastDay: row['last_day'] as string,
  startsMs: row['starts_at'] as number,
  endsMs: row['ends_at'] as number,
});

/** How long a payout that a message made paid is looked for among the bookings. */
const MESSAGE_DAYS = 60;

/**
 * Payouts in files of the bank account that may have been on their way at an instant: they had left, and had not ended, or only by a
 * message (indexes bank_instructions_file, and the primary key of payouts). Whether the bank had booked them: `figuresOf`.
 */
export const payoutsUnderWay = (environmentId: string, bankAccount: string, atMs: number): Statement => ({
  name: 'payouts_of_bank_account_under_way',
  text: `SELECT p.id, p.status, p.amount, p.in_transit_at, i.file_id
      FROM bank_accounts b JOIN payment_files f ON f.environment_id = b.environment_id AND f.bank_account_id = b.id
      JOIN bank_instructions i ON i.environment_id = f.environment_id AND i.file_id = f.id AND i.status = 'claimed'
      JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      WHERE b.environment_id = $1 AND b.id = $2 AND p.in_transit_at < to_timestamp($3::float8 / 1000)
        AND (p.ended_at IS NULL OR p.ended_at >= to_timestamp($3::float8 / 1000)
          OR (b.paid_by = 'status' AND p.status IN ('paid', 'returned')
            AND p.ended_at >= to_timestamp($3::float8 / 1000) - interval '${MESSAGE_DAYS} days'))
      ORDER BY p.id`,
  values: [uuidOf(environmentId), uuidOf(bankAccount), atMs],
});

export const underWayFrom = (row: Row): UnderWay => ({
  payout: idOf('po', row['id'] as string),
  file: idOf('pf', row['file_id'] as string),
  amount: row['amount'] as bigint,
  isPaid: row['status'] === 'paid' || row['status'] === 'returned',
  departedMs: row['in_transit_at'] as number,
});

/**
 * Entries with the days that they count on, and their parts with whether each had its place when the month began and ended. A part that
 * the import placed counts on the day of the entry, a later placing or undoing when it happened: ids of transfers sort by their instant.
 * The balance with which the ledger begins came before, also where its first month had begun. A voided entry counts in no month.
 */
const ENTRIES = `entries AS MATERIALIZED (
  SELECT e.id, e.kind, e.direction, e.amount, e.booked_on, e.assignments, e.created_at,
    CASE e.direction WHEN 'credit' THEN e.amount ELSE -e.amount END AS signed,
    CASE e.kind WHEN 'opening' THEN b.books_from - 1
      ELSE coalesce(e.booked_on, s.closed_on, (e.created_at AT TIME ZONE b.time_zone)::date) END AS day
  FROM bank_accounts b JOIN bank_entries e ON e.environment_id = b.environment_id AND e.bank_account_id = b.id
  JOIN bank_statements s ON s.environment_id = e.environment_id AND s.id = e.statement_id
  WHERE b.environment_id = $1 AND b.id = $2 AND e.status <> 'voided'),
known AS (SELECT *, kind = 'opening' OR day < $3::date AS is_before FROM entries WHERE day <= $4::date),
parts AS MATERIALIZED (
  SELECT e.id, e.direction, p."to", p.amount::int8 AS amount,
    CASE WHEN p.at = (extract(epoch FROM e.created_at) * 1000)::int8 THEN e.day < $3::date ELSE p.at < $5::int8 END
      AND (p."undoneBy" IS NULL OR p."undoneBy" COLLATE "C" >= $7) AS was_placed,
    (p.at = (extract(epoch FROM e.created_at) * 1000)::int8 OR p.at < $6::int8)
      AND (p."undoneBy" IS NULL OR p."undoneBy" COLLATE "C" >= $8) AS is_placed
  FROM known e CROSS JOIN LATERAL jsonb_to_recordset(e.assignments) AS p("to" text, amount text, at int8, "undoneBy" text)),
placed AS (SELECT id, sum(amount) FILTER (WHERE was_placed) AS before, sum(amount) FILTER (WHERE is_placed) AS after FROM parts GROUP BY id)`;

const PLACE = `CASE split_part("to", '_', 1) WHEN 'acct' THEN 'accounts' WHEN 'pay' THEN 'payments' WHEN 'xp' THEN 'expected_payments'
  WHEN 'po' THEN 'payouts' WHEN 'pf' THEN 'payouts' WHEN 'be' THEN 'payouts' WHEN 'ba' THEN 'bank_accounts' ELSE "to" END`;

const SUMS = `SELECT
  coalesce(sum(signed) FILTER (WHERE is_before), 0)::int8 AS opening,
  coalesce(sum(signed), 0)::int8 AS closing,
  count(*) FILTER (WHERE NOT is_before AND direction = 'credit') AS in_count,
  coalesce(sum(amount) FILTER (WHERE NOT is_before AND direction = 'credit'), 0)::int8 AS in_amount,
  count(*) FILTER (WHERE NOT is_before AND direction = 'debit') AS out_count,
  coalesce(sum(amount) FILTER (WHERE NOT is_before AND direction = 'debit'), 0)::int8 AS out_amount,
  coalesce(sum(amount - coalesce(p.before, 0)) FILTER (WHERE is_before AND direction = 'credit'), 0)::int8 AS was_unmatched_in,
  coalesce(sum(amount - coalesce(p.before, 0)) FILTER (WHERE is_before AND direction = 'debit'), 0)::int8 AS was_unmatched_out,
  coalesce(sum(amount - coalesce(p.after, 0)) FILTER (WHERE direction = 'credit'), 0)::int8 AS unmatched_in,
  coalesce(sum(amount - coalesce(p.after, 0)) FILTER (WHERE direction = 'debit'), 0)::int8 AS unmatched_out,
  count(*) FILTER (WHERE amount > coalesce(p.after, 0)) AS unmatched_count,
  (min(coalesce(booked_on, day)) FILTER (WHERE amount > coalesce(p.after, 0)))::text AS oldest
FROM known LEFT JOIN placed p USING (id)`;

/** The last statement with a balance that ends by a day, and what the ledger says of that day: JSON, or NULL. Of several, one that agrees. */
const proved = (
  until: string,
) => `(SELECT json_build_object('statement', s.id, 'closedOn', s.closed_on, 'closing', s.closing::text, 'ledger', s.ledger::text)
  FROM (SELECT *, (SELECT coalesce(sum(signed), 0) FROM entries e WHERE e.day <= at.closed_on) AS ledger
    FROM (SELECT max(closed_on) AS closed_on FROM said WHERE closed_on ${until}) AS at JOIN said USING (closed_on)) AS s
  ORDER BY s.page DESC NULLS LAST, s.closing = s.ledger DESC, s.id DESC LIMIT 1)::text`;

/** What the bank account comes to. One snapshot. `named`: ids of payouts and payment files that may be named by debits. */
export function figuresOf(
  environmentId: string,
  bankAccount: string,
  { firstDay, lastDay, startsMs, untilMs }: Month,
  named: readonly string[],
): Statement {
  const transferAt = (atMs: number) => idAs('trf', firstIdAt(atMs));
  return {
    name: 'figures_of_reconciliation',
    text: `WITH ${ENTRIES},
      said AS (SELECT s.id, s.closed_on, s.page, s.closing, s.proof FROM bank_statements s WHERE s.environment_id = $1 AND s.bank_account_id = $2
        AND s.status = 'imported' AND s.closing IS NOT NULL AND s.closed_on <= $4::date),
      moved AS (SELECT ${PLACE} AS place,
        coalesce(sum(amount * (is_placed::int - was_placed::int)) FILTER (WHERE direction = 'credit'), 0)::text AS came,
        coalesce(sum(amount * (is_placed::int - was_placed::int)) FILTER (WHERE direction = 'debit'), 0)::text AS went FROM parts GROUP BY 1)
      SELECT sums.*, (SELECT json_object_agg(place, json_build_array(came, went)) FROM moved)::text AS places,
        (SELECT array_agg(DISTINCT "to") FROM parts WHERE direction = 'debit' AND is_placed AND "to" = ANY ($9::text[])) AS booked,
        ${proved('< $3::date')} AS proved_before, ${proved('<= $4::date')} AS proved_at_end,
        (SELECT count(*) FROM known WHERE day > coalesce((SELECT max(closed_on) FROM said), '-infinity')) AS behind_count,
        count_of.* FROM (${SUMS}) AS sums,
        (SELECT count(*) FILTER (WHERE closed_on >= $3::date) AS statements_count,
          count(*) FILTER (WHERE closed_on >= $3::date AND proof = 'gap') AS gaps_count,
          count(*) FILTER (WHERE closed_on >= $3::date AND proof = 'failed') AS failed_count FROM said) AS count_of`,
    values: [
      uuidOf(environmentId),
      uuidOf(bankAccount),
      firstDay,
      lastDay,
      BigInt(startsMs),
      BigInt(untilMs),
      transferAt(startsMs),
      transferAt(untilMs),
      [...named],
    ],
  };
}

export function figuresFrom(row: Row): Figures {
  const minor = (name: string) => row[name] as bigint;
  const count = (name: string) => Number(row[name]);
  const places = JSON.parse((row['places'] as string | null) ?? '{}') as Readonly<Record<string, [string, string]>>;
  return {
    opening: minor('opening'),
    closing: minor('closing'),
    in: { count: count('in_count'), amount: minor('in_amount') },
    out: { count: count('out_count'), amount: minor('out_amount') },
    places: new Map(
      Object.entries(places).map(([place, [came, went]]) => [place, { in: BigInt(came), out: BigInt(went) }]),
    ),
    unmatched: {
      before: { in: minor('was_unmatched_in'), out: minor('was_unmatched_out') },
      after: { in: minor('unmatched_in'), out: minor('unmatched_out') },
      count: count('unmatched_count'),
      oldest: row['oldest'] as string | null,
    },
    booked: new Set((row['booked'] as readonly string[] | null) ?? []),
    statements: count('statements_count'),
    gaps: count('gaps_count'),
    failed: count('failed_count'),
    behind: count('behind_count'),
    provedBefore: provedFrom(row['proved_before'] as string | null),
    provedAtEnd: provedFrom(row['proved_at_end'] as string | null),
  };
}

function provedFrom(json: string | null): Proved | null {
  if (json === null) return null;
  const { statement, closedOn, closing, ledger } = JSON.parse(json) as Readonly<Record<string, string>>;
  return {
    statement: idOf('bs', statement as string),
    closedOn: closedOn as string,
    closing: BigInt(closing as string),
    ledger: BigInt(ledger as string),
  };
}

/** The newest signature of a month, from the audit log (index audit_log_subject). */
export const signatureOf = (environmentId: string, bankAccount: string, month: string): Statement => ({
  name: 'signature_of_reconciliation',
  text: `SELECT a.id, a.actor, a.created_at, a.details::jsonb ->> 'sha256' AS sha256 FROM audit_log a
      WHERE a.environment_id = $1 AND a.subject = $2 AND a.action = 'bank_account.reconciled' AND a.details::jsonb ->> 'month' = $3
      ORDER BY a.environment_id DESC, a.subject DESC, a.sequence DESC LIMIT 1`,
  values: [uuidOf(environmentId), bankAccount, month],
});
