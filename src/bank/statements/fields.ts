/** What a bank reported, field by field: the documents it sent, their statements, and the entries that moved the ledger. */
import { amountMembers, majorOf } from '../../core/values/money.ts';
import * as field from '../../core/fields.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { transactions, transactionsFrom } from './details-fields.ts';
import type { ExplainedCharge, Explanation } from './explanation.ts';
import { suggested } from './suggested.ts';
import { pendingChanges } from './voiding.ts';

export { BANK_RULE, type BankRule } from './rule-fields.ts';
export { type ExplainedPart, type ExplainedTransaction, type Explanation, NOTHING_EXPLAINED } from './explanation.ts';
export type { Reason, Split, Suggestion } from './suggested.ts';
export { BANK_ENTRY_DETAILS, type BankEntryDetails, markOf } from './details-fields.ts';

export const MESSAGES = ['camt.053', 'camt.052', 'camt.054', 'mt940', 'mt942'] as const;
export type BankMessage = (typeof MESSAGES)[number];

/** The message as which it counts in `booked_by`: MT940 and MT942 are the older forms of two of them (decision 0081). */
export const countsAs = (message: BankMessage): BankMessage =>
  message === 'mt940' ? 'camt.053' : message === 'mt942' ? 'camt.052' : message;

/** A file that was handed in. The same bytes are the same document. */
export const STATEMENT_FILE = field.objectType('statement_file', 'sf', {
  sha256: field.hiddenBytes(),
  status: field.oneOf(['importing', 'imported'], {
    description: '`importing` while its entries are booked. If you send it again, the import goes on where it stopped.',
    mutable: true,
  }),
  sizeBytes: field.bigCount({ description: 'Size in bytes.' }),
  statementsCount: field.count({ description: 'Statements in it that were imported.', mutable: true }),
  skippedCount: field.count({
    description:
      'Statements in it that book nothing: their message is not the one in `booked_by` of the bank account, or they are empty and of no bank account that is known.',
    mutable: true,
  }),
  notes: field.json<readonly string[]>(
    {
      type: 'array',
      items: { type: 'string' },
      description: 'Faults of the file that were tolerated, and what else became of it, a sentence each.',
    },
    { mutable: true },
  ),
  importedAt: field.instantOrNull({ description: 'When the last entry was booked.', mutable: true }),
});
export type StatementFile = field.ObjectOf<typeof STATEMENT_FILE>;

export const PROOFS = ['ok', 'gap', 'failed', 'drift', 'none'] as const;

export const STATEMENT_STATUSES = ['importing', 'imported', 'before_opening', 'needs_review', 'superseded'] as const;

/** A way to read a statement that waits. */
export interface Reading {
  /** The positions of its new entries, as `1-3,7`. */
  readonly entries: string;
  readonly count: number;
}

