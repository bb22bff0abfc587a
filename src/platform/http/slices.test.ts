/** Others are answered between slices. */
import { expect, it } from 'vitest';
import { inSlices } from './slices.ts';

it('all come in order, and the event loop gets a turn for each slice', async () => {
  const all = Array.from({ length: 100 }, (_, n) => n);
  const seen: number[] = [];
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  for await (const each of inSlices(all, 10)) seen.push(each);
  isOver = true;
  expect(seen).toEqual(all);
  expect(turns).toBeGreaterThanOrEqual(9);
});
