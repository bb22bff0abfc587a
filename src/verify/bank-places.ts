/**
 * The checks of where money of banks goes: expected payments, rules for entries, and what goes back to who sent it. With the others:
 * `verify.ts`; of the bank accounts themselves: `bank.ts`.
 */
import { broken, type Check } from './check.ts';

const EXPECTED = { environment: 'x.environment_id', prefix: "'xp'", id: 'x.id', name: 'x.status' };
const ENTRY = { environment: 'e.environment_id', prefix: "'be'", id: 'e.id' };

/** An id as entries write it: a uuid in base 32 behind its prefix (TypeID: 130 bits, the first two of them zero). */
const idText = (prefix: string, uuid: string): string =>
  `(SELECT '${prefix}_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(u.bits FROM 5 * n + 1 FOR 5)::bit(5)::int, 1), '' ORDER BY n)
    FROM (SELECT B'00' || ('x' || replace(${uuid}::text, '-', ''))::bit(128) AS bits) AS u, generate_series(0, 25) AS n)`;

/** By the sums and the clock alone; what was canceled stays so. */
const STATUS = `CASE WHEN x.received >= x.amount THEN 'paid' WHEN x.status = 'canceled' THEN 'canceled'
  WHEN x.status = 'overdue' AND x.due_on IS NOT NULL THEN 'overdue' WHEN x.received > 0 THEN 'partly_paid' ELSE 'open' END`;
const WAITS = "(x.due_on IS NOT NULL AND x.status IN ('open', 'partly_paid'))";

