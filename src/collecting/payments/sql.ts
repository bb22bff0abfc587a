/** The statements of payment links and payments. Loads and writes run inside the write path, the rest on the readers. */
import { EXPECTED_PAYMENT, PAYMENT, PAYMENT_LINK, type Payment, type PaymentLink } from './fields.ts';
import { collectingIn } from '../../core/company.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { texts, uuids } from '../../platform/db/wire/columns.ts';
import { byKeys } from '../../platform/db/wire/keyed.ts';
import type { Scoped, Statement } from '../../platform/db/wire/statement.ts';
import { column, ofEnvironment, overRows, tableOf } from '../../platform/db/wire/table.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';

export const PAYMENT_LINKS = tableOf(PAYMENT_LINK, 'payment_links');
export const PAYMENTS = tableOf(PAYMENT, 'payments');
export const EXPECTED_PAYMENTS = tableOf(EXPECTED_PAYMENT, 'expected_payments');

/**
 * What payers’ references lead to: rows of `from` with `id`, or what they refer to. Both tables have an index by
 * reference.
 */
const byReferences =
  (name: string, from: string) =>
  (
    wanted: readonly { readonly environmentId: string; readonly reference: string }[],
    table: { readonly name: string; columns(alias: string): string },
    column: 'id' | 'link_id' | 'account_id',
  ): Statement => ({
    name: `load_${table.name}_of_${name}`,
    text: `SELECT ${table.columns('t')} FROM ${unnest({ environment_id: 'uuid', reference: 'text' })} AS k
      CROSS JOIN LATERAL (SELECT * FROM ${from} LIMIT 1) AS p
      CROSS JOIN LATERAL (SELECT * FROM ${table.name} r
        WHERE r.environment_id = k.environment_id AND r.id = p.${column} LIMIT 1) AS t`,
    values: [uuids(wanted.map((want) => want.environmentId)), texts(wanted.map((want) => want.reference))],
  });

/** Expected payments, or their accounts. */
export const loadExpectedOfReferences = byReferences(
  'expected_references',
  'expected_payments p WHERE p.environment_id = k.environment_id AND p.reference = k.reference',
);
/** Payments, their links or their accounts. Duplicates have the reference of what they duplicate and are left out. */
export const loadOfReferences = byReferences(
  'references',
  `payments p WHERE p.environment_id = k.environment_id
        AND p.reference = k.reference AND p.duplicate_of IS NULL`,
);

/** The open bank account of a currency that payers send money to, the oldest (`account`). */
export const collectingAccount = (environmentId: string, currency: string): Statement => ({
  name: 'collecting_bank_account',
  text: collectingIn('$1', '$2'),
  values: [uuidOf(environmentId), currency],
});

/** The payment that each of these links waits for; of a link for one payment there is at most one. */
export const loadWaitingPayments = byKeys(
  'load_waiting_payments',
  PAYMENTS.columns('p'),
  `CROSS JOIN LATERAL (SELECT * FROM payments p
    WHERE p.environment_id = k.environment_id AND p.link_id = k.id AND p.status IN ('pending', 'partially_paid')
      AND p.failure_code IS NULL AND p.refund_id IS NULL
    ORDER BY p.environment_id, p.link_id, p.id LIMIT 1) AS p`,
);

/** What was booked of acquirers' sessions: at most one payment each. */
export const loadPaymentsOfSessions = overRows<{ readonly environmentId: string; readonly session: string }>(
  'load_payments_of_sessions',
  { environment_id: ofEnvironment, session: column('text', (each) => each.session) },
  (rows) => `SELECT ${PAYMENTS.columns('p')} FROM ${rows} AS k
      CROSS JOIN LATERAL (SELECT * FROM payments p
        WHERE p.environment_id = k.environment_id AND p.session = k.session
        ORDER BY p.environment_id, p.session, p.id LIMIT 2) AS p`,
);

/** What page tokens of new links and payments open. `lookUpOf` says what stands for a token. */
export function insertTokens(
  rows: readonly Scoped<PaymentLink | Payment>[],
  lookUpOf: (token: string) => string,
): Statement {
  const tokens = rows.filter(({ object }) => object.token !== null);
  return {
    name: 'insert_payment_tokens',
    text: `INSERT INTO payment_tokens (token, environment_id, link_id, payment_id)
      SELECT * FROM ${unnest({ token: 'text', environment_id: 'uuid', link_id: 'uuid', payment_id: 'uuid' })} AS v`,
    values: [
      texts(tokens.map(({ object }) => lookUpOf(object.token as string))),
      uuids(tokens.map(({ environmentId }) => environmentId)),
      uuids(tokens.map(({ object }) => (object.object === 'payment' ? object.link : object.id))),
      uuids(tokens.map(({ object }) => (object.object === 'payment' ? object.id : null))),
    ],
  };
}
