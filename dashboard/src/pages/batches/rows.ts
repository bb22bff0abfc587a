/**
 * Rows of a file → payouts to be tried, with everything that can be seen to be wrong before anything is sent. Pure: nothing leaves the browser
 * here. Who judges them is the service, in a dry run. Amounts stay text and exact minor units.
 */
import { decimalsOf } from '../../../../client/src/money.ts';
import { amountOf, type Mark, markOf, type MarkOf } from '../../ui/amounts.ts';
import type { Line } from './cells.ts';
import { type Columns, FIELD_WORDS, type Field, hasHeader, NEEDED } from './columns.ts';
import { compactIban, ibanFault } from './iban.ts';

export interface RowFault {
  /** `null`: it is about the row. */
  readonly field: Field | null;
  readonly message: string;
}

export interface Row {
  /** In the file, from 1. */
  readonly line: number;
  /** As they stand in the file. */
  readonly cells: Readonly<Partial<Record<Field, string>>>;
  readonly currency: string;
  /** As the service takes it; `null`: it could not be read. */
  readonly amount: string | null;
  readonly minor: bigint | null;
  readonly faults: readonly RowFault[];
  /** The line of the first row with the same account, amount and currency; `null`: none. */
  readonly sameAs: number | null;
  /** A row before it gives the same account to somebody else; its line. */
  readonly otherName: number | null;
}

export interface Choices {
  readonly columns: Columns;
  /** Of rows that say none. */
  readonly currency: string;
  /** What a person said of amounts; `null`: nobody was asked. */
  readonly mark: Mark | null;
}

export interface Read {
  readonly rows: readonly Row[];
  /** What has to be answered before anything is tried; `null`: nothing. */
  readonly question: Extract<MarkOf, { readonly ask: string }> | null;
  /** Fields that no column is. */
  readonly missing: readonly Field[];
  /** Good rows by currency, minor units. */
  readonly totals: ReadonlyMap<string, bigint>;
}

export const MAX_ROWS = 1000;
const MAX_NAME = 140;
const MAX_REFERENCE = 140;
/** What stands in the last line of many lists. */
const SUM_WORDS = /^(?:total|sum|grand total|summe|gesamt|gesamtsumme|somme|suma|totale|totaal|razem)\b/i;

export function rowsOf(lines: readonly Line[], { columns, currency, mark }: Choices): Read {
  const body = hasHeader(lines) ? lines.slice(1) : lines;
  const width = lines[0]?.cells.length ?? 0;
  const missing = NEEDED.filter((field) => !columns.includes(field));
  const cellIn = (line: Line, field: Field) => line.cells[columns.indexOf(field)] ?? '';
  const ownCurrency = (line: Line) =>
    (columns.includes('currency') ? cellIn(line, 'currency').toUpperCase() : '') || currency;
  const currencies = new Set(body.map(ownCurrency));
  const only = currencies.size === 1 ? [...currencies].find(isCurrency) : undefined;
  const says = markOf(columns.includes('amount') ? body.map((line) => cellIn(line, 'amount')) : [], only ?? null);
  const question = mark === null && 'ask' in says ? says : null;
  const used = mark ?? ('mark' in says ? says.mark : null);
  const first = new Map<string, number>();
  const holders = new Map<string, { readonly line: number; readonly name: string }>();
  const rows = body.map((line): Row => {
    const cells = Object.fromEntries(
      columns.flatMap((field) => (field === null ? [] : [[field, cellIn(line, field)] as const])),
    ) as Partial<Record<Field, string>>;
    const own = ownCurrency(line);
    const faults = [...rowFaults(line, width, cells), ...cellFaults(cells, own)];
    const read = isCurrency(own) && question === null ? amountOf(cells.amount ?? '', used, own) : null;
    if (read !== null && 'fault' in read) faults.push({ field: 'amount', message: read.fault });
    const paid = read !== null && 'minor' in read ? read : null;
    const iban = compactIban(cells.iban ?? '');
    const key = paid === null || iban === '' ? null : `${iban} ${own} ${paid.minor}`;
    const sameAs = key === null ? null : (first.get(key) ?? null);
    if (key !== null && sameAs === null) first.set(key, line.line);
    const name = cells.name ?? '';
    const holder = iban === '' ? undefined : holders.get(iban);
    if (iban !== '' && holder === undefined) holders.set(iban, { line: line.line, name: spelled(name) });
    const otherName = holder !== undefined && holder.name !== spelled(name) ? holder.line : null;
    const amounts = { amount: paid?.amount ?? null, minor: paid?.minor ?? null };
    return { line: line.line, cells, currency: own, ...amounts, faults, sameAs, otherName };
  });
  return { rows, question, missing, totals: totalsOf(rows) };
}

/** Of good rows alone. */
export function totalsOf(rows: readonly Row[]): ReadonlyMap<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { currency, minor, faults } of rows) {
    if (minor !== null && faults.length === 0) totals.set(currency, (totals.get(currency) ?? 0n) + minor);
  }
  return totals;
}

const spelled = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

function isCurrency(code: string): boolean {
  try {
    return decimalsOf(code) >= 0;
  } catch {
    return false;
  }
}

function rowFaults({ cells: { length } }: Line, width: number, cells: Row['cells']): RowFault[] {
  const faults: RowFault[] = [];
  if (length !== width) {
    const fix = length > width ? 'A text with the separator in it needs quotes.' : 'A cell is missing.';
    faults.push({ field: null, message: `The row has ${length} cells, and the first line has ${width}. ${fix}` });
  }
  if (SUM_WORDS.test(cells.name ?? '') && (cells.iban ?? '') === '')
    faults.push({ field: null, message: 'This looks like the sum of the list. Leave it out.' });
  return faults;
}

/** What can be seen of each cell. */
function cellFaults(cells: Row['cells'], currency: string): RowFault[] {
  const faults: RowFault[] = [];
  const note = (field: Field, message: string) => faults.push({ field, message });
  for (const field of Object.keys(cells) as Field[]) {
    const cell = cells[field] ?? '';
    if (cell.includes('\uFFFD'))
      note(field, `${FIELD_WORDS[field]} has letters that were lost. Choose another encoding.`);
    else if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(cell))
      note(field, `${FIELD_WORDS[field]} has characters that cannot be printed.`);
    else if (field !== 'amount' && /^=|^#(?:REF|N\/A|NAME|VALUE|BEZUG|NV|WERT)[!?]?/.test(cell))
      note(field, `“${cell}” is a formula or an error of the spreadsheet.`);
  }
  const { name = '', iban = '', reference = '' } = cells;
  if (name === '') note('name', 'The name is missing.');
  else if (!/\p{L}/u.test(name)) note('name', `“${name}” is no name.`);
  else if ([...name].length > MAX_NAME) note('name', `The name is longer than ${MAX_NAME} characters.`);
  const wrong = ibanFault(iban);
  if (wrong !== null) note('iban', wrong);
  if (!isCurrency(currency))
    note('currency', currency === '' ? 'The currency is missing.' : `“${currency}” is no currency.`);
  if ([...reference].length > MAX_REFERENCE)
    note('reference', `The reference is longer than ${MAX_REFERENCE} characters.`);
  return faults;
}
