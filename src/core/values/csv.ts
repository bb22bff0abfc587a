/**
 * What every writer and reader of CSV needs: a text as a cell that no spreadsheet runs, and the line `sep=;` that Excel puts first. Pure.
 * Lists as CSV: `platform/http/csv.ts`; bodies: `platform/http/request/csv.ts`; the command line: `cli/remote/batch-plan.ts`.
 */

/**
 * Where a spreadsheet would run a formula: at the beginning, and behind a semicolon or line break, because an Excel of a country with decimal
 * commas cuts there, whatever is quoted. Full-width signs count as well. Blanks and quotation marks before the sign do not help.
 */
const RUN = /(?<=^|[;\r\n])(?=[ \t"]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;

/** RFC 4180. Where a spreadsheet would run a formula stands an apostrophe, which it takes for "text". For text alone: numbers stay as they are. */
export function textCell(text: string): string {
  const safe = text.replaceAll(RUN, "'");
  return /[",;\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The separator that the first line names, and the text with that line empty, so that lines count on; `null`: it names none. */
export function separatorIn(text: string): { readonly separator: string; readonly rest: string } | null {
  const [whole = '', separator] = /^"?sep=([^\r\n"]{0,8})"?(?=\r?\n|$)/i.exec(text) ?? [];
  return separator === undefined ? null : { separator, rest: text.slice(whole.length) };
}
