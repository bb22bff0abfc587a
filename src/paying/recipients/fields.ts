/** Recipients, field by field. Bank details are stored whole and shown masked. */
import { addressField } from '../../core/address.ts';
import * as field from '../../core/fields.ts';
import { maskBankDetails } from './bank-details.ts';
import { BANK_FIELDS } from './requirements.ts';
import { CATEGORY_PURPOSES } from '../../core/rails/purposes.ts';

export const RECIPIENT_TYPES = ['individual', 'company'] as const;

const bankProperties = Object.fromEntries(
  Object.entries(BANK_FIELDS).map(([name, description]) => [name, { type: 'string', description }]),
);

export const RECIPIENT = field.objectType('recipient', 'rcp', {
  name: field.text({ description: 'Name of the account holder.', example: 'Ada Lovelace', mutable: true }),
  type: field.oneOf(RECIPIENT_TYPES),
  currency: field.currency({ description: 'The currency it is paid in.' }),
  country: field.code({ description: 'Country of the bank account, ISO 3166-1 alpha-2.', example: 'DE' }),
  email: field.textOrNull({ mutable: true }),
  maskedBankDetails: field.derived(
    'bank_details',
    {
      type: 'object',
      description: 'Only the fields it has. `iban`, `account_number` and `clabe` show their last four characters.',
      additionalProperties: false,
      properties: bankProperties,
    },
    ({ bankDetails }: { readonly bankDetails: Readonly<Record<string, string>> }) =>
      JSON.stringify(maskBankDetails(bankDetails)),
  ),
  address: addressField('address'),
  latinName: field.textOrNull({ description: 'The name in letters that every bank can write.', mutable: true }),
  categoryPurpose: field.oneOfOrNull(CATEGORY_PURPOSES, {
    description: 'The category by which banks process it (ISO 20022), such as `SALA` for a salary.',
    mutable: true,
  }),
  purpose: field.textOrNull({ description: 'What the payee is told that it is for (ISO 20022).', mutable: true }),
  bankAccount: field.idOrNull('ba', {
    column: 'bank_account_id',
    description: 'Your bank account that pays. `null`: none is named, and the oldest open one of its currency pays.',
    mutable: true,
  }),
  duplicateOf: field.idOrNull('rcp', {
    description: 'A hint: the oldest active recipient that had the same account when this one was made.',
  }),
  status: field.oneOf(['active', 'archived', 'redacted'], {
    description: '`archived` after it was deleted, `redacted` after the person was erased.',
    mutable: true,
  }),
  createdBy: field.actor(),
  bankDetailsChangedAt: field.instantOrNull({
    description: 'When its bank details last became others. `null`: never, or before this was kept.',
    mutable: true,
  }),
  metadata: field.metadata({ mutable: true }),
  /** Canonical bank details, not masked. */
  bankDetails: field.json<Readonly<Record<string, string>>>({}, { hidden: true, mutable: true }),
  /** The part that payouts show (`core/rails/destination.ts`). */
  bankSummary: field.textOrNull({ hidden: true, mutable: true }),
  /** Counts up with every change of name or bank details. Payouts name the version they were made with. */
  version: field.count({ hidden: true, mutable: true }),
  /** When the version changed last; `null`: never, or before this was kept. */
  changedAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type Recipient = field.ObjectOf<typeof RECIPIENT>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly recipient: Recipient;
  }
}
