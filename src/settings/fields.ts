/** The settings of an environment. Written by hand, since they have no life of their own: one row an environment, and no instant. */
import type { BankAccount } from '../core/objects.ts';

/** What an environment says about itself, and where its payers send money. */
export interface Settings {
  readonly object: 'settings';
  /** That of the environment. */
  readonly id: string;
  /** Shown to payers; `null`: the merchant's name. */
  readonly name: string | null;
  /** A PNG or JPEG as base64. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly accentColor: string | null;
  /** Currency to where money of it is sent, by the names of the API. */
  readonly bankAccounts: Readonly<Record<string, BankAccount>>;
  readonly createdAt: number;
}

declare module '../core/objects.ts' {
  interface Stored {
    readonly settings: Settings;
  }
}
