/** Equal reads share a run, and never one that began before they arrived. */
import { expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

/** A read that ends when the test says so. */
function readings() {
  const ends: ((value: number) => void)[] = [];
  return { ends, run: () => new Promise<number>((resolve) => void ends.push(resolve)) };
}

it('gives those who arrive during a run the next one, once', async () => {
  const share = singleFlight<number>();
  const { ends, run } = readings();
  const first = share('a', run);
  const second = share('a', run);
  const third = share('a', run);
  expect(ends.length).toBe(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  expect(ends.length).toBe(2);
  const fourth = share('a', run); // arrives while the second run is under way
  ends[1]?.(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  ends[2]?.(3);
  expect(await fourth).toBe(3);
});

it('keeps different keys apart and forgets what ended', async () => {
  const share = singleFlight<number>();
  const { ends, run } = readings();
  const one = share('a', run);
  const other = share('b', run);
  expect(ends.length).toBe(2);
  ends[0]?.(1);
  ends[1]?.(2);
  expect(await Promise.all([one, other])).toEqual([1, 2]);
  const later = share('a', run);
  ends[2]?.(3);
  expect(await later).toBe(3);
});

it('goes on after a run that failed', async () => {
  const share = singleFlight<number>();
  let fail: (error: Error) => void = () => undefined;
  const first = share('a', () => new Promise((_, reject) => (fail = reject)));
  const second = share('a', () => Promise.resolve(2));
  fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  expect(await second).toBe(2);
});
