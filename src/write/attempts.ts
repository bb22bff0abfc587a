/**
 * A batch until it is decided. A lost connection leaves the outcome of a COMMIT unknown: the batch is sent again and
 * finds its own records if that committed (docs/decisions/0011). A statement that fails and never should is our fault:
 * then every command goes alone on a fresh connection, so that only the culprit gets a 500.
 */
import { RequestError } from '../core/values/errors.ts';
import { isConnectionLost } from '../platform/db/wire/connection-lost.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import type { Outbox } from '../events/webhooks/delivery.ts';
import type { State } from '../core/state.ts';
import type { AtRest } from './at-rest.ts';
import { failed } from './decide-batch.ts';
import { type Answer, type Limits, reply, type Waiting } from './queue.ts';

/** The writer's own connection: groups of statements run one after the other, in the order they are sent. */
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
  readonly sealing: AtRest;
  readonly outbox: Outbox;
  readonly onBatch?: (commands: number, elapsedMs: number) => void;
  /** Called once with what a commit wrote. */
  readonly onCommitted?: (states: readonly State[]) => void;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Sends a batch once. Resolves with its answers when it is committed, or when there was nothing to commit. */
export type Once = (connection: WriterConnection, batch: readonly Waiting[]) => Promise<readonly Answer[]>;

const PAUSE_MS = { first: 20, most: 500 } as const;

export class Attempts {
  private readonly options: WriteOptions;
  private current: WriterConnection | null = null;

  constructor(options: WriteOptions) {
    this.options = options;
  }

  get connection(): WriterConnection | null {
    return this.current;
  }

  /**
   * Never rejects: each command gets an outcome or an error. A command that fails for no passing reason gets a second try (`isRetry`) on a fresh connection.
   * While the database is away, each waits `patienceMs` from its arrival on; the late ones are answered at once.
   */
  async untilDecided(commands: readonly Waiting[], once: Once, isRetry = false): Promise<readonly Answer[]> {
    let batch = commands;
    let hasFailed = isRetry;
    for (let pauseMs: number = PAUSE_MS.first; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)) {
      try {
        this.current ??= await this.options.connect();
        return await once(this.current, batch);
      } catch (error) {
        this.giveUp(this.current);
        if (!isPassing(error)) {
          if (batch.length > 1) return this.oneByOne(batch, once);
          if (hasFailed) return this.blame(batch, error);
          hasFailed = true; // the fault may lie in what the connection remembers
          continue;
        }
        batch = this.withoutLate(batch, error);
        if (batch.length === 0) return [];
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  private withoutLate(batch: readonly Waiting[], error: unknown): readonly Waiting[] {
    const arrivedBeforeMs = performance.now() - this.options.patienceMs;
    const late = batch.filter(({ sinceMs }) => sinceMs < arrivedBeforeMs);
    if (late.length === 0) return batch;
    this.options.onFault('The database is away; writes are refused', error);
    const unavailable = new RequestError(
      'database_unavailable',
      'The database cannot be reached. Send the same request again with the same Idempotency-Key.',
    );
    reply(late.map((waiting) => ({ waiting, error: unavailable })));
    return batch.filter(({ sinceMs }) => sinceMs >= arrivedBeforeMs);
  }

  /** Closes a connection whose transaction is in doubt: rolls back what is open, unless its COMMIT was on its way. */
  giveUp(connection: WriterConnection | null): void {
    connection?.close();
    if (this.current === connection) this.current = null;
  }

  close(): void {
    this.giveUp(this.current);
  }

  private async oneByOne(batch: readonly Waiting[], once: Once): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const waiting of batch) answers.push(...(await this.untilDecided([waiting], once, true)));
    return answers;
  }

  private blame(batch: readonly Waiting[], error: unknown): readonly Answer[] {
    this.options.onFault(`A ${batch[0]?.submission.command.type} command failed in the write path`, error);
    const fault = failed(error);
    return batch.map((waiting) => ({ waiting, error: fault }));
  }
}

/** One turn of the event loop: whatever has arrived is read. */
export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Whether PostgreSQL itself refused, and so has rolled back. */
export const isSqlState = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(codeOf(error));

/** SQLSTATEs after which the same batch may succeed: serialisation, resources, lock time-outs, operator intervention. */
export function isPassing(error: unknown): boolean {
  return isConnectionLost(error) || /^(?:40|53|57|08|55P03|25P03)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
