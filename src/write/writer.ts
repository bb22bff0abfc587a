/**
 * THE PATH. Everything that changes anything comes through here, as this recipe:
 *
 *   gather   whatever queued while the last batch committed            queue.ts
 *   load     lock the environments, read what the commands need        load.ts      one flight
 *   decide   a fold of pure decisions: command n sees n-1              decide-batch.ts
 *   persist  one statement a table, COMMIT                             persist.ts   one flight
 *   tell     hand the deliveries of its events to the dispatcher       outbox.ts
 *   reply    after the next batch is on its way, each caller its own answer
 *
 * What the lane committed last it remembers. A batch that needs nothing else is decided first, and its lock goes with its
 * rows in one flight, which fails if somebody else has written since (state-cache.ts). A second such batch may follow while
 * the first is in the air, decided on what that will leave; it is compared in the same way.
 *
 * It must never do I/O beside the database, answer before COMMIT, or write a part of a decision. Rules and
 * measurements: ARCHITECTURE.md. Where to go next: a slice's `decide.ts`.
 */
import { RequestError } from '../core/errors.ts';
import type { Pipeline } from '../db/wire/pipeline.ts';
import { isConnectionLost } from '../db/wire/connection-lost.ts';
import type { Statement } from '../db/wire/statement.ts';
import { type Answer, type Decided, decideBatch, isProvenByCommit } from './decide-batch.ts';
import { WriteQueue, type Limits, type Waiting } from './queue.ts';
import type { Outcome } from './idempotency.ts';
import { BEGIN, type Loaded, load } from './load.ts';
import { checkVersions, StateCache } from './state-cache.ts';
import { ReadSet } from './read-set.ts';
import type { Outbox } from '../webhooks/delivery.ts';
import { committedOf, outgoingOf } from './outbox.ts';
import { abandon, persist } from './persist.ts';
import type { Submission } from './submission.ts';

/** The writer's own connection: flights run one after the other, in the order they are sent (db/wire/pipeline.ts). */
export interface WriterConnection extends Pipeline {
  /** Gives it up, with the transaction that may be open on it. */
  close(): void;
}

export interface WriteOptions {
  readonly limits: Limits;
  /** Opens a connection; rejects while the database is away. */
  connect(): Promise<WriterConnection>;
  /** How long a batch may wait for a database that is away before its callers get `database_unavailable`. */
  readonly patienceMs: number;
  /** Takes what a commit leaves to be told. */
  readonly outbox: Outbox;
  readonly onBatch?: (commands: number, elapsedMs: number) => void;
  readonly onFault: (message: string, error: unknown) => void;
}

/**
 * Batches of up to this many changes (forty payouts) are bound by the flush, not by the CPU: their callers are answered
 * first, so that they come along in one larger batch instead of two that take turns (measured at 16 clients: +20 %, at
 * 64: none; for payout batches of a thousand it would cost 15 %).
 */
const SMALL_BATCH_CHANGES = 200;

/** A batch on its way. */
interface Flying {
  readonly changes: number;
  /** `null`: it loads, or waits to. */
  readonly sent: Sent | null;
  readonly landed: Promise<readonly Answer[]>;
  hasLanded: boolean;
}

/** A batch that was decided from memory. */
interface Sent {
  readonly connection: WriterConnection;
  readonly readSet: ReadSet;
  readonly cached: ReadonlyMap<string, Loaded>;
  readonly answers: readonly Answer[];
  readonly committed: Promise<void>;
  /** Resolves when PostgreSQL can read all of it without this process. */
  readonly hasLeft: Promise<void>;
}

/** A turn of the event loop: whatever has arrived is read. */
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** One lane of the path: one connection, at most two batches in the air. Commands of an environment always take the same lane. */
export class Writer {
  private readonly queue: WriteQueue;
  private readonly options: WriteOptions;
  private connection: WriterConnection | null = null;
  private readonly stateCache = new StateCache();
  /** Batches that load or wait to: meanwhile nothing is sent from memory, or it would land in the midst of their transactions. */
  private loading = 0;
  /** The transaction of a flight that failed is still open. */
  private isBroken = false;
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(options: WriteOptions) {
    this.options = options;
    this.queue = new WriteQueue(options.limits);
  }

