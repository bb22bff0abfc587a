/**
 * What an approver should look at twice: marks on a held payout, from what is known of its recipient. They hold nothing and refuse nothing
 * (`rules.ts` does), are read where somebody asks for them (`expand[]=flags`), and cost the write path nothing. Each look is bounded, so
 * where a history is longer than the look, a mark may be set too often and never too rarely (docs/decisions/0111).
 */
import { uuidOf } from '../../core/values/ids.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';

/** Days before a payout was created in which its recipient, or its bank details, count as new. */
const NEW_DAYS = 30;
/** Payouts to the same recipient, the newest before this one, that are looked at. */
const LOOK_BACK = 20;
/** More than so many times the largest of them is unusual. */
const UNUSUAL_TIMES = 3;
/** Recipients in the same country, the oldest ones, that are looked at, and of each so many payouts, the oldest. */
const RECIPIENTS_OF_COUNTRY = 50;
const PAYOUTS_OF_EACH = 5;

const MEANINGS = {
  new_recipient: `its recipient was made within ${NEW_DAYS} days before the payout`,
  bank_details_changed: `the bank details of its recipient became others within ${NEW_DAYS} days before the payout, or after it`,
  first_payment: `none of the ${LOOK_BACK} payouts before it to the recipient was paid`,
  first_payment_to_country: `no payout to the country of the bank was paid: none of the ${PAYOUTS_OF_EACH} oldest to each of the ${RECIPIENTS_OF_COUNTRY} oldest recipients there`,
  unusual_amount: `it is more than ${UNUSUAL_TIMES} times the largest that was paid in its currency among the ${LOOK_BACK} payouts before it to the recipient; not set where none was`,
} as const;
export type PayoutFlag = keyof typeof MEANINGS;
export const PAYOUT_FLAGS = Object.keys(MEANINGS) as readonly PayoutFlag[];

export const FLAGS_SCHEMA: JsonSchema = {
  type: 'array',
  description: `What an approver should look at twice; only of held payouts. ${PAYOUT_FLAGS.map((flag) => `\`${flag}\`: ${MEANINGS[flag]}`).join('. ')}.`,
  items: { type: 'string', enum: [...PAYOUT_FLAGS] },
};

/** In the order of the list above. */
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
              ORDER BY r.environment_id, r.country, r.id LIMIT ${RECIPIENTS_OF_COUNTRY}) AS r
            CROSS JOIN LATERAL (SELECT h.environment_id, h.recipient_id, h.account_id, h.status FROM payouts h
              WHERE (h.recipient_id, h.id) > (r.id, '${FIRST}'::uuid) ORDER BY h.recipient_id, h.id LIMIT ${PAYOUTS_OF_EACH}) AS h
            WHERE h.environment_id = $1 AND h.recipient_id = r.id AND ${IS_PAID} AND ${IS_SEEN}) AS is_known
        FROM (SELECT DISTINCT country FROM held) AS c)
      SELECT held.id,
        held.made_at > held.created_at - interval '${NEW_DAYS} days' AS new_recipient,
        coalesce(held.bank_details_changed_at > held.created_at - interval '${NEW_DAYS} days', false) AS bank_details_changed,
        h.paid = 0 AS first_payment,
        NOT c.is_known AS first_payment_to_country,
        coalesce(held.amount > ${UNUSUAL_TIMES} * h.most, false) AS unusual_amount
      FROM held JOIN countries c USING (country)
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE ${IS_PAID}) AS paid, max(h.amount) FILTER (WHERE ${IS_PAID} AND h.currency = held.currency) AS most
        FROM (SELECT h.environment_id, h.recipient_id, h.account_id, h.status, h.amount, h.currency FROM payouts h
            WHERE (h.recipient_id, h.id) < (held.recipient_id, held.id) ORDER BY h.recipient_id DESC, h.id DESC LIMIT ${LOOK_BACK}) AS h
        WHERE h.environment_id = $1 AND h.recipient_id = held.recipient_id AND ${IS_SEEN}) AS h`,
    values: [uuidOf(environmentId), payouts.map(uuidOf), accounts === null ? null : Array.from(accounts, uuidOf)],
  };
}
