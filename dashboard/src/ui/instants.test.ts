import { describe, expect, it } from 'vitest';
import { agoOf, dayOfMonth, dayText, exactOf, shortOf } from './instants.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const MINUTE = 60_000;

describe('instants', () => {
  it('are short, by the reader’s zone, with the year where it is another one', () => {
    expect(shortOf(NOW, NOW, 'Europe/Berlin')).toBe('25 Nov 13:00');
    expect(shortOf(Date.parse('2025-12-31T23:30:00Z'), NOW, 'UTC')).toBe('31 Dec 2025');
    expect(shortOf(Date.parse('2025-12-31T23:30:00Z'), NOW, 'Europe/Berlin')).toBe('1 Jan 00:30');
  });

  it('are exact behind that, with UTC', () => {
    expect(exactOf(NOW, 'Europe/Berlin')).toContain('2026-11-25T12:00:00.000Z');
    expect(exactOf(NOW, 'Europe/Berlin')).toContain('13:00:00');
  });

  it.each([
    [0, 'just now'],
    [59_000, 'just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE, '59 minutes ago'],
    [60 * MINUTE, '1 hour ago'],
    [47 * 60 * MINUTE, '1 day ago'],
    [-5 * MINUTE, 'in 5 minutes'],
  ])('%s ms before now: %s', (before, expected) => {
    expect(agoOf(NOW - before, NOW)).toBe(expected);
  });

  it('without an hour are days, in UTC', () => {
    expect(dayText('2026-11-25', NOW)).toBe('25 Nov');
    expect(dayText('2027-01-01', NOW)).toBe('1 Jan 2027');
    expect(dayText('no day', NOW)).toBe('no day');
    expect(dayOfMonth('2027-01-01')).toBe('1 Jan');
  });
});
