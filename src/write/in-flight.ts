/**
 * The writer that serves by default: the recipe of `writer.ts`, with two short cuts for batches whose accounts and
 * recipients are in the state cache. Such a batch is decided without reading and goes in one round trip
 * (docs/decisions/0019), and a second one may follow while it is in flight (docs/decisions/0021). A short cut is never
 * trusted: PostgreSQL compares the environments under their lock, and a refused batch is loaded. Stages of a batch:
 *
 *   SENT      decided on cached state; its COMMIT is on its way
 *   WAITING   is to be loaded, once the batch before it is answered
 *   LOADING   load, decide, persist in a transaction of its own
 *   ANSWERED  committed or refused for good
 *
 * While a batch is WAITING or LOADING nothing is sent on cached state: it would end up inside that batch's transaction.
 */
import { StateMachine } from './state-machine.ts';
import { isPassing, isSqlState, nextTurn, type WriterConnection } from './attempts.ts';
import { addBatchSpans, type Marks, newMarks } from './batch-spans.ts';
import { decideBatch, isProvenByCommit } from './decide-batch.ts';
import { BEGIN, type Loaded } from './load.ts';
import { abandon } from './persist.ts';
import { type Answer, reply, type Waiting } from './queue.ts';
import { type ReadSet, readSetOf } from './read-set.ts';
import { checkVersions, StateCache } from './state-cache.ts';
import { commit, loadAndCommit, PlainWriter } from './writer.ts';

/**
 * Up to this many changes (forty payouts) a batch is bound by the flush: callers are answered first, so that they come
 * along in one larger batch instead of two (at 16 clients: +20 %, at 64: none; batches of a thousand would lose 15 %).
 */
const SMALL_BATCH_CHANGES = 200;

type Stage = 'SENT' | 'WAITING' | 'LOADING' | 'ANSWERED';
const TRANSITIONS: Readonly<Record<Stage, readonly Stage[]>> = {
  SENT: ['ANSWERED', 'WAITING'],
  WAITING: ['LOADING'],
  LOADING: ['ANSWERED'],
  ANSWERED: [],
};

/** A batch that was decided on cached state. */
interface Sent {
  readonly connection: WriterConnection;
  readonly readSet: ReadSet;
  readonly cached: ReadonlyMap<string, Loaded>;
  readonly answers: readonly Answer[];
  readonly committed: Promise<void>;
  /** Resolves when PostgreSQL can read all of it without this process. */
  readonly hasLeft: Promise<void>;
  /** `null`: tracing is off. */
  readonly marks: Marks | null;
}

interface Batch {
  readonly commands: readonly Waiting[];
  readonly changes: number;
  readonly sent: Sent | null;
  readonly stage: StateMachine<Stage>;
}

interface Flying {
  readonly batch: Batch;
  readonly answers: Promise<readonly Answer[]>;
}

export class InFlightWriter extends PlainWriter {
  private readonly cache = new StateCache();
  /** At most two, the older first. */
  private inFlight: readonly Batch[] = [];
  /** A connection on which the transaction of a refused batch is still open. */
  private aborted: WriterConnection | null = null;

  protected override async run(): Promise<void> {
    await nextTurn(); // commands that arrive in the same turn of the event loop share a batch
    for (let first = this.start(); first !== null; ) {
      let next: Flying | null = await this.startBehind(first);
      let answers = await first.answers;
      if (next === null) {
        const isSmall = first.batch.changes + this.queue.changes <= SMALL_BATCH_CHANGES;
        if (this.queue.length === 0 || isSmall) {
          reply(answers);
          answers = [];
          await nextTurn();
          await nextTurn(); // callers that ask again at once join the next batch
        }
        next = this.start(); // the next batch is sent first …
      }
      reply(answers); // … then the last one is answered (measured: 15 to 22 % more)
      first = next;
    }
    this.running = null;
  }

