/**
 * What the entries of a page may belong to, found in a few reads: payments that wait for as much, what their texts name, payouts under way
 * or paid, and where earlier money of the same people went. Names and accounts are sealed, so the newest entries are opened and compared
 * here. Judged by `suggestions.ts`.
 */
import { accountRange, depositReference } from '../../core/rails/creditor-reference.ts';
import { houseOf } from '../../core/house-accounts.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { int8s, texts } from '../../platform/db/wire/columns.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';
import { ibanOf } from '../../core/rails/iban.ts';
import { PAYMENTS } from '../../collecting/payments/sql.ts';
import type { Seals } from '../../platform/vault/seals.ts';
import { type BankEntry, unassigned } from '../statements/fields.ts';
import { isUnclear } from '../../core/rails/named-references.ts';
import { BANK_ENTRIES } from '../statements/sql.ts';
import {
  Candidates,
  type EarlierEntry,
  lettersOf,
  type PaymentCandidate,
  type PayoutCandidate,
  type Sought,
} from './suggestions.ts';

export interface CandidateParts {
  rows(this: void, statement: Statement): Promise<readonly Row[]>;
  readonly seals: Seals<BankEntry>;
  /** What a recipient's row may hold for an IBAN. */
  fingerprintsOf(this: void, environmentId: string, iban: string): readonly string[];
}

/** For each entry and kind. */
const MOST_EACH = 20;
/** The newest that are looked through. */
const MOST_INSTRUCTIONS = 5_000;
const MOST_EARLIER = 1_000;

export async function candidatesFor(
  parts: CandidateParts,
  environmentId: string,
  page: readonly Sought[],
): Promise<Candidates> {
  if (page.length === 0)
    return new Candidates({ payments: [], payouts: [], namedPayouts: [], accounts: [], earlier: [] });
  const entries = page.map(({ entry }) => entry);
  const isCredit = ({ direction }: BankEntry) => direction === 'credit';
  const credits = entries.filter(isCredit);
  const named = page.flatMap((each) => (isCredit(each.entry) ? each.named : []));
  const references = [...new Set(named)].filter((each) => !isUnclear(each));
  const payouts = [...new Set(page.flatMap((each) => each.payouts))];
  const [waiting, asNamed, invoices, ofAccounts, ofAmounts, accounts, earlier, namedPayouts] = await Promise.all([
    parts.rows(unpaidOf(environmentId, credits)),
    parts.rows(paymentsOf(environmentId, references)),
    parts.rows(expectedOf(environmentId, credits, references)),
    payoutsOfAccounts(parts, environmentId, entries),
    parts.rows(sentOf(environmentId, page)),
    accountsOf(parts, environmentId, references),
    earlierOf(parts, environmentId, page),
    payouts.length === 0 ? [] : parts.rows(payoutsNamed(environmentId, payouts)),
  ]);
  return new Candidates({
    payments: [
      ...[...waiting, ...asNamed].map((row) => paymentIn(row, 'pay')),
      ...invoices.map((row) => paymentIn(row, 'xp')),
    ],
    payouts: [...ofAccounts, ...ofAmounts.map((row) => payoutIn(row, null))],
    namedPayouts: namedPayouts.map((row) => payoutIn(row, null)),
    accounts,
    earlier,
  });
}

const paymentIn = (row: Row, prefix: 'pay' | 'xp'): PaymentCandidate => ({
  id: idOf(prefix, row['id'] as string),
  reference: row['reference'] as string,
  currency: row['currency'] as string,
  missing: row['missing'] as bigint,
  name: (row['payer_name'] as string | null | undefined) ?? null,
});

/** Currencies, and what entries have left. */
const amountsOf = (entries: readonly BankEntry[]) => [
  texts(entries.map(({ currency }) => currency)),
  int8s(entries.map((entry) => unassigned(entry))),
];

/** Payments that wait for what an entry has left (index payments_unpaid). */
const unpaidOf = (environmentId: string, entries: readonly BankEntry[]): Statement => ({
  name: 'payments_waiting_for_amounts',
  text: `SELECT DISTINCT p.id, p.reference, p.currency, p.amount - p.received AS missing
    FROM ${unnest({ currency: 'text', missing: 'int8' }, 2)} AS k
    CROSS JOIN LATERAL (SELECT * FROM payments p WHERE p.environment_id = $1 AND p.currency = k.currency
      AND p.amount - p.received = k.missing AND p.status IN ('pending', 'partially_paid') AND p.refund_id IS NULL LIMIT ${MOST_EACH}) AS p`,
  values: [uuidOf(environmentId), ...amountsOf(entries)],
});

