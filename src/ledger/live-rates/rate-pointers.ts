/**
 * Rates out of any JSON: for the instant and for each currency a JSON pointer (RFC 6901) says where they stand, as in
 * `at=/date, USD=/quotes/USD, GBP=/quotes/0/mid`. Numbers are read as they are written, never through a float. Pure. Next: `rates-document.ts`.
 */
import { currencyOf } from '../../core/values/currencies.ts';
import { isObject, NumberText, type Tree } from '../../platform/http/request/param.ts';
import { type FiledRates, filed, isFiledRate, RatesFaulty } from '../exchanges/filed-rates.ts';
import type { RateTableParts } from '../exchanges/fields.ts';

export interface RatePointers {
  readonly at: string;
  /** Currency to pointer. */
  readonly rates: Readonly<Record<string, string>>;
}

const POINTER = /^(?:\/(?:[^~/,]|~[01])*)+$/;

/** The pointers of a setting; `undefined` where it is not such a list. */
export function ratePointers(text: string): RatePointers | undefined {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [, name = '', pointer = ''] = /^\s*(\w+)=(.*?)\s*$/.exec(pair) ?? [];
    return [name, pointer];
  });
  const named = new Map(pairs);
  const { at, ...rates } = Object.fromEntries(named);
  const isRight =
    named.size === pairs.length &&
    pairs.every(([name, pointer]) => (name === 'at' || currencyOf(name) !== undefined) && POINTER.test(pointer));
  if (!isRight || at === undefined || Object.keys(rates).length === 0) return undefined;
  return { at, rates };
}

/** Throws {@link RatesFaulty}. */
export function parsePointed(tree: Tree, pointers: RatePointers, about: Omit<RateTableParts, 'rates'>): FiledRates {
  const rates: Record<string, string> = {};
  for (const [currency, pointer] of Object.entries(pointers.rates)) {
    const rate = textAt(tree, pointer);
    if (!isFiledRate(rate)) throw new RatesFaulty(`${pointer} must be a rate such as 1.158.`);
    if (currency !== about.base) rates[currency] = rate;
  }
  return filed({ ...about, rates }, instantOf(textAt(tree, pointers.at), pointers.at));
}

/** Text, or a number as it is written. */
function textAt(tree: Tree, pointer: string): string {
  let at: Tree | undefined = tree;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d{0,5})$/.test(name) ? (at as readonly Tree[])[Number(name)] : undefined;
    else at = at !== undefined && isObject(at) ? at[name] : undefined;
  }
  if (at instanceof NumberText) return at.text;
  if (typeof at === 'string') return at;
  throw new RatesFaulty(`${pointer} leads to no text and no number.`);
}

/** Unix seconds, Unix milliseconds, an ISO instant with its zone, or a day, from its beginning (UTC) on. */
function instantOf(text: string, pointer: string): number {
  if (/^\d{9,10}(?:\.\d+)?$/.test(text)) return Math.floor(Number(text)) * 1000;
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const isIso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const atMs = isIso ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) throw new RatesFaulty(`${pointer} must be an instant: Unix seconds, or as ISO 8601 has it.`);
  return atMs;
}
