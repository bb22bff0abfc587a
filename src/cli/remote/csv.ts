/** A CSV file as rows with their line numbers (RFC 4180; comma or semicolon, whichever the header has more of). Pure. Next: `batch-plan.ts`. */
import { UsageError } from '../../operator/exit.ts';

export interface CsvRow {
  /** Where it begins; the header is line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Throws `UsageError` where a quote is never closed. Blank lines are left out. */
export function csvRows(text: string): CsvRow[] {
  const body = text.replace(/^\uFEFF/, '');
  const header = body.split(/\r?\n/, 1)[0] ?? '';
  const separator = header.split(';').length > header.split(',').length ? ';' : ',';
  const rows: CsvRow[] = [];
  let [cells, cell, line, start, isQuoted]: [string[], string, number, number, boolean] = [[], '', 1, 1, false];
  const endRow = () => {
    const row = [...cells, cell];
    if (row.some((each) => each !== '')) rows.push({ line: start, cells: row });
    [cells, cell, start] = [[], '', line];
  };
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at] as string;
    if (character === '\n') line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) [cells, cell] = [[...cells, cell], ''];
    else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) throw new UsageError(`The quote that opens in line ${start} is never closed.`);
  endRow();
  return rows;
}

/** A row of a CSV file. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  cells.map((each) => (/[",\r\n;]/.test(String(each)) ? `"${String(each).replaceAll('"', '""')}"` : each)).join(',');