/** One page of a statement. Its identity hashes all that it says, so a corrected page is another one. */
export const BANK_STATEMENT = field.objectType('bank_statement', 'bs', {
  bankAccount: field.id('ba', { column: 'bank_account_id' }),
  document: field.id('sf', {
    column: 'document_id',
    member: 'statement_file',
    description: 'The file that first contained it.',
  }),
  message: field.oneOf(MESSAGES, { description: 'An MT940 books as a camt.053 does, an MT942 as a camt.052.' }),
  reference: field.textOrNull({ description: 'Its id at the bank.' }),
  sequence: field.textOrNull({ description: 'Its number at the bank.' }),
  page: field.countOrNull({ description: 'Page, if the bank divides statements.' }),
  startsOn: field.dayOrNull({ description: 'The first day that it covers.' }),
  openedOn: field.dayOrNull({ description: 'Day of the opening balance.', example: '2026-11-20' }),
  opening: field.minorOrNull({ member: 'opening_balance', description: 'Minor units.', example: 0 }),
  closedOn: field.dayOrNull({ description: 'Day of the closing balance.', example: '2026-11-20' }),
  closing: field.minorOrNull({ member: 'closing_balance', description: 'Minor units.', example: 25_000 }),
  currency: field.currency(),
  status: field.oneOf(STATEMENT_STATUSES, {
    description:
      '`before_opening`: it ends before the bank account’s first day in the ledger, so it books nothing. `needs_review`: entries of it wait until you say which are new. `superseded`: it waited, and was read otherwise, or issued again with all of its entries, since.',
    mutable: true,
  }),
  entriesCount: field.count({ description: 'Booked entries in it.' }),
  newCount: field.count({ description: 'Entries that it reported first.', mutable: true }),
  unmatchedCount: field.count({
    description: 'Those of its new entries that found no place by themselves.',
    mutable: true,
  }),
  proof: field.oneOf(PROOFS, {
    description:
      '`ok`: opening balance and entries give the closing balance, the statement follows on the one before, and the ledger agrees. `failed`: opening balance and entries do not give the closing balance. `gap`: a statement before it is missing. `drift`: the ledger has another balance. `none`: the message has no balances.',
    mutable: true,
  }),
  difference: field.sumOrNull('difference', {
    description: 'The bank’s balance less the one that its entries, or the ledger, give. Major units.',
    mutable: true,
  }),
  identity: field.hiddenBytes(),
  /** The statement without its page. */
  series: field.hiddenBytes(),
  /** The first and the last day of its entries, where they are outside of its own days. */
  entriesFrom: field.dayOrNull({ hidden: true }),
  entriesUntil: field.dayOrNull({ hidden: true }),
  /** The instants of its period, where it says both. */
  periodFrom: field.instantOrNull({ hidden: true }),
  periodUntil: field.instantOrNull({ hidden: true }),
  /** Which message of its document it came in, from 1; copies in a message count as another one. */
  messageInFile: field.count({ hidden: true }),
  waitingCount: field.count({
    description: 'Entries that wait until it is known whether they are new.',
    mutable: true,
  }),
  readings: field.json<readonly Reading[]>(
    {
      type: 'array',
      description: 'If entries wait: which of them may be new.',
      items: strictObject('A way to read the statement.', {
        entries: { type: 'string', description: 'Positions of its new entries, as `1-3,7`; empty: none.' },
        count: { type: 'integer', description: 'Number of its new entries.' },
      }),
    },
    { mutable: true },
  ),
  missingEntries: field.json<readonly string[]>(
    {
      type: 'array',
      items: { type: 'string' },
      description: 'Entries of the statement in whose place it was issued again that it does not report.',
    },
    { mutable: true },
  ),
  supersedes: field.idOrNull('bs', {
    column: 'supersedes_id',
    description: 'The statement in whose place it was issued again.',
    mutable: true,
  }),
  /** The positions of its new entries, as `1-3,7`. */
  added: field.text({ hidden: true, mutable: true }),
  /** The position up to which its entries are booked, or wait. */
  taken: field.count({ hidden: true, mutable: true }),
});
export type BankStatement = field.ObjectOf<typeof BANK_STATEMENT>;

export const MOST_ASSIGNMENTS = 20;
/** Of a document. Further notes are dropped. */
export const MOST_NOTES = 1_000;

/** Where a part of an entry went. */
export interface Assignment {
  /**
   * An account, payout, payment or bank account; `fees` or `fx`; a payment file: its payouts that were under way; an entry of the other
   * side, and both close each other.
   */
  readonly to: string;
  readonly amount: bigint;
  /** `null`: entries close each other, and no money moves. */
  readonly transfer: string | null;
  /** Who assigned it; the import itself is `worker`. */
  readonly by: string;
  readonly at: number;
  readonly reason: string | null;
  readonly undoneBy: string | null;
}

type StoredAssignment = Omit<Assignment, 'amount'> & { readonly amount: string };

