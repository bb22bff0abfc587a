/**
 * The file of live rates: read, checked and read again when it changes. A file that is wrong gives no rates at all,
 * never the ones it has replaced: whoever wrote it meant those to end. Replace it by renaming, so that no half of a file
 * is ever seen. Shape: `{"source":"treasury","at":"2026-11-21T16:00:00Z","base":"EUR","rates":{"USD":"1.158"},"markup_bps":25}`.
 */
import { readFileSync, statSync } from 'node:fs';
import { currencyOf } from '../core/currencies.ts';
import { RateTable } from './rate-table.ts';
import { MAX_MARKUP_BPS } from './rates.ts';

export interface FiledRates {
  readonly table: RateTable;
  /** When the source fixed them, milliseconds. */
  readonly at: number;
}

/** Why a file of rates cannot be used, in a sentence for the person who writes it. */
export class RatesFileError extends Error {
  override name = 'RatesFileError';
}

// 10^-9 to 10^9 units per base: every currency there is, and crosses stay within what `rates.ts` prints.
const FILED_RATE = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,9})?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const MEMBERS = ['source', 'at', 'base', 'rates', 'markup_bps'];

/** Throws {@link RatesFileError}. Rates must be text: a JSON number has been through a float. */
export function parseRatesFile(text: string): FiledRates {
  const file = record(json(text), 'The file');
  for (const name of Object.keys(file)) check(MEMBERS.includes(name), `${JSON.stringify(name)} is no member of it`);
  const { source, at, base, rates: given, markup_bps: markupBps } = file;
  check(typeof source === 'string' && /^[\x20-\x7e]{1,40}$/.test(source), 'source must be 1 to 40 characters of ASCII');
  const atMs = typeof at === 'string' && INSTANT.test(at) ? Date.parse(at) : Number.NaN;
  check(Number.isFinite(atMs), 'at must be an instant such as "2026-11-21T16:00:00Z"');
  check(isCurrency(base), 'base must be an ISO 4217 code such as "EUR"');
  check(
    typeof markupBps === 'number' && Number.isInteger(markupBps) && markupBps >= 0 && markupBps <= MAX_MARKUP_BPS,
    `markup_bps must be a whole number from 0 to ${MAX_MARKUP_BPS}`,
  );
  const rates: Record<string, string> = {};
  for (const [currency, rate] of Object.entries(record(given, 'rates'))) {
    check(
      isCurrency(currency) && currency !== base,
      `rates names ${JSON.stringify(currency)}, which is no other currency`,
    );
    check(typeof rate === 'string' && FILED_RATE.test(rate), `rates.${currency} must be decimal text such as "1.158"`);
    rates[currency] = rate;
  }
  check(Object.keys(rates).length > 0, 'rates must name at least one currency');
  return { table: new RateTable({ source, base, markupBps, rates }), at: atMs };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RatesFileError(`It is not JSON: ${(error as Error).message}.`);
  }
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} must be an object`);
  return value as Readonly<Record<string, unknown>>;
}

function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && currencyOf(value) !== undefined;
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new RatesFileError(`${message}.`);
}

/** How long a change of the file may go unseen: one look a second costs nothing beside a request. */
const LOOK_EVERY_MS = 1000;

/**
 * Reads the file as it is now, at most once a second; `null` while it is missing or wrong. `onFault` is called once for every
 * state of the file that cannot be used.
 */
export function ratesFile(path: string, onFault: (message: string) => void): (nowMs: number) => FiledRates | null {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let version = '';
  let filed: FiledRates | null = null;
  return (nowMs) => {
    if (Math.abs(nowMs - lookedAtMs) < LOOK_EVERY_MS) return filed;
    lookedAtMs = nowMs;
    const before = version;
    version = versionOf(path);
    if (version === before) return filed;
    filed = null;
    try {
      filed = parseRatesFile(readFileSync(path, 'utf8'));
    } catch (error) {
      onFault(`The rates file ${path} cannot be used, so there are no live rates. ${(error as Error).message}`);
    }
    return filed;
  };
}

/** A text that changes when the file does. */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
