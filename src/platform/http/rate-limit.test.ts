/** What is counted is forgotten in time, and never more than so much of it is kept. */
import { expect, test } from 'vitest';
import { rateLimit, tokenBuckets } from './rate-limit.ts';

test('keys are forgotten after a second, or when they are too many', () => {
  const limit = rateLimit(1);
  expect([limit?.take('a', 0), limit?.take('a', 999), limit?.take('b', 999)]).toEqual([0, -1, 0]);
  expect([limit?.take('a', 1_000), limit?.take('a', 1_001)]).toEqual([0, -1]);
  for (let i = 2; i < 100_001; i++) limit?.take(`10.${i}`, 1_002);
  expect([limit?.take('a', 1_003), limit?.take('a', 1_004)]).toEqual([0, -1]);
  expect(rateLimit(0)).toBeNull();
});

test('whether a limit is spent is asked without counting', () => {
  const limit = rateLimit(1);
  expect([limit?.isSpent('a', 5), limit?.isSpent('a', 5), limit?.take('a', 5)]).toEqual([false, false, 0]);
  expect([limit?.isSpent('a', 6), limit?.isSpent('b', 6), limit?.isSpent('a', 1_005)]).toEqual([true, false, false]);
});

test('a bucket holds what comes in a second, and fills evenly', () => {
  const { take, giveBack } = tokenBuckets(2);
  expect([take('a', 0), take('a', 0), take('a', 0), take('b', 0)]).toEqual([true, true, false, true]);
  expect([take('a', 499), take('a', 500), take('a', 501)]).toEqual([false, true, false]);
  expect([take('a', 9_000), take('a', 9_000), take('a', 9_000)]).toEqual([true, true, false]);
  giveBack('a');
  expect([take('a', 9_000), take('a', 9_000)]).toEqual([true, false]);
  expect(take('a', 100)).toBe(false); // a clock that was set back gives nothing
  const none = tokenBuckets(0);
  expect(Array.from({ length: 5 }, () => none.take('a', 0))).toEqual(Array(5).fill(true));
});

test('of many buckets the one used least recently is forgotten', () => {
  const { take } = tokenBuckets(1);
  take('used', 0);
  take('left', 0);
  for (let i = 0; i < 19_999; i++) {
    take(`10.${i}`, 0);
    if (i === 10_000) take('used', 0);
  }
  expect([take('used', 0), take('left', 0)]).toEqual([false, true]);
});
