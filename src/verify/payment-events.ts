/** The checks of what events say of payment links and payments. With the others: `verify.ts`. */
import { broken, type Check, KEPT_SINCE } from './check.ts';

const PAYMENT = { environment: 'p.environment_id', prefix: "'pay'", id: 'p.id', name: 'p.status' };
const LINK = { environment: 'l.environment_id', prefix: "'plink'", id: 'l.id', name: 'l.status' };
const EVENT = {
  environment: 'e.environment_id',
  prefix: "'evt'",
  id: 'e.id',
  name: "e.type || ', sequence ' || e.sequence",
};

export const PAYMENT_EVENT_CHECKS: readonly Check[] = [
  {
    kind: 'event',
    rule: 'a payment has one event for how it began, one for being paid, and one for each refund',
    sql: `WITH said AS (SELECT environment_id, object_id, count(*) FILTER (WHERE type = 'payment.pending') AS pending, count(*) FILTER (WHERE type = 'payment.duplicate') AS duplicate,
        count(*) FILTER (WHERE type = 'payment.succeeded') AS succeeded, count(*) FILTER (WHERE type = 'payment.failed') AS failed,
        count(*) FILTER (WHERE type = 'payment.refunded' AND created_at >= ${KEPT_SINCE}) AS refunded FROM events WHERE type LIKE 'payment.%' GROUP BY 1, 2),
      taken AS (SELECT environment_id, refund_of, count(*) AS times FROM payouts WHERE refund_of IS NOT NULL AND created_at >= ${KEPT_SINCE} GROUP BY 1, 2),
      compared AS (SELECT p.*, coalesce(s.pending, 0) AS pending, coalesce(s.duplicate, 0) AS duplicate, coalesce(s.succeeded, 0) AS succeeded, coalesce(s.failed, 0) AS failed,
        coalesce(s.refunded, 0) AS refunds, coalesce(o.times, 0) AS taken, (p.duplicate_of IS NULL AND p.received >= p.amount)::int AS was_paid
        FROM payments p LEFT JOIN said s ON s.environment_id = p.environment_id AND s.object_id = p.id
        LEFT JOIN taken o ON o.environment_id = p.environment_id AND o.refund_of = p.id)
      SELECT ${broken({ ...PAYMENT, expected: "'one event for how it began, ' || was_paid || ' for being paid, ' || taken || ' for refunds'", found: "(pending + duplicate) || ', ' || succeeded || ', ' || refunds || CASE WHEN status = 'failed' THEN ', ' || failed || ' for its failure' ELSE '' END" })} FROM compared p
      WHERE pending > (duplicate_of IS NULL)::int OR duplicate > (duplicate_of IS NOT NULL)::int OR succeeded > was_paid OR failed > 1 OR refunds <> taken
        OR (created_at >= ${KEPT_SINCE} AND pending + duplicate = 0) OR (paid_at >= ${KEPT_SINCE} AND succeeded < was_paid)
        OR (created_at >= ${KEPT_SINCE} AND status = 'failed' AND failed = 0)`,
  },
  {
    kind: 'event',
    rule: 'the newest event of a payment says what it is',
    sql: `SELECT ${broken({ ...PAYMENT, expected: "p.status || ', ' || p.method || ', ' || p.received || ' received, ' || p.refunded || ' refunded'", found: "concat_ws(', ', e.object ->> 'status', e.object ->> 'method', (e.object ->> 'amount_received_minor') || ' received', (e.object ->> 'amount_refunded_minor') || ' refunded') || ', in ' || e.type" })}
      FROM payments p JOIN (SELECT DISTINCT ON (environment_id, object_id) environment_id, object_id, type, object::jsonb AS object FROM events
        WHERE type LIKE 'payment.%' ORDER BY environment_id, object_id, sequence DESC) AS e ON e.environment_id = p.environment_id AND e.object_id = p.id
      WHERE (e.object ->> 'status', e.object ->> 'method', (e.object ->> 'amount_received_minor')::bigint, (e.object ->> 'amount_refunded_minor')::bigint)
        IS DISTINCT FROM (p.status, p.method, p.received, p.refunded)`,
  },
  {
    kind: 'event',
    rule: 'a link has one event for being created and one for how it ended',
    sql: `WITH said AS (SELECT environment_id, object_id, count(*) FILTER (WHERE type = 'payment_link.created') AS created, count(*) FILTER (WHERE type = 'payment_link.completed') AS completed,
        count(*) FILTER (WHERE type = 'payment_link.expired') AS expired, count(*) FILTER (WHERE type = 'payment_link.canceled') AS canceled FROM events WHERE type LIKE 'payment\\_link.%' GROUP BY 1, 2),
      compared AS (SELECT l.*, coalesce(s.created, 0) AS created,
        coalesce(CASE l.status WHEN 'active' THEN 1 WHEN 'completed' THEN s.completed WHEN 'expired' THEN s.expired WHEN 'canceled' THEN s.canceled END, 0) AS ended
        FROM payment_links l LEFT JOIN said s ON s.environment_id = l.environment_id AND s.object_id = l.id)
      SELECT ${broken({ ...LINK, expected: "'one event payment_link.created and one for ' || l.status", found: "created || ' and ' || ended" })} FROM compared l
      WHERE created > 1 OR ended > 1 OR (l.created_at >= ${KEPT_SINCE} AND created = 0) OR (coalesce(l.ended_at, l.created_at) >= ${KEPT_SINCE} AND ended = 0)`,
  },
  {
    kind: 'event',
    rule: 'what an event says of links and payments is there',
    sql: `SELECT ${broken({ ...EVENT, expected: "'plink:' || e.object_id", found: "'no such payment link'" })} FROM events e
      LEFT JOIN payment_links o ON o.environment_id = e.environment_id AND o.id = e.object_id WHERE e.type LIKE 'payment\\_link.%' AND o.id IS NULL
      UNION ALL SELECT ${broken({ ...EVENT, expected: "'pay:' || e.object_id", found: "'no such payment'" })} FROM events e
      LEFT JOIN payments o ON o.environment_id = e.environment_id AND o.id = e.object_id WHERE e.type LIKE 'payment.%' AND o.id IS NULL`,
  },
];
