/**
 * CSV out: RFC 4180, UTF-8, CRLF. Texts are safe for spreadsheets (`core/values/csv.ts`); numbers stay exactly as they are in the JSON.
 * Rows are made from the JSON of an object, so that both say the same. CSV in: `platform/http/request/csv.ts`.
 */
import { assert } from '../../core/values/assert.ts';
import { textCell } from '../../core/values/csv.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** `name`: letters, digits, `.`, `-`, `_`. */
export const fileNamed = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}"` });

/** The file name of a list by its address: `/v1/payouts` is `payouts.csv`. */
export function csvFile(url: string): Readonly<Record<string, string>> {
  const path = url.split('?', 1)[0] as string;
  return fileNamed(`${path.replace(/^\/v1\//, '').replaceAll(/[^\w.-]+/g, '_')}.csv`);
}

/** Whether an `Accept` header names `text/csv`, and JSON with no greater weight. A wildcard means JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/csv/i.test(accept)) return false;
  const weights = new Map(
    accept.split(',').map((part) => {
      const [type = '', ...rest] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = Number(rest.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
      return [type, weight >= 0 && weight <= 1 ? weight : 0] as const;
    }),
  );
  const csv = weights.get('text/csv') ?? 0;
  return csv > 0 && csv >= (weights.get('application/json') ?? 0);
}

/** A cell from the JSON of its value: null is empty, text is text, numbers and booleans stay, all else is JSON text. */
export function cellOf(json: string): string {
  if (json === 'null') return '';
  if (json.startsWith('"')) return textCell(JSON.parse(json) as string);
  return /^[{[]/.test(json) ? textCell(json) : json;
}

export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** The row of an object, from its JSON; a column that the object does not have is empty. */
export function csvRow(json: string, columns: readonly string[]): string {
  const members = membersOf(json);
  return csvLine(columns.map((column) => cellOf(members.get(column) ?? 'null')));
}

/** The members as written, by name: `JSON.parse` makes 25.5 of 25.50. Our own rendering: no blanks between tokens. */
export function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = 1;
  while (json[at] === '"') {
    const nameEnd = json.indexOf('"', at + 1);
    const end = valueEnd(json, nameEnd + 2);
    members.set(json.slice(at + 1, nameEnd), json.slice(nameEnd + 2, end));
    at = end + 1;
  }
  assert(at >= json.length, 'The JSON of an object ends with its last member');
  return members;
}

/** Where a value ends that begins at `start`: the comma or the bracket behind it. */
function valueEnd(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const letter = json[at];
    if (letter === '"') at = textEnd(json, at);
    else if (letter === '{' || letter === '[') depth += 1;
    else if (depth === 0 && (letter === ',' || letter === '}')) return at;
    else if (letter === '}' || letter === ']') depth -= 1;
  }
  return json.length;
}

/** Where the quotation mark is that ends the text which begins at `start`. */
function textEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
