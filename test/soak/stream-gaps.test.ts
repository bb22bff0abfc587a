/**
 * No event is missed, none comes out of order: a reader that is cut at any byte while many clients pay, and goes on with
 * the last whole event it got. Looks without a wake-up are off, so that a lost wake-up shows. Controls: a bell that
 * forgets and a cursor that runs ahead of what was sent fail the same run. At full size: `test/long/live-pages.test.ts`.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openPools } from '../../src/platform/db/pool.ts';
import { loadConfig } from '../../src/config.ts';
import { startApplication } from '../support/harness/application.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { complaintsOfCutReader } from '../support/faults/cut-reader.ts';
import { MemorySink } from '../support/harness/memory-sink.ts';
import { Wakeup, CommitSignal } from '../../src/platform/workers/commit-signal.ts';
import { EventStreams } from '../../src/events/log/stream.ts';
import { eventRenderer } from '../../src/events/log/schema.ts';
import { NEWEST } from '../../src/platform/http/version/versions.ts';

const NEVER_MS = 3_600_000;
/** Patience: what is lost never comes. */
const RIGHT = { withinMs: 20_000, seed: 1, cuts: 8 };
/** A control waits for what does not come. */
const WRONG = { withinMs: 1_000, seed: 2, cuts: 8 };

const mend: (() => void)[] = [];
afterEach(() => {
  for (const each of mend.splice(0)) each();
});

describe('a reader that is cut eight times while 32 clients pay', () => {
  it('sees the whole log, in order, each event once', async () => {
    expect(await complaintsOfCutReader({ ...RIGHT, payouts: 150 })).toEqual([]);
  });

  it('control: misses some when a ring is forgotten that came while nobody waited', async () => {
    const { wait } = Wakeup.prototype;
    Wakeup.prototype.wait = function forgetful(mostMs) {
      if (!('isNotified' in this)) throw new Error('A wake-up keeps its ring elsewhere.');
      (this as unknown as { isNotified: boolean }).isNotified = false;
      return wait.call(this, mostMs);
    };
    mend.push(() => (Wakeup.prototype.wait = wait));
    expect((await complaintsOfCutReader({ ...WRONG, payouts: 100 })).join()).toMatch(/had not arrived/);
  });

  it('control: misses some when the cursor runs ahead of what was sent', async () => {
    const { readPage } = EventStreams.prototype;
    EventStreams.prototype.readPage = async function ahead(order, after, upTo) {
      return { ...(await readPage.call(this, order, after, upTo)), upTo };
    };
    mend.push(() => (EventStreams.prototype.readPage = readPage));
    expect((await complaintsOfCutReader({ ...WRONG, payouts: 150 })).join()).toMatch(/after \d+ came \d+/);
  });
});

describe('many streams of one environment', () => {
  /** Statements that were sent to read events while `commits` commits were made, with that many streams open. */
  async function statements(streams: number, commits: number): Promise<number> {
    const application = await startApplication();
    const { databaseUrl, sandbox } = application;
    const config = { ...loadConfig({}), streamsPerEnvironment: streams, streamPollMs: NEVER_MS };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const pools = await openPools({ ...config, url: databaseUrl, log });
    const signal = new CommitSignal();
    let pages = 0;
    const events = new EventStreams({
      signal,
      config,
      renderEvent: eventRenderer({ open: (stored) => stored }),
      onFault: (_, error) => {
        throw error;
      },
      rows: (statement) => {
        if (statement.text.includes('FROM events')) pages += 1;
        return pools.readers.query(statement);
      },
    });
    const taken: string[][] = [];
    const sinks = Array.from({ length: streams }, () => new MemorySink());
    const { environmentId } = sandbox;
    const after = await events.newest(environmentId);
    const order = { environmentId, livemode: false, scopes: null, conditions: [], version: NEWEST, after };
    const filling = sinks.map((sink) => events.open(order)(sink));
    for (let commit = 0; commit < commits; commit++) {
      must(await sandbox.client.post('/v1/accounts', { currency: 'EUR' }));
      signal.announce(environmentId);
      await Promise.all(sinks.map((sink) => sink.has(commit + 1)));
    }
    taken.push(...sinks.map(({ events: got }) => got));
    for (const sink of sinks) sink.end();
    await Promise.all(filling);
    expect(events.size).toBe(0);
    expect(new Set(taken.map((each) => each.join(''))).size).toBe(1);
    await pools.close();
    await application.stop();
    return pages;
  }

  it('ask the database once for all', async () => {
    expect(await statements(50, 10)).toBe(10);
  });
});
