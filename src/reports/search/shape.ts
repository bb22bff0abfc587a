/**
 * What a text that somebody looks for may be, by its shape alone: an id, what a bank quotes, an IBAN, a reference, an amount, or a word of the
 * merchant's own. Pure. Who looks: `routes.ts`.
 */
import { currencyOf } from '../../core/values/currencies.ts';
import { isId, NAMES, type Prefix } from '../../core/values/ids.ts';
import { parseRf } from '../../core/rails/creditor-reference.ts';
import { ibanOf } from '../../core/rails/iban.ts';
import { ourIdIn } from '../../core/rails/our-ids.ts';

/** Where to look. */
export type Look =
  /** The object with this id. */
  | { readonly kind: 'id'; readonly prefix: Prefix; readonly id: string }
  /** What a request did, by its id. */
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'iban'; readonly iban: string }
  /** A creditor reference in its canonical form. */
  | { readonly kind: 'reference'; readonly reference: string }
  /** Texts of an amount in major units, of which a currency takes one or none; `currency`: `null` is any. */
  | { readonly kind: 'amount'; readonly amounts: readonly string[]; readonly currency: string | null }
  /** One's own id, an idempotency key, a text for the recipient. */
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string };

const PREFIXES = Object.keys(NAMES) as readonly Prefix[];

/** In the order of their hits. `text` is not empty, and without blanks at its ends. */
export function looksOf(text: string): readonly Look[] {
  const lower = text.toLowerCase();
  const prefix = PREFIXES.find((each) => isId(each, lower));
  if (prefix === 'req') return [{ kind: 'request', id: lower }];
  if (prefix !== undefined) return [{ kind: 'id', prefix, id: lower }];
  for (const ours of ['po', 'pf'] as const) {
    const id = ourIdIn(ours, text);
    if (id !== null) return [{ kind: 'id', prefix: ours, id }];
  }
  const reference = parseRf(text); // first: its check digits are made as those of an IBAN, and no country is RF
  if (reference !== null) return [{ kind: 'reference', reference }];
  const iban = ibanOf(text);
  if (iban !== null) return [{ kind: 'iban', iban }];
  const amount = amountOf(text);
  const words: readonly Look[] = [
    { kind: 'exact', text },
    { kind: 'name', name: text },
  ];
  return amount === null ? words : [amount, ...words];
}

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };
const WITH_CURRENCY = /^(?:([A-Za-z]{3}|[€$£])\s*)?([\d.,'’\s]*\d)\s*([A-Za-z]{3}|[€$£])?$/;
/** Between thousands, where there are such. */
const GROUPED = /^\d{1,3}(?:([.,'’]|\s)\d{3})(?:\1\d{3})*(?:[.,]\d{1,3})?$/;
const PLAIN = /^\d+(?:[.,]\d{1,3})?$/;

/** `1,128.08`, `1.128,08 EUR`, `EUR 1128` and the like; `null`: no amount. `1,128` may be either of two. */
function amountOf(text: string): Extract<Look, { readonly kind: 'amount' }> | null {
  const [, before, digits, after] = WITH_CURRENCY.exec(text.replaceAll('\u00a0', ' ')) ?? [];
  if (digits === undefined || (before !== undefined && after !== undefined)) return null;
  const unit = before ?? after;
  const currency = unit === undefined ? null : (SIGNS[unit] ?? unit.toUpperCase());
  if (currency !== null && currencyOf(currency) === undefined) return null;
  const amounts = new Set<string>();
  if (PLAIN.test(digits)) amounts.add(digits.replace(',', '.'));
  const [, separator] = GROUPED.exec(digits) ?? [];
  if (separator !== undefined) {
    const bare = digits.replaceAll(separator, '').replace(',', '.');
    if (PLAIN.test(bare)) amounts.add(bare);
  }
  return amounts.size === 0 ? null : { kind: 'amount', amounts: [...amounts], currency };
}
