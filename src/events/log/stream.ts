/**
 * Streams the events of an environment as server-sent events. A stream reads them from the database page by page, in
 * order of sequence, and its cursor never passes an event that it has not read; so it has no gap whatever happens to
 * wake-ups, processes or connections. Writing: `platform/http/transfer/stream.ts`; the first event: `stream-routes.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seesPayroll, shownTo } from '../../core/scopes.ts';
import { RequestError } from '../../core/values/errors.ts';
import { between, type Condition, page, pageOf } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Version } from '../../platform/http/version/versions.ts';
import type { Fill, Sink } from '../../platform/http/transfer/stream.ts';
import { eventIdOf, type RenderEvent, typeOf } from './schema.ts';
import { Wakeup, type CommitSignal } from '../../platform/workers/commit-signal.ts';
import { newestSequence } from './range.ts';
import { eventsOf } from './sql.ts';

export interface StreamOptions {
  readonly renderEvent: RenderEvent;
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly signal: CommitSignal;
  readonly config: {
    /** Streams of one environment that this process has open at once. */
    readonly streamsPerEnvironment: number;
    /** A comment is sent after this long without an event, so that no proxy closes the connection. */
    readonly streamHeartbeatMs: number;
    /** How often an environment is read without a commit signal. */
    readonly streamPollMs: number;
  };
  readonly onFault: (message: string, error: unknown) => void;
}

/** The events of a stream. */
export interface StreamOrder {
  readonly environmentId: string;
  readonly livemode: boolean;
  /** What the key may see; `null`: everything. */
  readonly scopes: ReadonlySet<string> | null;
  /** Filters over the table `t`; without any, the stream has all events. */
  readonly conditions: readonly Condition[];
  /** In which the events are shown. */
  readonly version: Version;
  /** The stream begins after this sequence. It may be older than the oldest event that is kept. */
  readonly after: bigint;
}

/** Events as text, and the sequence up to which they are complete. */
interface Page {
  readonly text: string;
  readonly upTo: bigint;
}

const PAGE_EVENTS = 100;
/** Tells the receiver to wait 1 s before it connects again. */
const FIRST_LINES = 'retry: 1000\n\n';
const HEARTBEAT = ': heartbeat\n\n';
/** Between two reads of the newest sequence: at most 200 a second. The first read after a pause does not wait. */
const PACE_MS = 5;

export class EventStreams {
  readonly #options: StreamOptions;
  readonly #tips = new Map<string, Tip>();
  readonly #reading = new Map<string, Promise<Page>>();

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Open streams of all environments. */
  get size(): number {
    return [...this.#tips.values()].reduce((sum, tip) => sum + tip.streams, 0);
  }

  /** The newest committed sequence. Rejects when the database is away. */
  newest(environmentId: string): Promise<bigint> {
    return newestSequence(this.#options.rows, environmentId);
  }

  /**
   * Opens a stream and counts it. The function that it returns must be called once; the stream counts until that call ends.
   * Throws `rate_limited` when the environment has too many.
   */
  open(order: StreamOrder): Fill {
    const { environmentId } = order;
    const { streamsPerEnvironment: most } = this.#options.config;
    const tip = this.#tips.get(environmentId) ?? new Tip(this.#options, environmentId);
    if (tip.streams >= most) {
      const message = `${most} event streams are open already, which is the most for one environment. Close one first.`;
      throw new RequestError('rate_limited', message);
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
   * The next events after `after`, up to `upTo`. Both are committed, so the page cannot change, and streams with the
   * same cursor share the read. Without more events the page is complete up to `upTo`.
   */
  readPage(order: StreamOrder, after: bigint, upTo: bigint): Promise<Page> {
    const { environmentId, livemode, scopes, conditions, version } = order;
    const { renderEvent } = this.#options;
    const key = `${environmentId} ${after} ${upTo} ${seesPayroll(scopes)} ${version.date} ${JSON.stringify(conditions)}`;
    const known = this.#reading.get(key);
    if (known) return known;
    const query = { limit: PAGE_EVENTS, order: 'asc' } as const;
    const source = eventsOf(environmentId, [...between({ after, until: upTo }), ...conditions]);
    const read = this.#options
      .rows(page(source, query))
      .then((found) => {
        const { rows, hasMore } = pageOf(found, query);
        const text = rows.map((row) => frame(row, shownTo(scopes, renderEvent(row, livemode)), version)).join('');
        return { text, upTo: hasMore ? (rows.at(-1)?.['sequence'] as bigint) : upTo };
      })
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, read);
    return read;
  }
}

/** Reads the newest sequence of an environment for all of its streams: after each commit signal, and every second. */
class Tip {
  /** The newest committed sequence; 0 until it is read. */
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

  /** Notifies `wakeup` of new events. `onLast` is called after the last one has been removed. */
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
        const newest = await newestSequence(this.#options.rows, this.#environmentId);
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

/** While the database is away, the stream waits. Any other error is our fault and ends the stream. */
function unlessAway(error: unknown): null {
  if (error instanceof RequestError && error.code === 'database_unavailable') return null;
  throw error;
}

/** An event in the format of server-sent events. Its JSON has no line breaks: they are escaped in texts. */
function frame(row: Row, newest: string, { past }: Version): string {
  const json = past === null ? newest : past.answer(newest);
  const type = past === null ? typeOf(row) : (JSON.parse(json) as { readonly type: string }).type;
  return `id: ${eventIdOf(row)}\nevent: ${type}\ndata: ${json}\n\n`;
}
