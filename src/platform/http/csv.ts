/**
 * CSV out: RFC 4180, UTF-8, CRLF. Texts are safe for spreadsheets (`core/values/csv.ts`); numbers stay exactly as they are in the JSON.
 * Rows are made from the JSON of an object, so that both say the same. CSV in: `platform/http/request/csv.ts`.
 */
import { textCell } from '../../core/values/csv.ts';
import { membersOf } from '../../core/values/json-text.ts';
import type { CsvOrder } from './route.ts';

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

/** The row of an object as a list was asked for. `json`: in the newest version. */
export const orderedRow = ({ columns, past }: CsvOrder, json: string): string =>
  csvRow(past === null ? json : past.answer(json), columns);
