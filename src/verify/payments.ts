/** The checks of payment links and payments, and of events about them. With the others: `verify.ts`. */
import { broken, checks, isHouse, KEPT_SINCE, rowOf, EVENT } from './check.ts';

/** What payouts of refunds took, and did not bring back; one that came back may have done so in part. */
const REFUNDS = `refunds AS (SELECT p.environment_id, p.account_id, p.refund_of, p.amount - CASE WHEN p.status IN ('failed', 'canceled') THEN p.amount
      WHEN p.status = 'returned' THEN coalesce(p.amount_returned, 0) ELSE 0 END AS amount
    FROM payouts p WHERE p.refund_of IS NOT NULL)`;
/** A payment that is waited for takes a place of its link. One that failed or was refunded has given it up. */
const OPEN = "p.status IN ('pending', 'partially_paid') AND p.failure_code IS NULL AND p.refund_id IS NULL";
const PAYMENT = rowOf('p', 'pay', 'p.status');
const LINK = rowOf('l', 'plink', 'l.status');
/** By the sums alone. */
const STATUS = `CASE
  WHEN p.received > 0 AND p.refunded = p.received THEN 'refunded'
  WHEN p.received > p.amount THEN 'overpaid' WHEN p.received = p.amount THEN 'succeeded' WHEN p.received > 0 THEN 'partially_paid'
  WHEN p.failure_code IS NOT NULL THEN 'failed' ELSE 'pending' END`;

/** Of the bank in general, of one that is known, or what waited for a place. */
const FROM_OUTSIDE = `${isHouse('t.debit_account', 'bank')} OR ${isHouse('t.debit_account', 'unmatched')} OR EXISTS (
        SELECT FROM bank_accounts b WHERE b.environment_id = t.environment_id AND b.id = t.debit_account)`;

/** What a transfer of a payment brought to its account; what was taken back left it. */
const SIGNED = "CASE cause WHEN 'payment' THEN amount ELSE -amount END";
const PARTY = "CASE cause WHEN 'payment' THEN credit_account ELSE debit_account END";