  /**
   * Resolves with the recorded outcome after COMMIT. Rejects with a `RequestError`: after `overloaded` and
   * `internal_error` nothing was written; after `database_unavailable` the outcome is unknown, and the same key finds it.
   */
  write(submission: Submission): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const accepted = !this.stopped && this.queue.add({ submission, resolve, reject });
      if (!accepted) {
        reject(
          new RequestError('overloaded', this.stopped ? 'The service is stopping.' : 'Too many writes are waiting.'),
        );
      } else this.running ??= this.pump();
    });
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Takes nothing more, finishes what is queued, closes the connection. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    this.connection?.close();
    this.connection = null;
  }

  /** Sends a batch, one behind it while it is in the air, and answers in order. */
  private async pump(): Promise<void> {
    await turn(); // what arrived in the same turn of the loop comes along
    let flying = this.start();
    while (flying !== null) {
      let next = await this.startBehind(flying);
      let answers = await flying.landed;
      if (next === null) {
        if (this.queue.length === 0 || flying.changes + this.queue.changes <= SMALL_BATCH_CHANGES) {
          answer(answers);
          answers = [];
          await turn();
          await turn(); // callers that ask again at once join the next batch
        }
        next = this.start(); // the next batch is sent first …
      }
      answer(answers); // … then the last one is answered (rule 6: measured +15 to 22 %)
      flying = next;
    }
    this.running = null;
    if (this.queue.length > 0) this.running = this.pump();
  }

  /** Takes what waits and puts it on its way; `null` when nothing does. */
  private start(before: Flying | null = null): Flying | null {
    const changes = this.queue.changes;
    const batch = this.queue.take();
    if (batch.length === 0) return null;
    const startedMs = performance.now();
    const sent = this.sendFromCache(batch, before);
    const flying: Flying = {
      changes: changes - this.queue.changes,
      sent,
      hasLanded: false,
      landed: this.land(batch, sent, before).then((answers) => {
        flying.hasLanded = true;
        this.options.onBatch?.(batch.length, performance.now() - startedMs);
        return answers;
      }),
    };
    return flying;
  }

  /**
   * A second batch behind one in the air, so that PostgreSQL has work while this process decides and answers (decision
   * 0021): once the first has left this process entirely, and half as much waits. `null` when it landed before that.
   */
  private async startBehind(flying: Flying): Promise<Flying | null> {
    if (flying.sent === null) return null; // it loads: what came between its two flights would be in its transaction
    await Promise.race([flying.landed, flying.sent.hasLeft]);
    while (!flying.hasLanded) {
      if (this.queue.changes >= flying.changes / 2) return this.start(flying);
      await Promise.race([flying.landed, this.queue.reaches(flying.changes / 2)]);
      if (!flying.hasLanded) await turn(); // whatever has arrived comes along
    }
    return null;
  }

  /**
   * Decides on what is remembered, and on what the batch in the air will leave; locks, compares and writes in one flight.
   * `null`: it must be loaded, and nothing of it can be committed.
   */
  private sendFromCache(batch: readonly Waiting[], before: Flying | null): Sent | null {
    const { connection, stateCache, options } = this;
    if (connection === null || this.loading > 0) return null;
    const readSet = new ReadSet(batch.map((waiting) => waiting.submission));
    if (readSet.records.length < batch.length) return null; // a dry run or a worker's command leaves no record
    const cached = stateCache.get(readSet, before?.sent?.cached);
    if (cached === null) return null;
    const decided = decideBatch(batch, cached);
    if (!isProvenByCommit(decided, cached, readSet)) return null;
    try {
      const committed = commit(connection, decided, options, [BEGIN, checkVersions(cached)]);
      const hasLeft = connection.sent();
      return { connection, readSet, cached, answers: decided.answers, committed, hasLeft };
    } catch {
      this.giveUp(connection); // a part of it is on its way; the fault shows again when all is loaded
      return null;
    }
  }

  /** The answers of a batch that was sent, or is loaded now; never rejects. */
  private async land(batch: readonly Waiting[], sent: Sent | null, before: Flying | null): Promise<readonly Answer[]> {
    if (sent !== null) {
      try {
        await sent.committed;
        this.stateCache.put(sent.cached, sent.readSet);
        return sent.answers;
      } catch (error) {
        this.refused(batch, sent.connection, error);
      }
    }
    this.loading += 1; // from here on nothing is sent from memory until this batch is decided
    await before?.landed;
    const answers = await this.attempt(batch);
    this.loading -= 1;
    return answers;
  }

  /**
   * A flight from memory failed: somebody else has written, or a key is used. If it is a fault of ours, it shows again when
   * all is loaded. A batch behind it fails as well, in the same broken transaction.
   */
  private refused(batch: readonly Waiting[], connection: WriterConnection, error: unknown): void {
    if (isPassing(error) || !isSqlState(error)) {
      this.stateCache.clear(); // it may have been committed
      this.giveUp(connection);
      return;
    }
    this.stateCache.suspend();
    for (const waiting of batch) delete waiting.decided;
    if (this.connection === connection) this.isBroken = true;
  }

  private giveUp(connection: WriterConnection | null): void {
    connection?.close(); // rolls back what is open, unless its COMMIT was already on its way
    if (this.connection !== connection) return;
    this.connection = null;
    this.isBroken = false;
  }

  /**
   * A batch until it is decided. A lost connection leaves the outcome of a COMMIT unknown: the batch goes again, waits
   * at the lock for whatever is left of the old transaction, and finds its own records if that committed (rule 7).
   */
  private async attempt(batch: readonly Waiting[]): Promise<readonly Answer[]> {
    const deadlineMs = performance.now() + this.options.patienceMs;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      try {
        this.connection ??= await this.options.connect();
        if (this.isBroken) {
          await abandon(this.connection);
          await turn(); // a batch that was in the air behind it has found out as well
          this.isBroken = false;
        }
        return await loadAndCommit(this.connection, batch, this.stateCache, this.options);
      } catch (error) {
        this.stateCache.clear(); // the next attempt loads, and finds what this one may have committed
        this.giveUp(this.connection);
        if (!isPassing(error)) return batch.length > 1 ? this.oneByOne(batch) : this.blame(batch, error);
        if (performance.now() > deadlineMs) {
          this.options.onFault('The database is away; writes are refused', error);
          const unavailable = new RequestError('database_unavailable', 'The database cannot be reached.');
          return batch.map((waiting) => ({ waiting, error: unavailable }));
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /** A statement failed that never should: every command for itself, so that only the culprit gets a 500. */
  private async oneByOne(batch: readonly Waiting[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const waiting of batch) answers.push(...(await this.attempt([waiting])));
    return answers;
  }

  private blame(batch: readonly Waiting[], error: unknown): readonly Answer[] {
    this.options.onFault(`A ${batch[0]?.submission.command.type} command failed in the write path`, error);
    return batch.map((waiting) => ({
      waiting,
      error: new RequestError('internal_error', 'The request failed. Nothing was written.'),
    }));
  }
}

function answer(answers: readonly Answer[]): void {
  for (const each of answers) {
    if ('error' in each) each.waiting.reject(each.error);
    else each.waiting.resolve(each.outcome);
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Whether PostgreSQL said it, and so has rolled back. */
const isSqlState = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(codeOf(error));

/** SQLSTATEs after which the same batch may succeed: serialisation, resources, lock time-outs, operator intervention. */
function isPassing(error: unknown): boolean {
  return isConnectionLost(error) || /^(?:40|53|57|08|55P03|25P03)/.test(codeOf(error));
}

/** One transaction in two flights. */
async function loadAndCommit(
  connection: WriterConnection,
  batch: readonly Waiting[],
  stateCache: StateCache,
  options: WriteOptions,
): Promise<readonly Answer[]> {
  const readSet = new ReadSet(batch.map((waiting) => waiting.submission));
  const loaded = await load(connection, readSet);
  const decided = decideBatch(batch, loaded);
  for (const { message, error } of decided.faults) options.onFault(message, error);
  const isIdle =
    decided.records.length === 0 &&
    decided.states.every((state) => state.events.length + state.created.size + state.updated.size === 0);
  if (isIdle && !batch.some(({ submission }) => submission.command.type === 'advance_clock')) {
    await abandon(connection);
  } else {
    await commit(connection, decided, options);
    stateCache.put(loaded, readSet);
  }
  return decided.answers;
}

/** Sent when it returns. Throws when it cannot be made or sent whole; then a part of it may be on its way. */
function commit(
  connection: WriterConnection,
  { answers, states, records }: Decided,
  { outbox, onFault }: WriteOptions,
  opening: readonly Statement[] = [],
): Promise<void> {
  for (const each of answers) {
    if ('outcome' in each && !each.outcome.replayed) each.waiting.decided = each.outcome.body;
  }
  const outgoing = outgoingOf(states, outbox);
  const sentAtMs = performance.now();
  return persist(connection, states, records, outgoing, opening).then(() => {
    try {
      outbox.committed(committedOf(states, outgoing, answers.length, sentAtMs));
    } catch (error) {
      // It is committed: a batch that went again for this would do twice what no record remembers.
      onFault('Deliveries could not be handed over; they will be found in the database', error);
    }
  });
}
