/** One amount as somebody types it into a field. What can be read in two ways is asked about, never guessed. Pure. */
import { amountOf, markOf } from './amounts.ts';

export type TypedAmount =
  | { readonly amount: string; readonly minor: bigint; readonly fault?: undefined }
  /** Why it is none, in words; without: nothing is typed yet. */
  | { readonly amount: null; readonly fault?: string };

/** `isPlain`: nobody typed it, it is as the API writes amounts. */
export function typedAmount(text: string, currency: string, isPlain = false): TypedAmount {
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
