/** Texts as cells: no spreadsheet runs them, whichever separator it takes, and readers of RFC 4180 get them back. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { separatorIn, textCell } from './csv.ts';

/** Rows as a spreadsheet cuts them: quotation marks count only where a cell begins with one. */
function rowsAsSeen(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = 0; at < text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        if (text[at] === '"') at += 1;
        cell += text[at] as string;
      }
      at += 1;
    }
    while (at < text.length && !`${separator}\r\n`.includes(text[at] as string)) cell += text[at++] as string;
    rows.at(-1)?.push(cell);
    if (text[at] !== separator) rows.push([]);
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows;
}

const isRun = (cell: string) => /^[ \t\r"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell);
const texts = fc.string({ unit: fc.constantFrom(...'=+-@\uff1d\uff0b\uff0d\uff20\t\r\n;,"\' a1'), maxLength: 12 });

/** As the first cell, and behind another one, where its quotation marks do not count for the other separator. */
const holdsOf = (write: (text: string) => string) => (text: string) => {
  const cell = write(text);
  const seen = [`${cell},y`, `x,${cell},y`].flatMap((line) => [',', ';'].map((each) => rowsAsSeen(line, each).flat()));
  const [alone, , behind] = seen as [string[], string[], string[]];
  const bare = (each = '') => each.replaceAll("'", '');
  return !seen.flat().some(isRun) && bare(alone[0]) === bare(text) && bare(behind[1]) === bare(text);
};

it('no text is run, and every one comes back but for apostrophes; controls: those that look at the beginning alone', () => {
  fc.assert(fc.property(texts, holdsOf(textCell)), { numRuns: 20_000 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const atBeginning = (text: string) => quoted(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
  for (const write of [quoted, atBeginning]) {
    expect(fc.check(fc.property(texts, holdsOf(write)), { numRuns: 20_000 }).failed).toBe(true);
  }
});

it.each([
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\uff1d1', "'\uff1d1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20a', "'\uff20a"],
  ['\ta', "'\ta"],
  ['\ra', '"\'\ra"'],
  ['\na', '"\'\na"'],
  ['rent;=1+1', '"rent;\'=1+1"'],
  ['rent; "=1"', '"rent;\' ""=1"""'],
  ['rent\n=1', '"rent\n\'=1"'],
  ['rent; thanks', '"rent; thanks"'],
  ['a=1', 'a=1'],
  ["'x", "'x"],
  [' a ', '" a "'],
])('%j is %j', (text, cell) => expect(textCell(text)).toBe(cell));

it.each([
  ['sep=;\r\na;b', { separator: ';', rest: '\r\na;b' }],
  ['"SEP=,"\na', { separator: ',', rest: '\na' }],
  ['sep=\t', { separator: '\t', rest: '' }],
  ['sep=;x\na', { separator: ';x', rest: '\na' }],
  ['amount,sep=;\n1,2', null],
  ['separator,amount\n', null],
])('the separator of %j: %j', (text, found) => expect(separatorIn(text)).toEqual(found));