const assignments: field.Field<readonly Assignment[]> = {
  column: {
    ...field.json({}, { mutable: true }).column,
    // Amounts are bigint: in the row they are text.
    encode: (value) => JSON.stringify(value.map((each) => ({ ...each, amount: String(each.amount) }))),
    decode: (stored) =>
      (JSON.parse(stored as string) as StoredAssignment[]).map((each) => ({ ...each, amount: BigInt(each.amount) })),
  },
  shown: () => ({
    schemas: {
      assignments: {
        type: 'array',
        description: 'The places of its money, in order.',
        items: strictObject('A part of an entry.', {
          to: {
            type: 'string',
            description:
              'An account, payout, payment, bank account or payment file; `fees` or `fx`. A bank entry: a payout was debited once too often, and given back; the two entries close each other.',
          },
          amount: { type: 'number', description: 'Major units.' },
          amount_minor: { type: 'integer', description: 'Minor units.' },
          transfer: nullableText('The transfer that moved it; null where two entries close each other.'),
          actor: { type: 'string', description: 'Who assigned it: a key, or `worker` for the import.' },
          at: { type: 'integer', description: 'When. Unix seconds.' },
          reason: nullableText('Why.'),
          undone_by: nullableText(
            'The transfer that undid it; of entries that closed each other, the one that was voided.',
          ),
        }),
      },
    },
    json: (value, { currency }) => {
      const items = value.map(
        ({ to, amount, transfer, by, at, reason, undoneBy }) =>
          `{"to":"${to}",${amountMembers(amount, currency as string)},"transfer":${JSON.stringify(transfer)},"actor":"${by}","at":${unixSeconds(at)},"reason":${JSON.stringify(reason)},"undone_by":${JSON.stringify(undoneBy)}}`,
      );
      return `"assignments":[${items.join(',')}]`;
    },
  }),
};

const chargeJson = ({ amount, currency, code, included }: ExplainedCharge): string =>
  `{${amountMembers(BigInt(amount), currency)},${JSON.stringify({ currency, code, included }).slice(1)}`;

interface Open {
  readonly amount: bigint;
  readonly assignments: readonly Assignment[];
  readonly status?: string;
}

/** What of an entry has no place yet, minor units. A voided one has nothing. */
export const unassigned = ({ amount, assignments: parts, status }: Open): bigint =>
  status === 'voided' ? 0n : parts.reduce((left, part) => (part.undoneBy === null ? left - part.amount : left), amount);

export const ENTRY_STATUSES = ['unmatched', 'matched', 'voided'] as const;

