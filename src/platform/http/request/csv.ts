/**
 * CSV text (RFC 4180) to the tree of a payout batch. The first row names the columns like form fields; every other row
 * is an item of `payouts`. An empty cell is an absent field.
 */
import { createHash } from 'node:crypto';
import { separatorIn } from '../../../core/values/csv.ts';
import { RequestError } from '../../../core/values/errors.ts';
import { quoted } from '../../../core/values/money.ts';
import { put } from './form.ts';
import { emptyFormObject, type Tree, Unreadable } from './param.ts';

/** As many items as a batch may have. */
const MAX_ITEMS = 1000;
/** Every field of a payout, fifty keys of metadata, and room for unknown columns, which are refused by name. */
const MAX_COLUMNS = 100;

export interface CsvPlaces {
  readonly columns: readonly string[];
  /** By index of the item: the line on which its row begins, from 1. */
  readonly lines: readonly number[];
  /** Of the bytes of the file, in hex. */
  readonly sha256: string;
}

/** By list of items. Beside the tree, so that the same items mean the same in every type of body. */
const places = new WeakMap<object, CsvPlaces>();

/** Where the items of a list stand; `null` for a list that is from no CSV file. */
export const placesOf = (items: object): CsvPlaces | null => places.get(items) ?? null;

/** A SHA-256, in hex, of the file that a list is from and of what was sent beside it; `null` for a list that is from no CSV file. */
export function fileHash(items: object, beside: Tree): string | null {
  const file = placesOf(items);
  return file && sha256Of(JSON.stringify([file.sha256, beside]));
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Notes that `items`, parsed from a list, stand where that stands. */
export function notePlaces(items: object, stand: CsvPlaces): void {
  places.set(items, stand);
}

/**
 * Throws `body_invalid`, `parameter_repeated`, or `parameter_invalid` for too many rows or columns. A row with another number of
 * cells than the header is `Unreadable`; the rows around it are read.
 */
export function readCsv(text: string, maxDepth: number): Tree {
  const rows = rowsOf(afterSeparator(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text));
  const header = rows.shift();
  if (!header) throw new RequestError('body_invalid', 'The CSV body is empty; its first row names the columns.');
  const columns = header.cells.map((cell) => cell.trim());
  if (columns.length === 1 && /[;\t]/.test(columns[0] as string)) {
    throw new RequestError('body_invalid', 'Columns must be separated by commas.');
  }
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) {
    const message = `The column ${quoted(twice)} appears more than once.`;
    throw new RequestError('parameter_repeated', message, { param: twice.slice(0, 200) });
  }
  const payouts = rows.map(({ cells, line }): Tree => {
    if (cells.length !== columns.length) {
      return new Unreadable(`Line ${line} has ${cells.length} cells; the header names ${columns.length} columns.`);
    }
    const item = emptyFormObject();
    cells.forEach((cell, at) => {
      if (cell !== '') put(item, columns[at] as string, cell, maxDepth - 2);
    });
    return item;
  });
  notePlaces(payouts, { columns, lines: rows.map(({ line }) => line), sha256: sha256Of(text) });
  const tree = emptyFormObject();
  tree['payouts'] = payouts;
  return tree;
}

/** Excel may name the separator in the first line: `sep=,` is as here. */
function afterSeparator(text: string): string {
  const { separator = ',', rest = text } = separatorIn(text) ?? {};
  if (separator === ',') return rest;
  const message = `The first line names the separator ${quoted(separator)}. Columns must be separated by commas.`;
  throw new RequestError('body_invalid', message);
}

interface Row {
  readonly cells: string[];
  /** The first line of the row, from 1. */
  readonly line: number;
}

// Thrown while reading, so that no larger tree is built.
function tooMuch(most: string, what: string): RequestError {
  const message = `A batch takes at most ${most}; the CSV body has ${what}.`;
  return new RequestError('parameter_invalid', message, { param: 'payouts' });
}

const PLAIN_CELL_END = /[",\r\n]|$/g;

// The index behind the closing quote of a cell that opens at `at`. A doubled quote does not close.
function quotedEnd(text: string, at: number, line: number): number {
  let quote = text.indexOf('"', at + 1);
  while (text[quote + 1] === '"' && quote !== -1) quote = text.indexOf('"', quote + 2);
  if (quote !== -1) return quote + 1;
  throw new RequestError('body_invalid', `The quotes that open on line ${line} are never closed.`);
}

function plainEnd(text: string, at: number): number {
  PLAIN_CELL_END.lastIndex = at;
  return PLAIN_CELL_END.exec(text)?.index ?? text.length;
}

// A megabyte of quotes takes 11 ms by `split`, 40 ms by `replaceAll`.
const unquoted = (cell: string) => cell.slice(1, -1).split('""').join('"');

// Blank lines are skipped.
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    if (text[at] === '\n') {
      at += 1;
      line += 1;
      continue;
    }
    const row: Row = { cells: [], line };
    for (;;) {
      const isQuoted = text[at] === '"';
      const end = isQuoted ? quotedEnd(text, at, line) : plainEnd(text, at);
      const cell = isQuoted ? unquoted(text.slice(at, end)) : text.slice(at, end);
      if (isQuoted) line += cell.split('\n').length - 1;
      row.cells.push(cell);
      if (row.cells.length > MAX_COLUMNS) throw tooMuch(`${MAX_COLUMNS} columns`, `more on line ${line}`);
      at = end;
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.startsWith('\r\n', at)) at += 2;
    else if (text[at] === '\n') at += 1;
    else if (at < text.length) {
      const message = `Line ${line}: ${quoted(text.charAt(at))} cannot stand there; quote the cell.`;
      throw new RequestError('body_invalid', message);
    }
    line += 1;
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row);
    if (rows.length > MAX_ITEMS + 1) throw tooMuch(`${MAX_ITEMS} items`, 'more rows');
  }
  return rows;
}
