/** Accounts of the operator at a bank, field by field. Each is an account of the ledger too (`core/house-accounts.ts`). */
import * as field from '../core/fields.ts';
import { addressField } from '../recipients/fields.ts';

export const USES = ['payouts', 'collections'] as const;
/** The dialects of payment files: the European rulebook, Germany, Switzerland, and plain ISO 20022. */
export const PROFILES = ['epc', 'de_dk', 'ch_sps', 'generic'] as const;
export const CALENDARS = ['target', 'weekdays'] as const;
/** Messages whose booked entries move the ledger. */
export const BOOKING_MESSAGES = ['camt.053', 'camt.052', 'camt.054'] as const;
export const PAYEE_CHECKS = ['off', 'on'] as const;

export const BANK_ACCOUNT = field.objectType('bank_account', 'ba', {
  name: field.textOrNull({ description: 'Your name for it.', mutable: true }),
  currency: field.code({ description: 'ISO 4217 code.' }),
  country: field.code({ description: 'Country of the account, ISO 3166-1 alpha-2.' }),
  holder: field.text({ description: 'Name of the account holder, as the bank has it.', mutable: true }),
  holderAddress: addressField('holder_address'),
  bankDetails: field.json<Readonly<Record<string, string>>>({
    type: 'object',
    description: 'The bank details that it was made with, not masked.',
    additionalProperties: { type: 'string' },
  }),
  uses: field.words(USES, { description: '`payouts` leave from it, `collections` come in to it.', mutable: true }),
  profile: field.oneOf(PROFILES, { description: 'The dialect of payment files that its bank takes.', mutable: true }),
  calendar: field.oneOf(CALENDARS, { description: 'On which days its bank works.', mutable: true }),
  cutOff: field.code({ description: 'Until when a payment file leaves on the same day, `HH:MM`.', mutable: true }),
  timeZone: field.text({ description: 'Of `cut_off`, an IANA name.', mutable: true }),
  bookedBy: field.oneOf(BOOKING_MESSAGES, {
    description: 'The messages of the bank whose booked entries move the ledger.',
    mutable: true,
  }),
  payeeCheck: field.oneOf(PAYEE_CHECKS, {
    description: 'Whether its files ask the bank to verify the names of payees.',
    mutable: true,
  }),
  balance: field.minor({
    schema: {
      type: 'integer',
      description: 'In minor units: the sum of what the bank has booked. Below zero is an overdraft.',
    },
    mutable: true,
  }),
  status: field.oneOf(['open', 'closed'], { mutable: true }),
  metadata: field.metadata({ mutable: true }),
  closedAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type BankAccount = field.ObjectOf<typeof BANK_ACCOUNT>;

declare module '../core/objects.ts' {
  interface Stored {
    readonly bank_account: BankAccount;
  }
}
