/** Days of instants where the bank is, alone and through the import of a file. */
import { describe, expect, it } from 'vitest';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { entry, statement } from '../../../test/support/bank/read-documents.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { localDay } from './local-days.ts';

describe('the day of an instant', () => {
  it.each([
    ['a day', '2026-03-01', 'Europe/Berlin', '2026-03-01'],
    ['a day with an offset, which is as written', '2026-03-01+02:00', 'America/New_York', '2026-03-01'],
    ['no offset, which is local already', '2026-03-01T23:59:59', 'Pacific/Auckland', '2026-03-01'],
    ['no offset and no seconds', '2026-03-01T23:59', 'Pacific/Auckland', '2026-03-01'],
    ['UTC before midnight there', '2026-03-01T22:59:59.999Z', 'Europe/Berlin', '2026-03-01'],
    ['UTC from midnight there', '2026-03-01T23:00:00Z', 'Europe/Berlin', '2026-03-02'],
    ['UTC without seconds', '2026-03-01T23:00Z', 'Europe/Berlin', '2026-03-02'],
    ['an offset that is not that of the bank', '2026-03-02T00:30:00+05:30', 'Europe/Berlin', '2026-03-01'],
    ['an offset below zero', '2026-12-31T20:00:00-05:00', 'Europe/Berlin', '2027-01-01'],
    ['the last hour before summer', '2026-03-28T23:00:00Z', 'Europe/Berlin', '2026-03-29'],
    ['the evening of the day on which summer begins', '2026-03-29T21:59:59Z', 'Europe/Berlin', '2026-03-29'],
    ['the night after it', '2026-03-29T22:00:00Z', 'Europe/Berlin', '2026-03-30'],
    ['the evening of the day on which summer ends', '2026-10-25T22:59:59Z', 'Europe/Berlin', '2026-10-25'],
    ['the night after that', '2026-10-25T23:00:00Z', 'Europe/Berlin', '2026-10-26'],
    ['half an hour more, before midnight', '2026-03-01T18:29:59Z', 'Asia/Kolkata', '2026-03-01'],
    ['half an hour more, from midnight', '2026-03-01T18:30:00Z', 'Asia/Kolkata', '2026-03-02'],
    ['three quarters, before midnight', '2026-03-01T18:14:59Z', 'Asia/Kathmandu', '2026-03-01'],
    ['three quarters, from midnight', '2026-03-01T18:15:00Z', 'Asia/Kathmandu', '2026-03-02'],
    ['clocks set back at 00:01: the minute before', '2006-10-29T02:30:00Z', 'America/St_Johns', '2006-10-29'],
    ['clocks set back at 00:01: Saturday once more', '2006-10-29T02:31:00Z', 'America/St_Johns', '2006-10-28'],
    ['24:00, which ends its day', '2026-03-01T24:00:00', 'Europe/Berlin', '2026-03-01'],
    ['24:00 of the bank', '2026-03-01T24:00:00+01:00', 'Europe/Berlin', '2026-03-01'],
    ['24:00 of somewhere else', '2026-03-01T24:00:00Z', 'Europe/Berlin', '2026-03-02'],
    ['a year that nobody has clocks for', '0001-01-01T00:00:00Z', 'America/New_York', '0001-01-01'],
    ['the end of the calendar', '9999-12-31T23:59:59Z', 'Asia/Tokyo', '9999-12-31'],
    ['nothing', null, 'Europe/Berlin', null],
  ])('%s', (_, written, timeZone, day) => expect(localDay(written, timeZone)).toBe(day));

  it('is that of the calendar of the zone in every hour of a year', () => {
    for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
      const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone });
      for (let hour = 0; hour < 366 * 24; hour += 1) {
        const at = new Date(Date.UTC(2026, 0, 1, hour, 59));
        expect(localDay(at.toISOString(), timeZone)).toBe(calendar.format(at));
      }
    }
  });

  it('is asked of the calendar once an hour, not once an entry', () => {
    const { formatToParts } = Intl.DateTimeFormat.prototype;
    let asked = 0;
    Intl.DateTimeFormat.prototype.formatToParts = function (this: Intl.DateTimeFormat, at) {
      asked += 1;
      return formatToParts.call(this, at);
    };
    try {
      for (let n = 0; n < 10_000; n += 1) localDay(`2031-05-0${1 + (n % 9)}T0${n % 10}:15:00Z`, 'Europe/Paris');
    } finally {
      Intl.DateTimeFormat.prototype.formatToParts = formatToParts;
    }
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(2 * 9 * 10);
  });
});

