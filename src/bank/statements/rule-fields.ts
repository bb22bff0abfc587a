/** A rule that says where entries go. Who applies it: `bank-rules.ts`. */
import * as field from '../../core/fields.ts';
import { nullableText } from '../../core/values/json-schema.ts';
import { exampleId } from '../../core/values/ids.ts';

/** Where entries go that name nothing of ours: `bank-rules.ts` says which are meant. */
export const BANK_RULE = field.objectType('bank_rule', 'br', {
  name: field.text({ description: 'Its purpose, in your words.', example: 'Card settlements' }),
  bankAccount: field.idOrNull('ba', { column: 'bank_account_id', description: 'Only entries of this bank account.' }),
  direction: field.oneOfOrNull(['credit', 'debit'], { description: 'Only money that came in, or went out.' }),
  currency: field.textOrNull({ description: 'Only entries of this currency.' }),
  transactionCode: field.textOrNull({ description: 'Pattern of the transaction code of the bank.' }),
  shownIban: field.derived(
    'iban_last4',
    nullableText('Only entries from, or to, this account: the last four characters of its IBAN.'),
    ({ iban }: { readonly iban: string | null }) => JSON.stringify(iban?.slice(-4) ?? null),
  ),
  textPattern: field.textOrNull({
    member: 'text',
    description: 'Pattern of the other side’s name and text.',
  }),
  least: field.moneyOrNull({ prefix: 'min_', description: 'Only entries of at least this, major units.' }),
  most: field.moneyOrNull({ prefix: 'max_', description: 'Only entries of at most this, major units.' }),
  target: field.code({
    member: 'to',
    description: 'Where they go: an account, another bank account, `fees` or `fx`.',
    example: exampleId('acct'),
  }),
  status: field.oneOf(['active', 'deleted'], { hidden: true, mutable: true }),
  iban: field.textOrNull({ hidden: true }),
});
export type BankRule = field.ObjectOf<typeof BANK_RULE>;

declare module '../../core/objects.ts' {
  interface Stored {
    readonly bank_rule: BankRule;
  }
  interface Unannounced {
    readonly bank_rule: BankRule;
  }
}
