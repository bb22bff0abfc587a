/** Text of a file → lines of cells: RFC 4180 with the separators that spreadsheets use. Pure. Next: `columns.ts`. */
export const SEPARATORS = [';', ',', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

export interface Line {
  /** Where it begins in the file, from 1. A cell in quotes may go over several. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly separator: Separator;
  /** Without those that are blank. */
  readonly lines: readonly Line[];
  /** Where a quote opens that never closes; its row is left out. `null`: none. */
  readonly unclosed: number | null;
}

/** Lines that are looked at to tell the separator. */
const LOOKED_AT = 20;

/** `chosen`: what a person said, else what the file says of itself (`sep=;`), else what divides its lines alike. */
export function sheetOf(text: string, chosen?: Separator): Sheet {
  const said = /^sep=([;,\t|])\r?\n/i.exec(text);
  const separator = chosen ?? (said?.[1] as Separator | undefined) ?? separatorOf(text);
  return split(text, separator, said === null ? 0 : said[0].length);
}

/** The one by which most lines have as many cells as the first, and more than one. */
function separatorOf(text: string): Separator {
  let best: { separator: Separator; score: number } = { separator: ';', score: 0 };
  for (const separator of SEPARATORS) {
    const lines = split(text, separator, 0, LOOKED_AT).lines;
    const width = lines[0]?.cells.length ?? 0;
    const alike = lines.filter(({ cells }) => cells.length === width).length;
    const score = width < 2 ? 0 : (alike / lines.length) * 1000 + width;
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

function split(text: string, separator: Separator, from: number, most = Number.POSITIVE_INFINITY): Sheet {
  const lines: Line[] = [];
  let line = from === 0 ? 1 : 2;
  let start = line;
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const end = () => {
    const all = [...cells, cell.trim()];
    if (all.some((each) => each !== '')) lines.push({ line: start, cells: all });
    cells = [];
    cell = '';
    start = line;
  };
  for (let at = from; at < text.length && lines.length < most; at += 1) {
    const character = text[at] as string;
    const isBreak = character === '\n' || (character === '\r' && text[at + 1] !== '\n');
    if (isBreak) line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (character === separator) {
      cells.push(cell.trim());
      cell = '';
    } else if (isBreak) end();
    else if (character !== '\r') cell += character;
  }
  if (!isQuoted && lines.length < most) end();
  return { separator, lines, unclosed: isQuoted ? start : null };
}
