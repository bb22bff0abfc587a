/** The statements of payouts and payout batches, set-based. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { column, ofEnvironment, overRows, tableOf } from '../../platform/db/wire/table.ts';
import { byKeys } from '../../platform/db/wire/keyed.ts';
import { LIMIT_USAGE } from '../../core/limits.ts';
import { type NewPayoutBatch, PAYOUT, PAYOUT_BATCH, type PayoutBatch, type RejectedItem } from './fields.ts';

export const PAYOUTS = tableOf(PAYOUT, 'payouts');
export const PAYOUT_BATCHES = tableOf(PAYOUT_BATCH, 'payout_batches', {
  rejected_items: column('jsonb', (batch: PayoutBatch) => {
    const { rejectedItems = [] } = batch as Partial<NewPayoutBatch>;
    return rejectedItems.length === 0 ? null : JSON.stringify(rejectedItems);
  }),
});

/** What a key that is restricted to accounts sees. */
export const OF_ACCOUNTS = 't.account_id = ANY ($::uuid[])';

/** With more of them a payout in their currency is soon found by walking the list. */
export const MAX_ACCOUNTS_OF_CURRENCY = 10;

/** The accounts in these currencies, and one too many if they are (primary key). */
export const accountsIn = (environmentId: string, currencies: readonly string[]): Statement => ({
  name: 'accounts_in',
  text: `SELECT a.id FROM accounts a WHERE a.environment_id = $1 AND a.currency = ANY ($2::text[]) LIMIT ${MAX_ACCOUNTS_OF_CURRENCY + 1}`,
  values: [uuidOf(environmentId), currencies],
});

/** What `release.status` shows of a row that has a release; word by word as in the index payouts_release. */
export const RELEASE_STATUS = `t.release IS NOT NULL AND CASE WHEN t.release ->> 'status' <> 'held'
    OR t.status = ANY ('{waiting,pending}'::text[]) THEN t.release ->> 'status' ELSE 'ended' END`;

/** The rejected items of a row that was read with them; `null`: none, or the batch is older than their keeping. */
export function rejectedIn(row: Row): readonly RejectedItem[] | null {
  const stored = row['rejected_items'] as string | null;
  return stored === null ? null : (JSON.parse(stored) as readonly RejectedItem[]);
}

/** The rows of a table, by a unique index, that have one of the external ids. */
const byExternalIds = (name: string, table: string) =>
  overRows<{ readonly environmentId: string; readonly externalId: string }>(
    name,
    { environment_id: ofEnvironment, external_id: column('text', (each) => each.externalId) },
    (rows) => `SELECT t.environment_id, t.external_id, t.id FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM ${table} t
        WHERE t.environment_id = k.environment_id AND t.external_id = k.external_id LIMIT 1) AS t`,
  );

/** Index payouts_external_id. */
export const loadExternalIds = byExternalIds('load_external_ids', 'payouts');
/** Index payout_batches_external_id. */
export const loadExternalIdsOfBatches = byExternalIds('load_external_ids_of_batches', 'payout_batches');

export const LIMIT_USAGES = tableOf(LIMIT_USAGE, 'limit_usages');

/** What these subjects have used of whatever limits (unique index limit_usages_subject). */
export const loadUsages = overRows<{ readonly environmentId: string; readonly subject: string }>(
  'load_usages',
  { environment_id: ofEnvironment, subject: column('text', (each) => each.subject) },
  (rows) => `SELECT ${LIMIT_USAGES.columns('t')} FROM ${rows} AS k
      JOIN limit_usages t ON t.environment_id = k.environment_id AND t.subject = k.subject`,
);

/** What limits have used on a day, each of its own subject (unique index limit_usages_subject). */
export function usagesOfDay(
  environmentId: string,
  day: string,
  wanted: readonly { readonly limit: string; readonly subject: string }[],
): Statement {
  return {
    name: 'usages_of_day',
    text: `SELECT ${LIMIT_USAGES.columns('t')} FROM unnest($3::uuid[], $4::text[]) AS k (limit_id, subject)
      JOIN limit_usages t ON t.environment_id = $1 AND t.subject = k.subject AND t.limit_id = k.limit_id AND t.day = $2::date`,
    values: [
      uuidOf(environmentId),
      day,
      wanted.map(({ limit }) => uuidOf(limit)),
      wanted.map(({ subject }) => subject),
    ],
  };
}

export const loadCurrenciesOf = byKeys(
  'load_currencies_of',
  't.id, t.currency',
  'JOIN accounts t ON t.environment_id = k.environment_id AND t.id = k.id',
);

