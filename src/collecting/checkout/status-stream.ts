/**
 * The live status of a page: tells an open browser to load the page again. Woken by commits of the environment, and by
 * a timer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Wakeup, type CommitSignal } from '../../platform/workers/commit-signal.ts';
import type { Fill } from '../../platform/http/transfer/stream.ts';

/** Least time between two looks, however busy the environment is. */
const PACE_MS = 500;
/** Most time between two looks. Each writes at least a comment, which keeps proxies from closing the connection. */
const QUIET_MS = 10_000;

export interface Followed {
  readonly environmentId: string;
  /** The version that the browser shows. */
  readonly shown: string;
  /** The version of the page now. */
  look(): Promise<string>;
}

/** Makes the stream of a page, with one `status` event a change. */
export type PageStatus = (followed: Followed) => Fill;

export function pageStatus(signal: CommitSignal): PageStatus {
  return ({ environmentId, shown, look }) =>
    async (sink) => {
      const wakeup = new Wakeup();
      const unsubscribe = signal.subscribe(environmentId, () => wakeup.notify());
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
