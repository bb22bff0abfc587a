/**
 * Forgetting: idempotency records after 30 days (setting), events after 90. Deletes in small batches with the owner's
 * rights, so that no lock is held long; BRIN indexes find the oldest rows. Never touches transfers or objects.
 */
import type { Statement } from './db/statement.ts';

/** Rows of one delete: a few milliseconds. */
const BATCH_ROWS = 2_000;
const EVENT_DAYS = 90;
const PAUSE_MS = 60 * 60_000;
const BETWEEN_BATCHES_MS = 50;

function deleteOld(table: 'idempotency_records' | 'events', days: number): Statement {
  return {
    text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE created_at < now() - $1 * interval '1 day' LIMIT $2))`,
    values: [days, BATCH_ROWS],
  };
}

export interface RetentionOptions {
  /** Runs statements in one transaction as the owner of the tables; returns the rows changed by the last. */
  asOwner(statements: readonly Statement[]): Promise<number>;
  readonly config: { readonly idempotencyDays: number };
  readonly onFault: (message: string, error: unknown) => void;
}

/** Starts the hourly round; `stop` waits for the batch under way. */
export function startRetention({ asOwner, config, onFault }: RetentionOptions): { stop(): Promise<void> } {
  let stopped = false;
  let wake: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const forget = async (table: 'idempotency_records' | 'events', days: number) => {
    while (!stopped && (await asOwner([deleteOld(table, days)])) === BATCH_ROWS) await pause(BETWEEN_BATCHES_MS);
  };
  const running = (async () => {
    await pause(BETWEEN_BATCHES_MS);
    while (!stopped) {
      try {
        await forget('idempotency_records', config.idempotencyDays);
        await forget('events', Math.max(EVENT_DAYS, config.idempotencyDays)); // records point at events
      } catch (error) {
        onFault('Deleting old records failed; trying again in an hour', error);
      }
      if (!stopped) await pause(PAUSE_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
