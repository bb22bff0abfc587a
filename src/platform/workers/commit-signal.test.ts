/** Wake-ups: none is lost, many at once are one, and none for another environment or after unsubscribing. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Wakeup, CommitSignal } from './commit-signal.ts';

function counted(signal: CommitSignal, environmentId: string) {
  const counter = { wakes: 0, end: () => undefined as void };
  counter.end = signal.subscribe(environmentId, () => void (counter.wakes += 1));
  return counter;
}

describe('the signal', () => {
  it('wakes everybody of the environment once for all that was announced in a turn', async () => {
    const signal = new CommitSignal();
    const [one, two, other] = [counted(signal, 'a'), counted(signal, 'a'), counted(signal, 'b')];
    for (let i = 0; i < 10_000; i++) signal.announce('a');
    signal.announce('no subscriber');
    await turn();
    expect([one.wakes, two.wakes, other.wakes]).toEqual([1, 1, 0]);
    signal.announce('a');
    signal.announce('b');
    await turn();
    expect([one.wakes, two.wakes, other.wakes]).toEqual([2, 2, 1]);
  });

  it('wakes again for what is announced while it wakes', async () => {
    const signal = new CommitSignal();
    let wakes = 0;
    signal.subscribe('a', () => {
      wakes += 1;
      if (wakes < 3) signal.announce('a');
    });
    signal.announce('a');
    for (let i = 0; i < 5; i++) await turn();
    expect(wakes).toBe(3);
  });

  it('leaves alone who has left, also twice, also the same function', async () => {
    const signal = new CommitSignal();
    let wakes = 0;
    const wake = () => void (wakes += 1);
    const [endFirst, endSecond] = [signal.subscribe('a', wake), signal.subscribe('a', wake)];
    endFirst();
    endFirst();
    signal.announce('a');
    await turn();
    expect(wakes).toBe(1);
    signal.announce('a');
    endSecond();
    const later = counted(signal, 'a');
    endSecond();
    await turn();
    signal.announce('a');
    await turn();
    expect(wakes).toBe(1);
    expect(later.wakes).toBeGreaterThan(0);
  });

  it('costs little: of 100,000 announcements one is more than a look-up', async () => {
    const planned = vi.spyOn(globalThis, 'setImmediate');
    try {
      const signal = new CommitSignal();
      const one = counted(signal, 'a');
      for (let i = 0; i < 100_000; i++) {
        signal.announce('a');
        signal.announce('no subscriber');
      }
      expect(planned).toHaveBeenCalledTimes(1);
      await turn();
      expect(one.wakes).toBe(1);
    } finally {
      planned.mockRestore();
    }
  });
});

describe('Wakeup', () => {
  it('that rang before is not waited for, once', async () => {
    const wakeup = new Wakeup();
    wakeup.notify();
    wakeup.notify();
    await wakeup.wait(3_600_000);
    let isOver = false;
    const second = wakeup.wait(3_600_000).then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(false);
    wakeup.notify();
    await second;
  });

  it('that nobody rings ends with its patience', async () => {
    await new Wakeup().wait(1);
  });

  it('that rings meanwhile ends the wait', async () => {
    const wakeup = new Wakeup();
    setTimeout(() => wakeup.notify(), 10);
    await wakeup.wait(3_600_000);
    wakeup.notify();
    await wakeup.wait(3_600_000);
  });
});
