/** The statements of payment links and payments. Loads and writes run inside the write path, the rest on the readers. */
import { idOf, type Prefix } from '../core/ids.ts';
import type { Metadata, Payment, PaymentLink } from '../core/objects.ts';
import { texts, uuids } from '../db/wire/columns.ts';
import { KEYS, keyed } from '../db/wire/keyed.ts';
import type { Key, Scoped, Row, Statement } from '../db/wire/statement.ts';
import { column, json, mutable, table } from '../db/wire/table.ts';
import { unnest } from '../db/wire/unnest.ts';

export const PAYMENT_LINKS = table<PaymentLink>('payment_links', {
  id: column('uuid', (link) => link.id),
  token: column('text', (link) => link.token),
  url: column('text', (link) => link.url),
  account_id: column('uuid', (link) => link.account),
  currency: column('text', (link) => link.currency),
  amount: column('int8', (link) => link.amount),
  minimum: column('int8', (link) => link.minimum),
  maximum: column('int8', (link) => link.maximum),
  reusable: column('boolean', (link) => String(link.reusable)),
  max_payments: mutable('int4', (link) => link.maxPayments),
  status: mutable('text', (link) => link.status),
  payments_count: mutable('int4', (link) => link.paymentsCount),
  open_count: mutable('int4', (link) => link.openCount),
  received: mutable('int8', (link) => link.received),
  description: mutable('text', (link) => link.description),
  reference: mutable('text', (link) => link.reference),
  customer_email: mutable('text', (link) => link.customerEmail),
  redirect_url: mutable('text', (link) => link.redirectUrl),
  message: mutable('text', (link) => link.message),
  metadata: mutable('jsonb', (link) => json(link.metadata)),
  expires_at: mutable('timestamptz', (link) => link.expiresAt),
  ended_at: mutable('timestamptz', (link) => link.endedAt),
  created_at: column('timestamptz', (link) => link.createdAt),
});

export const PAYMENTS = table<Payment>('payments', {
  id: column('uuid', (payment) => payment.id),
  link_id: column('uuid', (payment) => payment.link),
  token: column('text', (payment) => payment.token),
  reference: column('text', (payment) => payment.reference),
  account_id: column('uuid', (payment) => payment.account),
  method: mutable('text', (payment) => payment.method),
  currency: column('text', (payment) => payment.currency),
  amount: column('int8', (payment) => payment.amount),
  received: mutable('int8', (payment) => payment.received),
  refunded: mutable('int8', (payment) => payment.refunded),
  status: mutable('text', (payment) => payment.status),
  duplicate_of: column('uuid', (payment) => payment.duplicateOf),
  failure_code: mutable('text', (payment) => payment.failureCode),
  payer_name: mutable('text', (payment) => payment.payerName),
  payer_iban: mutable('text', (payment) => payment.payerIban),
  session: mutable('text', (payment) => payment.session),
  transfer_id: mutable('uuid', (payment) => payment.transfer),
  refund_id: mutable('uuid', (payment) => payment.refund),
  metadata: mutable('jsonb', (payment) => json(payment.metadata)),
  due_at: mutable('timestamptz', (payment) => payment.dueAt),
  paid_at: mutable('timestamptz', (payment) => payment.paidAt),
  created_at: column('timestamptz', (payment) => payment.createdAt),
});

const LINK_COLUMNS = PAYMENT_LINKS.columns('l');
const COLUMNS = PAYMENTS.columns('p');

const maybeId = (prefix: Prefix, uuid: unknown) => (uuid === null ? null : idOf(prefix, uuid as string));

export function paymentLinkFrom(row: Row): PaymentLink {
  return {
    object: 'payment_link',
    id: idOf('plink', row['id'] as string),
    token: row['token'] as string,
    url: row['url'] as string,
    account: idOf('acct', row['account_id'] as string),
    currency: row['currency'] as string,
    amount: row['amount'] as bigint | null,
    minimum: row['minimum'] as bigint | null,
    maximum: row['maximum'] as bigint | null,
    reusable: row['reusable'] as boolean,
    maxPayments: row['max_payments'] as number | null,
    status: row['status'] as PaymentLink['status'],
    paymentsCount: row['payments_count'] as number,
    openCount: row['open_count'] as number,
    received: row['received'] as bigint,
    description: row['description'] as string | null,
    reference: row['reference'] as string | null,
    customerEmail: row['customer_email'] as string | null,
    redirectUrl: row['redirect_url'] as string | null,
    message: row['message'] as string | null,
    metadata: JSON.parse(row['metadata'] as string) as Metadata,
    expiresAt: row['expires_at'] as number | null,
    endedAt: row['ended_at'] as number | null,
    createdAt: row['created_at'] as number,
  };
}

