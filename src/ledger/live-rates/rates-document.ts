/**
 * A document of rates, recognised by how it begins: XML and CSV of the ECB, JSON with pointers (`rate-pointers.ts`), or Bursar's own JSON:
 * `{"source":"treasury","at":"2026-11-21T16:00:00Z","base":"EUR","rates":{"USD":"1.158"},"markup_bps":25}`. Pure. Where documents come
 * from: `rates-file.ts`, `live-rates.ts`.
 */
import { currencyOf } from '../../core/values/currencies.ts';
import { RequestError } from '../../core/values/errors.ts';
import { readJson } from '../../platform/http/request/json.ts';
import { parseEcbCsv, parseEcbXml } from './ecb.ts';
import { type FiledRates, filed, isFiledRate, RatesFaulty } from '../exchanges/filed-rates.ts';
import { parsePointed, type RatePointers } from './rate-pointers.ts';
import type { RateTableParts } from '../exchanges/fields.ts';
import { MAX_MARKUP_BPS } from '../exchanges/rates.ts';

/** What settings say of a document that does not say it itself: with pointers all of it, to those of the ECB the markup. */
export interface DocumentSettings extends Omit<RateTableParts, 'rates'> {
  /** `null`: JSON is Bursar's own. */
  readonly pointers: RatePointers | null;
}

export const USUAL_DOCUMENT: DocumentSettings = { markupBps: 0, pointers: null, base: 'EUR', source: 'rates' };

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const MEMBERS = ['source', 'at', 'base', 'rates', 'markup_bps'];
export const SOURCE_NAME = /^[\x20-\x7e]{1,40}$/;
const JSON_DEPTH = 16;

/** Throws {@link RatesFaulty}. */
export function parseRates(text: string, { pointers, ...about }: DocumentSettings): FiledRates {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (start.startsWith('<')) return parseEcbXml(start, about.markupBps);
  if (/^date,/i.test(start)) return parseEcbCsv(start, about.markupBps);
  return pointers === null ? parseOwn(start) : parsePointed(treeOf(start), pointers, about);
}

function treeOf(text: string) {
  try {
    return readJson(text, JSON_DEPTH);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RatesFaulty(`It is not JSON, not XML and not a CSV of the ECB: ${error.message}`);
  }
}

/** Rates must be text: a JSON number has been through a float. */
function parseOwn(text: string): FiledRates {
  const file = record(json(text), 'The file');
  for (const name of Object.keys(file)) check(MEMBERS.includes(name), `${JSON.stringify(name)} is no member of it`);
  const { source, at, base, rates: given, markup_bps: markupBps } = file;
  check(typeof source === 'string' && SOURCE_NAME.test(source), 'source must be 1 to 40 characters of ASCII');
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
    check(typeof rate === 'string' && isFiledRate(rate), `rates.${currency} must be decimal text such as "1.158"`);
    rates[currency] = rate;
  }
  return filed({ source, base, markupBps, rates }, atMs);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RatesFaulty(`It is not JSON: ${(error as Error).message}.`);
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
  if (!condition) throw new RatesFaulty(`${message}.`);
}
