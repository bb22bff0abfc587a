/**
 * The euro reference rates of the European Central Bank, XML or CSV, of one day or many; the newest day counts. Values
 * stand behind a comma and a blank, lines end with a comma, days are `03 June 2021` or `2021-06-03`, a missing rate is
 * `N/A`, and currencies that no longer exist are named. Pure. Next: `rates-document.ts`.
 */
import { SaxesParser } from 'saxes';
import { currencyOf } from '../../core/values/currencies.ts';
import { localTime } from '../../core/rails/execution-day.ts';
import { dayStartMs } from '../../core/values/time.ts';
import { type FiledRates, filed, isFiledRate, RatesFaulty } from '../exchanges/filed-rates.ts';

const BASE = 'EUR';
const SOURCE = 'ecb';
const HOUR_MS = 3_600_000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** One day of rates, as text and unchecked. */
interface Day {
  /** An ISO date. */
  readonly day: string;
  readonly rates: readonly (readonly [currency: string, rate: string])[];
}

/** Throws {@link RatesFaulty}. */
export function parseEcbXml(text: string, markupBps: number): FiledRates {
  const days: { day: string; rates: [string, string][] }[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', () => {
    throw new RatesFaulty('The XML is not well-formed.');
  });
  parser.on('doctype', () => {
    throw new RatesFaulty('The XML has a DOCTYPE, which the files of the ECB do not have.');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (name.replace(/^.*:/, '') !== 'Cube') return;
    const { time, currency, rate } = attributes as Readonly<Record<string, string>>;
    if (time !== undefined) days.push({ day: time, rates: [] });
    if (currency !== undefined && rate !== undefined) days.at(-1)?.rates.push([currency, rate]);
  });
  parser.write(text).close();
  return newest(days, markupBps);
}

/** Throws {@link RatesFaulty}. */
export function parseEcbCsv(text: string, markupBps: number): FiledRates {
  const [head, ...lines] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const currencies = head?.slice(1) ?? [];
  const days = lines.map(([date = '', ...cells]): Day => {
    if (cells.length !== currencies.length)
      throw new RatesFaulty(
        `The line of ${date || 'no day'} has ${cells.length} values for ${currencies.length} currencies.`,
      );
    return { day: isoDate(date), rates: cells.map((rate, index) => [currencies[index] as string, rate]) };
  });
  return newest(days, markupBps);
}

/** `03 June 2021` and `2021-06-03`; anything else as it is, which is refused later. */
function isoDate(text: string): string {
  const [, day, month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const number = MONTHS.indexOf(month) + 1;
  if (day === undefined || number === 0) return text;
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function newest(days: readonly Day[], markupBps: number): FiledRates {
  for (const { day } of days)
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(dayStartMs(day)))
      throw new RatesFaulty(`${JSON.stringify(day)} is no day such as 2021-06-03.`);
  const last = days.reduce<Day | null>((best, each) => (best === null || each.day > best.day ? each : best), null);
  if (last === null) throw new RatesFaulty('No day of rates is in it.');
  const rates: Record<string, string> = {};
  for (const [currency, rate] of last.rates) {
    if (rate === 'N/A' || rate === '' || currency === BASE || currencyOf(currency) === undefined) continue;
    if (!isFiledRate(rate)) throw new RatesFaulty(`The rate of ${currency} is ${JSON.stringify(rate)}.`);
    rates[currency] = rate;
  }
  return filed({ source: SOURCE, base: BASE, markupBps, rates }, publishedMs(last.day));
}

/** 16:00 in Frankfurt, when the ECB publishes: the files name the day only. */
function publishedMs(day: string): number {
  const start = dayStartMs(day);
  const summer = start + 14 * HOUR_MS;
  return localTime(summer, 'Europe/Berlin').time === '16:00' ? summer : summer + HOUR_MS;
}