export function paymentFrom(row: Row): Payment {
  return {
    object: 'payment',
    id: idOf('pay', row['id'] as string),
    link: idOf('plink', row['link_id'] as string),
    token: row['token'] as string | null,
    reference: row['reference'] as string,
    account: idOf('acct', row['account_id'] as string),
    method: row['method'] as Payment['method'],
    currency: row['currency'] as string,
    amount: row['amount'] as bigint,
    received: row['received'] as bigint,
    refunded: row['refunded'] as bigint,
    status: row['status'] as Payment['status'],
    duplicateOf: maybeId('pay', row['duplicate_of']),
    failureCode: row['failure_code'] as Payment['failureCode'],
    payerName: row['payer_name'] as string | null,
    payerIban: row['payer_iban'] as string | null,
    session: row['session'] as string | null,
    transfer: maybeId('trf', row['transfer_id']),
    refund: maybeId('po', row['refund_id']),
    metadata: JSON.parse(row['metadata'] as string) as Metadata,
    dueAt: row['due_at'] as number | null,
    paidAt: row['paid_at'] as number | null,
    createdAt: row['created_at'] as number,
  };
}

export const loadPaymentLinks = keyed('payment_links', LINK_COLUMNS, 'l');
export const loadPayments = keyed('payments', COLUMNS, 'p');

const LINK_OF = `CROSS JOIN LATERAL (SELECT * FROM payment_links l
        WHERE l.environment_id = k.environment_id AND l.id = p.link_id LIMIT 1) AS l`;
const PAYMENT = `CROSS JOIN LATERAL (SELECT * FROM payments p
        WHERE p.environment_id = k.environment_id AND p.id = k.id LIMIT 1) AS p`;

function byKey(name: string, text: string): (keys: readonly Key[]) => Statement {
  return (keys) => ({
    name,
    text: text.replace('%', `${KEYS} AS k`),
    values: [uuids(keys.map((key) => key.environmentId)), uuids(keys.map((key) => key.id))],
  });
}

/** The links that payments are made through. */
export const loadLinksOfPayments = byKey(
  'load_links_of_payments',
  `SELECT ${LINK_COLUMNS} FROM % ${PAYMENT} ${LINK_OF}`,
);

/** The payment that each of these links waits for; of a link for one payment there is at most one. */
export const loadWaitingPayments = byKey(
  'load_waiting_payments',
  `SELECT ${COLUMNS} FROM %
      CROSS JOIN LATERAL (SELECT * FROM payments p
        WHERE p.environment_id = k.environment_id AND p.link_id = k.id AND p.status IN ('pending', 'partially_paid')
          AND p.failure_code IS NULL AND p.refund_id IS NULL
        ORDER BY p.environment_id, p.link_id, p.id LIMIT 1) AS p`,
);

/** The payments that payouts refund. */
export const loadPaymentsOfPayouts = byKey(
  'load_payments_of_payouts',
  `SELECT ${COLUMNS} FROM %
      CROSS JOIN LATERAL (SELECT * FROM payouts o
        WHERE o.environment_id = k.environment_id AND o.id = k.id LIMIT 1) AS o
      CROSS JOIN LATERAL (SELECT * FROM payments p
        WHERE p.environment_id = k.environment_id AND p.id = o.refund_of LIMIT 1) AS p`,
);

/** What was booked of acquirers' sessions: at most one payment each. */
export function loadPaymentsOfSessions(
  wanted: readonly { readonly environmentId: string; readonly session: string }[],
): Statement {
  return {
    name: 'load_payments_of_sessions',
    text: `SELECT ${COLUMNS} FROM ${unnest({ environment_id: 'uuid', session: 'text' })} AS k
      CROSS JOIN LATERAL (SELECT * FROM payments p
        WHERE p.environment_id = k.environment_id AND p.session = k.session
        ORDER BY p.environment_id, p.session, p.id LIMIT 2) AS p`,
    values: [uuids(wanted.map((want) => want.environmentId)), texts(wanted.map((want) => want.session))],
  };
}

/** What page tokens of new links and payments open. */
export function insertTokens(rows: readonly Scoped<PaymentLink | Payment>[]): Statement {
  const tokens = rows.filter(({ object }) => object.token !== null);
  return {
    name: 'insert_payment_tokens',
    text: `INSERT INTO payment_tokens (token, environment_id, link_id, payment_id)
      SELECT * FROM ${unnest({ token: 'text', environment_id: 'uuid', link_id: 'uuid', payment_id: 'uuid' })} AS v`,
    values: [
      texts(tokens.map(({ object }) => object.token)),
      uuids(tokens.map(({ environmentId }) => environmentId)),
      uuids(tokens.map(({ object }) => (object.object === 'payment' ? object.link : object.id))),
      uuids(tokens.map(({ object }) => (object.object === 'payment' ? object.id : null))),
    ],
  };
}
