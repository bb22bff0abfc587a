/**
 * No event is missed, none comes out of order: a reader that is cut at any byte while many clients pay, and goes on with
 * the last whole event it got. Looks without a wake-up are off, so that a lost wake-up shows. Controls: a bell that
 * forgets and a cursor that runs ahead of what was sent fail the same run.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openPools } from '../../src/db/pool.ts';
import { loadConfig } from '../../src/config.ts';
import type { Sink } from '../../src/http/stream.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { type EventStream, openStream } from '../support/harness/event-stream.ts';
import { furnish } from '../support/harness/fixtures.ts';
import type { Json } from '../support/harness/http.ts';
import { Wakeup, CommitSignal } from '../../src/workers/commit-signal.ts';
import { EventStreams } from '../../src/events/stream.ts';
import { eventRenderer } from '../../src/events/schema.ts';

const NEVER_MS = 3_600_000;
const CLIENTS = 32;
const CUTS = 20;
/** How long an event may take to arrive once it is committed, on a busy machine. */
const ARRIVES_WITHIN_MS = 2_000;
const PAIRS = 25;
/** Now and then one commit has more events than a page of the stream. */
const BATCH_EVERY = 100;
const BATCH_ITEMS = 150;

let application: Application | undefined;
const mend: (() => void)[] = [];
afterEach(async () => {
  for (const each of mend.splice(0)) each();
  await application?.stop();
  application = undefined;
});

/** Everything that is wrong with what a reader saw of the whole log; empty is right. */
async function complaintsOf(payouts: number): Promise<string[]> {
  application = await startApplication({ config: { streamPollMs: NEVER_MS } });
  const { address, sandbox, sql } = application;
  const { client } = sandbox;
  const { rcp, acct } = await furnish(application, sandbox);
  must(await client.post(`/v1/test_helpers/accounts/${acct}/fund`, { amount: '1000000' }));
  const payout = { amount: '1', currency: 'EUR', recipient: rcp, account: acct };
  const pay = async () => must(await client.post('/v1/payouts', payout));
  const batch = { payouts: Array.from({ length: BATCH_ITEMS }, () => payout) };
  const newest = async () =>
    (must(await client.get('/v1/events?limit=1')).json['data'] as [Json])[0]['sequence'] as number;

  const seen: { readonly id: string; readonly sequence: number }[] = [];
  const cutAt: number[] = [];
  let done = false;
  let stream: EventStream | undefined;
  const read = async () => {
    while (!done) {
      const last = seen.at(-1);
      const from = last === undefined ? '0' : cutAt.length % 2 === 0 ? last.id : String(last.sequence);
      const cutAfterBytes = cutAt.length < CUTS ? 1 + Math.floor(Math.random() * 60_000) : Number.POSITIVE_INFINITY;
      cutAt.push(cutAfterBytes);
      stream = await openStream(address, sandbox.key, '', { headers: { 'last-event-id': from }, cutAfterBytes });
      stream.onEvent(({ id, json }) => void seen.push({ id, sequence: json['sequence'] as number }));
      if (done) stream.cut();
      await stream.closed;
    }
  };
  const reading = read();
  const arrived = async (sequence: number) => {
    const deadlineMs = performance.now() + ARRIVES_WITHIN_MS;
    while ((seen.at(-1)?.sequence ?? 0) < sequence && performance.now() < deadlineMs)
      await stream?.until(() => (seen.at(-1)?.sequence ?? 0) >= sequence, 50);
    return (seen.at(-1)?.sequence ?? 0) >= sequence;
  };

  const complaints: string[] = [];
  let left = payouts;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) {
        if (left % BATCH_EVERY === 0) must(await client.post('/v1/payouts/batch', batch));
        else await pay();
      }
    }),
  );
  await arrived(await newest());
  // The second of two commits in a row is announced while the first is being read.
  for (let pair = 0; pair < PAIRS && complaints.length === 0; pair++) {
    await pay();
    await pay();
    const last = await newest();
    if (!(await arrived(last))) complaints.push(`${last} had not arrived, only ${seen.at(-1)?.sequence ?? 0}`);
  }
  done = true;
  stream?.cut();
  await reading;

  if (cutAt.length <= CUTS) complaints.push(`only ${cutAt.length - 1} cuts`);
  const log = await sql(
    `SELECT sequence FROM events WHERE environment_id = (SELECT environment_id FROM api_keys WHERE last4 = $1)`,
    [sandbox.key.slice(-4)],
  );
  const sequences = seen.map(({ sequence }) => sequence);
  const wrong = sequences.findIndex((sequence, at) => sequence !== at + 1);
  if (wrong !== -1) complaints.push(`after ${wrong} came ${sequences[wrong]}`);
  if (new Set(seen.map(({ id }) => id)).size !== seen.length) complaints.push('an event came twice');
  if (sequences.length !== log.length) complaints.push(`${sequences.length} of ${log.length} events came`);
  return complaints.length === 0 ? [] : [...complaints, `cut at ${cutAt.join(', ')}`];
}

describe('a reader that is cut twenty times while 32 clients pay', () => {
  it('sees the whole log, in order, each event once', async () => {
    expect(await complaintsOf(2_000)).toEqual([]);
  }, 120_000);

  it('control: misses some when a ring is forgotten that came while nobody waited', async () => {
    const { wait } = Wakeup.prototype;
    Wakeup.prototype.wait = function forgetful(mostMs) {
      (this as unknown as { rung: boolean }).rung = false;
      return wait.call(this, mostMs);
    };
    mend.push(() => (Wakeup.prototype.wait = wait));
    expect((await complaintsOf(200)).join()).toMatch(/had not arrived/);
  }, 120_000);

  it('control: misses some when the cursor runs ahead of what was sent', async () => {
    const { readPage } = EventStreams.prototype;
    EventStreams.prototype.readPage = async function ahead(order, after, upTo) {
      return { ...(await readPage.call(this, order, after, upTo)), upTo };
    };
    mend.push(() => (EventStreams.prototype.readPage = readPage));
    expect((await complaintsOf(1_000)).join()).toMatch(/after \d+ came \d+/);
  }, 120_000);
});

describe('many streams of one environment', () => {
  /** Statements that were sent to read events while `commits` commits were made, with that many streams open. */
  async function statements(streams: number, commits: number): Promise<number> {
    application = await startApplication();
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
    const filling = sinks.map((sink) => events.open({ environmentId, livemode: false, conditions: [], after })(sink));
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
    return pages;
  }

  it('ask the database once for all', async () => {
    expect(await statements(50, 10)).toBe(10);
  });
});

/** A receiver that takes everything at once. */
class MemorySink implements Sink {
  readonly events: string[] = [];
  isOver = false;
  readonly #callbacks: (() => void)[] = [];
  #arrived: () => void = () => undefined;

  async write(text: string): Promise<void> {
    this.events.push(...text.split('\n\n').filter((block) => block.startsWith('id:')));
    this.#arrived();
  }

  onOver(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  async has(count: number): Promise<void> {
    while (this.events.length < count) await new Promise<void>((resolve) => (this.#arrived = resolve));
  }

  end(): void {
    this.isOver = true;
    for (const callback of this.#callbacks) callback();
  }
}
