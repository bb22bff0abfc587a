/** Turns of statement files: a large one holds up no small one, and nobody takes all places. */
import { describe, expect, test } from 'vitest';
import { ImportTurns, unfolded } from './import-turns.ts';

const [SMALL, LARGE] = [1_000_000, 500_000_000];
const never = new AbortController().signal;
const overloaded = expect.objectContaining({ code: 'overloaded' });

describe('turns', () => {
  test('small files have two, whatever large ones there are', async () => {
    const turns = new ImportTurns(20);
    await turns.take(LARGE, never);
    await expect(turns.take(LARGE, never)).rejects.toEqual(overloaded);
    await turns.take(SMALL, never);
    await turns.take(SMALL, never);
    await expect(turns.take(SMALL, never)).rejects.toEqual(overloaded);
  });

  test('a ZIP of a large one is large, a small one is not', async () => {
    const [xml, zip] = ['<', 'PK'].map((text) => Buffer.from(text)[0]);
    const turns = new ImportTurns(20);
    await turns.take(unfolded(LARGE, xml), never);
    await expect(turns.take(unfolded(2_000_000, zip), never)).rejects.toEqual(overloaded);
    for (const first of [xml, zip]) await turns.take(unfolded(20_000, first), never);
  });

  test('who waits gets the place of who is done, in order', async () => {
    const turns = new ImportTurns(10_000);
    const done = await turns.take(LARGE, never);
    const order: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      const free = await turns.take(LARGE, never);
      order.push(name);
      free();
    });
    done();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
    (await turns.take(LARGE, never))();
  });

  test('who gave up waiting takes no place', async () => {
    const turns = new ImportTurns(20);
    const done = await turns.take(LARGE, never);
    await expect(turns.take(LARGE, never)).rejects.toEqual(overloaded);
    done();
    (await turns.take(LARGE, never))();
  });

  test('a stop ends waiting, with its reason', async () => {
    const stopping = new AbortController();
    const turns = new ImportTurns(10_000);
    await turns.take(LARGE, stopping.signal);
    const waiting = turns.take(LARGE, stopping.signal);
    stopping.abort(new Error('the service stops'));
    await expect(waiting).rejects.toThrow('the service stops');
    await expect(turns.take(SMALL, stopping.signal)).rejects.toThrow('the service stops');
  });
});

describe('uploads', () => {
  test('four of an environment, sixteen in all, and the last four only for who has none', () => {
    const turns = new ImportTurns(20);
    const leave = Array.from({ length: 4 }, () => turns.enter('one'));
    expect(() => turns.enter('one')).toThrow(overloaded);
    leave[0]?.();
    turns.enter('one');
    for (const name of ['two', 'three']) for (let n = 0; n < 4; n += 1) turns.enter(name);
    expect(turns.enter('four')).toEqual(expect.any(Function));
    expect(() => turns.enter('four'), 'twelve are taken').toThrow(overloaded);
    for (const name of ['five', 'six', 'seven']) turns.enter(name);
    expect(() => turns.enter('eight')).toThrow(overloaded);
  });
});
