/** The token in forms is accepted for its page, on two days, by servers with its secret only. Over HTTP: `safety.test.ts`. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../core/values/time.ts';
import { csrf } from './csrf.ts';

const SECRET = 'only-tests-know-this-secret-0123456789abcdef';
const PAGE = 'a'.repeat(24);
const MIDNIGHT = Date.UTC(2026, 10, 21);
const ours = csrf({ current: SECRET, previous: [] });

it('is the same all day, and another one the next', () => {
  const token = ours.tokenFor(PAGE, MIDNIGHT);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(ours.tokenFor(PAGE, MIDNIGHT + DAY_MS - 1)).toBe(token);
  expect(ours.tokenFor(PAGE, MIDNIGHT + DAY_MS)).not.toBe(token);
  expect(ours.tokenFor(PAGE, MIDNIGHT - 1)).not.toBe(token);
});

it('is taken on its day and the next, and then no more', () => {
  const token = ours.tokenFor(PAGE, MIDNIGHT);
  const taken = (atMs: number) => ours.accepts(token, PAGE, atMs);
  expect([MIDNIGHT, MIDNIGHT + DAY_MS, MIDNIGHT + 2 * DAY_MS - 1].map(taken)).toEqual([true, true, true]);
  expect([MIDNIGHT - 1, MIDNIGHT + 2 * DAY_MS].map(taken)).toEqual([false, false]);
});

describe('is refused', () => {
  const token = ours.tokenFor(PAGE, MIDNIGHT);
  it.each<[string, string | undefined]>([
    ['when there is none', undefined],
    ['empty', ''],
    ['cut', token.slice(0, -1)],
    ['with more behind it', `${token}=`],
    ['with one character changed', (token.startsWith('A') ? 'B' : 'A') + token.slice(1)],
    ['of another page', ours.tokenFor(`${PAGE.slice(1)}b`, MIDNIGHT)],
    ['of a page whose token runs into the day', ours.tokenFor(`${PAGE}.1`, MIDNIGHT)],
    ['of another server', csrf({ current: `${SECRET}0`, previous: [] }).tokenFor(PAGE, MIDNIGHT)],
    ['of many bytes', 'é'.repeat(21) + 'a'],
    ['of ten thousand characters', 'a'.repeat(10_000)],
  ])('%s', (_, given) => {
    expect(ours.accepts(given, PAGE, MIDNIGHT)).toBe(false);
  });
});

describe('after a rotation', () => {
  const rotated = csrf({ current: `${SECRET}1`, previous: [`${SECRET}0`, SECRET] });

  it('a form from before passes, and a new one is made under the new secret', () => {
    expect(rotated.accepts(ours.tokenFor(PAGE, MIDNIGHT), PAGE, MIDNIGHT + DAY_MS)).toBe(true);
    const fresh = rotated.tokenFor(PAGE, MIDNIGHT);
    expect(rotated.accepts(fresh, PAGE, MIDNIGHT)).toBe(true);
    expect(ours.accepts(fresh, PAGE, MIDNIGHT)).toBe(false);
  });

  it('control: without the previous secret it does not', () => {
    const forgetful = csrf({ current: `${SECRET}1`, previous: [] });
    expect(forgetful.accepts(ours.tokenFor(PAGE, MIDNIGHT), PAGE, MIDNIGHT)).toBe(false);
  });
});