export const PAYMENT_CHECKS = [
  ...checks('payment', {
    'a payment received what its transfers brought to its account, and nothing is below zero': `WITH brought AS (SELECT environment_id, cause_id, sum(${SIGNED}) AS amount, min(${PARTY}::text) AS least, max(${PARTY}::text) AS most, min(currency) AS one, max(currency) AS other
        FROM transfers WHERE cause IN ('payment', 'payment_void') GROUP BY 1, 2)
      SELECT ${broken({ ...PAYMENT, expected: "coalesce(b.amount, 0) || ' ' || p.currency || ' received, on its account'", found: "p.received || CASE WHEN b.least <> p.account_id::text OR b.most <> p.account_id::text THEN ', and transfers to another account' ELSE '' END" })}
      FROM payments p LEFT JOIN brought b ON b.environment_id = p.environment_id AND b.cause_id = p.id
      WHERE p.received <> coalesce(b.amount, 0) OR p.received < 0 OR b.least <> p.account_id::text OR b.most <> p.account_id::text OR b.one <> p.currency OR b.other <> p.currency`,
  }),
  ...checks('transfer', {
    'a payment transfer belongs to a payment, which names its newest': `SELECT ${broken({ ...rowOf('t', 'trf', 't.cause'), expected: "'a payment, from the bank'", found: "CASE WHEN p.id IS NULL THEN 'no such payment' WHEN t.id > p.transfer_id THEN 'the payment names an older one' ELSE 'a debit of another account' END" })}
      FROM transfers t LEFT JOIN payments p ON p.environment_id = t.environment_id AND p.id = t.cause_id
      WHERE t.cause = 'payment' AND (p.id IS NULL OR t.id > p.transfer_id OR NOT (${FROM_OUTSIDE}))
      UNION ALL SELECT ${broken({ ...PAYMENT, expected: "'its newest transfer, trf:' || p.transfer_id", found: "'no such transfer'" })}
      FROM payments p LEFT JOIN transfers t ON t.environment_id = p.environment_id AND t.id = p.transfer_id AND t.cause_id = p.id
      WHERE p.transfer_id IS NOT NULL AND t.id IS NULL`,
    'what was taken back from a payment had come to it, and went to unmatched': `WITH came AS (SELECT environment_id, cause_id, amount, count(*) AS times FROM transfers WHERE cause = 'payment' GROUP BY 1, 2, 3),
      back AS (SELECT environment_id, cause_id, amount, count(*) AS times, bool_and(${isHouse('credit_account', 'unmatched')}) AS is_out, max(id::text)::uuid AS newest FROM transfers WHERE cause = 'payment_void' GROUP BY 1, 2, 3)
      SELECT ${broken({ environment: 'b.environment_id', prefix: "'trf'", id: 'b.newest', name: "'payment_void'", expected: "coalesce(c.times, 0) || ' of ' || b.amount || ' at most, to house:unmatched'", found: "b.times || CASE WHEN b.is_out THEN '' ELSE ', to another account' END" })}
      FROM back b LEFT JOIN came c ON c.environment_id = b.environment_id AND c.cause_id = b.cause_id AND c.amount = b.amount
      WHERE b.times > coalesce(c.times, 0) OR NOT b.is_out`,
  }),
  ...checks('payment', {
    'a payment refunded what its payouts took and did not bring back': `WITH ${REFUNDS}, taken AS (SELECT environment_id, refund_of, sum(amount) AS amount FROM refunds GROUP BY 1, 2)
      SELECT ${broken({ ...PAYMENT, expected: "coalesce(o.amount, 0) || ' refunded, of ' || p.received || ' at most'", found: 'p.refunded' })}
      FROM payments p LEFT JOIN taken o ON o.environment_id = p.environment_id AND o.refund_of = p.id
      WHERE p.refunded <> coalesce(o.amount, 0) OR p.refunded NOT BETWEEN 0 AND p.received`,
    'a refund is of a payment, from its account, and the payment names the newest': `SELECT ${broken({ ...rowOf('o', 'po', 'o.status'), expected: "'a payment that it refunds, of the same account'", found: "CASE WHEN p.id IS NULL THEN 'no such payment' WHEN p.refund_id IS NULL OR o.id > p.refund_id THEN 'a payment that does not name it' ELSE 'one of another account' END" })}
      FROM payouts o LEFT JOIN payments p ON p.environment_id = o.environment_id AND p.id = o.refund_of
      WHERE o.refund_of IS NOT NULL AND ((o.account_id, o.currency) IS DISTINCT FROM (p.account_id, p.currency) OR p.refund_id IS NULL OR o.id > p.refund_id)
      UNION ALL SELECT ${broken({ ...PAYMENT, expected: "'its refund, po:' || p.refund_id", found: "'no such payout'" })}
      FROM payments p LEFT JOIN payouts o ON o.environment_id = p.environment_id AND o.id = p.refund_id AND o.refund_of = p.id
      WHERE p.refund_id IS NOT NULL AND o.id IS NULL`,
    'what the accounts of payments hold of them is what came less what went back': `WITH ${REFUNDS}, held AS (SELECT environment_id, account_id, sum(received - refunded) AS amount FROM payments GROUP BY 1, 2),
      moved AS (SELECT environment_id, account_id, sum(amount) AS amount FROM (
        SELECT environment_id, ${PARTY} AS account_id, ${SIGNED} AS amount FROM transfers WHERE cause IN ('payment', 'payment_void')
        UNION ALL SELECT environment_id, account_id, -amount FROM refunds) AS m GROUP BY 1, 2)
      SELECT ${broken({ environment: 'environment_id', prefix: "'acct'", id: 'account_id', expected: "coalesce(moved.amount, 0) || ' by transfers and refunds'", found: "coalesce(held.amount, 0) || ' by its payments'" })}
      FROM held FULL JOIN moved USING (environment_id, account_id) WHERE coalesce(held.amount, 0) <> coalesce(moved.amount, 0)`,
    'a payment has the status of its sums': `SELECT ${broken({ ...PAYMENT, expected: STATUS, found: "p.status || CASE WHEN (p.paid_at IS NOT NULL) <> (p.received >= p.amount) THEN ', with a wrong paid_at' WHEN (p.due_at IS NOT NULL) <> (p.status = 'pending') THEN ', with a wrong due_at' ELSE '' END" })}
      FROM payments p WHERE p.status <> ${STATUS} OR (p.paid_at IS NOT NULL) <> (p.received >= p.amount) OR (p.due_at IS NOT NULL) <> (p.status = 'pending')`,
    'a link counts its payments': `WITH counted AS (SELECT p.environment_id, p.link_id, count(*) FILTER (WHERE p.duplicate_of IS NULL AND p.received >= p.amount) AS paid,
        count(*) FILTER (WHERE ${OPEN}) AS open, sum(p.received) AS received FROM payments p GROUP BY 1, 2)
      SELECT ${broken({ ...LINK, expected: "coalesce(c.paid, 0) || ' paid, ' || coalesce(c.open, 0) || ' open, ' || coalesce(c.received, 0) || ' received'", found: "l.payments_count || ' paid, ' || l.open_count || ' open, ' || l.received || ' received'" })}
      FROM payment_links l LEFT JOIN counted c ON c.environment_id = l.environment_id AND c.link_id = l.id
      WHERE l.payments_count <> coalesce(c.paid, 0) OR l.open_count <> coalesce(c.open, 0) OR l.received <> coalesce(c.received, 0)`,
    'a link for one payment waits for one at the most': `SELECT ${broken({ ...LINK, expected: "'one open payment at the most'", found: 'count(*)' })}
      FROM payment_links l JOIN payments p ON p.environment_id = l.environment_id AND p.link_id = l.id
      WHERE NOT l.reusable AND ${OPEN} GROUP BY l.environment_id, l.id HAVING count(*) > 1`,
    'a link is completed exactly when it has all the payments it asks for': `SELECT ${broken({ ...LINK, expected: "coalesce('completed with ' || l.most || ' payments', 'never completed')", found: "l.status || ' with ' || l.payments_count" })}
      FROM (SELECT *, CASE WHEN reusable THEN max_payments ELSE 1 END AS most FROM payment_links) AS l
      WHERE (l.status = 'completed') <> (l.most IS NOT NULL AND l.payments_count >= l.most)`,
    'a payment is of its link: account, currency, and the amount if that is fixed': `SELECT ${broken({ ...PAYMENT, expected: "'account, currency and amount of its link'", found: "CASE WHEN l.id IS NULL THEN 'no such link' WHEN p.account_id <> l.account_id OR p.currency <> l.currency THEN 'another account or currency' ELSE 'amount ' || p.amount END" })}
      FROM payments p LEFT JOIN payment_links l ON l.environment_id = p.environment_id AND l.id = p.link_id
      WHERE (p.account_id, p.currency) IS DISTINCT FROM (l.account_id, l.currency)
        OR (p.duplicate_of IS NULL AND (p.amount <> l.amount OR p.amount < l.minimum OR p.amount > l.maximum))`,
    'a duplicate is of a payment of its link that no more money was expected for': `SELECT ${broken({ ...rowOf('d', 'pay', 'd.status'), expected: "'a duplicate of a paid payment of its link'", found: "CASE WHEN p.id IS NULL THEN 'no such payment' ELSE 'one that does not fit' END" })}
      FROM payments d LEFT JOIN payments p ON p.environment_id = d.environment_id AND p.id = d.duplicate_of AND p.link_id = d.link_id
      WHERE d.duplicate_of IS NOT NULL AND (p.id IS NULL OR p.duplicate_of IS NOT NULL OR p.reference <> d.reference
        OR (d.received <> d.amount AND NOT (d.received = 0 AND d.status = 'failed'))
        OR (p.received < p.amount AND p.refund_id IS NULL AND NOT EXISTS (
          SELECT FROM transfers t WHERE t.environment_id = p.environment_id AND t.cause_id = p.id AND t.cause = 'payment_void')))`,
    'the money of an acquirer’s session is booked once': `SELECT ${broken({ ...PAYMENT, expected: "'the only payment of its session'", found: 'p.times' })}
      FROM (SELECT *, count(*) OVER (PARTITION BY environment_id, session) AS times FROM payments WHERE session IS NOT NULL AND method = 'card' AND received > 0) AS p
      WHERE p.times > 1`,
    // Only the server can tell which token a blind index is of: test/long/at-rest.test.ts opens the pages.
    'a token opens its link or payment, and each that has a page has its token': `WITH pages AS (
        SELECT environment_id, id AS link_id, NULL::uuid AS payment_id FROM payment_links
        UNION ALL SELECT environment_id, link_id, id FROM payments WHERE token IS NOT NULL)
      SELECT ${broken({ environment: 'coalesce(t.environment_id, p.environment_id)', prefix: "CASE WHEN coalesce(t.payment_id, p.payment_id) IS NULL THEN 'plink' ELSE 'pay' END", id: 'coalesce(t.payment_id, p.payment_id, t.link_id, p.link_id)', expected: "'one look-up of its page'", found: "CASE WHEN t.link_id IS NULL THEN 'none' WHEN p.link_id IS NULL THEN 'one of a page that is not there' ELSE 'a malformed one' END" })}
      FROM pages p FULL JOIN payment_tokens t ON t.environment_id = p.environment_id AND t.link_id = p.link_id
        AND coalesce(t.payment_id, t.link_id) = coalesce(p.payment_id, p.link_id)
      WHERE t.link_id IS NULL OR p.link_id IS NULL OR t.token !~ '^[A-Za-z0-9_-]{43}$'`,
  }),
];

