/**
 * Live events of an environment, as server-sent events: read from the database in order of sequence, page by page, so
 * that a stream has no gap whatever happens to wake-ups, processes or connections. It keeps a cursor and at most one
 * page. Must never send anything but what it read, and never move its cursor past what it has not read.
 * Where a stream goes: `http/stream.ts`; where it begins: `stream-routes.ts`; what wakes it: `workers/commit-signal.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestError } from '../core/errors.ts';
import { type Condition, page, pageOf } from '../db/wire/page.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import type { Fill, Sink } from '../http/stream.ts';
import { eventIdOf, renderEvent } from './schema.ts';
import { Wakeup, type CommitSignal } from '../workers/commit-signal.ts';
import { EVENT_COLUMNS, lastSequence } from './sql.ts';

export interface StreamOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly signal: CommitSignal;
  readonly config: {
    /** Open at once in one environment, in this process. */
    readonly streamsPerEnvironment: number;
    /** A comment is sent after this long without an event, so that nothing between here and there hangs up. */
    readonly streamHeartbeatMs: number;
    /** How often an environment is looked at without having been announced. */
    readonly streamPollMs: number;
  };
  readonly onFault: (message: string, error: unknown) => void;
}

/** What a stream shows. */
export interface StreamOrder {
  readonly environmentId: string;
  readonly livemode: boolean;
  /** What events must be, over the table `t`; none: all. */
  readonly conditions: readonly Condition[];
  /** The sequence to go on from; may lie before the oldest event there still is. */
  readonly after: bigint;
}

/** A part of the log as it is sent, and the sequence up to which it is complete. */
interface Page {
  readonly text: string;
  readonly upTo: bigint;
}

const PAGE_EVENTS = 100;
/** What a reader waits before it connects again. */
const FIRST_LINES = 'retry: 1000\n\n';
const HEARTBEAT = ': heartbeat\n\n';
/** An environment that commits all the time is asked at most 200 times a second; a lone commit does not wait for this. */
const PACE_MS = 5;

export class EventStreams {
  readonly #options: StreamOptions;
  readonly #tips = new Map<string, Tip>();
  readonly #reading = new Map<string, Promise<Page>>();

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Streams that are open now, in all environments. */
  get size(): number {
    return [...this.#tips.values()].reduce((sum, tip) => sum + tip.streams, 0);
  }

  /** The sequence of the newest event that is committed. Rejects when the database is away. */
  newest(environmentId: string): Promise<bigint> {
    return newestSequence(this.#options, environmentId);
  }

  /**
   * Takes a place for a stream; what it returns must be called once, and gives the place back when it ends. Throws
   * `rate_limited` when the environment has no place left.
   */
  open(order: StreamOrder): Fill {
    const { environmentId } = order;
    const { streamsPerEnvironment: most } = this.#options.config;
    const tip = this.#tips.get(environmentId) ?? new Tip(this.#options, environmentId);
    if (tip.streams >= most) {
      throw new RequestError(
        'rate_limited',
        `${most} event streams are open already, which is the most for one environment. Close one first.`,
      );
    }
    this.#tips.set(environmentId, tip);
    const wakeup = new Wakeup();
    tip.add(wakeup, () => this.#tips.delete(environmentId));
    return async (sink) => {
      sink.onOver(() => wakeup.notify());
      try {
        await this.#pump(order, tip, wakeup, sink);
      } finally {
        tip.remove(wakeup);
      }
    };
  }

  async #pump(order: StreamOrder, tip: Tip, wakeup: Wakeup, sink: Sink): Promise<void> {
    const { streamHeartbeatMs, streamPollMs } = this.#options.config;
    let cursor = order.after;
    await sink.write(FIRST_LINES);
    let writtenMs = performance.now();
    const write = async (text: string) => {
      await sink.write(text);
      writtenMs = performance.now();
    };
    while (!sink.isOver) {
      if (cursor < tip.sequence) {
        const next = await this.readPage(order, cursor, tip.sequence).catch(unlessAway);
        if (next === null) await wakeup.wait(streamPollMs);
        else {
          if (next.text !== '') await write(next.text);
          cursor = next.upTo;
        }
      } else await wakeup.wait(writtenMs + streamHeartbeatMs - performance.now());
      if (performance.now() - writtenMs >= streamHeartbeatMs) await write(HEARTBEAT);
    }
  }

  /**
   * What follows `after`, not beyond `upTo`. Both are committed, so the answer cannot change while it is read and streams
   * at the same place share it. With a filter the page is complete up to `upTo` where nothing more matches.
   */
  readPage(order: StreamOrder, after: bigint, upTo: bigint): Promise<Page> {
    const { environmentId, livemode, conditions } = order;
    const key = `${environmentId} ${after} ${upTo} ${JSON.stringify(conditions)}`;
    const known = this.#reading.get(key);
    if (known) return known;
    const query = { limit: PAGE_EVENTS, order: 'asc' } as const;
    const between = [
      { sql: 't.sequence > $', value: after },
      { sql: 't.sequence <= $', value: upTo },
    ];
    const source = {
      from: 'events AS t',
      columns: EVENT_COLUMNS,
      environmentId,
      conditions: [...between, ...conditions],
      key: 'sequence',
    } as const;
    const read = this.#options
      .rows(page(source, query))
      .then((found) => {
        const { rows, hasMore } = pageOf(found, query);
        const text = rows.map((row) => frame(row, livemode)).join('');
        return { text, upTo: hasMore ? (rows.at(-1)?.['sequence'] as bigint) : upTo };
      })
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, read);
    return read;
  }
}

/** One reader of an environment's newest sequence, for all of its streams: asked after a commit here, and every second. */
class Tip {
  /** 0 until it is known. Everything up to it is committed. */
  sequence = 0n;
  readonly #options: StreamOptions;
  readonly #environmentId: string;
  readonly #wakeups = new Set<Wakeup>();
  readonly #wakeup = new Wakeup();
  #isFollowing = false;

