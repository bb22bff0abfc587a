/**
 * Whether a rule of the operator means an entry. Patterns have `*` and `?` only, compared without backtracking beyond the last `*`: at
 * most text × pattern steps, both bounded. Pure. Next: `rule-decide.ts`.
 */
import { withoutBlanks } from '../../core/rails/blanks.ts';
import type { BankEntry, BankRule, Explanation } from './fields.ts';

export type RuledEntry = Pick<BankEntry, 'bankAccount' | 'direction' | 'currency' | 'amount'> &
  Pick<Explanation, 'transactionCode' | 'account' | 'name' | 'text'>;

/** `null`: it does not matter. */
export type RuleConditions = Omit<BankRule, 'object' | 'id' | 'createdAt' | 'name' | 'target' | 'status'>;

/** Every import reads all rules of its environment. */
export const MAX_BANK_RULES = 100;
export const MAX_PATTERN = 140;
const MAX_TEXT = 2_000;

export function isMeant(rule: RuleConditions, entry: RuledEntry): boolean {
  const { bankAccount, direction, currency, transactionCode, iban, textPattern, least, most } = rule;
  return (
    (bankAccount === null || bankAccount === entry.bankAccount) &&
    (direction === null || direction === entry.direction) &&
    (currency === null || currency === entry.currency) &&
    (least === null || entry.amount >= least) &&
    (most === null || entry.amount <= most) &&
    (iban === null || iban === (entry.account && withoutBlanks(entry.account).toUpperCase())) &&
    (transactionCode === null || (entry.transactionCode !== null && isLike(transactionCode, entry.transactionCode))) &&
    (textPattern === null || isLike(textPattern, [entry.name, entry.text].filter((part) => part !== null).join(' ')))
  );
}

/** Whether the whole text is like the pattern: `*` is any characters, `?` one. Case and the kind of blanks do not matter. */
export function isLike(pattern: string, text: string): boolean {
  const [wanted, given] = [plain(pattern), plain(text.slice(0, MAX_TEXT))];
  let at = 0;
  let star = -1;
  let from = 0;
  for (let next = 0; next < given.length; ) {
    if (at < wanted.length && (wanted[at] === '?' || (wanted[at] === given[next] && wanted[at] !== '*'))) {
      at += 1;
      next += 1;
    } else if (wanted[at] === '*') {
      star = at;
      from = next;
      at += 1;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      from += 1;
      next = from;
    }
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
}

const plain = (text: string): readonly string[] => Array.from(text.replaceAll(/\s+/g, ' ').trim().toUpperCase());

/** ISO 20022 subfamilies of charges and commissions. */
const CHARGES: ReadonlySet<string> = new Set(['CHRG', 'FEES', 'COMM', 'COME', 'COMI', 'COMT']);
/** Proprietary codes: `NCHG+…` of SWIFT, and 808 of the German list. */
const PROPRIETARY = /^NCHG\b|^N[A-Z]{3}\+808\b/;

/** Whether a bank says by the code of a debit that it is its own charge. `code` as an entry shows it. */
export function isCharge(code: string | null): boolean {
  if (code === null) return false;
  const parts = code.split('-');
  return (parts.length === 3 && CHARGES.has(parts[2] as string)) || PROPRIETARY.test(code);
}
