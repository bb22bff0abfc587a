/**
 * The live status of a page: tells an open browser that what it shows has changed. It carries no data; the page is asked
 * for again. Woken by commits of the environment, here or in another process; looks by itself from time to time as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Wakeup, type CommitSignal } from '../workers/commit-signal.ts';
import type { Fill } from '../http/stream.ts';

/** At most so often, however busy the environment is. */
const PACE_MS = 500;
/** A comment keeps proxies from closing a quiet connection. */
const QUIET_MS = 10_000;

export interface Followed {
  readonly environmentId: string;
  /** What the browser shows. */
  readonly shown: string;
  /** What it would be shown now. */
  look(): Promise<string>;
}

export class PageStatus {
  private readonly signal: CommitSignal;

  constructor(signal: CommitSignal) {
    this.signal = signal;
  }

  /** One `status` event a change. */
  follow({ environmentId, shown, look }: Followed): Fill {
    return async (sink) => {
      const wakeup = new Wakeup();
      const unsubscribe = this.signal.subscribe(environmentId, () => wakeup.notify());
      sink.onOver(() => wakeup.notify());
      let known = shown;
      try {
        await sink.write('retry: 3000\n\n');
        while (!sink.isOver) {
          const now = await look();
          await sink.write(now === known ? ': waiting\n\n' : `event: status\ndata: ${now}\n\n`);
          known = now;
          await sleep(PACE_MS);
          if (!sink.isOver) await wakeup.wait(QUIET_MS);
        }
      } finally {
        unsubscribe();
      }
    };
  }
}
