/** A lease on the rounds of a worker. It saves work and decides nothing: two owners at once do no harm. */
import type { Row, Statement } from '../db/wire/statement.ts';

/** As long as work may lie when its owner dies. */
const LEASE_MS = 5_000;
const RENEW_MS = LEASE_MS / 2;
/** Between two attempts to get a lease that another process has. */
const RETRY_MS = 1_000;

/** Takes or renews the lease, unless another process holds it. Returns a row if it is held now. */
function take(worker: string, owner: string): Statement {
  return {
    name: 'take_worker_lease',
    text: `INSERT INTO worker_leases AS l (worker, owner, expires_at)
      VALUES ($1, $2, clock_timestamp() + interval '${LEASE_MS} milliseconds')
      ON CONFLICT (worker) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
        WHERE l.owner = excluded.owner OR l.expires_at < clock_timestamp()
      RETURNING worker`,
    values: [worker, owner],
  };
}

function giveUp(worker: string, owner: string): Statement {
  return {
    name: 'give_up_worker_lease',
    text: 'UPDATE worker_leases SET expires_at = clock_timestamp() WHERE worker = $1 AND owner = $2',
    values: [worker, owner],
  };
}

export interface LeaseOptions {
  readonly worker: string;
  /** A uuid of this process. */
  readonly owner: string;
  /** Runs a statement that may be repeated; its last commits may be lost in a crash. */
  run(statement: Statement): Promise<{ readonly rows: readonly Row[] }>;
  /** Called after each attempt and at the end. */
  onHeld?(isHeld: boolean): void;
}

export class Lease {
  private readonly options: LeaseOptions;
  /** By the clock of this process, which began before that of the lease. */
  private heldUntilMs = 0;
  private askAgainMs = 0;

  constructor(options: LeaseOptions) {
    this.options = options;
  }

  get isHeld(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  /** Whether this process does the next round. Takes or renews the lease when it is time to. Rejects when the database is away. */
  async hold(): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs < this.askAgainMs) return this.isHeld;
    const { worker, owner, run } = this.options;
    const { rows } = await run(take(worker, owner));
    this.heldUntilMs = rows.length > 0 ? nowMs + LEASE_MS : 0;
    this.askAgainMs = nowMs + (rows.length > 0 ? RENEW_MS : RETRY_MS);
    this.options.onHeld?.(this.isHeld);
    return this.isHeld;
  }

  /** Leaves it to others at once. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    this.heldUntilMs = 0;
    this.askAgainMs = Number.POSITIVE_INFINITY;
    this.options.onHeld?.(false);
    const { worker, owner, run } = this.options;
    await run(giveUp(worker, owner)).catch(() => undefined); // it lapses by itself
  }
}
