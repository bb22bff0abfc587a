/** Two statements of a day follow on, by what the bank says of them. */
import { expect, it } from 'vitest';
import { precedes, type Sequel, sequelsOf } from './following.ts';

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
  [
    'instants that touch, from one balance',
    { ...period(8, 12), closing: 5n },
    { ...period(12, 16), closing: 7n },
    false,
  ],
  ['instants that touch, to one balance', { ...period(8, 12), opening: 5n }, { ...period(12, 16), opening: 7n }, false],
  ['instants that touch, from a balance that did not move', period(8, 12), { ...period(12, 16), closing: 7n }, true],
  ['the next number and the balance', { sequence: '7' }, { sequence: '8' }, true],
  ['the next number and another balance', { sequence: '7', closing: 1n }, { sequence: '8' }, false],
  ['the same number', { sequence: '7' }, { sequence: '7' }, false],
  ['a later number', { sequence: '7' }, { sequence: '9' }, false],
  ['the next number of an earlier day', { sequence: '7' }, { sequence: '8', startsOn: '2026-03-09' }, false],
  ['the next number of another message', { sequence: '7' }, { sequence: '8', message: 'mt940' }, false],
  ['what is no number', { sequence: '7' }, { sequence: '8a' }, false],
  ['nothing', {}, {}, false],
])('%s', (_, one, other, isSo) => {
  expect(precedes(statement(one), statement(other))).toBe(isSo);
  expect(precedes(statement(other), statement(one))).toBe(false);
  expect(sequelsOf(statement(one), [statement(other)])).toHaveLength(isSo ? 1 : 0);
  expect(sequelsOf(statement(other), [statement(one)])).toHaveLength(isSo ? 1 : 0);
});

it('one statement after the other, in both directions', () => {
  const [one, two, three, four] = ['1', '2', '3', '4'].map((sequence) => statement({ sequence }));
  expect(sequelsOf(three as Sequel, [one, two, four] as Sequel[])).toEqual([two, one, four]);
  expect(sequelsOf(four as Sequel, [one, two] as Sequel[])).toEqual([]);
});
