/** What a refused value was probably meant to be. Used in refusals only, never to accept a value. Next: `param.ts`. */
import { nearest } from '../../../core/values/nearest.ts';

/** What programs write where they have no value. */
const NO_VALUE: ReadonlySet<unknown> = new Set(['undefined', 'null', 'NULL', 'None', 'nil', 'NaN', '[object Object]']);
const TRUE: ReadonlySet<string> = new Set(['true', 't', '1', 'yes', 'y', 'on']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', '0', 'no', 'n', 'off']);

/** A sentence with a blank before it, or nothing. `words`: the values that are allowed, where they are few. */
export function hint(value: unknown, words: readonly string[] = []): string {
  if (NO_VALUE.has(value)) return ' The program that sent it had no value here.';
  const near = typeof value === 'string' ? nearest(value, words) : undefined;
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Of a text or the text of a number that was to be a boolean. */
export function booleanHint(value: unknown): string {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (TRUE.has(word)) return ' Did you mean true?';
  return FALSE.has(word) ? ' Did you mean false?' : hint(value);
}
