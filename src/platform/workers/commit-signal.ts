/**
 * The commit signal wakes those who wait for events, in this process only. Other processes commit too, so a subscriber
 * must also poll the database. The signal carries no data. Subscribers: `events/log/stream.ts`, `collecting/checkout/status-stream.ts`.
 */

/** Announces that events of an environment were committed. Announcements in one turn of the event loop are one wake-up. */
export class CommitSignal {
  readonly #wakes = new Map<string, Set<() => void>>();
  readonly #announced = new Set<string>();

  /** Call after COMMIT. Costs one look-up when there is no subscriber. */
  announce(environmentId: string): void {
    if (this.#announced.has(environmentId) || !this.#wakes.has(environmentId)) return;
    if (this.#announced.size === 0) setImmediate(() => this.#wakeAll());
    this.#announced.add(environmentId);
  }

  /** For commits whose environments are not known. */
  announceAll(): void {
    for (const environmentId of this.#wakes.keys()) this.announce(environmentId);
  }

  /** `wake` must return at once and not throw. Returns a function that unsubscribes; a second call does nothing. */
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
    this.#announced.clear(); // before the calls, so that later announcements are a new wake-up
    for (const environmentId of announced) for (const wake of this.#wakes.get(environmentId) ?? []) wake();
  }
}

/** A wake-up for one waiter. A notification without a waiter is kept for the next `wait`, so that none is lost. */
export class Wakeup {
  private isNotified = false;
  private wake: (() => void) | null = null;

  notify(): void {
    this.isNotified = true;
    this.wake?.();
  }

  /** Resolves at the next notification (at once if one came since the last wait) or after `mostMs`. One waiter at a time. */
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
