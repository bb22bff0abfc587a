/**
 * Details of entries by messages that do not book them: kept until the entry comes, then a part of its explanation. Shown on the entry.
 * Who decides: `details-decide.ts`; decision 0089.
 */
import type { Likeness } from '../../core/deduplication/pairs.ts';
import * as field from '../../core/fields.ts';
import { fingerprint } from '../../core/values/fingerprint.ts';
import { nullableText, strictObject } from '../../core/values/json-schema.ts';
import { amountMembers } from '../../core/values/money.ts';
import type { ExplainedTransaction, Explanation } from './explanation.ts';

/** Details of one entry by one document. `mark`: {@link markOf} the entry. */
export const BANK_ENTRY_DETAILS = field.objectType('bank_entry_details', 'bed', {
  bankAccount: field.id('ba', { column: 'bank_account_id' }),
  document: field.id('sf', { column: 'document_id' }),
  message: field.code(),
  direction: field.oneOf(['credit', 'debit']),
  /** Of the entry, minor units. */
  amount: field.minor(),
  bookedOn: field.day(),
  mark: field.hiddenBytes(),
  /** Whether the amounts of the transactions come to that of the entry. */
  isExact: field.flag(),
  /** Whether a transaction names something of ours, or what looks like it: then no rule is asked where its entry goes. */
  isNaming: field.flag(),
  /** Until its entry comes, or better details do. */
  isWaiting: field.flag({ mutable: true }),
  /** The entry that has them. */
  entry: field.idOrNull('be', { column: 'entry_id', mutable: true }),
  /** The transactions as JSON, sealed at rest; of details that do not wait `[]`. Never in an answer, which is kept. */
  content: field.text({ hidden: true, mutable: true }),
});
export type BankEntryDetails = field.ObjectOf<typeof BANK_ENTRY_DETAILS>;

/** What names an entry in other messages: its real reference, amount, sign and day. `null`: nothing does. Hex. */
export const markOf = ({ reference, day, amount }: Pick<Likeness, 'reference' | 'day' | 'amount'>): string | null =>
  reference === null || day === null ? null : fingerprint(JSON.stringify([reference, day, String(amount)]));

interface Shown {
  readonly explanation: Explanation;
  readonly currency: string;
}

function transactionJson({ amount, name, account, text, endToEndId, to }: ExplainedTransaction, currency: string) {
  const money = amount === null ? '"amount":null,"amount_minor":null' : amountMembers(BigInt(amount), currency);
  const counterparty = { name, account_last4: account?.slice(-4) ?? null };
  return `{${money},${JSON.stringify({ counterparty, text, end_to_end_id: endToEndId, to }).slice(1)}`;
}

export const transactions = field.derived(
  'transactions',
  {
    type: 'array',
    description: 'What another message of the bank says of its transactions.',
    items: strictObject('A transaction.', {
      amount: { type: ['number', 'null'], description: 'Major units. Null if it is in another currency.' },
      amount_minor: { type: ['integer', 'null'], description: 'Minor units.' },
      counterparty: strictObject('The other side.', {
        name: nullableText('Name.'),
        account_last4: nullableText('The last four characters of the account.'),
      }),
      text: nullableText('The payer’s text.'),
      end_to_end_id: nullableText('The id that travels with a payment.'),
      to: nullableText('Where its money went by itself.'),
    }),
  },
  ({ explanation: { details }, currency }: Shown) =>
    `[${(details?.transactions ?? []).map((each) => transactionJson(each, currency)).join(',')}]`,
  [],
);

export const transactionsFrom = field.derived(
  'transactions_from',
  nullableText('The statement file that brought `transactions`.'),
  ({ explanation: { details } }: Shown) => JSON.stringify(details?.document ?? null),
  null,
);

declare module '../../core/objects.ts' {
  interface Stored {
    readonly bank_entry_details: BankEntryDetails;
  }
  interface Unannounced {
    readonly bank_entry_details: BankEntryDetails;
  }
}
