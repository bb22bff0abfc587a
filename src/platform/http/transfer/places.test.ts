/** Places that holders share: bounded in all and for each, and some are kept for who has none. */
import { expect, it } from 'vitest';
import { Places } from './places.ts';

it('gives each so many, and its last ones only to who has none', () => {
  const places = new Places({ all: 6, each: 3, kept: 2 });
  const taken = (holder: string) => places.take(holder) !== null;
  expect(['one', 'one', 'one', 'one'].map(taken)).toEqual([true, true, true, false]);
  expect(['two', 'two'].map(taken), 'four are taken, and two hold one').toEqual([true, false]);
  expect(['three', 'three', 'four', 'five'].map(taken)).toEqual([true, false, true, false]);
});

it('has a place again that was given back, once', () => {
  const places = new Places({ all: 2, each: 2, kept: 0 });
  const giveBack = places.take('one');
  places.take('one');
  giveBack?.();
  giveBack?.();
  expect([places.take('two'), places.take('three')]).toEqual([expect.any(Function), null]);
});
