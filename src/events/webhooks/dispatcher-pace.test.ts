/**
 * How receivers and writers share the process: how many exchanges beside how many commands, how often the database is
 * asked for more, how many bookings. No database, no receiver and no clock but the test's: what the dispatcher does by itself.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClaimedDelivery } from './delivery.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { endpointRow } from '../../../test/support/webhooks/endpoint-row.ts';
import type { Committed } from './delivery.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Attempt } from './send.ts';
import { Versions } from '../../platform/http/version/versions.ts';

const ENVIRONMENT = idAt('env', 1);
const ENDPOINT = idAt('we', 1);
const SUCCEEDED: Omit<Attempt, 'startedAtMs'> = {
  durationMs: 1,
  outcome: 'succeeded',
  httpStatus: 204,
  response: null,
  error: null,
  retryAfter: null,
};

interface Scene {
  readonly dispatcher: Dispatcher;
  /** Statements of the dispatcher, and when. */
  readonly ran: { readonly name: string; readonly atMs: number }[];
  /** Exchanges under way: each is answered by calling it. */
  readonly open: (() => void)[];
  /** What the next claims find. */
  readonly due: number[];
  /** Hands over deliveries with a commit of so many commands. */
  commit(commands: number, deliveries: number, inOrder?: boolean): void;
  /** Answers exchanges until so many have been answered. */
  answer(count: number): Promise<void>;
  times(name: string): number;
}

const scenes: Pick<Scene, 'dispatcher' | 'open'>[] = [];
/** The clock of the dispatcher. */
let clockMs = 0;
beforeEach(() => {
  clockMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  for (const { dispatcher, open } of scenes.splice(0)) {
    let isOver = false;
    const stopped = dispatcher.stop().finally(() => {
      isOver = true;
    });
    for (const answer of open.splice(0)) answer();
    while (!isOver) await pass(5);
    await stopped;
  }
  vi.useRealTimers();
});