/** Where money of a payment was taken back last (`taken`), and where it was not paid any more then (`unpaid`). */
const LESS = `less AS (SELECT environment_id, object_id, max(sequence) AS taken, max(sequence) FILTER (WHERE before >= asked AND now < asked) AS unpaid
    FROM (SELECT environment_id, object_id, sequence, (previous_attributes::jsonb ->> 'amount_received_minor')::bigint AS before,
        (object::jsonb ->> 'amount_received_minor')::bigint AS now, (object::jsonb ->> 'amount_minor')::bigint AS asked
      FROM events WHERE type IN ('payment.updated', 'payment.failed')) AS e
    WHERE now < before GROUP BY 1, 2)`;

/** The status that an event told. Duplicates once had a status of their own, and events stay as they were told. */
const STATUS_IN_EVENT = "CASE e.object ->> 'status' WHEN 'duplicate' THEN 'succeeded' ELSE e.object ->> 'status' END";

export const PAYMENT_EVENT_CHECKS = checks('event', {
  'a payment has one event for how it began, one for being paid, and one for each refund': `WITH ${LESS}, said AS (SELECT environment_id, object_id, count(*) FILTER (WHERE type = 'payment.pending') AS pending, count(*) FILTER (WHERE type = 'payment.duplicate') AS duplicate,
        count(*) FILTER (WHERE type = 'payment.succeeded' AND sequence > coalesce(l.unpaid, 0)) AS succeeded, count(*) FILTER (WHERE type = 'payment.failed' AND sequence >= coalesce(l.taken, 0)) AS failed,
        count(*) FILTER (WHERE type = 'payment.refunded' AND created_at >= ${KEPT_SINCE}) AS refunded FROM events LEFT JOIN less l USING (environment_id, object_id) WHERE type LIKE 'payment.%' GROUP BY 1, 2),
      taken AS (SELECT environment_id, refund_of, count(*) AS times FROM payouts WHERE refund_of IS NOT NULL AND created_at >= ${KEPT_SINCE} GROUP BY 1, 2),
      compared AS (SELECT p.*, coalesce(s.pending, 0) AS pending, coalesce(s.duplicate, 0) AS duplicate, coalesce(s.succeeded, 0) AS succeeded, coalesce(s.failed, 0) AS failed,
        coalesce(s.refunded, 0) AS refunds, coalesce(o.times, 0) AS taken, (p.duplicate_of IS NULL AND p.received >= p.amount)::int AS was_paid
        FROM payments p LEFT JOIN said s ON s.environment_id = p.environment_id AND s.object_id = p.id
        LEFT JOIN taken o ON o.environment_id = p.environment_id AND o.refund_of = p.id)
      SELECT ${broken({ ...PAYMENT, expected: "'one event for how it began, ' || was_paid || ' for being paid, ' || taken || ' for refunds'", found: "(pending + duplicate) || ', ' || succeeded || ', ' || refunds || CASE WHEN status = 'failed' THEN ', ' || failed || ' for its failure' ELSE '' END" })} FROM compared p
      WHERE pending > (duplicate_of IS NULL)::int OR duplicate > (duplicate_of IS NOT NULL)::int OR succeeded > was_paid OR failed > 1 OR refunds <> taken
        OR (created_at >= ${KEPT_SINCE} AND pending + duplicate = 0) OR (paid_at >= ${KEPT_SINCE} AND succeeded < was_paid)
        OR (created_at >= ${KEPT_SINCE} AND status = 'failed' AND failed = 0)`,
  'the newest event of a payment says what it is': `SELECT ${broken({ ...PAYMENT, expected: "p.status || ', ' || p.method || ', ' || p.received || ' received, ' || p.refunded || ' refunded'", found: "concat_ws(', ', e.object ->> 'status', e.object ->> 'method', (e.object ->> 'amount_received_minor') || ' received', (e.object ->> 'amount_refunded_minor') || ' refunded') || ', in ' || e.type" })}
      FROM payments p JOIN (SELECT DISTINCT ON (environment_id, object_id) environment_id, object_id, type, object::jsonb AS object FROM events
        WHERE type LIKE 'payment.%' ORDER BY environment_id, object_id, sequence DESC) AS e ON e.environment_id = p.environment_id AND e.object_id = p.id
      WHERE (${STATUS_IN_EVENT}, e.object ->> 'method', (e.object ->> 'amount_received_minor')::bigint, (e.object ->> 'amount_refunded_minor')::bigint)
        IS DISTINCT FROM (p.status, p.method, p.received, p.refunded)`,
  'a link has one event for being created and one for how it ended': `WITH reopened AS (SELECT environment_id, object_id, max(sequence) AS at FROM events
        WHERE type IN ('payment_link.updated', 'payment_link.expired') AND previous_attributes::jsonb ->> 'status' = 'completed' GROUP BY 1, 2),
      said AS (SELECT environment_id, object_id, count(*) FILTER (WHERE type = 'payment_link.created') AS created, count(*) FILTER (WHERE type = 'payment_link.completed' AND sequence > coalesce(o.at, 0)) AS completed,
        count(*) FILTER (WHERE type = 'payment_link.expired') AS expired, count(*) FILTER (WHERE type = 'payment_link.canceled') AS canceled
        FROM events LEFT JOIN reopened o USING (environment_id, object_id) WHERE type LIKE 'payment\\_link.%' GROUP BY 1, 2),
      compared AS (SELECT l.*, coalesce(s.created, 0) AS created,
        coalesce(CASE l.status WHEN 'active' THEN 1 WHEN 'completed' THEN s.completed WHEN 'expired' THEN s.expired WHEN 'canceled' THEN s.canceled END, 0) AS ended
        FROM payment_links l LEFT JOIN said s ON s.environment_id = l.environment_id AND s.object_id = l.id)
      SELECT ${broken({ ...LINK, expected: "'one event payment_link.created and one for ' || l.status", found: "created || ' and ' || ended" })} FROM compared l
      WHERE created > 1 OR ended > 1 OR (l.created_at >= ${KEPT_SINCE} AND created = 0) OR (coalesce(l.ended_at, l.created_at) >= ${KEPT_SINCE} AND ended = 0)`,
  'what an event says of links and payments is there': `SELECT ${broken({ ...EVENT, expected: "'plink:' || e.object_id", found: "'no such payment link'" })} FROM events e
      LEFT JOIN payment_links o ON o.environment_id = e.environment_id AND o.id = e.object_id WHERE e.type LIKE 'payment\\_link.%' AND o.id IS NULL
      UNION ALL SELECT ${broken({ ...EVENT, expected: "'pay:' || e.object_id", found: "'no such payment'" })} FROM events e
      LEFT JOIN payments o ON o.environment_id = e.environment_id AND o.id = e.object_id WHERE e.type LIKE 'payment.%' AND o.id IS NULL`,
});
