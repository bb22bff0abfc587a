/** The settings of an environment, field by field: what payers see of a merchant, and what it is told. */
import { addressField } from '../../core/address.ts';
import * as field from '../../core/fields.ts';
import type { CollectionAccount } from '../../core/objects.ts';

/** One row an environment, with its id. */
export const SETTINGS = field.objectType('settings', 'env', {
  name: field.textOrNull({ description: 'Name shown to payers; null: the merchant’s name.', mutable: true }),
  hasLogo: field.derived(
    'has_logo',
    { type: 'boolean', description: 'Whether payers see a logo.' },
    ({ logo }: { readonly logo: string | null }) => String(logo !== null),
  ),
  accentColor: field.textOrNull({ description: 'Colour of buttons, as #rrggbb.', mutable: true }),
  contactEmail: field.textOrNull({ description: 'Where payers write to.', mutable: true }),
  contactPhone: field.textOrNull({ description: 'Where payers call.', mutable: true }),
  address: addressField('address', 'The company’s address, shown to payers.'),
  legalUrl: field.textOrNull({ description: 'The company’s legal notice.', mutable: true }),
  privacyUrl: field.textOrNull({ description: 'How the company handles data of payers.', mutable: true }),
  /**
   * Accounts from before `/v1/bank_accounts` was the one place for them, by currency; nothing sets one. They lack what a bank account needs,
   * such as its country and the cut-off of its bank, so none can be made of them truthfully. Payers are shown each until a bank account takes
   * collections in its currency, and then it is forgotten (`bank/accounts/hold-decide.ts`): an old one must not come back later.
   */
  bankAccounts: field.json<Readonly<Record<string, CollectionAccount>>>(
    { type: 'object' },
    { hidden: true, mutable: true },
  ),
  paymentReminderDays: field.countOrNull({
    description: 'After so many days of waiting, a payment causes `payment.reminder_due`; null: never.',
    mutable: true,
  }),
  dailyStatements: field.derived(
    'daily_statements',
    { type: 'boolean', description: 'Whether each day has a statement and the event `daily_statement.created`.' },
    ({ nextStatementDay }: { readonly nextStatementDay: string | null }) => String(nextStatementDay !== null),
  ),
  /** The day whose statement comes next; null: none are wanted. */
  nextStatementDay: field.dayOrNull({ hidden: true, mutable: true }),
  metadata: field.metadata({ mutable: true }),
  /** A PNG or JPEG as base64. */
  logo: field.textOrNull({ hidden: true, mutable: true }),
});
export type Settings = field.ObjectOf<typeof SETTINGS>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly settings: Settings;
  }
}
