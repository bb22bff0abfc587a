/**
 * A CSV file of payouts → chunks to send, or all of its faults. Pure. Each row gets an `external_id`, from its column or its content, and
 * each chunk an id from its rows: the same rows have the same ids in every run, so that nothing is paid twice. CSV is RFC 4180 with
 * comma or semicolon: the one that a first line `sep=;` names, or the one that the header has more of. Sending: `batch.ts`.
 */
import { createHash } from 'node:crypto';
import { type Decimal, decimal, toMinor } from '../../../client/src/money.ts';
import { withoutBlanks } from '../../core/rails/blanks.ts';
import { separatorIn, textCell } from '../../core/values/csv.ts';
import { UsageError } from '../../operator/exit.ts';
import { visible } from './terminal.ts';

export interface Row {
  readonly line: number;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly account: string | undefined;
  /** The parameters of the payout. */
  readonly order: Readonly<Record<string, string | Readonly<Record<string, string>>>> & {
    readonly amount: Decimal;
    readonly currency: string;
    /** Or `name` and `iban`. */
    readonly recipient?: string;
    readonly name?: string;
    readonly iban?: string;
    readonly external_id: string;
  };
}

export interface Chunk {
  /** The batch's `external_id`, and what its idempotency key begins with. */
  readonly id: string;
  readonly rows: readonly Row[];
}

export interface Fault {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

export interface Plan {
  readonly chunks: readonly Chunk[];
  readonly faults: readonly Fault[];
  /** Columns that are not sent. */
  readonly ignored: readonly string[];
}

export interface PlanOptions {
  /** Field of a payout → name of its column. */
  readonly map: ReadonlyMap<string, string>;
  /** For files that have no column of it. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly chunkRows: number;
  readonly hasDecimalComma: boolean;
  /** Whether a payee may be paid the same twice. */
  readonly mayRepeat?: boolean;
  /** Told apart from the same rows of another run, such as those of last month. */
  readonly run: string;
}

const FIELDS =
  /^(?:amount|currency|recipient|account|reference|reference_type|statement_descriptor|external_id|scheduled_on|on_insufficient_funds|wait_until_on|category_purpose|purpose|bank_account|source_currency|source_account|metadata\[[^[\]]+\])$/;
/** Of a payee. Only a file with IBANs names payees: in others a name is a note beside the recipient. */
const PAYEE_FIELDS = ['name', 'iban', 'bic', 'country', 'email', 'type'];
const NEEDED = ['amount', 'currency'];
const ID_CHARACTERS = 24;

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_CHARACTERS);

/** Throws `UsageError` where the file or the mapping as a whole cannot be meant. */
export function planOf(text: string, options: PlanOptions): Plan {
  const faults: Fault[] = [];
  const [header, ...rows] = csvRows(text, faults);
  if (header === undefined || (rows.length === 0 && faults.length === 0)) throw new UsageError('The file has no rows.');
  const columns = header.cells.map((name) => name.trim());
  const fields = fieldsOf(columns, options);
  const seen = new Map<string, number>();
  const planned = rows.flatMap((row) => rowOf(row, header, fields, options, seen, faults) ?? []);
  const chunks: Chunk[] = [];
  for (let start = 0; start < planned.length; start += options.chunkRows) {
    const part = planned.slice(start, start + options.chunkRows);
    const hash = hashOf(options.run, ...part.map(({ order }) => JSON.stringify(order)));
    chunks.push({ id: `bursar-cli-${hash}`, rows: part });
  }
  const ignored = header.cells.filter((_, index) => fields[index] === undefined);
  return { chunks, faults, ignored };
}

/** The field of each column; `undefined` for one that is not sent. */
function fieldsOf(columns: readonly string[], { map, fixed }: PlanOptions): (string | undefined)[] {
  const wrong: string[] = [];
  const hasPayees = columns.includes('iban') || map.has('iban');
  const isField = (name: string) => FIELDS.test(name) || (hasPayees && PAYEE_FIELDS.includes(name));
  for (const [field, column] of map) {
    if (!isField(field)) wrong.push(`--map: a payout has no ${field}.`);
    if (!columns.includes(column)) wrong.push(`--map: there is no column ${column}.`);
  }
  const byColumn = new Map([...map].map(([field, column]) => [column, field]));
  const fields = columns.map((name) => byColumn.get(name) ?? (isField(name) && !map.has(name) ? name : undefined));
  const twice = fields.filter((name, at) => name !== undefined && fields.indexOf(name) < at);
  for (const name of new Set(twice)) wrong.push(`More than one column is ${name}.`);
  const needed = [...NEEDED, ...(hasPayees ? ['name'] : ['recipient'])];
  const missing = needed.filter((name) => !fields.includes(name) && fixed[name] === undefined);
  if (missing.length > 0) wrong.push(`No column is ${missing.join(', ')}. Say which: --map ${missing[0]}=<column>.`);
  if (wrong.length === 0) return fields;
  throw new UsageError([...wrong, `There are: ${columns.join(', ')}`].map(visible).join('\n'));
}