const dt = (name: string, at: string) => `<${name}><DtTm>${at}</DtTm></${name}>`;
const balance = (code: string, amount: string, at: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>${dt('Dt', at)}</Bal>`;
const ACCOUNT = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';

describe('a file whose days are instants of UTC', () => {
  const day = dt('BookgDt', '2025-12-31T23:30:00Z') + dt('ValDt', '2026-01-01T23:00:00Z');
  const whole = (id: string, period: string, balances: string) =>
    statement(`<Id>${id}</Id>${period}${ACCOUNT}${balances}${entry({ day })}`);
  const PERIOD =
    '<FrToDt><FrDtTm>2025-12-31T23:00:00Z</FrDtTm><ToDtTm>2026-01-01T22:59:59Z</ToDtTm></FrToDt><CreDtTm>2026-01-01T23:30:00Z</CreDtTm>';
  const BALANCES = balance('OPBD', '5.00', '2025-12-31T23:00:00Z') + balance('CLBD', '6.00', '2026-01-01T22:59:00Z');

  const imported = async (file: string, timeZone: string) => {
    const bank = new MemoryBank([bankAccount({ timeZone })]);
    await bank.import(file);
    return bank;
  };

  it.each([
    ['Europe/Berlin', '2026-01-01', '2026-01-01', '2026-01-02', '2026-01-01'],
    ['UTC', '2025-12-31', '2025-12-31', '2026-01-01', '2026-01-01'],
    ['America/New_York', '2025-12-31', '2025-12-31', '2026-01-01', '2026-01-01'],
    ['Asia/Tokyo', '2026-01-01', '2026-01-01', '2026-01-02', '2026-01-02'],
  ])('is booked on the days of %s', async (timeZone, startsOn, bookedOn, valueOn, closedOn) => {
    const { statements, entries } = await imported(whole('S', PERIOD, BALANCES), timeZone);
    expect(statements).toMatchObject([{ startsOn, openedOn: startsOn, closedOn, proof: 'ok' }]);
    expect(entries.filter(({ kind }) => kind === 'entry')).toMatchObject([{ bookedOn, valueOn }]);
  });

  it.each([
    ['made', '<CreDtTm>', '</CreDtTm>'],
    ['over', '<FrToDt><ToDtTm>', '</ToDtTm></FrToDt>'],
  ])('is of the year in which it is %s where the bank is', async (_, before, after) => {
    const seriesOf = async (at: string) =>
      (await imported(whole('S', before + at + after, ''), 'Europe/Berlin')).statements.map(({ series }) => series);
    const series = await seriesOf('2025-12-31T23:30:00Z');
    expect(series).toEqual(await seriesOf('2026-01-01T00:30:00+01:00'));
    expect(series).not.toEqual(await seriesOf('2025-12-31T22:30:00Z'));
  });

  it('that another file says as days is not booked again', async () => {
    const bank = await imported(whole('S', PERIOD, BALANCES), 'Europe/Berlin');
    const days = '<BookgDt><Dt>2026-01-01</Dt></BookgDt><ValDt><Dt>2026-01-02</Dt></ValDt>';
    const plain = `<Id>T</Id><FrToDt><FrDt>2026-01-01</FrDt><ToDt>2026-01-01</ToDt></FrToDt>${ACCOUNT}${BALANCES}`;
    await bank.import(statement(plain + entry({ day: days })));
    expect(bank.statements.map(({ newCount }) => newCount)).toEqual([1, 0]);
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-13-01',
    '2026-02-30',
    '2026-03-01T25:00:00Z',
    '2026-03-01T23:60:00Z',
    '2026-03-01T10:00:00+19:00',
  ])('a period from %s is left out with a note', async (from) => {
    const bank = new MemoryBank();
    const document = await bank.import(
      statement(`<Id>S</Id><FrToDt><FrDtTm>${from}</FrDtTm></FrToDt>${ACCOUNT}${BALANCES}`),
    );
    expect(bank.statements).toMatchObject([{ startsOn: '2026-01-01' }]);
    expect(document.notes.join(' ')).toContain('could not be read');
  });
});
