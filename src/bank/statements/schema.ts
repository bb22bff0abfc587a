/** What banks reported, in answers. */
import { idOf } from '../../core/values/ids.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { referenceFor } from '../../core/rails/qr-bill.ts';
import { type JsonSchema, nullableDay, nullableText, ref, strictObject } from '../../core/values/json-schema.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { exampleOf, schemaOf } from '../../platform/http/object-schema.ts';
import { AMOUNT_ERRORS } from '../../platform/http/route.ts';
import { STATEMENT_FILE, BANK_ENTRY, BANK_RULE, BANK_STATEMENT } from './fields.ts';

/** Refusals of every assignment, of one entry or of many. */
export const ASSIGNMENT_ERRORS = [
  ...AMOUNT_ERRORS,
  'bank_entry_assigned',
  'bank_entry_voided',
  'account_currency_mismatch',
  'account_closed',
  'balance_insufficient',
  'balance_too_large',
  'payout_state_invalid',
] as const;

export const ENTRY_EXAMPLE = exampleOf(BANK_ENTRY, {
  amount_unassigned: 250,
  counterparty: { name: 'Jan Novák', account_last4: '3000' },
  remittance: {
    text: 'Thank you',
    end_to_end_id: null,
    bank_reference: '2026112000817',
    transaction_code: 'PMNT-RCDT-ESCT',
    return_reason: null,
    return_text: null,
  },
});

export const STATEMENT_EXAMPLE = exampleOf(BANK_STATEMENT, {
  status: 'imported',
  entries_count: 1,
  new_count: 1,
  unmatched_count: 1,
});
export const WAITING_EXAMPLE = {
  position: 1,
  direction: 'credit',
  amount: 250,
  amount_minor: 25_000,
  currency: 'EUR',
  booked_on: '2026-11-20',
  value_on: '2026-11-20',
  counterparty: { name: 'Jan Novák', account_last4: '3000' },
  text: 'Thank you',
  end_to_end_id: null,
  bank_reference: null,
  new_in: [1],
};

export const BANK_STATEMENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  DepositInstructions: strictObject('How money is paid into an account by bank transfer.', {
    object: { type: 'string', const: 'deposit_instructions' },
    account: { type: 'string' },
    currency: { type: 'string' },
    reference: {
      type: 'string',
      description:
        'The reference that the transfer must name, ISO 11649. It belongs to the account and never changes. If the bank account has a QR-IBAN, it is the QR reference that stands for it.',
    },
    bank_account: nullableText('The bank account to pay to. Null if no bank account collects in this currency.'),
    holder: nullableText('Its holder.'),
    bank_details: {
      type: ['object', 'null'],
      description: 'Its bank details.',
      additionalProperties: { type: 'string' },
    },
  }),
  StatementFile: schemaOf(STATEMENT_FILE, 'An imported file of a bank. The same bytes are the same file.'),
  BankStatement: schemaOf(BANK_STATEMENT, 'A statement of a bank, or a page of one, with the proof of its balances.'),
  WaitingEntries: strictObject('Entries of a statement that wait.', {
    data: {
      type: 'array',
      items: strictObject('An entry that waits.', {
        position: { type: 'integer', description: 'Its place in the statement, from 1.' },
        direction: { type: 'string', enum: ['credit', 'debit'] },
        amount: { type: 'number', description: 'Major units.' },
        amount_minor: { type: 'integer', description: 'Minor units.' },
        currency: { type: 'string' },
        booked_on: nullableDay('Booking day.'),
        value_on: nullableDay('Value day.'),
        counterparty: strictObject('The other side.', {
          name: nullableText('Name.'),
          account_last4: nullableText('The last four characters of the account.'),
        }),
        text: nullableText('The payer’s text.'),
        end_to_end_id: nullableText('The id that travels with a payment.'),
        bank_reference: nullableText('The bank’s reference.'),
        new_in: {
          type: 'array',
          items: { type: 'integer' },
          description: 'The `readings` in which it is new, from 1.',
        },
      }),
    },
    has_more: { type: 'boolean' },
  }),
  BankEntry: schemaOf(BANK_ENTRY, 'A booking of a bank. It moved the ledger once, in the commit that stored it.'),
  BankRule: schemaOf(
    BANK_RULE,
    'Where entries of banks go that name nothing of yours. The oldest rule that fits an entry decides.',
  ),
  BankRuleDryRun: strictObject('The newest entries that a rule would have fitted.', {
    object: { type: 'string', const: 'bank_rule_trial' },
    dry_run: { type: 'boolean', const: true, description: 'Nothing was written.' },
    examined_count: { type: 'integer', description: 'Number of entries looked at, the newest 10,000 at most.' },
    meant_count: { type: 'integer', description: 'Number of entries that the rule fits.' },
    would_assign_count: {
      type: 'integer',
      description: 'Number of those entries that name nothing of yours: the rule would have assigned them.',
    },
    entries: { type: 'array', description: 'The newest 100 that it would have assigned.', items: ref('BankEntry') },
  }),
  DeletedBankRule: strictObject('A rule that was deleted.', {
    id: { type: 'string' },
    object: { const: 'bank_rule' },
    deleted: { const: true },
  }),
  AssignedEntries: strictObject('The entries that were assigned, in the order of the request.', {
    data: { type: 'array', items: ref('BankEntry') },
  }),
};

/** The columns of `depositsOf`. */
export function renderDeposits(row: Row, account: string): string {
  const { currency, bank_id: bankId, holder, bank_details: stored } = row as Readonly<Record<string, string | null>>;
  const details = stored === null || stored === undefined ? null : (JSON.parse(stored) as { readonly iban?: string });
  return JSON.stringify({
    object: 'deposit_instructions',
    account,
    currency,
    reference: referenceFor(details?.iban, depositReference(account)),
    bank_account: bankId === null ? null : idOf('ba', bankId as string),
    holder,
    bank_details: details,
  });
}
