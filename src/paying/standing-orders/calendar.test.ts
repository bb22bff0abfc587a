/** Planned days against a slow calendar that counts day by day, and against days that everybody knows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlowCalendar } from '../../../test/support/model/slow-calendar.ts';
import { indexFrom, INTERVALS, type Plan, plannedDay, plannedDayWithin } from './calendar.ts';

const days = (plan: Plan, count: number) => Array.from({ length: count }, (_, index) => plannedDay(plan, index));
const monthly = (first: string, intervalCount = 1): Plan => ({ first, interval: 'month', intervalCount });

describe('the 31st', () => {
  it('runs on the last day of shorter months and comes back', () => {
    expect(days(monthly('2026-12-31'), 6)).toEqual([
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ]);
  });

  it('of every quarter', () => {
    expect(days(monthly('2027-11-30', 3), 4)).toEqual(['2027-11-30', '2028-02-29', '2028-05-30', '2028-08-30']);
  });
});

it('29 February runs on the 28th and comes back in leap years, of which 2100 is none', () => {
  const yearly: Plan = { first: '2028-02-29', interval: 'year', intervalCount: 1 };
  expect(days(yearly, 5)).toEqual(['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']);
  expect(plannedDay(yearly, 72)).toBe('2100-02-28');
});

it('days and weeks run through the ends of months and through leap days', () => {
  expect(days({ first: '2028-02-28', interval: 'day', intervalCount: 1 }, 3)).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
  expect(days({ first: '2026-12-25', interval: 'week', intervalCount: 2 }, 2)).toEqual(['2026-12-25', '2027-01-08']);
});

it('ends with its last day, included, or with its count', () => {
  const plan = { ...monthly('2026-01-31'), last: null, count: null };
  expect(plannedDayWithin({ ...plan, last: '2026-02-28' }, 1)).toBe('2026-02-28');
  expect(plannedDayWithin({ ...plan, last: '2026-02-27' }, 1)).toBeNull();
  expect(plannedDayWithin({ ...plan, count: 2 }, 1)).toBe('2026-02-28');
  expect(plannedDayWithin({ ...plan, count: 2 }, 2)).toBeNull();
});

it('finds the first planned day that is not before another, or where the plan ends', () => {
  const plan = { ...monthly('2026-01-31'), last: null, count: null };
  expect(indexFrom(plan, 0, '2026-02-28')).toBe(1);
  expect(indexFrom(plan, 0, '2026-03-01')).toBe(2);
  expect(indexFrom(plan, 5, '2026-03-01')).toBe(5);
  expect(indexFrom({ ...plan, count: 3 }, 0, '2027-01-01')).toBe(3);
  expect(indexFrom({ ...plan, last: '2026-02-28' }, 0, '2027-01-01')).toBe(2);
});

const plans = fc.record({
  first: fc
    .date({ min: new Date('1999-01-01'), max: new Date('2104-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  interval: fc.constantFrom<Plan['interval']>(...INTERVALS),
  intervalCount: fc.integer({ min: 1, max: 13 }),
});
const RUNS = 14;

const sameAsModel = (candidate: (plan: Plan, count: number) => string[]) =>
  fc.property(plans, (plan) => {
    expect(candidate(plan, RUNS)).toEqual(new SlowCalendar(plan).planned(RUNS));
  });

describe('any plan', () => {
  it('has the days of a calendar that counts day by day', () => {
    fc.assert(sameAsModel(days), { numRuns: 500, seed: 31 });
  });

  it('control: months added to the run before drift, and the model tells', () => {
    const drifting = (plan: Plan, count: number) => {
      const found = [plan.first];
      while (found.length < count) found.push(plannedDay({ ...plan, first: found.at(-1) as string }, 1));
      return found;
    };
    expect(fc.check(sameAsModel(drifting), { numRuns: 500, seed: 31 }).failed).toBe(true);
  });

  it('control: months that overflow into the next one are told too', () => {
    const overflowing = ({ first, interval, intervalCount }: Plan, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const at = new Date(`${first}T00:00:00Z`);
        const steps = index * intervalCount;
        if (interval === 'day' || interval === 'week')
          at.setUTCDate(at.getUTCDate() + steps * (interval === 'day' ? 1 : 7));
        else at.setUTCMonth(at.getUTCMonth() + steps * (interval === 'month' ? 1 : 12));
        return at.toISOString().slice(0, 10);
      });
    expect(fc.check(sameAsModel(overflowing), { numRuns: 500, seed: 31 }).failed).toBe(true);
  });
});
