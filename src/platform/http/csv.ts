/**
 * CSV out: RFC 4180, UTF-8, CRLF. Texts are safe for spreadsheets (`core/values/csv.ts`); numbers stay exactly as they are in the JSON, instants are ISO 8601, no cell holds JSON, and names stand beside ids (`csv-names.ts`).
 * Rows are made from the JSON of an object, so that both say the same. CSV in: `platform/http/request/csv.ts`.
 */
import { textCell } from '../../core/values/csv.ts';
import { elementsOf, membersOf } from '../../core/values/json-text.ts';
import { snakeCase } from '../../core/fields.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';
import type { CsvOrder } from './route.ts';
import type { Past } from './version/versions.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** `name`: letters, digits, `.`, `-`, `_`. */
export const fileNamed = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}"` });

/** The file name of a list by its address: `/v1/payouts` is `payouts.csv`. */
export function csvFile(url: string): Readonly<Record<string, string>> {
  const path = url.split('?', 1)[0] as string;
  return fileNamed(`${path.replace(/^\/v1\//, '').replaceAll(/[^\w.-]+/g, '_')}.csv`);
}

/** Columns of a list for people: the members of its objects, and a name beside each id of what people know by its name. */
export const csvColumns = (members: readonly string[], named: readonly string[] = []): readonly string[] =>
  members.flatMap((member) =>
    named.includes(member) || isPayee(member, members) ? [member, nameColumn(member)] : [member],
  );

export const nameColumn = (member: string): string => `${member}_name`;

/** Members that hold an id of something with a `name`: an account, a bank account, a recipient or a key. */
const NAMED = /^(?:account|recipient|key|\w+_account)$/;

/** Where the row itself has the name that was paid: a payout. */
const isPayee = (member: string, members: readonly string[]): boolean =>
  member === 'recipient' && members.includes('destination');
const PAYEE_NAME = nameColumn('recipient');
/** The columns whose integers are Unix seconds: `created`, and what ends in `_at`. */
const INSTANT = /^created$|_at$/;

/**
 * A cell from the JSON of its value: null is empty, text is text, numbers and booleans stay, an instant is ISO 8601 in UTC. A list is
 * `one; other`, an object `name=value; name=value` with dots for what is inside (`address.city=Berlin`).
 */
export function cellOf(json: string, column = ''): string {
  if (json === 'null') return '';
  if (json.startsWith('"')) return textCell(JSON.parse(json) as string);
  if (/^[{[]/.test(json)) return textCell(wordsOf(json));
  return INSTANT.test(column) && /^\d+$/.test(json) ? isoInstant(json) : json;
}

const isoInstant = (seconds: string): string => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z');

/** The words of a list or an object, from its JSON, so that amounts keep their digits. */
function wordsOf(json: string): string {
  return json.startsWith('{') ? pairsOf(json, '').join('; ') : itemsOf(json).join('; ');
}

function pairsOf(json: string, path: string): string[] {
  return [...membersOf(json)].flatMap(([name, value]) => {
    const at = `${path}${quotedWhereNeeded(JSON.parse(`"${name}"`) as string)}`;
    if (value.startsWith('{')) return pairsOf(value, `${at}.`);
    return value === 'null' || value === '[]' ? [] : [`${at}=${valueOf(value, name)}`];
  });
}

const itemsOf = (json: string): string[] =>
  elementsOf(json).map((each) => (each.startsWith('{') ? `(${pairsOf(each, '').join(', ')})` : valueOf(each, '')));

function valueOf(json: string, name: string): string {
  if (json.startsWith('[')) return `(${itemsOf(json).join(', ')})`;
  if (!json.startsWith('"')) return INSTANT.test(name) && /^\d+$/.test(json) ? isoInstant(json) : json;
  return quotedWhereNeeded(JSON.parse(json) as string);
}

const quotedWhereNeeded = (text: string): string =>
  /[;=,()"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** The row of an object, from its JSON; a column that the object does not have is empty. */
export function csvRow(json: string, columns: readonly string[]): string {
  const members = membersOf(json);
  const cell = (column: string) =>
    cellOf(members.get(column) ?? (column === PAYEE_NAME ? payeeIn(members) : 'null'), column);
  return csvLine(columns.map(cell));
}

/** The name that a payout went to, as it was then. */
function payeeIn(members: ReadonlyMap<string, string>): string {
  const destination = members.get('destination') ?? 'null';
  return destination.startsWith('{') ? (membersOf(destination).get('name') ?? 'null') : 'null';
}

/** The row of an object as a list was asked for. `json`: in the newest version. */
export const orderedRow = ({ columns, past }: CsvOrder, json: string): string =>
  csvRow(past === null ? json : past.answer(json), columns);

/** The columns of a list, in the newest version and in older ones. */
export interface Columns {
  of(past: Past | null): readonly string[];
  /** Members of the newest version whose names are looked up (`csv-names.ts`). */
  readonly named: readonly string[];
}

/** `listed`: the name of the schema of its objects. */
export function columnsOf(listed: string, { required = [], properties }: JsonSchema = {}): Columns {
  const schemas = properties ?? {};
  const isId = (member: string) => NAMED.test(member) && [schemas[member]?.['type']].flat().includes('string');
  const named = required.filter((member) => isId(member) && !isPayee(member, required));
  const newest = csvColumns(required, named);
  const { const: one, enum: [kind = one] = [] } = schemas['object'] ?? {};
  const object = (kind ?? snakeCase(listed).slice(1)) as string;
  return { of: (past) => (past === null ? newest : past.columns(object, newest)), named };
}
