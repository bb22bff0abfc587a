/** A transfer, field by field: one movement of the ledger. No transfer ever changes. */
import * as field from './fields.ts';
import { houseOf } from './house-accounts.ts';

/** Why a transfer happened. */
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
] as const;
export type Cause = (typeof CAUSES)[number];

/** `house:bank` for a house account, the id for a customer account. */
export function accountName(accountId: string): string {
  const house = houseOf(accountId);
  return house ? `house:${house.kind}` : accountId;
}

const side = (member: 'from' | 'to', description: string): field.Field<string> => ({
  ...field.id('acct'),
  shown: () => ({
    schemas: { [member]: { type: 'string', description } },
    json: (id) => `"${member}":"${accountName(id)}"`,
  }),
});

export const TRANSFER = field.objectType('transfer', 'trf', {
  debitAccount: side('from', 'Account that paid, or `house:…` for the world outside.'),
  creditAccount: side('to', 'Account that received, or `house:…`.'),
  amount: field.money(),
  currency: field.code(),
  cause: field.oneOf(CAUSES),
  /** The prefix follows from the cause; whoever reads a row sets it right (`transfers/sql.ts`). */
  causeId: field.idOrNull('po', { description: 'The exchange, payout or payment it belongs to.' }),
  /** `null` for a house account. */
  debitBalanceAfter: field.minorOrNull({ hidden: true }),
  creditBalanceAfter: field.minorOrNull({ hidden: true }),
  description: field.textOrNull(),
  createdBy: field.actor(),
  metadata: field.metadata({ sparse: true }),
});
export type Transfer = field.ObjectOf<typeof TRANSFER>;
