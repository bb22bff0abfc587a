/** A poller runs a job again and again, one round at a time. Other processes may run the same rounds. */

export interface Poller {
  /** Starts the next round now, or right after the current one. */
  wake(): void;
  /** Starts no further round; resolves when the current one has ended. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  /**
   * `true`: more work is left, so the next round starts at once. A number: the pause before the next round, in milliseconds, unless woken.
   * After a rejection the poller waits `pauseMs`.
   */
  poll(): Promise<boolean | number>;
  /** Between polls, unless woken. */
  readonly pauseMs: number;
  /** The shortest pause between rounds, also after a wake-up. */
  readonly leastPauseMs?: number;
  readonly onFault: (error: unknown) => void;
  /** Rounds are left out while another process holds it; given up at the stop. */
  readonly lease?: { hold(): Promise<boolean>; release(): Promise<void> };
}

let longestPauseMs = Number.POSITIVE_INFINITY;

/** For tests, which wait for rounds: from its next round on, no poller of this process pauses for longer. */
export function pauseAtMost(ms: number): void {
  longestPauseMs = ms;
}

export function startPoller({ poll, pauseMs, leastPauseMs = 0, onFault, lease }: PollerOptions): Poller {
  let stopped = false;
  let isWoken = false;
  let wake: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const running = (async () => {
    while (!stopped) {
      isWoken = false;
      const round = async () => (lease === undefined || (await lease.hold())) && (await poll());
      const next = await round().catch((error: unknown) => {
        onFault(error);
        return false;
      });
      if (stopped) break;
      const ms = typeof next === 'number' ? next : pauseMs;
      if (next !== true && !isWoken) await pause(Math.min(ms, longestPauseMs));
      else if (leastPauseMs > 0) await pause(leastPauseMs);
    }
  })();
  return {
    wake() {
      if (isWoken) return; // the current pause is the shortest already
      isWoken = true;
      wake();
    },
    async stop() {
      stopped = true;
      isWoken = true;
      wake();
      await running;
      await lease?.release();
    },
  };
}
