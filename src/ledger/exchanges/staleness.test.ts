/** How long rates are good: by the days on which banks work, not by hours. */
import { expect, it } from 'vitest';
import { lastGoodDay, whyNotGood } from './staleness.ts';

const at = (text: string) => Date.parse(text);

it.each([
  ['Friday’s on Monday', '2026-11-20T15:00:00Z', 1, '2026-11-23'],
  ['Thursday’s on Friday', '2026-11-19T15:00:00Z', 1, '2026-11-20'],
  ['Maundy Thursday’s on the Tuesday after Easter', '2026-04-02T14:00:00Z', 1, '2026-04-07'],
  ['Saturday’s on Monday', '2026-11-21T09:00:00Z', 1, '2026-11-23'],
  ['of the day before Christmas on the next day of business', '2026-12-24T15:00:00Z', 1, '2026-12-28'],
  ['with two days', '2026-11-20T15:00:00Z', 2, '2026-11-24'],
  ['with none, on its own day', '2026-11-20T15:00:00Z', 0, '2026-11-20'],
])('%s', (_, fixed, days, last) => {
  expect(lastGoodDay(at(fixed), days)).toBe(last);
  expect(whyNotGood(at(fixed), at(`${last}T23:59:59.999Z`), days)).toBeNull();
  expect(whyNotGood(at(fixed), at(`${last}T23:59:59.999Z`) + 1, days)).toContain(`good until the end of ${last}`);
});

it('rates of the future are not believed, but for a clock that is five minutes ahead', () => {
  expect(whyNotGood(at('2026-11-20T15:05:00Z'), at('2026-11-20T15:00:00Z'), 1)).toBeNull();
  expect(whyNotGood(at('2026-11-20T15:05:01Z'), at('2026-11-20T15:00:00Z'), 1)).toContain('has not come yet');
});
