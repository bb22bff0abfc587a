/** Documents of rates as their sources write them: files of the ECB (real ones, in test/support/rates), JSON of other services, and Bursar's own. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RatesFaulty } from '../exchanges/filed-rates.ts';
import { ratePointers } from './rate-pointers.ts';
import { parseRates, USUAL_DOCUMENT } from './rates-document.ts';

const sample = (name: string) => readFileSync(`test/support/rates/${name}`, 'utf8');
const parsed = (text: string, settings: Partial<typeof USUAL_DOCUMENT> = {}) => {
  const { table, at } = parseRates(text, { ...USUAL_DOCUMENT, ...settings });
  const { rates, ...rest } = table.parts;
  return { ...rest, rates, at: new Date(at).toISOString() };
};

describe('files of the ECB', () => {
  it('the daily CSV: blanks, a comma at the end, a written month, currencies that are no more', () => {
    const { rates, ...rest } = parsed(sample('eurofxref.csv'), { markupBps: 40 });
    expect(rest).toEqual({ source: 'ecb', base: 'EUR', markupBps: 40, at: '2021-06-03T14:00:00.000Z' });
    expect(rates).toMatchObject({ USD: '1.2187', PLN: '4.4520', IDR: '17420.91', ZAR: '16.5218' });
    expect(Object.keys(rates)).not.toContain('HRK');
    expect(Object.keys(rates)).toHaveLength(30);
  });

  it('the CSV of the history: the newest day, without what is N/A', () => {
    const { rates, at } = parsed(sample('eurofxref-hist.csv'));
    expect([at, rates['USD'], rates['CZK']]).toEqual(['2019-04-10T14:00:00.000Z', '1.1279', '25.608']);
    expect(Object.keys(rates)).not.toContain('EEK');
    expect(Object.values(rates)).not.toContain('N/A');
  });

  it('the CSV of the history with its days the other way round, and with the line ends of Windows', () => {
    const [head, ...days] = sample('eurofxref-hist.csv').trim().split('\n');
    expect(parsed([head, ...days.reverse()].join('\r\n'))).toEqual(parsed(sample('eurofxref-hist.csv')));
  });

  it('the daily XML, in summer and winter time, and the XML of many days', () => {
    const daily = parsed(sample('eurofxref-daily.xml'));
    expect(daily).toMatchObject({ source: 'ecb', base: 'EUR', at: '2018-07-27T14:00:00.000Z' });
    expect(daily.rates).toEqual({ USD: '1.1625', JPY: '129.25' });
    const many = parsed(sample('eurofxref-hist-90d.xml'));
    expect(many.at).toBe('2020-01-08T15:00:00.000Z');
    expect(many.rates).toEqual({ USD: '1.1115', JPY: '120.86', CZK: '25.265', ISK: '137.1' });
  });

  it.each([
    ['an XML that was cut off', sample('eurofxref-daily.xml').slice(0, 400), /not well-formed/],
    ['an XML without a day', '<Envelope><Cube/></Envelope>', /No day/],
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    ['a day that does not exist', "<a><Cube time='2021-02-31x'><Cube currency='USD' rate='1'/></Cube></a>", /no day/],
    ['a rate of zero', "<a><Cube time='2021-06-03'><Cube currency='USD' rate='0.0'/></Cube></a>", /rate of USD/],
    ['a line with a value too few', 'Date,USD,JPY,\n2021-06-03,1.2\n', /values for/],
    ['a CSV without a line', 'Date,USD,JPY,\n', /No day/],
    ['a decimal comma', 'Date;USD\n2021-06-03;1,2\n', /not JSON/],
  ])('%s is refused', (_, text, why) => {
    expect(() => parsed(text)).toThrow(RatesFaulty);
    expect(() => parsed(text)).toThrow(why);
  });
});

describe('JSON of another service', () => {
  const TREE =
    '{"meta":{"a/b":{"time":1700000000}},"base":"USD","quotes":[{"ccy":"EUR","mid":0.92410},{"ccy":"GBP","mid":"0.8"}]}';
  const pointers = ratePointers('at=/meta/a~1b/time, EUR=/quotes/0/mid,GBP=/quotes/1/mid')!;
  const settings = { pointers, base: 'USD', source: 'treasury', markupBps: 7 };

  it('gives what the pointers lead to, digit by digit', () => {
    expect(parsed(TREE, settings)).toEqual({
      source: 'treasury',
      base: 'USD',
      markupBps: 7,
      rates: { EUR: '0.92410', GBP: '0.8' },
      at: '2023-11-14T22:13:20.000Z',
    });
  });

  it.each([
    ['1700000000123', '2023-11-14T22:13:20.000Z'],
    ['"2023-11-14T23:13:20+01:00"', '2023-11-14T22:13:20.000Z'],
    ['"2023-11-14"', '2023-11-14T00:00:00.000Z'],
  ])('an instant may be %s', (written, at) => {
    expect(parsed(TREE.replace('1700000000', written), settings).at).toBe(at);
  });

  it.each([
    [TREE.replace('0.92410', '9.2e-1'), /quotes\/0\/mid must be a rate/],
    [TREE.replace('0.92410', 'null'), /leads to no text/],
    [TREE.replace('"quotes"', '"quote"'), /leads to no text/],
    [TREE.replace('1700000000', '"yesterday"'), /must be an instant/],
    [TREE.replace('1700000000', '"2023-11-14T23:13:20"'), /must be an instant/],
    ['<html>no</html>', /No day/],
    [`${TREE}}`, /not JSON/],
  ])('%s is refused', (text, why) => {
    expect(() => parsed(text, settings)).toThrow(why);
  });

  it.each(['', 'at=/a', 'USD=/a', 'at=/a,EUX=/b', 'at=/a,USD=b', 'at=/a,USD=/b,USD=/c', 'at=/a,USD=/b~2', 'at'])(
    '%j is no list of pointers',
    (text) => expect(ratePointers(text)).toBeUndefined(),
  );
});
