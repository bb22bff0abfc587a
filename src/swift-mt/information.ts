/**
 * What explains a booking: `:86:`, in the three shapes that banks give it. Nothing in it books, and nothing is refused. Payers write a part of
 * it, also what looks like a subfield or a word of the bank: what stands before their text counts first, and behind it the last one, since
 * the bank writes last. Pure.
 */
import { germanWords } from './german.ts';
import { slashWords } from './slashes.ts';
import { type Information, LINE_WIDTH } from './words.ts';

/** `lines`: of one field, or of several that stand in a row. */
export function informationOf(lines: readonly string[]): Information {
  const text = joined(lines);
  return (
    germanWords(text) ??
    slashWords(text) ?? { words: new Map(), texts: lines.map((line) => line.trim()).filter((line) => line !== '') }
  );
}

/**
 * Banks cut lines at 65 characters, in the middle of a word too; the tag of the first one may count. A line that is shorter by one ended
 * with a blank, which got lost.
 */
function joined(lines: readonly string[]): string {
  let text = '';
  for (const [at, line] of lines.entries()) {
    const missing = at === 0 ? [LINE_WIDTH - ':86:'.length - 1, LINE_WIDTH - 1] : [LINE_WIDTH - 1];
    text += missing.includes(line.length) && at < lines.length - 1 ? `${line} ` : line;
  }
  return text;
}
