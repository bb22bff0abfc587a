/** An account, field by field: the one object that the ledger itself knows. */
import * as field from './fields.ts';

export const ACCOUNT = field.objectType('account', 'acct', {
  currency: field.currency({ description: 'ISO 4217 code.' }),
  balance: field.minor({
    schema: { type: 'integer', minimum: 0, description: 'In the currency’s minor unit: 1050 is 10.50 EUR.' },
    example: 100_000,
    mutable: true,
  }),
  name: field.textOrNull({ description: 'Your name for it.', mutable: true }),
  status: field.oneOf(['open', 'closed'], { mutable: true }),
  metadata: field.metadata({ mutable: true }),
  closedAt: field.instantOrNull({ hidden: true, mutable: true }),
  /** Its payouts that wait for money; null: none. `amount`: what they need with their fees, minor units as text, which may pass 2^63. */
  waiting: field.jsonOrNull<{ readonly count: number; readonly amount: string }>({}, { hidden: true, mutable: true }),
});
export type Account = field.ObjectOf<typeof ACCOUNT>;

declare module './objects.ts' {
  interface Stored {
    readonly account: Account;
  }
}
