/** One amount that somebody typed: what is sent of it. One that can be read in two ways is asked about, never guessed. Pure. */
import { amountOf, markOf } from './amounts.ts';

export type Typed =
  | { readonly amount: string; readonly minor: bigint; readonly fault?: undefined }
  /** Nothing was typed yet, or why it is none, in words. */
  | { readonly amount: null; readonly fault?: string };

/** `isPlain`: nobody typed it, it is as the API writes amounts. Throws `RangeError` for a currency that there is not. */
export function typedAmount(text: string, currency: string, isPlain = false): Typed {
  const typed = text.trim();
  if (typed === '') return { amount: null };
  const mark = isPlain ? ({ mark: '.' } as const) : markOf([typed], currency);
  if ('ask' in mark) {
    const digits = typed.replaceAll(/\D/g, '');
    return { amount: null, fault: `“${typed}” can be read in two ways. Write ${digits} for the whole of it.` };
  }
  const read = amountOf(typed, mark.mark, currency);
  return 'fault' in read ? { amount: null, fault: read.fault } : read;
}
