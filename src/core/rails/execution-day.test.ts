/** Days of execution, and the days on which TARGET is closed. */
import { describe, expect, it } from 'vitest';
import { isBusinessDay } from './business-days.ts';
import { executionDay, executionDayOf, exportWindow, passedWindow } from './execution-day.ts';
import { DAY_MS, isoDay } from '../values/time.ts';

const BERLIN = { calendar: 'target', cutOff: '14:30', timeZone: 'Europe/Berlin' } as const;
const at = (instant: string, bank: Parameters<typeof executionDay>[1] = BERLIN) =>
  executionDay(Date.parse(instant), bank);

describe('a file is executed', () => {
  it.each([
    ['a minute before the cut-off, the same day', '2026-11-23T13:29:59Z', '2026-11-23'],
    ['at the cut-off, the next day', '2026-11-23T13:30:00Z', '2026-11-24'],
    ['on a Friday evening, on Monday', '2026-11-20T20:00:00Z', '2026-11-23'],
    ['on a Saturday morning, on Monday', '2026-11-21T06:00:00Z', '2026-11-23'],
    ['on 24 December 2026 before the cut-off, the same day', '2026-12-24T13:00:00Z', '2026-12-24'],
    ['on 24 December 2026 after the cut-off, on the 28th', '2026-12-24T14:00:00Z', '2026-12-28'],
    ['on 25 March 2027 after the cut-off, behind Easter', '2027-03-25T14:00:00Z', '2027-03-30'],
    ['on the last day of the year, behind New Year', '2026-12-31T14:00:00Z', '2027-01-04'],
    // Berlin is two hours ahead until 25 October 2026 at 01:00 UTC, then one.
    ['in summer, before the cut-off', '2026-10-23T12:29:00Z', '2026-10-23'],
    ['in summer, after the cut-off', '2026-10-23T12:31:00Z', '2026-10-26'],
    ['in winter, before the cut-off', '2026-10-26T13:29:00Z', '2026-10-26'],
    ['in winter, after the cut-off', '2026-10-26T13:31:00Z', '2026-10-27'],
    ['on the day on which clocks go forward, a Sunday', '2027-03-28T01:30:00Z', '2027-03-30'],
    ['in the night, when UTC still has the day before', '2026-11-22T23:30:00Z', '2026-11-23'],
  ])('%s', (_, instant, day) => expect(at(instant)).toBe(day));

  it('by the clock of its bank', () => {
    const newYork = { calendar: 'weekdays', cutOff: '17:00', timeZone: 'America/New_York' } as const;
    // Clocks there go back on 1 November 2026.
    expect(at('2026-10-30T20:59:00Z', newYork)).toBe('2026-10-30');
    expect(at('2026-11-02T21:59:00Z', newYork)).toBe('2026-11-02');
    expect(at('2026-11-02T22:00:00Z', newYork)).toBe('2026-11-03');
    expect(at('2026-12-25T12:00:00Z', newYork)).toBe('2026-12-25'); // no holidays are known
    const tokyo = { calendar: 'weekdays', cutOff: '15:00', timeZone: 'Asia/Tokyo' } as const;
    expect(at('2026-11-22T15:30:00Z', tokyo)).toBe('2026-11-23'); // it is Monday there
  });
});

describe('on a day that the operator added', () => {
  const bank = { ...BERLIN, holidays: ['2026-11-24', '2026-11-25'] } as const;
  const speed = 'standard';

  it('nothing is executed, and no file leaves', () => {
    expect(at('2026-11-24T10:00:00Z', bank)).toBe('2026-11-26');
    expect(at('2026-11-23T13:30:00Z', bank)).toBe('2026-11-26');
    expect(at('2026-11-23T13:29:00Z', bank)).toBe('2026-11-23');
    expect(exportWindow(Date.parse('2026-11-24T13:10:00Z'), bank)).toBeNull();
    expect(exportWindow(Date.parse('2026-11-26T13:10:00Z'), bank)).not.toBeNull();
  });

  it('no planned payout is executed either, but an instant one is', () => {
    const monday = Date.parse('2026-11-23T10:00:00Z');
    expect(executionDayOf(monday, bank, { speed, scheduledOn: '2026-11-24' })).toBe('2026-11-26');
    expect(executionDayOf(monday, bank, { speed: 'instant', scheduledOn: '2026-11-24' })).toBe('2026-11-24');
  });
});

