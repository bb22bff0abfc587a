/**
 * The checks of bank accounts, reports of banks and payment files; and of where that money goes: expected payments, rules for entries,
 * returns to the sender. With the others: `verify.ts`.
 */
import { broken, checks, isHouse, rowOf } from './check.ts';

/** Parts of entries that were not undone. */
const PARTS = `parts AS (
  SELECT e.environment_id, e.id AS entry, sum((a ->> 'amount')::int8) AS amount FROM bank_entries e
  CROSS JOIN LATERAL jsonb_array_elements(e.assignments) AS a WHERE a ->> 'undoneBy' IS NULL GROUP BY 1, 2),
entries AS (
  SELECT e.*, CASE WHEN direction = 'credit' THEN 1 ELSE -1 END AS sign,
    CASE WHEN status = 'voided' THEN 0 ELSE e.amount END - coalesce(p.amount, 0) AS unassigned
  FROM bank_entries e LEFT JOIN parts p ON p.environment_id = e.environment_id AND p.entry = e.id)`;

/** What moved bank accounts: their side pays what comes in and receives what goes out. */
const SIDES = `sides AS (SELECT environment_id, bank_account, sum(signed) AS amount FROM (
    SELECT t.environment_id, b.id AS bank_account, t.amount AS signed FROM transfers t
      JOIN bank_accounts b ON b.environment_id = t.environment_id AND b.id = t.debit_account
    UNION ALL SELECT t.environment_id, b.id, -t.amount FROM transfers t
      JOIN bank_accounts b ON b.environment_id = t.environment_id AND b.id = t.credit_account) AS s GROUP BY 1, 2),
reported AS (SELECT environment_id, bank_account_id AS bank_account, sum(CASE WHEN direction = 'credit' THEN amount ELSE -amount END) AS amount FROM bank_entries
  WHERE status <> 'voided' GROUP BY 1, 2)`;

/** An id as entries write it: a uuid in base 32 behind its prefix (TypeID: 130 bits, the first two are zero). */
const idText = (prefix: string, uuid: string): string =>
  `(SELECT '${prefix}_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(u.bits FROM 5 * n + 1 FOR 5)::bit(5)::int, 1), '' ORDER BY n)
    FROM (SELECT B'00' || ('x' || replace(${uuid}::text, '-', ''))::bit(128) AS bits) AS u, generate_series(0, 25) AS n)`;

const FILE = rowOf('f', 'pf', 'f.status');

