/**
 * Which rule of the operator means an entry. Patterns have `*` and `?` only, compared without backtracking beyond the last `*`: at most
 * text × pattern steps, both bounded, and all rules together have a bound for each entry. Pure. Next: `rule-decide.ts`.
 */
import { withoutBlanks } from '../../core/rails/blanks.ts';
import type { BankEntry, Explanation } from './fields.ts';
import type { BankRule } from './rule-fields.ts';

export type RuledEntry = Pick<BankEntry, 'bankAccount' | 'direction' | 'currency' | 'amount'> &
  Pick<Explanation, 'transactionCode' | 'account' | 'name' | 'text'>;

/** `null`: it does not matter. */
export type RuleConditions = Omit<BankRule, 'object' | 'id' | 'createdAt' | 'name' | 'target' | 'status'>;

/** Every import reads all rules of its environment. */
export const MAX_BANK_RULES = 100;
export const MAX_PATTERN = 140;
const MAX_TEXT = 2_000;

/** Characters of one entry that are compared for all rules together; beyond them, none means it. Twice what usual patterns take. */
const MOST_STEPS = 500_000;

/** Rules in order: their patterns are read once, and so are the texts of an entry, which strangers write. */
export class Rules<Rule extends RuleConditions> {
  readonly #rules: readonly {
    readonly rule: Rule;
    readonly code: Characters | null;
    readonly text: Characters | null;
  }[];

  constructor(rules: readonly Rule[]) {
    const read = (pattern: string | null) => (pattern === null ? null : plain(pattern));
    this.#rules = rules.map((rule) => ({ rule, code: read(rule.transactionCode), text: read(rule.textPattern) }));
  }

  /** The first that means an entry. */
  find(entry: RuledEntry): Rule | undefined {
    const code = entry.transactionCode === null ? null : plain(entry.transactionCode);
    const text = plain([entry.name, entry.text].filter((part) => part !== null).join(' '));
    const account = entry.account && withoutBlanks(entry.account).toUpperCase();
    const steps = { left: MOST_STEPS };
    const found = this.#rules.find(
      (each) =>
        steps.left > 0 &&
        suits(each.rule, entry, account) &&
        (each.code === null || (code !== null && isLikeWithin(each.code, code, steps))) &&
        (each.text === null || isLikeWithin(each.text, text, steps)),
    );
    return steps.left > 0 ? found?.rule : undefined;
  }
}

/** All but the patterns. */
function suits(rule: RuleConditions, entry: RuledEntry, account: string | null): boolean {
  const { bankAccount, direction, currency, iban, least, most } = rule;
  return (
    (bankAccount === null || bankAccount === entry.bankAccount) &&
    (direction === null || direction === entry.direction) &&
    (currency === null || currency === entry.currency) &&
    (least === null || entry.amount >= least) &&
    (most === null || entry.amount <= most) &&
    (iban === null || iban === account)
  );
}

/** Code points. */
type Characters = readonly number[];
const [STAR, ANY] = Array.from('*?', (each) => each.codePointAt(0)) as [number, number];

/** Case and the kind of blanks do not matter. */
const plain = (text: string): Characters =>
  Array.from(
    text.slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ').trim().toUpperCase(),
    (character) => character.codePointAt(0) as number,
  );

/** Whether the whole text is like the pattern: `*` is any characters, `?` one. */
export const isLike = (pattern: string, text: string): boolean =>
  isLikeWithin(plain(pattern), plain(text), { left: MOST_STEPS });

/** `steps`: comparisons that are left. */
function isLikeWithin(wanted: Characters, given: Characters, steps: { left: number }): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let next = 0; next < given.length; ) {
    steps.left -= 1;
    if (steps.left <= 0) return false;
    if (at < wanted.length && (wanted[at] === ANY || (wanted[at] === given[next] && wanted[at] !== STAR))) {
      at += 1;
      next += 1;
    } else if (wanted[at] === STAR) {
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
  while (wanted[at] === STAR) at += 1;
  return at === wanted.length;
}

/** ISO 20022 subfamilies of charges and commissions. */
const CHARGES: ReadonlySet<string> = new Set(['CHRG', 'FEES', 'COMM', 'COME', 'COMI', 'COMT']);
/** Proprietary codes: `NCHG+…` of SWIFT, `FCHG` where the statement is the first to tell, and 808 of the German list. */
const PROPRIETARY = /^[FN]CHG\b|^[FN][A-Z]{3}\+808\b/;

/** Whether a bank says by the code of a debit that it is its own charge. `code` as an entry shows it. */
export function isCharge(code: string | null): boolean {
  if (code === null) return false;
  const parts = code.split('-');
  return (parts.length === 3 && CHARGES.has(parts[2] as string)) || PROPRIETARY.test(code);
}
