/**
 * What the database knows and an operator wants to see at GET /metrics: payouts that wait, the last backup, the size. A poller asks, so a
 * scrape costs no statement. Every statement is bounded: none reads a history, however long it is (`figures.test.ts`). Next: `process-metrics.ts`.
 */
import { Gauge } from 'prom-client';
import { RELEASE_STATUS } from '../paying/payouts/sql.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { registry } from '../platform/http/metrics.ts';
import { type Poller, startPoller } from '../platform/workers/poller.ts';
import type { RateSource } from '../ledger/exchanges/rate-source.ts';

const POLL_MS = 15_000;
/** PostgreSQL looks at each of its files for this, so it is asked seldom. */
const SIZE_MS = 300_000;
/** Of each live environment. More are not counted. */
const COUNTED = 10_000;

const registers = [registry];
const gauge = (name: string, help: string) => new Gauge({ name, help, registers });

/** By their columns in {@link FIGURES}. */
const GAUGES = {
  held: gauge(
    'bursar_payouts_held',
    'Payouts that wait for approval, at most 10,000 an environment are counted; live environments.',
  ),
  oldest_held: gauge(
    'bursar_payouts_oldest_held_seconds',
    'Age of the oldest payout that waits for approval; live environments.',
  ),
  waiting: gauge(
    'bursar_payouts_waiting',
    'Payouts that wait for money, at most 10,000 an environment are counted; live environments.',
  ),
  oldest_waiting: gauge(
    'bursar_payouts_oldest_waiting_seconds',
    'Age of the oldest payout that waits for money; live environments.',
  ),
  oldest_due: gauge(
    'bursar_payouts_oldest_due_seconds',
    'How long the payout that may have left first has not left; live environments.',
  ),
  backup: gauge(
    'bursar_backup_last_timestamp_seconds',
    'When `bursar backup` last ended well, Unix seconds; 0: never.',
  ),
  installed: gauge(
    'bursar_installed_timestamp_seconds',
    'When the first environment of this database was made, Unix seconds; 0: there is none.',
  ),
};
const databaseBytes = gauge(
  'bursar_database_bytes',
  'Size of the database, with its indexes, as PostgreSQL tells it; asked every five minutes.',
);

/** Set by whoever keeps the daily sums (`reports/summary/roll-up.ts`). */
export const summaryLag = gauge(
  'bursar_summary_lag_seconds',
  'Age of the oldest transfer that is in no daily sum, by the process that keeps these; 0: all are, or another process keeps them.',
);

/** Indexes payouts_release, payouts_status and payouts_due. Ids carry the instant, so the first id is the oldest. `backups` has a few hundred rows. */
export const FIGURES: Statement = {
  name: 'figures_of_payouts',
  text: `WITH live AS (SELECT environment_id FROM environments WHERE livemode),
    held AS MATERIALIZED (SELECT p.created_at FROM live CROSS JOIN LATERAL (SELECT t.created_at FROM payouts t
      WHERE t.environment_id = live.environment_id AND ${RELEASE_STATUS} = 'held' ORDER BY t.id LIMIT ${COUNTED}) AS p),
    waiting AS MATERIALIZED (SELECT p.created_at FROM live CROSS JOIN LATERAL (SELECT t.created_at FROM payouts t
      WHERE t.environment_id = live.environment_id AND t.status = 'waiting' ORDER BY t.id LIMIT ${COUNTED}) AS p),
    due AS (SELECT p.due_at FROM live CROSS JOIN LATERAL (SELECT t.due_at FROM payouts t
      WHERE t.environment_id = live.environment_id AND t.due_at <= now() ORDER BY t.due_at LIMIT 1) AS p)
    SELECT (SELECT count(*)::int FROM held) AS held, (SELECT extract(epoch FROM now() - min(created_at))::float8 FROM held) AS oldest_held,
      (SELECT count(*)::int FROM waiting) AS waiting, (SELECT extract(epoch FROM now() - min(created_at))::float8 FROM waiting) AS oldest_waiting,
      (SELECT extract(epoch FROM now() - min(due_at))::float8 FROM due) AS oldest_due,
      (SELECT extract(epoch FROM max(finished_at))::float8 FROM backups) AS backup,
      (SELECT extract(epoch FROM min(created_at))::float8 FROM environments) AS installed`,
  values: [],
};

const SIZE: Statement = {
  name: 'size_of_database',
  text: 'SELECT pg_database_size(current_database())::float8 AS bytes',
  values: [],
};

export function startFigures(options: {
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly onFault: (message: string, error: unknown) => void;
}): Poller {
  let sizeAtMs = Number.NEGATIVE_INFINITY;
  return startPoller({
    pauseMs: POLL_MS,
    onFault: (error) => options.onFault('Figures of payouts were not read; trying again', error),
    poll: async () => {
      const [row] = await options.rows(FIGURES);
      for (const [column, each] of Object.entries(GAUGES)) each.set((row?.[column] as number | null | undefined) ?? 0);
      if (performance.now() - sizeAtMs < SIZE_MS) return false;
      sizeAtMs = performance.now();
      const [size] = await options.rows(SIZE);
      databaseBytes.set((size?.['bytes'] as number | undefined) ?? 0);
      return false;
    },
  });
}

let rates: Pick<RateSource, 'table'> | null = null;
/** Names the rates that are looked at; `null`: no source of live rates is set. */
export function watchRates(source: Pick<RateSource, 'table'> | null): void {
  rates = source;
}
const newest = (): number | null => {
  const found = rates?.table(true, Date.now());
  return found === undefined || 'unavailable' in found ? null : found.at / 1000;
};
registry.registerMetric(
  new Gauge({
    name: 'bursar_rates_timestamp_seconds',
    help: 'When the live exchange rates in use were fixed, Unix seconds; 0: none are in use.',
    registers: [],
    collect() {
      this.set(newest() ?? 0);
    },
  }),
);
registry.registerMetric(
  new Gauge({
    name: 'bursar_rates_unusable',
    help: '1: a source of live rates is set, and none of its rates is good now, so live exchanges are refused. Else 0.',
    registers: [],
    collect() {
      this.set(rates !== null && newest() === null ? 1 : 0);
    },
  }),
);