  constructor(options: StreamOptions, environmentId: string) {
    this.#options = options;
    this.#environmentId = environmentId;
  }

  get streams(): number {
    return this.#wakeups.size;
  }

  /** `wakeup` rings whenever there is something new. `onLast` is called when the last one has been removed. */
  add(wakeup: Wakeup, onLast: () => void): void {
    this.#wakeups.add(wakeup);
    if (!this.#isFollowing) void this.#follow(onLast);
  }

  remove(wakeup: Wakeup): void {
    this.#wakeups.delete(wakeup);
    if (this.#wakeups.size === 0) this.#wakeup.notify();
  }

  async #follow(onLast: () => void): Promise<void> {
    this.#isFollowing = true;
    const { signal, config, onFault } = this.#options;
    const unsubscribe = signal.subscribe(this.#environmentId, () => this.#wakeup.notify());
    while (this.#wakeups.size > 0) {
      try {
        const newest = await newestSequence(this.#options, this.#environmentId);
        if (newest > this.sequence) {
          this.sequence = newest;
          for (const wakeup of this.#wakeups) wakeup.notify();
        }
      } catch (error) {
        onFault('Event streams cannot be read; trying again', error);
      }
      await sleep(PACE_MS);
      if (this.#wakeups.size > 0) await this.#wakeup.wait(config.streamPollMs);
    }
    unsubscribe();
    this.#isFollowing = false;
    onLast();
  }
}

async function newestSequence({ rows }: StreamOptions, environmentId: string): Promise<bigint> {
  const [environment] = await rows(lastSequence(environmentId));
  if (!environment) throw new RequestError('internal_error', 'The environment is gone.');
  return environment['last_sequence'] as bigint;
}

/** A database that is away comes back: the stream waits for it. Anything else is our fault and ends the stream. */
function unlessAway(error: unknown): null {
  if (error instanceof RequestError && error.code === 'database_unavailable') return null;
  throw error;
}

/** An event in the format of server-sent events. Its JSON has no line breaks: they are escaped in texts. */
function frame(row: Row, livemode: boolean): string {
  return `id: ${eventIdOf(row)}\nevent: ${row['type'] as string}\ndata: ${renderEvent(row, livemode)}\n\n`;
}
