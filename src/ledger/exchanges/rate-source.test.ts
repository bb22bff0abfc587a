import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RatesFaulty } from './filed-rates.ts';
import { pairsOf, rateSource } from './rate-source.ts';
import { parseRates, USUAL_DOCUMENT } from '../live-rates/rates-document.ts';
import { ratesFile } from '../live-rates/rates-file.ts';

const AT = Date.parse('2026-11-20T16:00:00Z');
const NOW = AT + 3_600_000;
const GOOD = {
  source: 'treasury',
  at: '2026-11-20T16:00:00Z',
  base: 'EUR',
  rates: { USD: '1.0842', JPY: '163.9' },
  markup_bps: 30,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rates-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function given(content: unknown) {
  const path = join(folder, `${++files}.json`);
  const faults: string[] = [];
  const put = (next: unknown) => {
    writeFileSync(`${path}.new`, typeof next === 'string' ? next : JSON.stringify(next));
    renameSync(`${path}.new`, path);
  };
  if (content !== undefined) put(content);
  const source = rateSource({ live: ratesFile(path, USUAL_DOCUMENT, (message) => faults.push(message)) });
  source.table(true, NOW); // as the start does
  return { source, put, faults, remove: () => rmSync(path) };
}

describe('sandbox rates', () => {
  const source = rateSource({ live: null, sandboxMarkupBps: 40 });

  it('come from the fixed table, as of the minute', () => {
    expect(source.current(false, 'EUR', 'USD', NOW + 59_999)).toEqual({
      midRate: '1.158',
      markupBps: 40,
      source: 'sandbox',
      at: NOW,
    });
    expect(source.current(false, 'EUR', 'EUR', NOW)).toHaveProperty('unavailable');
    expect(source.current(false, 'EUR', 'ARS', NOW)).toEqual({ unavailable: 'sandbox has no rate of ARS' });
  });

  it('never serve a live key', () => {
    const none = { unavailable: 'the operator has set no source of live rates' };
    expect(source.current(true, 'EUR', 'USD', NOW)).toEqual(none);
    expect(source.table(true, NOW)).toEqual(none);
  });

  it('list what the filter asks for, from the base currency without one', () => {
    const table = source.table(false, NOW);
    if ('unavailable' in table) throw new Error(table.unavailable);
    const pairs = (sellCurrency?: string, buyCurrency?: string) =>
      pairsOf(table, { sellCurrency, buyCurrency }).map((rate) => `${rate.sellCurrency}${rate.buyCurrency}`);
    expect(pairs('EUR', 'USD')).toEqual(['EURUSD']);
    expect(pairs().length).toBeGreaterThan(30);
    expect(pairs().every((pair) => pair.startsWith('EUR'))).toBe(true);
    expect(pairs('USD')).toContain('USDEUR');
    expect(pairs(undefined, 'USD')).toContain('JPYUSD');
    expect(pairs(undefined, 'USD')).not.toContain('USDUSD');
    expect(pairs('EUR', 'ARS')).toEqual([]);
  });
});

describe('live rates', () => {
  it('come from the file, crosses included, and never mix with the sandbox', () => {
    const { source, faults } = given(GOOD);
    const shared = { markupBps: 30, source: 'treasury', at: AT };
    expect(source.current(true, 'EUR', 'USD', NOW)).toEqual({ midRate: '1.0842', ...shared });
    expect(source.current(true, 'USD', 'EUR', NOW)).toEqual({ midRate: '0.9223390518', ...shared });
    expect(source.current(true, 'USD', 'JPY', NOW)).toEqual({ midRate: '151.1713705', ...shared });
    expect(source.current(true, 'EUR', 'GBP', NOW)).toEqual({ unavailable: 'treasury has no rate of GBP' });
    expect(source.current(false, 'EUR', 'GBP', NOW)).toMatchObject({ source: 'sandbox' });
    expect(faults).toEqual([]);
  });

  it('grow stale by business days, and say so', () => {
    const { source } = given(GOOD); // of a Friday
    const monday = Date.parse('2026-11-23T23:59:59Z');
    expect(source.current(true, 'EUR', 'USD', monday)).toHaveProperty('midRate');
    expect(source.current(true, 'EUR', 'USD', monday + 1_000)).toEqual({
      unavailable: 'the newest rates are of 2026-11-20T16:00:00.000Z and were good until the end of 2026-11-23 (UTC)',
    });
  });

  it('follow the file within a second, also to nothing and back', () => {
    const { source, put, faults, remove } = given(GOOD);
    const mid = (nowMs: number) => {
      const rate = source.current(true, 'EUR', 'USD', nowMs);
      return 'unavailable' in rate ? undefined : rate.midRate;
    };
    expect(mid(NOW)).toBe('1.0842');
    put({ ...GOOD, rates: { USD: '1.2' } });
    expect(mid(NOW + 999)).toBe('1.0842');
    expect(mid(NOW + 1_000)).toBe('1.2');
    put('{"source":"treas');
    expect(mid(NOW + 2_000)).toBeUndefined();
    expect(mid(NOW + 3_000)).toBeUndefined();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/no live rates.*not JSON/);
    put(GOOD);
    expect(mid(NOW + 4_000)).toBe('1.0842');
    remove();
    expect(mid(NOW + 5_000)).toBeUndefined();
    expect(faults).toHaveLength(2);
  });

  it('say at the start that the file is missing', () => {
    expect(given(undefined).faults).toHaveLength(1);
  });

  it.each([
    ['a list', [], /object/],
    ['an unknown member', { ...GOOD, markup: 1 }, /"markup"/],
    ['no source', { ...GOOD, source: '' }, /source/],
    ['a day for an instant', { ...GOOD, at: '2026-11-20' }, /at must/],
    ['an instant that does not exist', { ...GOOD, at: '2026-13-20T16:00:00Z' }, /at must/],
    ['an instant without a zone', { ...GOOD, at: '2026-11-20T16:00:00' }, /at must/],
    ['an unknown base', { ...GOOD, base: 'eur' }, /base/],
    ['an unknown currency', { ...GOOD, rates: { USDX: '1' } }, /USDX/],
    ['the base among the rates', { ...GOOD, rates: { EUR: '1' } }, /EUR/],
    ['a number for a rate', { ...GOOD, rates: { USD: 1.0842 } }, /USD/],
    ['a rate of zero', { ...GOOD, rates: { USD: '0.00' } }, /USD/],
    ['a negative rate', { ...GOOD, rates: { USD: '-1' } }, /USD/],
    ['a rate with an exponent', { ...GOOD, rates: { USD: '1e3' } }, /USD/],
    ['a rate beyond what is printed', { ...GOOD, rates: { USD: '1234567890' } }, /USD/],
    ['no rates', { ...GOOD, rates: {} }, /at least one/],
    ['a negative markup', { ...GOOD, markup_bps: -1 }, /markup_bps/],
    ['a markup of more than half', { ...GOOD, markup_bps: 5_001 }, /markup_bps/],
    ['a markup as text', { ...GOOD, markup_bps: '25' }, /markup_bps/],
  ])('refuse a file with %s', (_, file, message) => {
    expect(() => parseRates(JSON.stringify(file), USUAL_DOCUMENT)).toThrow(RatesFaulty);
    expect(() => parseRates(JSON.stringify(file), USUAL_DOCUMENT)).toThrow(message);
  });

  it('control: the file those were made from is accepted', () => {
    expect(parseRates(JSON.stringify(GOOD), USUAL_DOCUMENT).at).toBe(AT);
  });
});
