/**
 * What must hold of payment links and payments, as rows and from nothing but rows: a part of the auditor of tests. Every
 * sum and count is taken again from transfers, payouts and payments. Who runs it: `audit.ts`.
 */
import type { Check } from './audit.ts';

const KEPT = "status NOT IN ('failed', 'canceled', 'returned')";
/** Waited for: it takes a place of its link. What failed or was refunded from has given its own up. */
const OPEN = "p.status IN ('pending', 'partially_paid') AND p.failure_code IS NULL AND p.refund_id IS NULL";

export const PAYMENT_CHECKS: readonly Check[] = [
  {
    rule: 'a payment received what its transfers brought to its account, and nothing is below zero',
    sql: `SELECT p.id, p.received, coalesce(sum(t.amount), 0)::text AS moved FROM payments p
      LEFT JOIN transfers t ON t.environment_id = p.environment_id AND t.cause = 'payment' AND t.cause_id = p.id
      GROUP BY p.environment_id, p.id, p.received, p.account_id, p.currency
      HAVING p.received <> coalesce(sum(t.amount), 0) OR p.received < 0
      OR bool_or((t.credit_account, t.currency) IS DISTINCT FROM (p.account_id, p.currency)) FILTER (WHERE t.id IS NOT NULL)`,
  },
  {
    rule: 'a payment transfer belongs to a payment, which names its newest',
    sql: `SELECT t.id, t.cause_id FROM transfers t
      LEFT JOIN payments p ON p.environment_id = t.environment_id AND p.id = t.cause_id
      WHERE t.cause = 'payment' AND (p.id IS NULL OR t.id > p.transfer_id OR t.debit_account::text NOT LIKE '00000000-0000-8000-8000-000001%')
      UNION ALL SELECT p.transfer_id, p.id FROM payments p WHERE p.transfer_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM transfers t WHERE t.environment_id = p.environment_id AND t.id = p.transfer_id AND t.cause_id = p.id)`,
  },
  {
    rule: 'a payment refunded what its payouts took and did not bring back',
    sql: `SELECT p.id, p.refunded, coalesce(sum(o.amount), 0)::text AS paid_out FROM payments p
      LEFT JOIN payouts o ON o.environment_id = p.environment_id AND o.refund_of = p.id AND o.${KEPT}
      GROUP BY p.environment_id, p.id, p.refunded, p.received
      HAVING p.refunded <> coalesce(sum(o.amount), 0) OR p.refunded NOT BETWEEN 0 AND p.received`,
  },
  {
    rule: 'a refund is of a payment, from its account, and the payment names the newest',
    sql: `SELECT o.id, o.refund_of FROM payouts o
      LEFT JOIN payments p ON p.environment_id = o.environment_id AND p.id = o.refund_of
      WHERE o.refund_of IS NOT NULL AND ((o.account_id, o.currency) IS DISTINCT FROM (p.account_id, p.currency)
        OR p.refund_id IS NULL OR o.id > p.refund_id)
      UNION ALL SELECT p.refund_id, p.id FROM payments p WHERE p.refund_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM payouts o WHERE o.environment_id = p.environment_id AND o.id = p.refund_id AND o.refund_of = p.id)`,
  },
  {
    rule: 'what the accounts of payments hold of them is what came less what went back',
    sql: `WITH held AS (SELECT environment_id, account_id, sum(received - refunded) AS amount FROM payments GROUP BY 1, 2),
      moved AS (SELECT environment_id, account_id, sum(amount) AS amount FROM (
        SELECT environment_id, credit_account AS account_id, amount FROM transfers WHERE cause = 'payment'
        UNION ALL SELECT environment_id, account_id, -amount FROM payouts WHERE refund_of IS NOT NULL AND ${KEPT}) AS m GROUP BY 1, 2)
      SELECT environment_id, account_id, held.amount::text AS held, moved.amount::text AS moved
      FROM held FULL JOIN moved USING (environment_id, account_id) WHERE coalesce(held.amount, 0) <> coalesce(moved.amount, 0)`,
  },
  {
    rule: 'a payment has the status of its sums',
    sql: `SELECT id, status, amount, received, refunded FROM payments WHERE status <> CASE
      WHEN received > 0 AND refunded = received THEN 'refunded'
      WHEN received > 0 AND duplicate_of IS NOT NULL THEN 'duplicate'
      WHEN received > amount THEN 'overpaid' WHEN received = amount THEN 'succeeded' WHEN received > 0 THEN 'partially_paid'
      WHEN failure_code IS NOT NULL THEN 'failed' ELSE 'pending' END
      OR (paid_at IS NOT NULL) <> (received >= amount) OR (due_at IS NOT NULL) <> (status = 'pending')`,
  },
  {
    rule: 'a link counts its payments',
    sql: `SELECT l.id, l.payments_count, l.open_count, l.received FROM payment_links l
      LEFT JOIN payments p ON p.environment_id = l.environment_id AND p.link_id = l.id
      GROUP BY l.environment_id, l.id, l.payments_count, l.open_count, l.received
      HAVING l.payments_count <> count(p.id) FILTER (WHERE p.duplicate_of IS NULL AND p.received >= p.amount)
      OR l.open_count <> count(p.id) FILTER (WHERE ${OPEN}) OR l.received <> coalesce(sum(p.received), 0)`,
  },
  {
    rule: 'a link for one payment waits for one at the most',
    sql: `SELECT l.id FROM payment_links l JOIN payments p ON p.environment_id = l.environment_id AND p.link_id = l.id
      WHERE NOT l.reusable AND ${OPEN} GROUP BY l.environment_id, l.id HAVING count(*) > 1`,
  },
  {
    rule: 'a link is completed exactly when it has all the payments it asks for',
    sql: `SELECT id, status, payments_count FROM (
        SELECT *, CASE WHEN reusable THEN max_payments ELSE 1 END AS most FROM payment_links) AS l
      WHERE (status = 'completed') <> (most IS NOT NULL AND payments_count >= most)`,
  },
  {
    rule: 'a payment is of its link: account, currency, and the amount if that is fixed',
    sql: `SELECT p.id FROM payments p LEFT JOIN payment_links l ON l.environment_id = p.environment_id AND l.id = p.link_id
      WHERE (p.account_id, p.currency) IS DISTINCT FROM (l.account_id, l.currency) OR p.duplicate_of IS NULL AND (
        p.amount <> l.amount OR p.amount < l.minimum OR p.amount > l.maximum)`,
  },
  {
    rule: 'a duplicate is of a payment of its link that no more money was expected for',
    sql: `SELECT d.id FROM payments d
      LEFT JOIN payments p ON p.environment_id = d.environment_id AND p.id = d.duplicate_of AND p.link_id = d.link_id
      WHERE d.duplicate_of IS NOT NULL AND (p.id IS NULL OR p.duplicate_of IS NOT NULL OR p.reference <> d.reference
        OR d.received <> d.amount OR (p.received < p.amount AND p.refund_id IS NULL))`,
  },
  {
    rule: 'the money of an acquirer’s session is booked once',
    sql: `SELECT session, count(*) AS times FROM payments WHERE session IS NOT NULL AND method = 'card' AND received > 0
      GROUP BY environment_id, session HAVING count(*) > 1`,
  },
  {
    rule: 'a payment has one event for how it began, one for being paid, and one for each refund',
    sql: `SELECT p.id, p.status FROM payments p LEFT JOIN events e ON e.environment_id = p.environment_id AND e.object_id = p.id
      GROUP BY p.environment_id, p.id, p.status, p.duplicate_of, p.received, p.amount
      HAVING count(e.id) FILTER (WHERE e.type = 'payment.pending') <> CASE WHEN p.duplicate_of IS NULL THEN 1 ELSE 0 END
      OR count(e.id) FILTER (WHERE e.type = 'payment.duplicate') <> CASE WHEN p.duplicate_of IS NULL THEN 0 ELSE 1 END
      OR count(e.id) FILTER (WHERE e.type = 'payment.succeeded') <> CASE WHEN p.duplicate_of IS NULL AND p.received >= p.amount THEN 1 ELSE 0 END
      OR count(e.id) FILTER (WHERE e.type = 'payment.refunded') <> (
        SELECT count(*) FROM payouts o WHERE o.environment_id = p.environment_id AND o.refund_of = p.id)
      OR count(e.id) FILTER (WHERE e.type = 'payment.failed') > 1
      OR (p.status = 'failed' AND 0 = count(e.id) FILTER (WHERE e.type = 'payment.failed'))`,
  },
  {
    rule: 'the newest event of a payment says what it is',
    sql: `SELECT p.id, p.status, e.type FROM payments p JOIN LATERAL (SELECT type, object::jsonb AS object FROM events e
        WHERE e.environment_id = p.environment_id AND e.object_id = p.id ORDER BY e.sequence DESC LIMIT 1) AS e ON true
      WHERE (e.object ->> 'status', e.object ->> 'method', (e.object ->> 'amount_received_minor')::bigint, (e.object ->> 'amount_refunded_minor')::bigint)
        IS DISTINCT FROM (p.status, p.method, p.received, p.refunded)`,
  },
  {
    rule: 'a link has one event for being created and one for how it ended',
    sql: `SELECT l.id, l.status FROM payment_links l LEFT JOIN events e ON e.environment_id = l.environment_id AND e.object_id = l.id
      GROUP BY l.environment_id, l.id, l.status HAVING 1 <> count(e.id) FILTER (WHERE e.type = 'payment_link.created')
      OR 1 <> count(e.id) FILTER (WHERE e.type = CASE l.status WHEN 'active' THEN 'payment_link.created' ELSE 'payment_link.' || l.status END)`,
  },
  {
    rule: 'what an event says of links and payments is there',
    sql: `SELECT e.sequence, e.type FROM events e WHERE
      (e.type LIKE 'payment_link.%' AND NOT EXISTS (SELECT FROM payment_links o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))
      OR (e.type LIKE 'payment.%' AND NOT EXISTS (SELECT FROM payments o WHERE o.environment_id = e.environment_id AND o.id = e.object_id))`,
  },
  {
    rule: 'a token opens its link or payment, and each that has a page has its token',
    // Only the server can tell which token a blind index is of: test/at-rest.test.ts opens the pages.
    sql: `WITH pages AS (
        SELECT environment_id, id AS link_id, NULL::uuid AS payment_id FROM payment_links
        UNION ALL SELECT environment_id, link_id, id FROM payments WHERE token IS NOT NULL)
      SELECT coalesce(t.link_id, p.link_id) AS link, coalesce(t.payment_id, p.payment_id) AS payment
      FROM pages p FULL JOIN payment_tokens t ON t.environment_id = p.environment_id AND t.link_id = p.link_id
        AND coalesce(t.payment_id, t.link_id) = coalesce(p.payment_id, p.link_id)
      WHERE t.link_id IS NULL OR p.link_id IS NULL OR t.token !~ '^[A-Za-z0-9_-]{43}$'`,
  },
];