/** Expected payments that wait for what an entry has left, or that are named (indexes expected_payments_unpaid, expected_payments_reference). */
const expectedOf = (
  environmentId: string,
  entries: readonly BankEntry[],
  references: readonly string[],
): Statement => ({
  name: 'expected_payments_for_entries',
  text: `SELECT p.id, p.reference, p.currency, p.payer_name, p.amount - p.received AS missing
    FROM ${unnest({ currency: 'text', missing: 'int8' }, 3)} AS k
    CROSS JOIN LATERAL (SELECT * FROM expected_payments p WHERE p.environment_id = $1 AND p.currency = k.currency
      AND p.amount - p.received = k.missing AND p.status IN ('open', 'partially_paid', 'overdue') LIMIT ${MOST_EACH}) AS p
    UNION SELECT p.id, p.reference, p.currency, p.payer_name, p.amount - p.received FROM expected_payments p
      WHERE p.environment_id = $1 AND p.reference = ANY ($2::text[]) AND p.status IN ('open', 'partially_paid', 'overdue')`,
  values: [uuidOf(environmentId), references, ...amountsOf(entries)],
});

/** Payments by their references (index payments_reference). */
const paymentsOf = (environmentId: string, references: readonly string[]): Statement => ({
  name: 'payments_of_references',
  text: `SELECT p.id, p.reference, p.currency, p.amount - p.received AS missing FROM payments p
    WHERE p.environment_id = $1 AND p.reference = ANY ($2::text[]) AND p.duplicate_of IS NULL`,
  values: [uuidOf(environmentId), references],
});

const payoutIn = (row: Row, account: string | null): PayoutCandidate => ({
  id: idOf('po', row['id'] as string),
  status: row['status'] as string,
  currency: row['currency'] as string,
  amount: row['amount'] as bigint,
  open: (row['open'] as bigint | undefined) ?? 0n,
  name: row['name'] as string,
  account,
});

/** Payouts to the accounts of the other side, the newest of some recipients (indexes recipients_fingerprint and payouts_recipient). */
async function payoutsOfAccounts(
  { rows, fingerprintsOf }: CandidateParts,
  environmentId: string,
  entries: readonly BankEntry[],
): Promise<PayoutCandidate[]> {
  const ibans = new Set(entries.flatMap(({ explanation: { account } }) => (account && ibanOf(account)) ?? []));
  const known = new Map(
    [...ibans].flatMap((iban) => fingerprintsOf(environmentId, iban).map((each) => [each, iban] as const)),
  );
  const found = await rows({
    name: 'payouts_to_accounts',
    text: `SELECT p.id, p.status, p.currency, p.amount, r.name, encode(r.bank_fingerprint, 'hex') AS fingerprint
      FROM unnest($2::text[]::bytea[]) AS k (fingerprint)
      CROSS JOIN LATERAL (SELECT * FROM recipients r WHERE r.environment_id = $1 AND r.bank_fingerprint = k.fingerprint LIMIT ${MOST_EACH}) AS r
      CROSS JOIN LATERAL (SELECT * FROM payouts p WHERE p.recipient_id = r.id AND p.environment_id = r.environment_id
        AND p.status IN ('in_transit', 'paid') ORDER BY p.recipient_id, p.id DESC LIMIT ${MOST_EACH}) AS p`,
    values: [uuidOf(environmentId), [...known.keys()]],
  });
  return found.map((row) => payoutIn(row, known.get(`\\x${row['fingerprint'] as string}`) ?? null));
}

/** Payouts by their ids, with what may still come back of them and of debits too many (primary keys). */
const payoutsNamed = (environmentId: string, ids: readonly string[]): Statement => ({
  name: 'payouts_named_by_entries',
  text: `SELECT p.id, p.status, p.currency, p.amount, r.name,
      CASE WHEN p.status IN ('paid', 'returned') THEN p.amount - coalesce(p.amount_returned, 0) ELSE 0 END
        + coalesce((SELECT sum((d ->> 'amount')::int8) FROM jsonb_array_elements(i.second_debits) AS d
          JOIN bank_entries e ON e.environment_id = p.environment_id AND e.id = (d ->> 'entry')::uuid AND e.status = 'unmatched'), 0)::int8 AS open
    FROM payouts p JOIN recipients r ON r.environment_id = p.environment_id AND r.id = p.recipient_id
    LEFT JOIN bank_instructions i ON i.environment_id = p.environment_id AND i.id = p.id
    WHERE p.environment_id = $1 AND p.id = ANY ($2::uuid[])`,
  values: [uuidOf(environmentId), ids.map(uuidOf)],
});

