/** The settings of an environment, field by field: what payers see of a merchant, and the bank accounts they send money to. */
import * as field from '../../core/fields.ts';
import type { CollectionAccount } from '../../core/objects.ts';
import { unixSeconds } from '../../core/values/time.ts';

/** A change of bank accounts that waits. Instants are milliseconds. */
export interface PendingBankAccounts {
  /** By currency; null removes. */
  readonly accounts: Readonly<Record<string, CollectionAccount | null>>;
  readonly by: string;
  readonly at: number;
  readonly approvalsRequired: number;
  readonly approvals: readonly { readonly by: string; readonly at: number }[];
}

const pending: field.Field<PendingBankAccounts | null> = {
  column: field.jsonOrNull<PendingBankAccounts>({}, { mutable: true }).column,
  shown: () => ({
    schemas: {
      pending_bank_accounts: {
        type: ['object', 'null'],
        description: 'Changes of `bank_accounts` that wait for approval, by currency; `null` removes one.',
        properties: {
          accounts: { type: 'object' },
          by: { type: 'string' },
          at: { type: 'integer' },
          approvals_required: { type: 'integer' },
          approvals: { type: 'array', items: { type: 'object' } },
        },
      },
    },
    json(value) {
      if (value === null) return '"pending_bank_accounts":null';
      const shown = {
        accounts: value.accounts,
        by: value.by,
        at: unixSeconds(value.at),
        approvals_required: value.approvalsRequired,
        approvals: value.approvals.map(({ by, at }) => ({ by, at: unixSeconds(at) })),
      };
      return `"pending_bank_accounts":${JSON.stringify(shown)}`;
    },
  }),
};

/** One row an environment, with its id. */
export const SETTINGS = field.objectType('settings', 'env', {
  name: field.textOrNull({ description: 'Name shown to payers; null: the merchant’s name.', mutable: true }),
  hasLogo: field.derived(
    'has_logo',
    { type: 'boolean', description: 'Whether payers see a logo.' },
    ({ logo }: { readonly logo: string | null }) => String(logo !== null),
  ),
  accentColor: field.textOrNull({ description: 'Colour of buttons, as #rrggbb.', mutable: true }),
  /** Currency to bank account; its members have the names of the API. */
  bankAccounts: field.json<Readonly<Record<string, CollectionAccount>>>(
    {
      type: 'object',
      description:
        'By currency, the account that payers send money to. If there is none, a sandbox shows an invented one.',
      additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    },
    { mutable: true },
  ),
  /** What waits for a second person. */
  pendingBankAccounts: pending,
  paymentReminderDays: field.countOrNull({
    description: 'After so many days of waiting, a payment causes `payment.reminder_due`; null: never.',
    mutable: true,
  }),
  dailyStatements: field.derived(
    'daily_statements',
    { type: 'boolean', description: 'Whether each day has a statement and the event `statement.created`.' },
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