/** A booking of the bank, stored once, however often it is reported. */
export const BANK_ENTRY = field.objectType('bank_entry', 'be', {
  bankAccount: field.id('ba', { column: 'bank_account_id' }),
  statement: field.id('bs', { column: 'statement_id', description: 'The statement that reported it first.' }),
  kind: field.oneOf(['entry', 'opening'], {
    description: '`opening`: the balance with which the first statement began.',
  }),
  direction: field.oneOf(['credit', 'debit'], { description: '`credit`: money came in.' }),
  amount: field.money(),
  unassigned: field.derived(
    'amount_unassigned',
    { type: 'number', description: 'The part of it that has no place, major units.' },
    (entry: Open & { readonly currency: string }) => majorOf(unassigned(entry), entry.currency),
  ),
  unassignedMinor: field.derived(
    'amount_unassigned_minor',
    { type: 'integer', description: 'The same in minor units.' },
    (entry: Open) => String(unassigned(entry)),
  ),
  currency: field.currency(),
  status: field.oneOf(ENTRY_STATUSES, {
    description:
      '`unmatched`: a part of it has no place. Assign that part. `voided`: it was a wrong booking, and counts nowhere.',
    mutable: true,
  }),
  pendingChanges,
  bookedOn: field.dayOrNull({ description: 'Booking day.', example: '2026-11-20' }),
  valueOn: field.dayOrNull({ description: 'Value day.' }),
  explained: field.derived(
    'counterparty',
    strictObject('The other side, as far as the bank names it.', {
      name: nullableText('Name.'),
      account_last4: nullableText('The last four characters of the account.'),
    }),
    ({ explanation: { name, account } }: { readonly explanation: Explanation }) =>
      JSON.stringify({ name, account_last4: account?.slice(-4) ?? null }),
  ),
  words: field.derived(
    'remittance',
    strictObject('Further texts and codes from the bank.', {
      text: nullableText('The payer’s text.'),
      end_to_end_id: nullableText('The id that travels with a payment.'),
      bank_reference: nullableText('The bank’s reference.'),
      transaction_code: nullableText('Domain, family and subfamily, or the bank’s own code.'),
      return_reason: nullableText('ISO 20022 code, if it is a return.'),
      return_text: nullableText('The bank’s own words about the return.'),
    }),
    ({ explanation: e }: { readonly explanation: Explanation }) =>
      JSON.stringify({
        text: e.text,
        end_to_end_id: e.endToEndId,
        bank_reference: e.bankReference,
        transaction_code: e.transactionCode,
        return_reason: e.returnReason,
        return_text: e.returnText ?? null,
      }),
  ),
  taken: field.derived(
    'charges',
    {
      type: 'array',
      description: 'What banks took, as far as they say it.',
      items: strictObject('A charge.', {
        amount: { type: 'number', description: 'Major units.' },
        amount_minor: { type: 'integer', description: 'Minor units.' },
        currency: { type: 'string' },
        code: nullableText('ISO 20022 code, or the bank’s own.'),
        included: { type: ['boolean', 'null'], description: 'The amount of the entry has it in already.' },
      }),
    },
    ({ explanation: { charges = [] } }: { readonly explanation: Explanation }) =>
      `[${charges.map(chargeJson).join(',')}]`,
    [],
  ),
  ordered: field.derived(
    'instructed',
    {
      ...strictObject('What was ordered, if that is another amount: before charges, or in another currency.', {
        amount: { type: 'number', description: 'Major units.' },
        amount_minor: { type: 'integer', description: 'Minor units.' },
        currency: { type: 'string' },
      }),
      type: ['object', 'null'],
    },
    ({ explanation: { instructed: it } }: { readonly explanation: Explanation }) =>
      it === undefined ? 'null' : `{${amountMembers(BigInt(it.amount), it.currency)},"currency":"${it.currency}"}`,
    null,
  ),
  exchanged: field.derived(
    'exchange',
    {
      ...strictObject('How the bank exchanged it.', {
        source_currency: nullableText('From this currency.'),
        target_currency: nullableText('Into this currency.'),
        unit_currency: nullableText('The currency of which the rate is the price of one.'),
        rate: nullableText('The rate, a decimal.'),
      }),
      type: ['object', 'null'],
    },
    ({ explanation: { exchange: it } }: { readonly explanation: Explanation }) =>
      it === undefined
        ? 'null'
        : JSON.stringify({
            source_currency: it.source,
            target_currency: it.target,
            unit_currency: it.unit,
            rate: it.rate,
          }),
    null,
  ),
  transactions,
  transactionsFrom,
  paymentFile: field.idOrNull('pf', {
    column: 'file_id',
    description: 'Your payment file that it debits as a whole, if the bank names one.',
  }),
  returnPayout: field.idOrNull('po', {
    column: 'return_payout_id',
    description: 'The payout that sends it back to its sender.',
    mutable: true,
  }),
  assignments,
  conflict: field.textOrNull({
    description: 'How it contradicts the state of a payout, or the currency of what it names, in words.',
    mutable: true,
  }),
  suggested,
  explanation: field.json<Explanation>({}, { hidden: true, mutable: true }),
  /** That of the statement that reported it; `ordinal`: its position there, from 1. */
  identity: field.hiddenBytes(),
  ordinal: field.count({ hidden: true }),
});
export type BankEntry = field.ObjectOf<typeof BANK_ENTRY>;

/** Entries of a statement that wait, some hundred a row. */
export const BANK_WAITING_LINES = field.objectType('bank_waiting_lines', 'bwl', {
  statement: field.id('bs', { column: 'statement_id' }),
  isWaiting: field.flag({ mutable: true }),
  /** JSON; sealed at rest. */
  content: field.text({ mutable: true }),
});
export type BankWaitingLines = field.ObjectOf<typeof BANK_WAITING_LINES>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly statement_file: StatementFile;
    readonly bank_statement: BankStatement;
    readonly bank_waiting_lines: BankWaitingLines;
    readonly bank_entry: BankEntry;
  }
  interface Unannounced {
    readonly bank_waiting_lines: BankWaitingLines;
    readonly statement_file: StatementFile;
  }
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly bank_entries: {
      readonly object: 'bank_entries';
      /** That of the first. */
      readonly id: string;
      readonly entries: readonly BankEntry[];
    };
  }
}
