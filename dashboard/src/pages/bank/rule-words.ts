/** A rule for entries of banks as a sentence. Pure. */
import type { BankRule } from '../../../../client/src/generated/types.ts';
import { digitsOf } from '../../ui/digits.ts';

type Said = Omit<BankRule, 'id' | 'object' | 'created' | 'livemode' | 'name' | 'to' | 'min_amount' | 'max_amount'>;

/**
 * `Money that goes out of Nordbank EUR, with a name or text like “*fee*”, of at least 5.00 EUR`: which entries are meant. `bank`: what
 * the bank account is called; `null`: the rule is for all of them.
 */
export function meantBy(rule: Said, bank: string | null): string {
  const { direction, currency, transaction_code: code, iban_last4: end, text } = rule;
  const { min_amount_minor: least, max_amount_minor: most } = rule;
  const amount = (minor: number) => `${digitsOf(minor, currency ?? '')} ${currency ?? ''}`;
  const at = bank ?? 'any bank account';
  const whole =
    direction === null
      ? `Money at ${at}`
      : direction === 'credit'
        ? `Money that comes in at ${at}`
        : `Money that goes out of ${at}`;
  const parts = [
    ...(currency !== null && least === null && most === null ? [`in ${currency}`] : []),
    ...(text === null ? [] : [`with a name or text like “${text}”`]),
    ...(code === null ? [] : [`with the code ${code}`]),
    ...(end === null ? [] : [`of the account that ends in ${end}`]),
    ...(least === null ? [] : [`of at least ${amount(least)}`]),
    ...(most === null ? [] : [`of at most ${amount(most)}`]),
  ];
  return [whole, ...parts].join(', ');
}
