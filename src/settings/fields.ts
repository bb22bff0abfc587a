/** The settings of an environment, field by field: what payers see of a merchant, and the bank accounts they send money to. */
import * as field from '../core/fields.ts';
import type { BankAccount } from '../core/objects.ts';

/** One row an environment, whose id it has. */
export const SETTINGS = field.objectType('settings', 'env', {
  name: field.textOrNull({ description: 'Name shown to payers; null: that of the merchant.', mutable: true }),
  hasLogo: field.derived(
    'has_logo',
    { type: 'boolean', description: 'Whether payers see a logo.' },
    ({ logo }: { readonly logo: string | null }) => String(logo !== null),
  ),
  accentColor: field.textOrNull({ description: 'Colour of buttons, as #rrggbb.', mutable: true }),
  /** Currency to bank account; its members have the names of the API. */
  bankAccounts: field.json<Readonly<Record<string, BankAccount>>>(
    {
      type: 'object',
      description:
        'Currency to the account that payers send money to. Without one, a sandbox shows an invented account.',
      additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    },
    { mutable: true },
  ),
  /** A PNG or JPEG as base64. */
  logo: field.textOrNull({ hidden: true, mutable: true }),
});
export type Settings = field.ObjectOf<typeof SETTINGS>;

declare module '../core/objects.ts' {
  interface Stored {
    readonly settings: Settings;
  }
}
