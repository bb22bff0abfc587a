/** The share of deliveries beside writers: half a delivery a command while they queue, no limit otherwise. */
import { expect, it } from 'vitest';
import { WriteShare } from './write-share.ts';

/** How many may begin now. */
function beginning(share: WriteShare, nowMs: number, most = 1_000): number {
  let begun = 0;
  while (begun < most && share.allows(nowMs)) {
    share.begin();
    begun += 1;
  }
  return begun;
}

it('is no limit while nobody queues', () => {
  const share = new WriteShare();
  expect(beginning(share, 0)).toBe(1_000);
  for (let atMs = 0; atMs < 100; atMs++) share.committed(2, atMs);
  expect(beginning(share, 100)).toBe(1_000);
});

it('is one for every two commands while writers queue', () => {
  const share = new WriteShare();
  share.committed(64, 0);
  expect(beginning(share, 1)).toBe(32);
  share.committed(10, 5); // a smaller batch in the crowd counts too
  share.committed(1, 6);
  expect(beginning(share, 7)).toBe(5);
  share.committed(1, 8);
  expect(beginning(share, 9)).toBe(1);
});

it('ends when no crowd has come for a while, and says when to ask again', () => {
  const share = new WriteShare();
  share.committed(64, 0);
  expect(beginning(share, 1)).toBe(32);
  expect(share.asksAgainAtMs).toBe(150);
  expect(beginning(share, 149)).toBe(0);
  expect(beginning(share, 150)).toBe(1_000);
});

it('does not save up: what receivers did not use they cannot take from writers later', () => {
  const share = new WriteShare();
  for (let atMs = 0; atMs < 1_000; atMs += 10) share.committed(256, atMs);
  expect(beginning(share, 1_000)).toBe(256);
  share.committed(2, 2_000); // nobody queues any more: what was granted is forgotten
  share.committed(64, 2_001);
  expect(beginning(share, 2_002)).toBe(32);
});