/** The payouts of one batch in the order of their creation (index payouts_batch); there are at most 1000. */
export function payoutsOfBatch(environmentId: string, batch: string): Statement {
  return {
    name: 'payouts_of_batch',
    text: `SELECT ${PAYOUTS.columns('t')} FROM payouts t WHERE t.environment_id = $1 AND t.batch_id = $2
      ORDER BY t.environment_id, t.batch_id, t.id`,
    values: [uuidOf(environmentId), uuidOf(batch)],
  };
}

const OF_BATCH = 'JOIN payouts p ON p.environment_id = k.environment_id AND p.batch_id = k.id';

/** The payouts of batches (index payouts_batch). */
export const loadPayoutsOfBatches = byKeys(
  'load_payouts_of_batches',
  PAYOUTS.columns('t'),
  'JOIN payouts t ON t.environment_id = k.environment_id AND t.batch_id = k.id',
);
/** Their accounts; one as often as it has payouts. */
export const loadAccountsOfBatches = byKeys(
  'load_accounts_of_batches',
  'DISTINCT t.*',
  `${OF_BATCH} JOIN accounts t ON t.environment_id = k.environment_id AND t.id = p.account_id`,
);

/** What a payout needs of its account. Most have no fees, and then there is nothing to add up. */
export const NEEDED =
  "(p.amount + CASE WHEN p.fees IS NULL THEN 0 ELSE (SELECT coalesce(sum((f ->> 'amount')::int8), 0) FROM jsonb_array_elements(p.fees) AS f) END)";

/** The oldest payouts that wait on an account, `most` of them (index payouts_waiting). */
export const loadOldestWaiting = overRows<{
  readonly environmentId: string;
  readonly account: string;
  readonly most: number;
}>(
  'load_oldest_waiting',
  {
    environment_id: ofEnvironment,
    account: column('uuid', (each) => each.account),
    most: column('int4', (each) => each.most),
  },
  (rows) => `SELECT k.environment_id, k.account AS account_id, w.id FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT p.id FROM payouts p
        WHERE p.environment_id = k.environment_id AND p.account_id = k.account AND p.status = 'waiting' ORDER BY p.id LIMIT k.most) AS w`,
);

/** A payout that waits, and the youngest of its account that is asked for. */
interface InLine {
  readonly environmentId: string;
  readonly account: string;
  readonly payout: string;
  readonly youngest: string;
}

/** What older payouts of the account wait for, as text: a sum may pass 2^63. Adds up all until the youngest (index payouts_waiting). */
export const loadNeededBefore = overRows<InLine>(
  'load_needed_before',
  {
    environment_id: ofEnvironment,
    account: column('uuid', (each) => each.account),
    payout: column('uuid', (each) => each.payout),
    youngest: column('uuid', (each) => each.youngest),
  },
  (rows) => `WITH k AS (SELECT * FROM ${rows} AS r)
      SELECT w.environment_id, w.id, w.before::text FROM k
      JOIN (SELECT p.environment_id, p.id, sum(${NEEDED}) OVER (PARTITION BY p.environment_id, p.account_id ORDER BY p.id) - ${NEEDED} AS before
        FROM (SELECT DISTINCT environment_id, account, youngest FROM k) AS a
        JOIN payouts p ON p.environment_id = a.environment_id AND p.account_id = a.account AND p.status = 'waiting' AND p.id <= a.youngest
      ) AS w ON w.environment_id = k.environment_id AND w.id = k.payout`,
);

// Flags of held payouts: what an approver should look at twice. They hold nothing and refuse nothing (`rules.ts` does), are read where somebody asks
// for them (`expand[]=flags`), and cost the write path nothing. Each look is bounded, so where a history is longer than the look, a flag may be
// set too often and never too rarely (docs/decisions/0111).

/** How far is looked. */
export const LOOK = {
  /** Days before a payout was created in which its recipient, or its bank details, count as new. */
  newDays: 30,
  /** Payouts to the same recipient, the newest before this one. */
  back: 20,
  /** More than so many times the largest of them is unusual. */
  unusualTimes: 3,
  /** Recipients in the same country, the oldest ones, and of each so many payouts, the oldest. */
  recipientsOfCountry: 50,
  payoutsOfEach: 5,
} as const;

/** In this order everywhere. What each means: `approval-schema.ts`. */
export const PAYOUT_FLAGS = [
  'new_recipient',
  'bank_details_changed',
  'first_payment',
  'first_payment_to_country',
  'unusual_amount',
] as const;
export type PayoutFlag = (typeof PAYOUT_FLAGS)[number];

export const flagsIn = (row: Row): readonly PayoutFlag[] => PAYOUT_FLAGS.filter((flag) => row[flag] === true);

