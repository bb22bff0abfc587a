/** How late the daily sums are, at GET /metrics. Who keeps them: `roll-up.ts`. */
import { Gauge } from 'prom-client';
import { registry } from '../../platform/http/metrics.ts';

export const summaryLag = new Gauge({
  name: 'bursar_summary_lag_seconds',
  help: 'Age of the oldest transfer that is in no daily sum, by the process that keeps these; 0: all are, or another process keeps them.',
  registers: [registry],
});