export const BANK_CHECKS = [
  ...checks('bank', {
    'a bank account holds what its entries come to, and what its transfers come to': `WITH ${SIDES} SELECT ${broken({ ...rowOf('b', 'ba'), expected: "coalesce(r.amount, 0) || ' by its entries, ' || coalesce(s.amount, 0) || ' by its transfers'", found: 'b.balance' })}
      FROM bank_accounts b LEFT JOIN sides s ON s.environment_id = b.environment_id AND s.bank_account = b.id
      LEFT JOIN reported r ON r.environment_id = b.environment_id AND r.bank_account = b.id
      WHERE b.balance <> coalesce(r.amount, 0) OR b.balance <> coalesce(s.amount, 0)`,
    'what has no place yet lies in unmatched, and nothing else does': `WITH ${PARTS}, waiting AS (SELECT environment_id, currency, sum(sign * unassigned) AS amount FROM entries GROUP BY 1, 2),
      house AS (SELECT environment_id, currency, sum(CASE WHEN ${isHouse('credit_account', 'unmatched')} THEN amount ELSE -amount END) AS amount
        FROM transfers WHERE ${isHouse('debit_account', 'unmatched')} OR ${isHouse('credit_account', 'unmatched')} GROUP BY 1, 2)
      SELECT ${broken({ environment: 'environment_id', prefix: "'house:unmatched'", id: 'NULL::uuid', name: 'currency', expected: "coalesce(waiting.amount, 0) || ', what entries have without a place'", found: 'coalesce(house.amount, 0)' })}
      FROM waiting FULL JOIN house USING (environment_id, currency) WHERE coalesce(waiting.amount, 0) <> coalesce(house.amount, 0)`,
    'an entry is unmatched as long as a part of it has no place, and never gives more than it has': `WITH ${PARTS} SELECT ${broken({ environment: 'environment_id', prefix: "'be'", id: 'id', expected: "CASE WHEN status = 'voided' THEN 'no part' WHEN unassigned < 0 THEN 'parts of ' || amount || ' at most' WHEN unassigned > 0 THEN 'unmatched' ELSE 'matched' END", found: "status || ', parts of ' || (CASE WHEN status = 'voided' THEN 0 ELSE amount END - unassigned)" })}
      FROM entries WHERE (status = 'unmatched') <> (unassigned > 0) OR unassigned < 0`,
    'a voided entry was taken out once more than it was put back, and any other one as often': `WITH voids AS (SELECT environment_id, cause_id,
        sum(CASE cause WHEN 'bank_entry_void' THEN amount ELSE -amount END) AS amount FROM transfers WHERE cause IN ('bank_entry_void', 'bank_entry_unvoid') GROUP BY 1, 2)
      SELECT ${broken({ environment: 'coalesce(e.environment_id, v.environment_id)', prefix: "'be'", id: 'coalesce(e.id, v.cause_id)', name: 'e.status', expected: "CASE WHEN e.id IS NULL THEN 'an entry' WHEN e.status = 'voided' THEN e.amount || ' taken out' ELSE 'nothing taken out' END", found: "coalesce(v.amount, 0) || ' taken out'" })}
      FROM bank_entries e FULL JOIN voids v ON v.environment_id = e.environment_id AND v.cause_id = e.id
      WHERE coalesce(v.amount, 0) <> CASE WHEN e.status = 'voided' THEN e.amount ELSE 0 END OR e.id IS NULL`,
    'an entry has its statement and its bank account': `SELECT ${broken({ ...rowOf('e', 'be'), expected: "'its statement and its bank account'", found: "CASE WHEN b.id IS NULL THEN 'no such bank account' ELSE 'no such statement' END" })}
      FROM bank_entries e LEFT JOIN bank_accounts b ON b.environment_id = e.environment_id AND b.id = e.bank_account_id
      LEFT JOIN bank_statements s ON s.environment_id = e.environment_id AND s.id = e.statement_id WHERE b.id IS NULL OR s.id IS NULL`,
    'a statement counts its entries': `WITH counted AS (SELECT environment_id, statement_id, count(*) AS times FROM bank_entries WHERE kind = 'entry' GROUP BY 1, 2)
      SELECT ${broken({ ...rowOf('s', 'bs'), expected: "coalesce(c.times, 0) || ' new entries'", found: 's.new_count' })}
      FROM bank_statements s LEFT JOIN counted c ON c.environment_id = s.environment_id AND c.statement_id = s.id WHERE s.new_count <> coalesce(c.times, 0)`,
  }),
  ...checks('payment_file', {
    'a payment file counts what is claimed into it, and a sealed one has its bytes': `WITH claimed AS (SELECT i.environment_id, i.file_id, count(*) AS count, sum(p.amount) AS total, count(DISTINCT i.position) AS places
        FROM bank_instructions i JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id WHERE i.status = 'claimed' GROUP BY 1, 2)
      SELECT ${broken({ ...FILE, expected: "f.payouts_count || ' payouts, ' || f.total || ' together' || CASE WHEN f.sealed_at IS NULL THEN '' ELSE ', and its bytes' END", found: "coalesce(c.count, 0) || ' payouts in ' || coalesce(c.places, 0) || ' places, ' || coalesce(c.total, 0) || ' together' || CASE WHEN t.id IS NULL THEN ', no bytes' ELSE '' END" })}
      FROM payment_files f LEFT JOIN claimed c ON c.environment_id = f.environment_id AND c.file_id = f.id
      LEFT JOIN payment_file_contents t ON t.environment_id = f.environment_id AND t.id = f.id
      WHERE (f.status IN ('claiming', 'sealed') AND (f.payouts_count <> coalesce(c.count, 0) OR f.total <> coalesce(c.total, 0) OR c.places <> c.count))
        OR (f.status = 'abandoned' AND c.count > 0) OR (f.sealed_at IS NOT NULL) <> (t.id IS NOT NULL)`,
    'a sealed payment file has the hash that the audit log names': `SELECT ${broken({ ...FILE, expected: "coalesce(l.sha256, 'an entry in the audit log')", found: "coalesce(f.sha256, 'none')" })}
      FROM payment_files f LEFT JOIN LATERAL (SELECT a.details::jsonb ->> 'sha256' AS sha256 FROM audit_log a
        WHERE a.environment_id = f.environment_id AND a.subject = ${idText('pf', 'f.id')} AND a.action = 'payment_file.sealed'
        ORDER BY a.environment_id, a.subject, a.id DESC LIMIT 1) AS l ON true
      WHERE f.sealed_at IS NOT NULL AND f.sha256 IS DISTINCT FROM l.sha256`,
    'a payout in a payment file has left, and its file is there': `SELECT ${broken({ ...rowOf('i', 'po', 'p.status'), expected: "'a payout that has left, in its payment file'", found: "CASE WHEN p.id IS NULL THEN 'no such payout' WHEN f.id IS NULL THEN 'no such payment file' ELSE 'one that has not left' END" })}
      FROM bank_instructions i LEFT JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      LEFT JOIN payment_files f ON f.environment_id = i.environment_id AND f.id = i.file_id
      WHERE i.status = 'claimed' AND (p.id IS NULL OR f.id IS NULL OR p.status IN ('waiting', 'pending', 'canceled'))`,
  }),
];

