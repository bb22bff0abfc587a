/** The metrics of live bank accounts at GET /metrics: what waits for the bank, and what waits for a person. */
import { Gauge } from 'prom-client';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { registry } from '../../platform/http/metrics.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';

/** By their columns in `FIGURES`. */
const GAUGES = {
  unanswered: gauge(
    'bursar_bank_oldest_unanswered_file_seconds',
    'Age of the oldest sealed payment file that the bank has reported nothing of; live environments.',
  ),
  unmatched: gauge(
    'bursar_bank_unmatched_entries',
    'Bank entries that wait for a person, at most 10,000 are counted; live environments.',
  ),
  oldest: gauge(
    'bursar_bank_oldest_unmatched_entry_seconds',
    'Age of the oldest bank entry that waits for a person; live environments.',
  ),
  reviews: gauge(
    'bursar_bank_statements_to_review',
    'Statements of which it is not certain what is new, at most 10,000 are counted; live environments.',
  ),
  unproved: gauge(
    'bursar_bank_accounts_unproved',
    'Open bank accounts whose newest statement with balances is not proved (gap, failed or drift); live environments.',
  ),
};

function gauge(name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] });
}

const POLL_MS = 15_000;

/** Indexes payment_files_unanswered, bank_entries_unmatched, bank_statements_status and bank_statements_day. */
const FIGURES: Statement = {
  name: 'figures_of_banks',
  text: `WITH live AS (SELECT environment_id FROM environments WHERE livemode),
    waiting AS (SELECT b.created_at FROM live JOIN bank_entries b USING (environment_id) WHERE b.status = 'unmatched' LIMIT 10000)
    SELECT (SELECT extract(epoch FROM now() - min(f.sealed_at))::float8 FROM live JOIN payment_files f USING (environment_id)
        WHERE f.status = 'sealed' AND f.answered_at IS NULL) AS unanswered,
      (SELECT count(*)::int FROM waiting) AS unmatched,
      (SELECT extract(epoch FROM now() - min(created_at))::float8 FROM waiting) AS oldest,
      (SELECT count(*)::int FROM (SELECT FROM live JOIN bank_statements s USING (environment_id)
        WHERE s.status = 'needs_review' LIMIT 10000) AS r) AS reviews,
      (SELECT count(*)::int FROM live JOIN bank_accounts a USING (environment_id)
        CROSS JOIN LATERAL (SELECT s.proof FROM bank_statements s
          WHERE s.environment_id = a.environment_id AND s.bank_account_id = a.id AND s.status = 'imported' AND s.proof <> 'none'
          ORDER BY s.closed_on DESC NULLS LAST, s.page DESC NULLS LAST LIMIT 1) AS newest
        WHERE a.status = 'open' AND newest.proof <> 'ok') AS unproved`,
  values: [],
};

export function startBankMetrics(options: {
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly onFault: (message: string, error: unknown) => void;
}): Poller {
  return startPoller({
    pauseMs: POLL_MS,
    onFault: (error) => options.onFault('Figures of bank accounts were not read; trying again', error),
    poll: async () => {
      const [row] = await options.rows(FIGURES);
      for (const [column, each] of Object.entries(GAUGES)) each.set((row?.[column] as number | null | undefined) ?? 0);
      return false;
    },
  });
}
