/**
 * A worker that polls: looks again and again for what is due, old or waiting. One poll at a time; a wake-up during a poll
 * makes it poll once more. Polls must be harmless to repeat, since other processes do the same.
 */

export interface Poller {
  /** Polls now, or right after the poll under way. */
  wake(): void;
  /** Resolves when the poll under way has ended; none begins after the call. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  /** `true`: there is more, go on at once. A rejection is reported and waited out like a poll without work. */
  poll(): Promise<boolean>;
  /** Between polls, unless woken. */
  readonly pauseMs: number;
  /** At least this between polls, woken or not. */
  readonly leastPauseMs?: number;
  readonly onFault: (error: unknown) => void;
}

export function startPoller({ poll, pauseMs, leastPauseMs = 0, onFault }: PollerOptions): Poller {
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
      const hasMore = await poll().catch((error: unknown) => {
        onFault(error);
        return false;
      });
      if (stopped) break;
      if (!hasMore && !isWoken) await pause(pauseMs);
      else if (leastPauseMs > 0) await pause(leastPauseMs);
    }
  })();
  return {
    wake() {
      if (isWoken) return; // the pause of a woken worker is the least there is
      isWoken = true;
      wake();
    },
    async stop() {
      stopped = true;
      isWoken = true;
      wake();
      await running;
    },
  };
}
