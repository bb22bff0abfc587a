/** The settings of an environment. Not declared field by field: they have one row an environment, and no `created` on the wire. */
import type { BankAccount } from '../core/objects.ts';

/** What payers see of a merchant, and the bank accounts they send money to. */
export interface Settings {
  readonly object: 'settings';
  /** The id of the environment. */
  readonly id: string;
  /** The name shown to payers; `null`: the merchant's name. */
  readonly name: string | null;
  /** A PNG or JPEG as base64. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly accentColor: string | null;
  /** Currency to bank account; its members have the names of the API. */
  readonly bankAccounts: Readonly<Record<string, BankAccount>>;
  readonly createdAt: number;
}

declare module '../core/objects.ts' {
  interface Stored {
    readonly settings: Settings;
  }
}