/** Of the newest payouts in files, those of as much as an entry has left, with charges or without (primary keys). */
const sentOf = (environmentId: string, page: readonly Sought[]): Statement => ({
  name: 'payouts_sent_of_amounts',
  text: `SELECT p.id, p.status, p.currency, p.amount, r.name FROM
      (SELECT i.id FROM bank_instructions i WHERE i.environment_id = $1 ORDER BY i.environment_id, i.id DESC LIMIT ${MOST_INSTRUCTIONS}) AS i
    JOIN payouts p ON p.environment_id = $1 AND p.id = i.id AND p.status IN ('in_transit', 'paid') AND p.amount = ANY ($2::int8[])
    JOIN recipients r ON r.environment_id = $1 AND r.id = p.recipient_id ORDER BY p.id DESC LIMIT ${MOST_EACH * 10}`,
  values: [
    uuidOf(environmentId),
    page.flatMap(({ entry, charges }) => [unassigned(entry), unassigned(entry) - charges].map(String)),
  ],
});

/** Accounts whose deposit references are named (primary key). */
async function accountsOf({ rows }: CandidateParts, environmentId: string, references: readonly string[]) {
  const ranges = references.flatMap((reference) => accountRange(reference) ?? []);
  if (ranges.length === 0) return [];
  const found = await rows({
    name: 'accounts_of_references',
    text: `SELECT a.id, a.currency FROM ${unnest({ low: 'text', high: 'text' }, 2)} AS k
      CROSS JOIN LATERAL (SELECT * FROM accounts a WHERE a.environment_id = $1 AND a.id >= k.low::uuid AND a.id <= k.high::uuid LIMIT 2) AS a`,
    values: [uuidOf(environmentId), texts(ranges.map(({ from }) => from)), texts(ranges.map(({ to }) => to))],
  });
  const named = new Set(references);
  return found
    .map((row) => ({ id: idOf('acct', row['id'] as string), currency: row['currency'] as string }))
    .map((account) => ({ ...account, reference: depositReference(account.id) }))
    .filter(({ reference }) => named.has(reference));
}

/** Where the newest entries of the same people went. Money of a payment went to its account. */
async function earlierOf(
  { rows, seals }: CandidateParts,
  environmentId: string,
  page: readonly Sought[],
): Promise<EarlierEntry[]> {
  const newest = await rows({
    name: 'newest_matched_entries',
    text: `SELECT ${BANK_ENTRIES.columns('e')} FROM bank_entries e WHERE e.environment_id = $1 AND e.status = 'matched'
      ORDER BY e.environment_id, e.id DESC LIMIT ${MOST_EARLIER}`,
    values: [uuidOf(environmentId)],
  });
  const accounts = new Set(page.map(({ entry }) => entry.explanation.account));
  const names = new Set(page.flatMap(({ letters }) => (letters === '' ? [] : letters)));
  const found = newest
    .map((row) => seals.open(BANK_ENTRIES.read(row)))
    .filter(({ explanation: { name, account } }) => {
      return (account !== null && accounts.has(account)) || names.has(lettersOf(name));
    })
    .flatMap(({ direction, currency, explanation: { name, account }, assignments }) =>
      assignments.flatMap(({ to, undoneBy }) => (undoneBy === null ? { direction, currency, name, account, to } : [])),
    );
  const payments = [...new Set(found.flatMap(({ to }) => (to.startsWith('pay_') ? to : [])))];
  const keys = payments.map((id) => ({ environmentId, id }));
  const paid = payments.length === 0 ? [] : (await rows(PAYMENTS.load(keys))).map((row) => PAYMENTS.read(row));
  const accountOf = new Map(paid.map(({ id, account }) => [id, account]));
  return found
    .map((each) => ({ ...each, to: accountOf.get(each.to) ?? each.to }))
    .filter(({ to }) => /^(?:acct|ba)_|^fees$|^fx$/.test(to) && houseOf(to) === undefined);
}
