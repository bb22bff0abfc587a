/** The rates that a source gave, checked: what every reader of a document makes. Readers: `ledger/live-rates/rates-document.ts`. */
import type { RateTableParts } from './fields.ts';
import { RateTable } from './rate-table.ts';

export interface FiledRates {
  readonly table: RateTable;
  /** When the source fixed them, milliseconds; a whole second, as the fixing is named by it. */
  readonly at: number;
}

/** Why a document of rates cannot be used, in a sentence for the person who provides it. */
export class RatesFaulty extends Error {
  override name = 'RatesFaulty';
}

// 10^-9 to 10^9 units per base: every currency there is, and crosses stay within what `rates.ts` prints.
const FILED_RATE = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,9})?$/;

export const isFiledRate = (text: string): boolean => FILED_RATE.test(text);

/** Throws {@link RatesFaulty} where no currency is left. */
export function filed(parts: RateTableParts, atMs: number): FiledRates {
  if (Object.keys(parts.rates).length === 0) throw new RatesFaulty('rates must name at least one currency.');
  return { table: new RateTable(parts), at: atMs - (atMs % 1000) };
}