/** What has happened is worked off, and no time passes. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn();
}

/** So many milliseconds pass, each when the work of the one before is done. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed++) {
    await settle();
    clockMs += 1;
    await vi.advanceTimersByTimeAsync(1);
  }
  await settle();
}

function scene(): Scene {
  let sequence = 0n;
  const ran: Scene['ran'][number][] = [];
  const open: Scene['open'][number][] = [];
  const due: number[] = [];
  const delivery = (): ClaimedDelivery => ({
    environmentId: ENVIRONMENT,
    livemode: false,
    endpointId: ENDPOINT,
    sequence: (sequence += 1n),
    eventId: idAt('evt', Number(sequence)),
    body: '{}',
    claims: 1,
    inOrder: false,
    failures: 0,
    clockOffsetMs: 0,
    endpointsVersion: 1n,
    claimedAtMs: clockMs,
    isFresh: true,
    trace: null,
  });
  const claimed = (): Row => {
    const { eventId } = delivery();
    const key = { environment_id: uuidOf(ENVIRONMENT), endpoint_id: uuidOf(ENDPOINT), sequence, id: uuidOf(eventId) };
    return {
      ...key,
      livemode: false,
      claims: 1,
      in_order: false,
      failures: 0,
      clock_offset_ms: 0n,
      endpoints_version: 1n,
    };
  };
  const dispatcher = new Dispatcher({
    run: ({ name = '' }: Statement) => {
      ran.push({ name, atMs: clockMs });
      const found = name === 'claim_due_deliveries' ? (due.shift() ?? 0) : 0;
      return Promise.resolve(Array.from({ length: found }, claimed));
    },
    rows: () => Promise.resolve([endpointRow({ url: 'http://127.0.0.1/' })]),
    send: () => Promise.resolve(),
    open: (sealed) => sealed,
    openHeader: (sealed) => sealed,
    versions: new Versions(),
    renderEvent: () => '{}',
    sender: {
      send: () => new Promise((resolve) => void open.push(() => resolve({ ...SUCCEEDED, startedAtMs: Date.now() }))),
      close: async () => {
        for (const answer of open.splice(0)) answer();
      },
    },
    concurrency: 256,
    pollMs: 5_000,
    onFault: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  scenes.push({ dispatcher, open });
  const committed: Committed = {
    environmentIds: [ENVIRONMENT],
    commands: 1,
    handedOver: [],
    inOrder: [],
    hasMore: false,
    hasReplay: false,
  };
  return {
    dispatcher,
    ran,
    open,
    due,
    commit: (commands, deliveries, inOrder = false) => {
      const handedOver = Array.from({ length: deliveries }, () => ({ ...delivery(), inOrder }));
      dispatcher.committed({ ...committed, commands, handedOver });
    },
    async answer(count) {
      for (let answered = 0; answered < count; ) {
        const answer = open.shift();
        if (answer === undefined) await pass(1);
        else {
          answer();
          answered += 1;
        }
      }
      await pass(20);
    },
    times: (name) => ran.filter((each) => each.name === name).length,
  };
}

describe('exchanges with one endpoint', () => {
  it.each([
    [1, 32],
    [23, 32],
    [30, 10],
    [50, 13],
    [100, 25],
    [256, 64],
  ])('beside commits of %i commands: %i', async (commands, exchanges) => {
    const { commit, answer, open } = scene();
    commit(1, 200);
    await answer(80); // one more with every success
    commit(commands, 100);
    await answer(80); // what was begun before
    commit(commands, 1);
    await pass(20);
    expect(open).toHaveLength(exchanges);
  });

  it('when nobody writes: 32', async () => {
    const { commit, answer, open } = scene();
    commit(256, 300);
    await answer(80);
    await pass(120);
    await answer(64);
    expect(open).toHaveLength(32);
  });
});

describe('claims', () => {
  const claims = ({ ran }: Scene) => ran.filter(({ name }) => name === 'claim_due_deliveries').map(({ atMs }) => atMs);

  it('after one that brought little, the next waits a tenth of a second and is not forgotten', async () => {
    const all = scene();
    all.due.push(5, 5);
    all.dispatcher.wake();
    for (let i = 0; i < 20; i++) {
      await pass(10);
      all.dispatcher.wake();
    }
    const [, second = 0, third = Number.NaN] = claims(all); // the first found nothing
    expect(third - second).toBe(100);
    const before = claims(all).length;
    all.due.push(1);
    all.dispatcher.wake();
    await pass(40);
    all.dispatcher.wake(); // within the pause: once is enough
    await pass(200);
    expect(claims(all).length).toBeGreaterThan(before + 1);
  });

  it('after one that brought much, the next comes at once', async () => {
    const all = scene();
    all.due.push(100, 100, 100);
    all.dispatcher.wake();
    await pass(5);
    all.dispatcher.wake();
    await pass(45);
    all.dispatcher.wake();
    await pass(45);
    expect(claims(all).length).toBeGreaterThanOrEqual(3);
  });
});

describe('bookings', () => {
  it('bring together what ends within a hundredth of a second', async () => {
    const { commit, open, times } = scene();
    commit(256, 200);
    const from = clockMs;
    for (let answered = 0; answered < 100; ) {
      await pass(1);
      const answer = open.shift();
      answer?.();
      if (answer) answered += 1;
    }
    expect(times('book_finished_deliveries')).toBeLessThanOrEqual((clockMs - from) / 10 + 2);
  });

  it('of an ordered endpoint wait for nothing', async () => {
    const { commit, open, ran } = scene();
    commit(1, 3, true);
    for (let i = 0; i < 3; i++) {
      while (open.length === 0) await pass(1);
      const before = ran.length;
      open.shift()?.();
      await settle(); // no time passes
      expect(ran.slice(before).map(({ name }) => name)).toContain('book_finished_deliveries');
    }
  });

  it('control: of one that is not, wait', async () => {
    const { commit, open, ran } = scene();
    commit(1, 2);
    while (open.length < 2) await pass(1);
    open.shift()?.();
    await settle();
    const before = ran.length;
    open.shift()?.();
    await settle();
    expect(ran.slice(before).map(({ name }) => name)).not.toContain('book_finished_deliveries');
    await pass(10);
    expect(ran.slice(before).map(({ name }) => name)).toContain('book_finished_deliveries');
  });

  it('note every success, however soon after another: it may end what a failure in another process began', async () => {
    const { commit, answer, times } = scene();
    for (let n = 1; n <= 3; n++) {
      commit(1, 1);
      await answer(1);
      expect(times('book_endpoint_successes')).toBe(n);
    }
  });
});
