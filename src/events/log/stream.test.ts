/** When a stream sends a comment, with a clock that the test moves. Streams over real HTTP: `stream.long.test.ts`. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idAt } from '../../../test/support/harness/literals.ts';
import { MemorySink } from '../../../test/support/harness/memory-sink.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { CommitSignal } from '../../platform/workers/commit-signal.ts';
import { EventStreams } from './stream.ts';
import { NEWEST } from '../../platform/http/version/versions.ts';

const HEARTBEAT_MS = 15_000;
const ENVIRONMENT = idAt('env', 1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One stream of an environment whose events are written with `commit`. */
function scene() {
  const signal = new CommitSignal();
  let newest = 0n;
  const streams = new EventStreams({
    signal,
    renderEvent: () => '{}',
    rows: ({ text }) =>
      Promise.resolve(
        text.includes('FROM events')
          ? [{ sequence: newest, type: 'account.created', id: uuidOf(idAt('evt', Number(newest))) }]
          : [{ last_sequence: newest }],
      ),
    config: { streamsPerEnvironment: 1, streamHeartbeatMs: HEARTBEAT_MS, streamPollMs: 3_600_000 },
    onFault: (_, error) => {
      throw error;
    },
  });
  const sink = new MemorySink();
  const order = {
    environmentId: ENVIRONMENT,
    livemode: false,
    scopes: null,
    conditions: [],
    version: NEWEST,
    after: 0n,
  };
  const filling = streams.open(order)(sink);
  return {
    sink,
    commit: async () => {
      newest += 1n;
      signal.announce(ENVIRONMENT);
      await sink.has(Number(newest));
    },
    /** So long nothing else happens. */
    pass: async (ms: number) => {
      // The stream waits again after a few turns of the loop, and only then does its clock run.
      for (let turns = 0; turns < 20; turns++) await turn();
      await vi.advanceTimersByTimeAsync(ms);
    },
    end: async () => {
      sink.end();
      await filling;
    },
  };
}

describe('a comment', () => {
  it('is sent each time that nothing was sent for the length of a heartbeat', async () => {
    const { sink, pass, end } = scene();
    await pass(HEARTBEAT_MS - 1);
    expect(sink.comments).toEqual([]);
    await pass(1);
    expect(sink.comments).toEqual([': heartbeat']);
    await pass(HEARTBEAT_MS);
    expect(sink.comments).toEqual([': heartbeat', ': heartbeat']);
    await end();
  });

  it('is never sent while events come, and again behind the last', async () => {
    const { sink, commit, pass, end } = scene();
    for (let event = 1; event <= 10; event++) {
      await pass(HEARTBEAT_MS * 0.75);
      await commit();
    }
    expect(sink.events).toHaveLength(10);
    expect(sink.comments).toEqual([]);
    await pass(HEARTBEAT_MS - 1);
    expect(sink.comments).toEqual([]);
    await pass(1);
    expect(sink.comments).toEqual([': heartbeat']);
    await end();
  });
});
