/**
 * The days of the request log: makes the partitions of today and the next days, and drops those that are too old. As the owner of the
 * tables. A day that could not be made in time has its rows in `request_logs_rest`, which is emptied row by row. Each step waits a tenth of a second
 * at most for readers of the log, who then wait behind it, and is tried again in an hour. Not DETACH CONCURRENTLY, which PostgreSQL refuses beside a
 * default partition.
 */
import { uuidOf } from '../../core/values/ids.ts';
import { isoDay } from '../../core/values/time.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';

const DAY_MS = 86_400_000;
/** Beside today: so long may the owner be away. */
const DAYS_AHEAD = 3;
const PAUSE_MS = 60 * 60_000;
const BETWEEN_STEPS_MS = 50;
const REST = 'request_logs_rest';
/** Rows of one delete. */
const BATCH_ROWS = 2_000;
/** Another session was faster, or rows of the day are in the default partition, or others held locks. */
const LATER = new Set(['42P07', '23514', '55P03']);

type Run = (statement: Statement) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;

export interface UpkeepOptions {
  /** Does its work as the owner of the tables, in one transaction. */
  asOwner<T>(this: void, work: (run: Run) => Promise<T>): Promise<T>;
  /** 0: requests are not kept, and what was kept goes. */
  readonly days: number;
  /** Left out: the clock of this process. */
  now?(this: void): number;
}

const nameOf = (dayMs: number): string => `request_logs_${isoDay(dayMs).replaceAll('-', '')}`;
/** Of the UTC day. */
const startOf = (atMs: number): number => atMs - (atMs % DAY_MS);
const boundAt = (dayMs: number): string => uuidOf(firstIdAt(dayMs));

/** The partitions there are, but for the default one; by the catalogue. */
const PARTITIONS: Statement = {
  text: `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_logs'::regclass AND c.relname <> '${REST}' ORDER BY 1`,
  values: [],
};

/** It takes the lock that keeps readers and writers of the log out; the connection that writes it has other work too. */
const patiently = (text: string): readonly Statement[] => [
  { text: "SET LOCAL lock_timeout = '100ms'", values: [] },
  { text, values: [] },
];

/** What is to be done: one statement a transaction, so that none holds locks for another. */
export function steps(there: readonly string[], days: number, nowMs: number): string[] {
  const today = startOf(nowMs);
  const oldest = nameOf(today - days * DAY_MS);
  const wanted = days === 0 ? [] : Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead * DAY_MS);
  const missing = wanted.filter((dayMs) => !there.includes(nameOf(dayMs)));
  return [
    ...missing.map(
      (dayMs) =>
        `CREATE TABLE ${nameOf(dayMs)} PARTITION OF request_logs FOR VALUES FROM ('${boundAt(dayMs)}') TO ('${boundAt(dayMs + DAY_MS)}')`,
    ),
    ...there.filter((name) => name < oldest).map((name) => `DROP TABLE ${name}`),
  ];
}

/** One round; `true`: the default partition holds more that is too old. */
export async function keepDays({ asOwner, days, now = Date.now }: UpkeepOptions): Promise<boolean> {
  const nowMs = now();
  const there = await asOwner(async (run) => (await run(PARTITIONS)).rows.map(({ name }) => name as string));
  for (const text of steps(there, days, nowMs)) {
    await asOwner(async (run) => {
      for (const statement of patiently(text)) await run(statement);
    }).catch((error: unknown) => {
      if (!LATER.has((error as { code?: string } | null)?.code ?? '')) throw error;
    });
  }
  const before = boundAt(startOf(nowMs) - days * DAY_MS);
  const old = `DELETE FROM ${REST} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${REST} WHERE id < $1 LIMIT ${BATCH_ROWS}))`;
  const erased = await asOwner(async (run) => (await run({ text: old, values: [before] })).rowCount ?? 0);
  return erased === BATCH_ROWS;
}

export function startUpkeep(
  options: UpkeepOptions & { readonly onFault: (message: string, error: unknown) => void; readonly lease?: Lease },
): Poller {
  const { onFault, lease } = options;
  return startPoller({
    pauseMs: PAUSE_MS,
    leastPauseMs: BETWEEN_STEPS_MS,
    ...(lease && { lease }),
    onFault: (error) => onFault('The days of the request log were not seen to; trying again in an hour', error),
    poll: () => keepDays(options),
  });
}