  /** Takes what is queued and sends it, or begins to load it; `null` when nothing is queued. */
  private start(before: Flying | null = null): Flying | null {
    const { changes } = this.queue;
    const commands = this.queue.take();
    if (commands.length === 0) return null;
    const startedMs = performance.now();
    const sent = this.sendFromCache(commands, before?.batch ?? null);
    const stage = new StateMachine<Stage>(sent === null ? 'WAITING' : 'SENT', TRANSITIONS);
    const batch: Batch = { commands, changes: changes - this.queue.changes, sent, stage };
    this.inFlight = [...this.inFlight, batch];
    const answers = this.answersOf(batch, before).then((each) => {
      batch.stage.become('ANSWERED');
      this.inFlight = this.inFlight.filter((other) => other !== batch);
      this.options.onBatch?.(commands.length, performance.now() - startedMs);
      return each;
    });
    return { batch, answers };
  }

  /** A second batch, once the first has left this process and half as much is queued; `null` if answered before. */
  private async startBehind(first: Flying): Promise<Flying | null> {
    const { batch, answers } = first;
    if (batch.sent === null) return null;
    const enough = batch.changes / 2;
    await Promise.race([answers, batch.sent.hasLeft]);
    while (!batch.stage.is('ANSWERED')) {
      if (this.queue.changes >= enough) return this.start(first);
      await Promise.race([answers, this.queue.reaches(enough)]);
      if (!batch.stage.is('ANSWERED')) await nextTurn(); // whatever has arrived comes along
    }
    return null;
  }

  /**
   * Decides on cached state, and on what the batch in flight will leave; locks, compares versions and writes in one round
   * trip. `null`: the batch must be loaded, and nothing of it can be committed.
   */
  private sendFromCache(commands: readonly Waiting[], before: Batch | null): Sent | null {
    const { cache, options, attempts } = this;
    const { connection } = attempts;
    if (connection === null || !this.inFlight.every(({ stage }) => stage.is('SENT'))) return null;
    const marks = newMarks();
    const readSet = readSetOf(commands.map(({ submission }) => submission));
    if (readSet.records.length < commands.length) return null; // a dry run or a worker's command leaves no record
    const cached = cache.get(readSet, before?.sent?.cached);
    if (cached === null) return null;
    if (marks !== null) Object.assign(marks, { loadedMs: performance.now(), isCached: true });
    const decided = decideBatch(commands, cached);
    if (marks !== null) marks.decidedMs = performance.now();
    if (!isProvenByCommit(decided, cached, readSet)) return null;
    try {
      const committed = commit(connection, decided, options, [BEGIN, checkVersions(cached)]);
      return { connection, readSet, cached, answers: decided.answers, committed, hasLeft: connection.sent(), marks };
    } catch {
      attempts.giveUp(connection); // a part of it is on its way; the fault shows again when all is loaded
      return null;
    }
  }

  private async answersOf(batch: Batch, before: Flying | null): Promise<readonly Answer[]> {
    const { sent, commands } = batch;
    if (sent !== null) {
      try {
        await sent.committed;
        this.cache.put(sent.cached, sent.readSet);
        if (sent.marks !== null) addBatchSpans(commands, sent.marks);
        return sent.answers;
      } catch (error) {
        this.noteRefusal(sent.connection, error);
        batch.stage.become('WAITING');
      }
    }
    await before?.answers;
    batch.stage.become('LOADING');
    return this.attempts.untilDecided(commands, (connection, some) => this.loadOnce(connection, some));
  }

  private async loadOnce(connection: WriterConnection, commands: readonly Waiting[]): Promise<readonly Answer[]> {
    try {
      if (this.aborted === connection) {
        await abandon(connection);
        await nextTurn(); // a batch that was in flight behind the refused one has been refused as well
      }
      this.aborted = null;
      const { answers, readSet, loaded } = await loadAndCommit(connection, commands, this.options);
      if (loaded !== null) this.cache.put(loaded, readSet);
      return answers;
    } catch (error) {
      this.cache.clear(); // the next attempt loads, and finds what this one may have committed
      throw error;
    }
  }

  /**
   * PostgreSQL refused a batch that was decided on cached state: somebody else has written, or a key is used. If it is a
   * fault of ours, it shows again when the batch is loaded. A batch behind it is refused too, in the same transaction.
   */
  private noteRefusal(connection: WriterConnection, error: unknown): void {
    if (isPassing(error) || !isSqlState(error)) {
      this.cache.clear(); // it may have been committed
      this.attempts.giveUp(connection);
      return;
    }
    this.cache.suspend();
    this.aborted = connection;
  }
}
