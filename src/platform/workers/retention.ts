/**
 * Deletes idempotency records after 30 days (setting), events and deliveries after 90, as the owner, in small batches,
 * so that no lock is held long; BRIN indexes find the oldest rows. Never touches transfers or objects.
 */
import type { Statement } from '../db/wire/statement.ts';
import type { Lease } from './lease.ts';
import { type Poller, startPoller } from './poller.ts';

/** Rows of one delete: a few milliseconds. */
const BATCH_ROWS = 2_000;
const EVENT_DAYS = 90;
const PAUSE_MS = 60 * 60_000;
const BETWEEN_BATCHES_MS = 50;

type Expiring = 'idempotency_records' | 'deliveries' | 'events';

function deleteOld(table: Expiring, days: number): Statement {
  return {
    text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE created_at < now() - $1 * interval '1 day' LIMIT $2))`,
    values: [days, BATCH_ROWS],
  };
}

export interface RetentionOptions {
  /** Runs a statement as the owner of the tables; returns how many rows it changed. */
  erase(statement: Statement): Promise<number>;
  readonly config: { readonly idempotencyDays: number };
  /** Deletes what is old elsewhere, so many rows each. */
  others?(rows: number): readonly Statement[];
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

const FORGET_MS = 60_000;

/**
 * Takes secrets that are no longer answered again out of their records: within a minute of the time that they are kept. `isDue` is asked
 * with the rights of the server, so that the owner is not needed each minute.
 */
export function startForgetting(options: {
  isDue(): Promise<boolean>;
  forget(): Promise<number>;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}): Poller {
  const { isDue, forget, onFault, lease } = options;
  return startPoller({
    pauseMs: FORGET_MS,
    leastPauseMs: FORGET_MS,
    ...(lease && { lease }),
    onFault: (error) =>
      onFault('Secrets of old answers were not taken out of their records; trying again in a minute', error),
    poll: async () => {
      if (await isDue()) await forget();
      return false;
    },
  });
}

export function startRetention({ erase, config, others, onFault, lease }: RetentionOptions): Poller {
  const eventDays = Math.max(EVENT_DAYS, config.idempotencyDays); // records point at events
  const days: readonly (readonly [Expiring, number])[] = [
    ['idempotency_records', config.idempotencyDays],
    ['deliveries', eventDays], // a delivery sends its event, so deliveries are deleted first
    ['events', eventDays],
  ];
  return startPoller({
    pauseMs: PAUSE_MS,
    leastPauseMs: BETWEEN_BATCHES_MS,
    ...(lease && { lease }),
    onFault: (error) => onFault('Deleting old records failed; trying again in an hour', error),
    poll: async () => {
      for (const [table, age] of days) if ((await erase(deleteOld(table, age))) === BATCH_ROWS) return true;
      for (const statement of others?.(BATCH_ROWS) ?? []) if ((await erase(statement)) === BATCH_ROWS) return true;
      return false;
    },
  });
}
