/**
 * Amounts as people write them → plain text in major units and exact minor units. Which of point and comma divides the decimals is decided for a
 * whole column: `1.234` alone may be either, and then a person is asked. Nothing is rounded, nothing passes through a float. Pure.
 */
import { decimalsOf } from '../../../client/src/money.ts';

export type Mark = '.' | ',';

/** What a column says of its decimal mark. */
export type MarkOf =
  | { readonly mark: Mark }
  /** No cell has either, or only as what divides thousands. */
  | { readonly mark: null }
  /** Cells such as `1.234`, which are thousands to one and decimals to another; the first of them. */
  | { readonly ask: string; readonly why: 'ambiguous' }
  /** Some cells can only be read one way and others only the other way; one of each. */
  | { readonly ask: string; readonly why: 'mixed'; readonly other: string };

/** Blanks of all widths and apostrophes only ever divide thousands. */
const GROUPS = /[\s\u00a0\u202f\u2009'’]/g;
/** Signs of currencies; the code of one is looked at by {@link amountOf}. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP'],
  zł: ['PLN'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  'Fr.': ['CHF'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'HKD', 'SGD'],
  '¥': ['JPY', 'CNY'],
};

/** `currency`: of the column; `null`: its rows have several, so the decimals tell nothing. */
export function markOf(cells: readonly string[], currency: string | null): MarkOf {
  const decimals = currency === null ? 2 : decimalsOf(currency);
  const seen: Partial<Record<Mark, string>> = {};
  let doubtful: string | null = null;
  for (const cell of cells) {
    const says = markIn(bare(cell), decimals);
    if (says === 'either') doubtful ??= cell;
    else if (says !== null) seen[says] ??= cell;
  }
  const { '.': point, ',': comma } = seen;
  if (point !== undefined && comma !== undefined) return { ask: point, other: comma, why: 'mixed' };
  if (point !== undefined || comma !== undefined) return { mark: point === undefined ? ',' : '.' };
  return doubtful === null ? { mark: null } : { ask: doubtful, why: 'ambiguous' };
}

/** The digits with what stands between them. */
function bare(cell: string): string {
  return cell
    .replace(/^[^\d.,-]+/, '')
    .replace(/[^\d]+$/, '')
    .replaceAll(GROUPS, '');
}

/** Which mark divides the decimals of this one; `null`: it has none, or is no amount. */
function markIn(text: string, decimals: number): Mark | 'either' | null {
  if (!/^\d[\d.,]*$/.test(text)) return null;
  const marks = [...text].filter((each): each is Mark => each === '.' || each === ',');
  const last = marks.at(-1);
  if (last === undefined) return null;
  const other: Mark = last === '.' ? ',' : '.';
  if (marks.includes(other)) return last;
  if (marks.length > 1) return other; // 1.234.567
  const [whole = '', after = ''] = text.split(last);
  if (after.length !== 3) return last;
  if (whole.length > 3 || whole.startsWith('0')) return last; // 1234.567, 0.125
  if (decimals === 0) return other; // a yen has no decimals
  return 'either';
}

export type Amount =
  | { readonly amount: string; readonly minor: bigint }
  /** Why it is none, in words. */
  | { readonly fault: string };

/** More digits than any payout has. */
const MAX_MINOR = 999_999_999_999_999n;

/** `mark`: that of the column; `null`: it has no decimals. Never throws. */
export function amountOf(cell: string, mark: Mark | null, currency: string): Amount {
  const fault = (why: string): Amount => ({ fault: why });
  if (cell === '') return fault('The amount is missing.');
  if (/^#|^=/.test(cell)) return fault(`“${cell}” is a formula or an error of the spreadsheet.`);
  const own = withoutCurrency(cell, currency);
  const money = own?.replace(/[.,][-–—]{1,2}$/, '') ?? null; // 100.– is a hundred francs
  if (money === null) return fault(`“${cell}” is not in ${currency}.`);
  if (/^\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(money))
    return fault(`“${cell}” was shortened by the spreadsheet. Write all digits.`);
  if (/^[-−–(]|[-−)]$/.test(money)) return fault('The amount is below zero.');
  const other = mark === ',' ? '.' : ',';
  const [whole = '', after, ...rest] = mark === null ? [money] : money.split(mark);
  const digits = wholeOf(whole, mark === null ? null : other);
  if (rest.length > 0 || digits === null || (after !== undefined && !/^\d+$/.test(after))) {
    const meant =
      mark === null
        ? 'digits'
        : `${mark === ',' ? 'a decimal comma' : 'a decimal point'}, as in the rest of the column`;
    return fault(`“${cell}” is no amount with ${meant}.`);
  }
  const decimals = decimalsOf(currency);
  const given = after ?? '';
  if (/[1-9]/.test(given.slice(decimals))) {
    return fault(
      `“${cell}” has ${given.length === 1 ? '1 decimal' : `${given.length} decimals`}. ${currency} has ${decimals === 0 ? 'none' : decimals}.`,
    );
  }
  const kept = given.slice(0, decimals).padEnd(decimals, '0');
  const minor = BigInt(`${digits}${kept}`);
  if (minor === 0n) return fault('The amount is zero.');
  if (minor > MAX_MINOR) return fault('The amount is larger than any payout.');
  return { amount: kept === '' ? digits : `${digits}.${kept}`, minor };
}

/**
 * One amount as a person typed it into a form; `null`: nothing yet. One that can be read in two ways is asked about, never guessed. `isPlain`:
 * nobody typed it, it is as the API writes amounts.
 */
export function typedAmount(text: string, currency: string, isPlain = false): Amount | null {
  const typed = text.trim();
  if (typed === '') return null;
  const mark = isPlain ? ({ mark: '.' } as const) : markOf([typed], currency);
  if (!('ask' in mark)) return amountOf(typed, mark.mark, currency);
  const digits = typed.replaceAll(/\D/g, '');
  return { fault: `“${typed}” can be read in two ways. Write ${digits} for the whole of it.` };
}

/** Digits without what divides thousands, which must stand before each three; `null`: it does not. */
function wholeOf(text: string, group: Mark | null): string | null {
  const isGrouped =
    group === null ? /^\d{1,3}(?:[\s'’.,]\d{3})+$/u : new RegExp(`^\\d{1,3}(?:[\\s'’${group}]\\d{3})+$`, 'u');
  if (!/^\d+$/.test(text) && !isGrouped.test(text)) return null;
  const digits = text.replaceAll(/\D/g, '');
  return digits.length > 30 ? null : digits.replace(/^0+(?=\d)/, '');
}

/** Without the code or the sign of the currency before or behind; `null`: it is that of another one. */
function withoutCurrency(cell: string, currency: string): string | null {
  const text = cell.trim();
  const [, code] = /^([A-Za-z]{3})(?=[\s\d-])/.exec(text) ?? /(?<=[\s\d])([A-Za-z]{3})$/.exec(text) ?? [];
  if (code !== undefined) return code.toUpperCase() === currency ? text.replace(code, '').trim() : null;
  for (const [sign, currencies] of Object.entries(SIGNS)) {
    if (text.startsWith(sign) || text.endsWith(sign))
      return currencies.includes(currency) ? text.replace(sign, '').trim() : null;
  }
  return text;
}