describe('scheduled files leave in the half hour before the cut-off', () => {
  it.each([
    ['not before it', '2026-11-23T12:59:59Z', null],
    ['from its first moment', '2026-11-23T13:00:00Z', '2026-11-23T13:00:00.000Z'],
    ['until its last', '2026-11-23T13:29:59.999Z', '2026-11-23T13:00:00.000Z'],
    ['not at the cut-off', '2026-11-23T13:30:00Z', null],
    ['not on a Saturday', '2026-11-21T13:10:00Z', null],
    ['not on a holiday', '2026-12-25T13:10:00Z', null],
    ['an hour earlier by UTC in summer', '2026-10-23T12:10:00Z', '2026-10-23T12:00:00.000Z'],
  ])('%s', (_, now, start) => {
    const begun = exportWindow(Date.parse(now), BERLIN);
    expect(begun && new Date(begun).toISOString()).toBe(start);
  });

  it('and not on the day before, where the cut-off is just behind midnight', () => {
    const early = { ...BERLIN, cutOff: '00:10' };
    expect(exportWindow(Date.parse('2026-11-23T22:55:00Z'), early)).toBeNull();
    expect(exportWindow(Date.parse('2026-11-23T23:05:00Z'), early)).toBe(Date.parse('2026-11-23T23:00:00Z'));
  });
});

describe('the last such half hour that a clock was moved over', () => {
  const passed = (from: string, until: string, bank: Parameters<typeof passedWindow>[2] = BERLIN) => {
    const startMs = passedWindow(Date.parse(from), Date.parse(until), bank);
    return startMs && new Date(startMs).toISOString();
  };
  it.each([
    ['not before its end', '2026-11-23T10:00:00Z', '2026-11-23T13:29:00Z', null],
    ['at its end', '2026-11-23T10:00:00Z', '2026-11-23T13:30:00Z', '2026-11-23T13:00:00.000Z'],
    ['from within it', '2026-11-23T13:10:00Z', '2026-11-23T20:00:00Z', '2026-11-23T13:00:00.000Z'],
    ['not one that was over', '2026-11-23T13:30:00Z', '2026-11-24T10:00:00Z', null],
    ['the last of several', '2026-11-18T10:00:00Z', '2026-11-20T18:00:00Z', '2026-11-20T13:00:00.000Z'],
    ['none on a weekend', '2026-11-20T14:00:00Z', '2026-11-23T10:00:00Z', null],
    ['the one before a weekend', '2026-11-18T10:00:00Z', '2026-11-22T18:00:00Z', '2026-11-20T13:00:00.000Z'],
    ['in summer', '2026-10-22T10:00:00Z', '2026-10-24T10:00:00Z', '2026-10-23T12:00:00.000Z'],
  ])('%s', (_, from, until, start) => expect(passed(from, until)).toBe(start));

  it('by the clock and the days of its bank', () => {
    const bank = { ...BERLIN, timeZone: 'Asia/Tokyo', holidays: ['2026-11-24'] };
    expect(passed('2026-11-20T12:00:00Z', '2026-11-24T20:00:00Z', bank)).toBe('2026-11-23T05:00:00.000Z');
  });
});

/** Good Friday and Easter Monday, from the tables of the church. */
const EASTER = {
  2026: ['04-03', '04-06'],
  2027: ['03-26', '03-29'],
  2028: ['04-14', '04-17'],
  2029: ['03-30', '04-02'],
  2030: ['04-19', '04-22'],
  2031: ['04-11', '04-14'],
  2032: ['03-26', '03-29'],
  2033: ['04-15', '04-18'],
  2034: ['04-07', '04-10'],
  2035: ['03-23', '03-26'],
  2036: ['04-11', '04-14'],
};

it('TARGET is closed on the days of its rule, 2026 to 2036', () => {
  const closed = new Set<string>();
  for (const [year, [friday, monday]] of Object.entries(EASTER)) {
    for (const day of ['01-01', friday, monday, '05-01', '12-25', '12-26']) closed.add(`${year}-${day}`);
  }
  expect(closed.size).toBe(66);
  for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2037, 0, 1); ms += DAY_MS) {
    const isWeekend = [0, 6].includes(new Date(ms).getUTCDay());
    const day = isoDay(ms);
    expect([day, isBusinessDay('target', day)]).toEqual([day, !isWeekend && !closed.has(day)]);
  }
});
