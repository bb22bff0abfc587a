/** Two statements of a day follow on, by what the bank says of them. */
import { expect, it } from 'vitest';
import { followOn, type Sequel } from './following.ts';

const statement = (said: Partial<Sequel>): Sequel => ({
  message: 'camt.053',
  sequence: null,
  periodFrom: null,
  periodUntil: null,
  startsOn: '2026-03-10',
  closedOn: '2026-03-10',
  opening: 0n,
  closing: 0n,
  ...said,
});
const period = (periodFrom: number, periodUntil: number) => ({ periodFrom, periodUntil });

it.each<[string, Partial<Sequel>, Partial<Sequel>, boolean]>([
  ['instants that touch', period(8, 12), period(12, 16), true],
  ['instants with a gap', period(8, 12), period(13, 16), true],
  ['instants that overlap', period(8, 13), period(12, 16), false],
  ['instants of one of them', period(8, 12), {}, false],
  ['the next number and the balance', { sequence: '7' }, { sequence: '8' }, true],
  ['the next number and another balance', { sequence: '7', closing: 1n }, { sequence: '8' }, false],
  ['the same number', { sequence: '7' }, { sequence: '7' }, false],
  ['a later number', { sequence: '7' }, { sequence: '9' }, false],
  ['the next number of an earlier day', { sequence: '7' }, { sequence: '8', startsOn: '2026-03-09' }, false],
  ['the next number of another message', { sequence: '7' }, { sequence: '8', message: 'mt940' }, false],
  ['what is no number', { sequence: '7' }, { sequence: '8a' }, false],
  ['nothing', {}, {}, false],
])('%s', (_, one, other, isSo) => {
  expect(followOn(statement(one), statement(other))).toBe(isSo);
  expect(followOn(statement(other), statement(one))).toBe(isSo);
});
