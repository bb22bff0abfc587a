/**
 * The commit signal: a commit wakes those who wait for events, in this process. Other processes commit too, so whoever waits
 * must also poll. The signal carries no data; the database is asked each time. Who waits: `events/stream.ts`, `checkout/status-stream.ts`.
 */

/** Tells that events of an environment were committed. Many announcements in one turn of the event loop are one wake-up. */
export class CommitSignal {
  readonly #wakes = new Map<string, Set<() => void>>();
  readonly #announced = new Set<string>();

  /** Call after COMMIT. Costs a look-up where nobody waits. */
  announce(environmentId: string): void {
    if (this.#announced.has(environmentId) || !this.#wakes.has(environmentId)) return;
    if (this.#announced.size === 0) setImmediate(() => this.#wakeAll());
    this.#announced.add(environmentId);
  }

  /** For commits whose environments are not known. */
  announceAll(): void {
    for (const environmentId of this.#wakes.keys()) this.announce(environmentId);
  }

  /** `wake` must return at once and not throw. Returns what ends it; ending twice does nothing. */
  subscribe(environmentId: string, wake: () => void): () => void {
    const wakes = this.#wakes.get(environmentId) ?? new Set();
    const own = () => wake();
    this.#wakes.set(environmentId, wakes.add(own));
    return () => {
      wakes.delete(own);
      if (wakes.size === 0 && this.#wakes.get(environmentId) === wakes) this.#wakes.delete(environmentId);
    };
  }

  #wakeAll(): void {
    const announced = [...this.#announced];
    this.#announced.clear(); // before the calls: what is announced from now on is a new wake-up
    for (const environmentId of announced) for (const wake of this.#wakes.get(environmentId) ?? []) wake();
  }
}

/** Something to wait for. A notification while nobody waits is kept, so that none is lost between looking and waiting. */
export class Wakeup {
  private isNotified = false;
  private wake: (() => void) | null = null;

  notify(): void {
    this.isNotified = true;
    this.wake?.();
  }

  /** Resolves at the next notification, at once if there was one since the last wait, or after `mostMs`. One waits at a time. */
  async wait(mostMs: number): Promise<void> {
    if (!this.isNotified) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = null;
    }
    this.isNotified = false;
  }
}
