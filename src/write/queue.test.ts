/** The bounded queue in front of the writer. */
import { describe, expect, it } from 'vitest';
import { idAt } from '../../test/support/harness/literals.ts';
import type { Command } from './slices.ts';
import { type Limits, WriteQueue } from './queue.ts';
import { type Submission, weight } from './submission.ts';

const LIMITS: Limits = { batchCommands: 4, batchChanges: 100, queueCommands: 6 };

const FAULT = { faults: [{ code: 'amount_invalid', message: 'No amount.' }], read: {} } as const;

function waiting(command: Partial<Command> = {}): Submission {
  return {
    environmentId: idAt('env', 1),
    command: { type: 'close_account', account: idAt('acct', 1), ...command } as Command,
    origin: { actor: 'worker' as const, requestId: null, idempotencyKey: null },
    recordKey: null,
    fingerprint: '',
    dryRun: false,
  };
}

const batchOf = (items: number) =>
  waiting({
    type: 'create_payout_batch',
    orders: Array.from({ length: items }, () => FAULT),
    mode: 'atomic',
    externalId: null,
  });

function queueOf(limits: Partial<Limits>, ...all: Submission[]): WriteQueue {
  const queue = new WriteQueue({ ...LIMITS, ...limits });
  for (const each of all) queue.add(each).catch(() => expect.unreachable('there is room'));
  return queue;
}

/** The submissions of the next batch. */
const taken = (queue: WriteQueue) => queue.take().map(({ submission }) => submission);

describe('WriteQueue', () => {
  it('gives what waits in order of arrival, a bounded number at a time', () => {
    const all = Array.from({ length: 6 }, () => waiting());
    const queue = queueOf({}, ...all);
    expect(taken(queue)).toEqual(all.slice(0, 4));
    expect(queue.length).toBe(2);
    expect(taken(queue)).toEqual(all.slice(4));
    expect(taken(queue)).toEqual([]);
  });

  it('takes no more than its bound, and takes again once there is room', async () => {
    const queue = queueOf({}, ...Array.from({ length: 6 }, () => waiting()));
    await expect(queue.add(waiting())).rejects.toMatchObject({ code: 'overloaded' });
    expect(queue.length).toBe(6);
    queue.take();
    void queue.add(waiting());
    expect(queue.length).toBe(3);
  });

  it('ends a batch before the command that would make too many changes', () => {
    const [first, second, third] = [batchOf(10), batchOf(9), batchOf(2)];
    const queue = queueOf({}, first, second, third);
    expect(taken(queue)).toEqual([first, second]); // 95 of 100
    expect(taken(queue)).toEqual([third]);
  });

  it('lets a command that is larger than a batch go alone, and never starves it', () => {
    const [small, large] = [waiting(), batchOf(1000)];
    const queue = queueOf({}, small, large, small);
    expect([taken(queue), taken(queue), taken(queue)]).toEqual([[small], [large], [small]]);
  });

  it('knows how many changes wait, and resolves when there are enough', async () => {
    const queue = queueOf({}, waiting(), batchOf(3));
    expect(queue.changes).toBe(20);
    let seen = 0;
    const enough = queue.reaches(30).then(() => (seen = queue.changes));
    void queue.add(waiting());
    await Promise.resolve();
    expect(seen).toBe(0);
    void queue.add(waiting());
    await enough;
    expect(seen).toBe(30);
    queue.take();
    expect(queue.changes).toBe(0);
  });
});

describe('weight', () => {
  it('counts a batch by its items', () => {
    expect(weight(batchOf(1000))).toBe(1000 * weight(waiting()));
  });
});