export const BANK_PLACE_CHECKS: readonly Check[] = [
  {
    kind: 'payment',
    rule: 'an expected payment received what entries of banks assign to it',
    sql: `WITH assigned AS (SELECT e.environment_id, a ->> 'to' AS id, sum((a ->> 'amount')::int8) AS amount, bool_and(e.direction = 'credit') AS is_credit, min(e.currency) AS one, max(e.currency) AS other
        FROM bank_entries e CROSS JOIN LATERAL jsonb_array_elements(e.assignments) AS a WHERE a ->> 'to' LIKE 'xp\\_%' AND a ->> 'undoneBy' IS NULL GROUP BY 1, 2),
      expected AS (SELECT x.*, ${idText('xp', 'x.id')} AS text_id FROM expected_payments x)
      SELECT ${broken({ environment: 'coalesce(x.environment_id, a.environment_id)', prefix: "CASE WHEN x.id IS NULL THEN 'expected_payment' ELSE 'xp' END", id: 'x.id', name: 'coalesce(x.status, a.id)', expected: "CASE WHEN x.id IS NULL THEN 'an expected payment' ELSE coalesce(a.amount, 0) || ' ' || x.currency || ' received' END", found: "CASE WHEN x.id IS NULL THEN 'no such one' ELSE x.received || CASE WHEN a.is_credit THEN '' ELSE ', and debits' END END" })}
      FROM expected x FULL JOIN assigned a ON a.environment_id = x.environment_id AND a.id = x.text_id
      WHERE x.id IS NULL OR x.received <> coalesce(a.amount, 0) OR NOT coalesce(a.is_credit, true) OR a.one <> x.currency OR a.other <> x.currency`,
  },
  {
    kind: 'payment',
    rule: 'an expected payment has the status of its sums, and names the transfer that credited its account last',
    sql: `SELECT ${broken({ ...EXPECTED, expected: `${STATUS} || ', with the transfer that credited it'`, found: "x.status || CASE WHEN (x.paid_at IS NOT NULL) <> (x.received >= x.amount) THEN ', with a wrong paid_at' ELSE '' END || CASE WHEN t.id IS NULL AND x.transfer_id IS NOT NULL THEN ', and a transfer that is not there' ELSE '' END" })}
      FROM expected_payments x LEFT JOIN transfers t ON t.environment_id = x.environment_id AND t.id = x.transfer_id
      WHERE x.status <> ${STATUS} OR (x.paid_at IS NOT NULL) <> (x.received >= x.amount) OR (x.due_at IS NOT NULL) <> ${WAITS} OR (x.transfer_id IS NOT NULL) <> (x.received > 0)
        OR (x.transfer_id IS NOT NULL AND (t.credit_account, t.currency, t.cause IN ('bank_entry', 'bank_assignment')) IS DISTINCT FROM (x.account_id, x.currency, true))`,
  },
  {
    kind: 'bank',
    rule: 'a rule for entries of banks leads to an account that is there, and is of a bank account that is there',
    sql: `SELECT ${broken({ environment: 'r.environment_id', prefix: "'br'", id: 'r.id', name: 'r.status', expected: "'what its target says, and its bank account'", found: "CASE WHEN r.bank_account_id IS NOT NULL AND b.id IS NULL THEN 'no such bank account' WHEN r.target_account_id IS NOT NULL AND a.id IS NULL THEN 'no such account' ELSE 'another target' END" })}
      FROM bank_rules r LEFT JOIN accounts a ON a.environment_id = r.environment_id AND a.id = r.target_account_id
      LEFT JOIN bank_accounts b ON b.environment_id = r.environment_id AND b.id = r.bank_account_id
      WHERE (r.bank_account_id IS NOT NULL AND b.id IS NULL) OR (r.target_account_id IS NOT NULL AND a.id IS NULL)
        OR CASE WHEN r.target_account_id IS NOT NULL THEN r.target <> ${idText('acct', 'r.target_account_id')}
          WHEN r.target LIKE 'ba\\_%' THEN NOT EXISTS (SELECT FROM bank_accounts o WHERE o.environment_id = r.environment_id AND r.target = ${idText('ba', 'o.id')})
          ELSE r.target NOT IN ('fees', 'fx') END`,
  },
  {
    kind: 'bank',
    rule: 'money that goes back to who sent it came in, and leaves by a payout of its own from where it was assigned',
    sql: `WITH back AS (SELECT e.*, count(*) OVER (PARTITION BY e.environment_id, e.return_payout_id) AS times FROM bank_entries e WHERE e.return_payout_id IS NOT NULL)
      SELECT ${broken({ ...ENTRY, expected: "'a payout of its own, of what of it was assigned to the account that pays'", found: "CASE WHEN p.id IS NULL THEN 'no such payout' WHEN e.times > 1 THEN 'one of several entries' ELSE 'one of ' || p.amount || ' ' || p.currency END" })}
      FROM back e LEFT JOIN payouts p ON p.environment_id = e.environment_id AND p.id = e.return_payout_id
      WHERE p.id IS NULL OR e.times > 1 OR e.direction <> 'credit' OR e.kind <> 'entry' OR p.currency <> e.currency
        OR NOT EXISTS (SELECT FROM jsonb_array_elements(e.assignments) AS a WHERE (a ->> 'amount')::int8 = p.amount AND a ->> 'to' = ${idText('acct', 'p.account_id')})`,
  },
  {
    kind: 'bank',
    rule: 'what came back of a payout before its debit is a credit that is there',
    sql: `SELECT ${broken({ environment: 'i.environment_id', prefix: "'po'", id: 'i.id', expected: "'credits of ' || p.currency", found: "CASE WHEN e.id IS NULL THEN 'no such entry' ELSE 'a ' || e.direction || ' of ' || e.currency END" })}
      FROM bank_instructions i JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      CROSS JOIN LATERAL jsonb_array_elements(i.early) AS r
      LEFT JOIN bank_entries e ON e.environment_id = i.environment_id AND e.id = (r ->> 'entry')::uuid
      WHERE e.id IS NULL OR e.direction <> 'credit' OR e.currency <> p.currency OR (r ->> 'amount')::int8 > e.amount`,
  },
];
