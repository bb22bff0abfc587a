/** The columns that were chosen for a header, kept in this browser: names of columns only, nothing of the rows. */
import { type Columns, FIELDS, type Field, headerKey } from './columns.ts';

const KEY = 'bursar-batch-columns';
const MOST = 20;

type Kept = readonly (readonly [header: string, columns: Columns])[];

function read(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Kept;
  } catch {
    return []; // written by something else, or storage is off
  }
}

export function columnsFor(header: readonly string[]): Columns | null {
  const found = read().find(([key]) => key === headerKey(header))?.[1];
  const isKnown = (field: Field | null) => field === null || FIELDS.includes(field);
  return found?.every(isKnown) === true ? found : null;
}

export function keepColumns(header: readonly string[], columns: Columns): void {
  const others = read().filter(([key]) => key !== headerKey(header));
  try {
    localStorage.setItem(KEY, JSON.stringify([[headerKey(header), columns], ...others].slice(0, MOST)));
  } catch {
    // Then the next file is asked about again.
  }
}