function rowOf(
  { line, cells }: CsvRow,
  header: CsvRow,
  fields: readonly (string | undefined)[],
  options: PlanOptions,
  seen: Map<string, number>,
  faults: Fault[],
): Row | undefined {
  const before = faults.length;
  const fault = (field: string, message: string) => {
    faults.push({ line, column: header.cells[fields.indexOf(field)] ?? field, message });
  };
  if (cells.length !== header.cells.length) {
    const column = header.cells[cells.length] ?? `cell ${header.cells.length + 1}`;
    faults.push({ line, column, message: `${cells.length} cells, and the header has ${header.cells.length}` });
  }
  const plain: Record<string, string> = { ...options.fixed };
  const metadata: Record<string, string> = {};
  for (const [index, field] of fields.entries()) {
    const value = cells[index]?.trim() ?? '';
    if (field === undefined || value === '') continue;
    const key = /^metadata\[(.+)\]$/.exec(field)?.[1];
    if (key === undefined) plain[field] = value;
    else metadata[key] = value;
  }
  const whom = fields.includes('iban') && plain['recipient'] === undefined ? ['name', 'iban'] : [];
  const needed = [...NEEDED, ...(fields.includes('iban') ? whom : ['recipient'])];
  for (const name of needed) if (plain[name] === undefined) fault(name, 'is empty');
  if (plain['recipient'] !== undefined && !plain['recipient'].startsWith('rcp_'))
    fault('recipient', `${plain['recipient']} is not the id of a recipient (rcp_…)`);
  const currency = (plain['currency'] ?? '').toUpperCase();
  const written = plain['amount'] ?? '';
  const amount = options.hasDecimalComma ? written.replace(',', '.') : written;
  let amountMinor = 0n;
  try {
    if (amount !== '' && currency !== '') {
      amountMinor = toMinor(decimal(amount), currency);
      if (amountMinor <= 0n) fault('amount', `${written} is not above zero`);
    }
  } catch (error) {
    fault('amount', (error as Error).message);
  }
  const order = { ...plain, amount, currency, ...(Object.keys(metadata).length > 0 && { metadata }) };
  // Equal rows are told apart by their count, so that another row in between changes no id.
  const content = hashOf(options.run, JSON.stringify(identityOf(order)));
  const count = (seen.get(content) ?? 0) + 1;
  seen.set(content, count);
  if (plain['iban'] !== undefined) {
    const first = seen.get(`line ${content}`);
    if (first === undefined) seen.set(`line ${content}`, line);
    else if (options.mayRepeat !== true) fault('iban', `is paid the same in line ${first}; --allow-repeated pays both`);
  }
  const own = plain['external_id'];
  if (own !== undefined && seen.has(`id ${own}`))
    fault('external_id', `${own} is in line ${seen.get(`id ${own}`)} already`);
  if (own !== undefined) seen.set(`id ${own}`, line);
  if (faults.length > before) return undefined;
  const external_id = own ?? `bursar-cli-${hashOf(content, String(count))}`;
  return { line, currency, amountMinor, account: plain['account'], order: { ...order, external_id } as Row['order'] };
}

/** A payee is known by the account: whoever corrects a name, or says which recipient is meant, sends no other row. */
function identityOf({ iban, ...order }: Readonly<Record<string, unknown>>): object {
  if (typeof iban !== 'string') return order;
  const named = [...PAYEE_FIELDS, 'recipient'];
  const others = Object.entries(order).filter(([name]) => !named.includes(name));
  return { iban: withoutBlanks(iban).toUpperCase(), ...Object.fromEntries(others) };
}

interface CsvRow {
  /** Where it begins; the header is line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Blank lines are left out, and so is the row of a quote that is never closed: that is a fault. Throws `UsageError` where the first line
 * names another separator.
 */
export function csvRows(text: string, faults: Fault[]): CsvRow[] {
  const named = separatorIn(text);
  const body = named?.rest ?? text;
  const header = body.split(/\r?\n/, 1)[0] ?? '';
  const separator = named?.separator ?? (header.split(';').length > header.split(',').length ? ';' : ',');
  if (!/^[,;]$/.test(separator)) {
    throw new UsageError(`The first line names the separator "${separator}". Use a comma or a semicolon.`);
  }
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
    else if (character === separator) {
      cells.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  if (!isQuoted) endRow();
  else {
    const column = rows[0]?.cells[cells.length] ?? `cell ${cells.length + 1}`;
    faults.push({ line: start, column, message: 'the quote that opens here is never closed' });
  }
  return rows;
}

/** One line of a CSV file. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  cells.map((each) => (typeof each === 'string' ? textCell(each) : each)).join(',');
