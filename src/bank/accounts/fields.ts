/** Accounts of the operator at a bank, field by field. Each is an account of the ledger too (`core/house-accounts.ts`). */
import { CALENDARS } from '../../core/rails/business-days.ts';
import * as field from '../../core/fields.ts';
import { fingerprintOf, type PendingChanges, pendingSchema, shown } from '../../core/pending.ts';
import { addressField } from '../../core/address.ts';

export const USES = ['payouts', 'collections'] as const;
/** As in `iso20022/write/profiles.ts`. */
export const PROFILES = ['epc', 'de_dk', 'ch_sps', 'generic'] as const;
export const BOOKING_MESSAGES = ['camt.053', 'camt.052', 'camt.054'] as const;
export const PAYEE_CHECKS = ['off', 'on'] as const;
export const EXPORTS = ['by_hand', 'before_cut_off'] as const;
export const PAID_BY = ['booking', 'status'] as const;
export const REVERSAL_SIGNS = ['own', 'original'] as const;
export const CHARGES = ['to_fees', 'by_hand'] as const;
export const ON_DRIFT = ['warn', 'stop_exports'] as const;

/** What payers are shown: the account itself never changes. */
export interface ShownToPayers {
  readonly holder: string;
  readonly uses: readonly (typeof USES)[number][];
}
export type PendingAccount = PendingChanges<Partial<ShownToPayers>>;
type Changing = ShownToPayers & { readonly id: string; readonly pendingChanges: PendingAccount | null };

const seenIn = ({ holder, uses }: Partial<ShownToPayers>) => [holder, uses];

/** From what to what: so a change of what payers are shown outdates it. */
export const fingerprintOfChanges = (account: Changing, pending: PendingAccount): string =>
  fingerprintOf([account.id, seenIn(account), seenIn(pending.changes)], pending);

export function shownChanges(account: Changing): object | null {
  const { pendingChanges: pending } = account;
  return pending && shown(pending, fingerprintOfChanges(account, pending), { changes: pending.changes });
}

const pendingChanges: field.Field<PendingAccount | null> = {
  column: field.jsonOrNull<PendingAccount>({}, { column: 'pending_change', mutable: true }).column,
  shown: () => ({
    schemas: {
      pending_changes: pendingSchema(
        'With `hold_bank_accounts`, what payers are not shown yet. It waits for `POST /v1/bank_accounts/:id/approve`.',
        {
          changes: {
            type: 'object',
            description: 'The new `uses` or `holder`.',
            properties: { holder: { type: 'string' }, uses: { type: 'array', items: { type: 'string', enum: USES } } },
          },
        },
      ),
    },
    json: (_, account) => `"pending_changes":${JSON.stringify(shownChanges(account as unknown as Changing))}`,
  }),
};

export const BANK_ACCOUNT = field.objectType('bank_account', 'ba', {
  name: field.textOrNull({ description: 'Your name for it.', mutable: true }),
  currency: field.currency({ description: 'ISO 4217 code.' }),
  country: field.code({ description: 'Country of the account, ISO 3166-1 alpha-2.', example: 'DE' }),
  holder: field.text({
    description: 'Name of the account holder at the bank.',
    example: 'Example GmbH',
    mutable: true,
  }),
  holderAddress: addressField('holder_address'),
  bankDetails: field.json<Readonly<Record<string, string>>>(
    {
      type: 'object',
      description: 'Its bank details, not masked.',
      additionalProperties: { type: 'string' },
    },
    { example: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' } },
  ),
  uses: field.words(USES, { description: '`payouts` leave from it, `collections` come in to it.', mutable: true }),
  pendingChanges,
  profile: field.oneOf(PROFILES, {
    description: 'The dialect of payment files that its bank takes.',
    example: 'de_dk',
    mutable: true,
  }),
  calendar: field.oneOf(CALENDARS, { description: 'The business days of its bank.', mutable: true }),
  holidays: field.texts({
    schema: {
      type: 'array',
      items: { type: 'string', format: 'date' },
      description: 'Days on which its bank is closed beside those of `calendar`, in their order.',
    },
    example: [],
    mutable: true,
  }),
  cutOff: field.code({
    description: 'The bank executes files that come before this time on the same day, `HH:MM`.',
    example: '14:30',
    mutable: true,
  }),
  timeZone: field.text({
    description: 'Time zone of `cut_off` and of the days in statements, an IANA name.',
    example: 'Europe/Berlin',
    mutable: true,
  }),
  bookedBy: field.oneOf(BOOKING_MESSAGES, {
    description: 'The messages of the bank whose booked entries move the ledger.',
    mutable: true,
  }),
  payeeCheck: field.oneOf(PAYEE_CHECKS, {
    description: 'Whether its files ask the bank to verify the names of payees.',
    example: 'on',
    mutable: true,
  }),
  exports: field.oneOf(EXPORTS, {
    description: 'When payouts leave in a file: when you export, or also before each `cut_off`.',
    mutable: true,
  }),
  paidBy: field.oneOf(PAID_BY, {
    description: 'What makes a payout `paid`: its booked debit, or the status ACSC of the bank too.',
    mutable: true,
  }),
  reversalSign: field.oneOf(REVERSAL_SIGNS, {
    description:
      'The sign of a reversal (`RvslInd`) in statements of the bank: its own, or the sign of the entry that it undoes.',
    mutable: true,
  }),
  charges: field.oneOf(CHARGES, {
    description:
      'Whether debits that the bank marks, by their transaction code, as its own charges go to `fees` by themselves.',
    mutable: true,
  }),
  onDrift: field.oneOf(ON_DRIFT, {
    description:
      'What happens when a statement’s balance differs from the ledger’s. `warn`: only an event. `stop_exports`: exports stop until somebody resumes them.',
    mutable: true,
  }),
  balance: field.minor({
    description: 'The sum of the bank’s bookings, in minor units. Below zero is an overdraft.',
    mutable: true,
  }),
  status: field.oneOf(['open', 'closed'], { mutable: true }),
  metadata: field.metadata({ mutable: true }),
  booksFrom: field.dayOrNull({
    member: 'books_from_on',
    description: 'First day of the first imported statement. Older bookings are in its opening balance.',
    mutable: true,
  }),
  stoppedBy: field.idOrNull('bs', {
    member: 'exports_stopped_by',
    column: 'stopped_by_id',
    description: 'The statement whose drift stopped the exports; null while payouts may leave.',
    mutable: true,
  }),
  /** Of the drift that stopped the exports last; null once the ledger agrees. */
  driftDifference: field.minorOrNull({ hidden: true, mutable: true }),
  /** How often what a bank reported has changed its books: plans for statements rest on them. */
  booksVersion: field.count({ hidden: true, mutable: true }),
  /** Sandbox: when the last export window began that its clock was moved over. */
  passedWindowAt: field.instantOrNull({ hidden: true, mutable: true }),
  closedAt: field.instantOrNull({ hidden: true, mutable: true }),
});
export type BankAccount = field.ObjectOf<typeof BANK_ACCOUNT>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly bank_account: BankAccount;
  }
}
