/** A transfer, field by field: one movement of the ledger. No transfer ever changes. */
import * as field from './fields.ts';
import { bankAccountOf, houseOf, isOutside } from './house-accounts.ts';

export const CAUSES = [
  'funding',
  'transfer',
  'exchange',
  'exchange_fee',
  'payout',
  'payout_settlement',
  'payout_reversal',
  'payout_fee',
  'payout_fee_reversal',
  'payment',
  'payment_fee',
  'bank_entry',
  'bank_assignment',
  'bank_entry_void',
  'bank_entry_unvoid',
  'payout_settlement_void',
  'payout_reversal_void',
  'payment_void',
  'payment_fee_reversal',
] as const;
export type Cause = (typeof CAUSES)[number];

/** `house:bank` for a house account, the id for a customer account or one of the operator's bank accounts. */
export function accountName(accountId: string): string {
  if (!isOutside(accountId)) return accountId;
  const house = houseOf(accountId);
  return house ? `house:${house.kind}` : bankAccountOf(accountId);
}

const side = (member: 'from' | 'to', description: string, example: string): field.Field<string> => ({
  ...field.id('acct'),
  shown: () => ({
    schemas: { [member]: { type: 'string', description } },
    examples: { [member]: example },
    json: (id) => `"${member}":"${accountName(id)}"`,
  }),
});

export const TRANSFER = field.objectType('transfer', 'trf', {
  debitAccount: side(
    'from',
    'Account that paid, a bank account of yours, or `house:…` for the world outside.',
    'acct_01jd3v9q4ne8v8k3w2m6r5t7xa',
  ),
  creditAccount: side('to', 'Account that received, a bank account, or `house:…`.', 'acct_01jd3v9q4ne8v8k3w2m6r5t7xb'),
  amount: field.money({ example: 2_550 }),
  currency: field.currency(),
  cause: field.oneOf(CAUSES, { description: 'Why the money moved.', example: 'transfer' }),
  /** The prefix follows from the cause; it is set when a row is read (`ledger/transfers/sql.ts`). */
  causeId: field.idOrNull('po', { description: 'The exchange, payout, payment or bank entry that caused it.' }),
  /** `null` for a house account and for a bank account, whose balance stands in its row. */
  debitBalanceAfter: field.minorOrNull({ hidden: true }),
  creditBalanceAfter: field.minorOrNull({ hidden: true }),
  description: field.textOrNull(),
  createdBy: field.actor(),
  metadata: field.metadata({ sparse: true }),
});
export type Transfer = field.ObjectOf<typeof TRANSFER>;