const IS_PAID = "h.status = 'paid'";
const IS_SEEN = '($3::uuid[] IS NULL OR h.account_id = ANY ($3::uuid[]))';

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * One row for each of these that is held. Indexes: payouts_recipient, recipients_country and primary keys. `accounts`: the only ones whose
 * payouts count; `null`: all. Payouts of a recipient are walked by comparing rows, and those of its neighbours left out afterwards: so no plan
 * reads a long history to sort it.
 */
export function flagsOfPayouts(
  environmentId: string,
  payouts: readonly string[],
  accounts: ReadonlySet<string> | null,
): Statement {
  return {
    name: 'flags_of_payouts',
    text: `WITH held AS MATERIALIZED (
        SELECT p.id, p.amount, p.currency, p.created_at, p.recipient_id, r.country, r.created_at AS made_at, r.bank_details_changed_at
        FROM unnest($2::uuid[]) AS k (id)
        CROSS JOIN LATERAL (SELECT * FROM payouts p WHERE p.environment_id = $1 AND p.id = k.id LIMIT 1) AS p
        JOIN recipients r ON r.environment_id = $1 AND r.id = p.recipient_id
        WHERE p.status = 'pending' AND p.release ->> 'status' = 'held'),
      countries AS MATERIALIZED (
        SELECT c.country, EXISTS (
          SELECT FROM (SELECT r.id FROM recipients r WHERE r.environment_id = $1 AND r.country = c.country
              ORDER BY r.environment_id, r.country, r.id LIMIT ${LOOK.recipientsOfCountry}) AS r
            CROSS JOIN LATERAL (SELECT h.environment_id, h.recipient_id, h.account_id, h.status FROM payouts h
              WHERE (h.recipient_id, h.id) > (r.id, '${FIRST}'::uuid) ORDER BY h.recipient_id, h.id LIMIT ${LOOK.payoutsOfEach}) AS h
            WHERE h.environment_id = $1 AND h.recipient_id = r.id AND ${IS_PAID} AND ${IS_SEEN}) AS is_known
        FROM (SELECT DISTINCT country FROM held) AS c)
      SELECT held.id,
        held.made_at > held.created_at - interval '${LOOK.newDays} days' AS new_recipient,
        coalesce(held.bank_details_changed_at > held.created_at - interval '${LOOK.newDays} days', false) AS bank_details_changed,
        h.paid = 0 AS first_payment,
        NOT c.is_known AS first_payment_to_country,
        coalesce(held.amount > ${LOOK.unusualTimes} * h.most, false) AS unusual_amount
      FROM held JOIN countries c USING (country)
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE ${IS_PAID}) AS paid, max(h.amount) FILTER (WHERE ${IS_PAID} AND h.currency = held.currency) AS most
        FROM (SELECT h.environment_id, h.recipient_id, h.account_id, h.status, h.amount, h.currency FROM payouts h
            WHERE (h.recipient_id, h.id) < (held.recipient_id, held.id) ORDER BY h.recipient_id DESC, h.id DESC LIMIT ${LOOK.back}) AS h
        WHERE h.environment_id = $1 AND h.recipient_id = held.recipient_id AND ${IS_SEEN}) AS h`,
    values: [uuidOf(environmentId), payouts.map(uuidOf), accounts === null ? null : Array.from(accounts, uuidOf)],
  };
}

/** An item of a batch that is tried. `since`: the oldest id that counts. */
interface Asked {
  readonly environmentId: string;
  readonly index: number;
  readonly recipient: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly since: string;
}

/** Of one recipient, the newest that are compared: whom a marketplace pays every minute is not read through. */
export const MOST_COMPARED = 50;

/** Payouts that paid the same before and have not failed, newest first for each item (index payouts_recipient). */
export const loadPaidBefore = overRows<Asked>(
  'load_paid_before',
  {
    environment_id: ofEnvironment,
    index: column('int4', (each) => each.index),
    recipient: column('uuid', (each) => each.recipient),
    amount: column('int8', (each) => each.amount),
    currency: column('text', (each) => each.currency),
    since: column('uuid', (each) => each.since),
  },
  (rows) => `SELECT k.index, t.id, t.account_id, t.category_purpose, t.created_by, t.created_at FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM payouts p
        WHERE p.environment_id = k.environment_id AND p.recipient_id = k.recipient AND p.id >= k.since
        ORDER BY p.recipient_id DESC, p.id DESC LIMIT ${MOST_COMPARED}) AS t
      WHERE t.amount = k.amount AND t.currency = k.currency AND t.status IN ('waiting', 'pending', 'in_transit', 'paid')
      ORDER BY k.index, t.id DESC`,
);
