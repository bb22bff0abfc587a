/**
 * THE PATH. Everything that changes anything comes through here, as this recipe:
 *
 *   queue     commands wait while the batch before them commits           queue.ts
 *   load      lock the environments, read what the commands need          load.ts           one round trip
 *   decide    pure decisions in order: command n sees what n-1 made       decide-batch.ts
 *   persist   one statement a table, COMMIT last                          persist.ts        one round trip
 *   notify    hand the deliveries of the events to the dispatcher         outbox.ts
 *   reply     give each caller its own answer
 *
 * This is the plain writer: one batch at a time, everything read from the database. `in-flight.ts` follows the same recipe with a state
 * cache and a second batch in flight, and serves unless `BURSAR_WRITER=plain`. When the database fails: `attempts.ts`. The
 * path must never do I/O beside the database, reply before COMMIT, or write a part of a decision. Next: a slice's `decide.ts`.
 */
import type { Statement } from '../platform/db/wire/statement.ts';
import { Attempts, nextTurn, type WriteOptions, type WriterConnection } from './attempts.ts';
import { addBatchSpans, newMarks } from './batch-spans.ts';
import { type Decided, decideBatch } from './decide-batch.ts';
import type { Outcome } from './idempotency.ts';
import { type Loaded, load } from './load.ts';
import { committedOf, outgoingOf } from './outbox.ts';
import { abandon, persist } from './persist.ts';
import { type Answer, reply, type Waiting, WriteQueue } from './queue.ts';
import { type ReadSet, readSetOf } from './read-set.ts';
import type { Submission } from './submission.ts';

/** One writer has one connection. All commands of an environment must go to the same writer, to keep their order. */
export interface Writer {
  /**
   * Resolves with the recorded outcome after COMMIT. Rejects with a `RequestError`: after `overloaded` and `internal_error`
   * nothing was written; after `database_unavailable` the outcome is unknown, and the same key finds it.
   */
  write(submission: Submission): Promise<Outcome>;
  /** Takes nothing more, finishes what is queued, closes the connection. */
  stop(): Promise<void>;
}

export class PlainWriter implements Writer {
  protected readonly queue: WriteQueue;
  protected readonly attempts: Attempts;
  protected readonly options: WriteOptions;
  protected running: Promise<void> | null = null;

  constructor(options: WriteOptions) {
    this.options = options;
    this.queue = new WriteQueue(options.limits);
    this.attempts = new Attempts(options);
  }

  write(submission: Submission): Promise<Outcome> {
    const outcome = this.queue.add(submission);
    this.running ??= this.run();
    return outcome;
  }

  async stop(): Promise<void> {
    this.queue.close();
    await this.running;
    this.attempts.close();
  }

  protected async run(): Promise<void> {
    await nextTurn(); // commands that arrive in the same turn of the event loop share a batch
    for (let batch = this.queue.take(); batch.length > 0; batch = this.queue.take()) {
      const startedMs = performance.now();
      const once = async (connection: WriterConnection, commands: readonly Waiting[]) =>
        (await loadAndCommit(connection, commands, this.options)).answers;
      reply(await this.attempts.untilDecided(batch, once));
      this.options.onBatch?.(batch.length, performance.now() - startedMs);
      await nextTurn(); // callers that ask again at once join the next batch
    }
    this.running = null;
  }
}

/** What one transaction came to. `loaded` holds what it left, unless it was abandoned because nothing was to be written. */
export interface Transaction {
  readonly answers: readonly Answer[];
  readonly readSet: ReadSet;
  readonly loaded: ReadonlyMap<string, Loaded> | null;
}

export async function loadAndCommit(
  connection: WriterConnection,
  batch: readonly Waiting[],
  options: WriteOptions,
): Promise<Transaction> {
  const marks = newMarks();
  const readSet = readSetOf(batch.map(({ submission }) => submission));
  const loaded = await load(connection, options.sealing, readSet);
  if (marks !== null) marks.loadedMs = performance.now();
  const decided = decideBatch(batch, loaded);
  if (marks !== null) marks.decidedMs = performance.now();
  for (const { message, error } of decided.faults) options.onFault(message, error);
  if (decided.isEmpty) await abandon(connection);
  else await commit(connection, decided, options);
  if (marks !== null) addBatchSpans(batch, marks);
  return { answers: decided.answers, readSet, loaded: decided.isEmpty ? null : loaded };
}

/** All is sent when the call returns. Throws when a statement cannot be made or sent; a part may be on its way then. */
export function commit(
  connection: WriterConnection,
  { answers, states, records }: Decided,
  { outbox, sealing, onCommitted, onFault }: WriteOptions,
  opening: readonly Statement[] = [],
): Promise<void> {
  const outgoing = outgoingOf(states, outbox);
  const sentAtMs = performance.now();
  return persist(connection, sealing, states, records, outgoing, opening).then(() => {
    try {
      onCommitted?.(states);
      outbox.committed(committedOf(states, outgoing, answers.length, sentAtMs));
    } catch (error) {
      // The batch is committed: sending it again for this would do twice what no record remembers.
      onFault('Deliveries could not be handed over; they will be found in the database', error);
    }
  });
}