const EXPECTED = rowOf('x', 'xp', 'x.status');
const ENTRY = rowOf('e', 'be');

/** By the sums and the clock alone; `canceled` stays. */
const STATUS = `CASE WHEN x.received >= x.amount THEN 'paid' WHEN x.status = 'canceled' THEN 'canceled'
  WHEN x.status = 'overdue' AND x.due_on IS NOT NULL THEN 'overdue' WHEN x.received > 0 THEN 'partially_paid' ELSE 'open' END`;
const WAITS = "(x.due_on IS NOT NULL AND x.status IN ('open', 'partially_paid'))";

export const BANK_PLACE_CHECKS = [
  ...checks('payment', {
    'an expected payment received what entries of banks assign to it': `WITH assigned AS (SELECT e.environment_id, a ->> 'to' AS id, sum((a ->> 'amount')::int8) AS amount, bool_and(e.direction = 'credit') AS is_credit, min(e.currency) AS one, max(e.currency) AS other
        FROM bank_entries e CROSS JOIN LATERAL jsonb_array_elements(e.assignments) AS a WHERE a ->> 'to' LIKE 'xp\\_%' AND a ->> 'undoneBy' IS NULL GROUP BY 1, 2),
      expected AS (SELECT x.*, ${idText('xp', 'x.id')} AS text_id FROM expected_payments x)
      SELECT ${broken({ environment: 'coalesce(x.environment_id, a.environment_id)', prefix: "CASE WHEN x.id IS NULL THEN 'expected_payment' ELSE 'xp' END", id: 'x.id', name: 'coalesce(x.status, a.id)', expected: "CASE WHEN x.id IS NULL THEN 'an expected payment' ELSE coalesce(a.amount, 0) || ' ' || x.currency || ' received' END", found: "CASE WHEN x.id IS NULL THEN 'no such one' ELSE x.received || CASE WHEN a.is_credit THEN '' ELSE ', and debits' END END" })}
      FROM expected x FULL JOIN assigned a ON a.environment_id = x.environment_id AND a.id = x.text_id
      WHERE x.id IS NULL OR x.received <> coalesce(a.amount, 0) OR NOT coalesce(a.is_credit, true) OR a.one <> x.currency OR a.other <> x.currency`,
    'an expected payment has the status of its sums, and names the transfer that credited its account last': `SELECT ${broken({ ...EXPECTED, expected: `${STATUS} || ', with the transfer that credited it'`, found: "x.status || CASE WHEN (x.paid_at IS NOT NULL) <> (x.received >= x.amount) THEN ', with a wrong paid_at' ELSE '' END || CASE WHEN t.id IS NULL AND x.transfer_id IS NOT NULL THEN ', and a transfer that is not there' ELSE '' END" })}
      FROM expected_payments x LEFT JOIN transfers t ON t.environment_id = x.environment_id AND t.id = x.transfer_id
      WHERE x.status <> ${STATUS} OR (x.paid_at IS NOT NULL) <> (x.received >= x.amount) OR (x.due_at IS NOT NULL) <> ${WAITS} OR (x.transfer_id IS NOT NULL) <> (x.received > 0)
        OR (x.transfer_id IS NOT NULL AND (t.credit_account, t.currency, t.cause IN ('bank_entry', 'bank_assignment')) IS DISTINCT FROM (x.account_id, x.currency, true))`,
  }),
  ...checks('bank', {
    'a rule for entries of banks leads to an account that is there, and is of a bank account that is there': `SELECT ${broken({ ...rowOf('r', 'br', 'r.status'), expected: "'what its target says, and its bank account'", found: "CASE WHEN r.bank_account_id IS NOT NULL AND b.id IS NULL THEN 'no such bank account' WHEN r.target_account_id IS NOT NULL AND a.id IS NULL THEN 'no such account' ELSE 'another target' END" })}
      FROM bank_rules r LEFT JOIN accounts a ON a.environment_id = r.environment_id AND a.id = r.target_account_id
      LEFT JOIN bank_accounts b ON b.environment_id = r.environment_id AND b.id = r.bank_account_id
      WHERE (r.bank_account_id IS NOT NULL AND b.id IS NULL) OR (r.target_account_id IS NOT NULL AND a.id IS NULL)
        OR CASE WHEN r.target_account_id IS NOT NULL THEN r.target <> ${idText('acct', 'r.target_account_id')}
          WHEN r.target LIKE 'ba\\_%' THEN NOT EXISTS (SELECT FROM bank_accounts o WHERE o.environment_id = r.environment_id AND r.target = ${idText('ba', 'o.id')})
          ELSE r.target NOT IN ('fees', 'fx') END`,
    'an entry has details of its own bank account, amount, sign and day, from one document alone': `WITH had AS (SELECT d.*, count(*) OVER (PARTITION BY d.environment_id, d.entry_id) AS times FROM bank_entry_details d WHERE d.entry_id IS NOT NULL)
      SELECT ${broken({ ...rowOf('d', 'bed'), expected: "'an entry of ' || d.amount || ' of ' || d.booked_on || ', with these details alone'", found: "CASE WHEN e.id IS NULL THEN 'no such entry' WHEN d.times > 1 THEN 'an entry with others too' ELSE 'an entry of ' || e.amount || ' of ' || coalesce(e.booked_on, e.value_on) END" })}
      FROM had d LEFT JOIN bank_entries e ON e.environment_id = d.environment_id AND e.id = d.entry_id
      WHERE e.id IS NULL OR d.times > 1 OR d.is_waiting
        OR (e.bank_account_id, e.direction, e.amount, coalesce(e.booked_on, e.value_on)) IS DISTINCT FROM (d.bank_account_id, d.direction, d.amount, d.booked_on)`,
    'money that goes back to who sent it came in, and leaves by a payout of its own from where it was assigned': `WITH back AS (SELECT e.*, count(*) OVER (PARTITION BY e.environment_id, e.return_payout_id) AS times FROM bank_entries e WHERE e.return_payout_id IS NOT NULL)
      SELECT ${broken({ ...ENTRY, expected: "'a payout of its own, of what of it was assigned to the account that pays'", found: "CASE WHEN p.id IS NULL THEN 'no such payout' WHEN e.times > 1 THEN 'one of several entries' ELSE 'one of ' || p.amount || ' ' || p.currency END" })}
      FROM back e LEFT JOIN payouts p ON p.environment_id = e.environment_id AND p.id = e.return_payout_id
      WHERE p.id IS NULL OR e.times > 1 OR e.direction <> 'credit' OR e.kind <> 'entry' OR p.currency <> e.currency
        OR NOT EXISTS (SELECT FROM jsonb_array_elements(e.assignments) AS a WHERE (a ->> 'amount')::int8 = p.amount AND a ->> 'to' = ${idText('acct', 'p.account_id')})`,
    'what came back of a payout before its debit is a credit that is there, and a second debit a debit': `SELECT ${broken({ ...rowOf('i', 'po'), expected: "'a ' || w.side || ' of ' || p.currency", found: "CASE WHEN e.id IS NULL THEN 'no such entry' ELSE 'a ' || e.direction || ' of ' || e.currency END" })}
      FROM bank_instructions i JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      CROSS JOIN LATERAL (SELECT r, 'credit' AS side FROM jsonb_array_elements(i.early) AS r
        UNION ALL SELECT r, 'debit' FROM jsonb_array_elements(i.second_debits) AS r) AS w
      LEFT JOIN bank_entries e ON e.environment_id = i.environment_id AND e.id = (w.r ->> 'entry')::uuid
      WHERE e.id IS NULL OR e.direction <> w.side OR e.currency <> p.currency OR (w.r ->> 'amount')::int8 > e.amount`,
    'of two entries that close each other both say so, and one came in and the other went out': `WITH closing AS (SELECT e.environment_id, e.id, ${idText('be', 'e.id')} AS text_id, e.direction, e.currency, a ->> 'to' AS other, sum((a ->> 'amount')::int8) AS amount
        FROM bank_entries e CROSS JOIN LATERAL jsonb_array_elements(e.assignments) AS a WHERE a ->> 'to' LIKE 'be\\_%' AND a ->> 'undoneBy' IS NULL GROUP BY 1, 2, 4, 5, 6)
      SELECT ${broken({ ...rowOf('c', 'be'), expected: "c.amount || ' ' || c.currency || ' on the other side of ' || c.other", found: "CASE WHEN o.id IS NULL THEN 'nothing' ELSE 'a ' || o.direction || ' of ' || o.amount || ' ' || o.currency END" })}
      FROM closing c LEFT JOIN closing o ON o.environment_id = c.environment_id AND o.text_id = c.other AND o.other = c.text_id
      WHERE (o.amount, o.currency) IS DISTINCT FROM (c.amount, c.currency) OR o.direction = c.direction`,
  }),
];
