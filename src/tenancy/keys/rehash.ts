/**
 * Moves keys under a previous server secret to the current one, a moment after they were used. Never on the path of a request, and as the
 * owner of the tables: the role of the server may not change hashes (docs/decisions/0033). A key that could not be moved works on and is
 * moved when it is used later.
 */
import type { Statement } from '../../platform/db/wire/statement.ts';
import { type Rehash, rehashKeys } from './sql.ts';

const DELAY_MS = 500;
/** For one key. */
const AGAIN_AFTER_MS = 60_000;
const MAX_PENDING = 1_000;
const MAX_NOTED = 10_000;

export interface RehasherOptions {
  /** Runs a statement as the owner of the tables. */
  run(statement: Statement): Promise<unknown>;
  readonly onFault: (message: string, error: unknown) => void;
  /** Of one key; tests try again sooner. */
  readonly againAfterMs?: number;
}

export class Rehasher {
  private readonly options: RehasherOptions;
  private readonly pending = new Map<string, Rehash>();
  private readonly triedAt = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(options: RehasherOptions) {
    this.options = options;
  }

  /** Returns at once. May be called as often as the key is looked up. */
  add(change: Rehash): void {
    const name = change.from.toString('base64');
    const nowMs = Date.now();
    const { againAfterMs = AGAIN_AFTER_MS } = this.options;
    if (nowMs - (this.triedAt.get(name) ?? 0) < againAfterMs || this.pending.size >= MAX_PENDING) return;
    if (this.triedAt.size >= MAX_NOTED) this.triedAt.clear();
    this.triedAt.set(name, nowMs);
    this.pending.set(name, change);
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.running = this.running.then(() => this.flush());
    }, DELAY_MS).unref();
  }

  /** What was not moved yet is moved after the next start. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private async flush(): Promise<void> {
    const changes = [...this.pending.values()];
    this.pending.clear();
    await this.options
      .run(rehashKeys(changes))
      .catch((error: unknown) => this.options.onFault('Could not move keys to the new server secret', error));
  }
}
