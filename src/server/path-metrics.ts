/** Metrics of the write path and of the leases of workers, which `app.ts` fills. */
import { Gauge, Histogram } from 'prom-client';
import { registry } from '../platform/http/metrics.ts';

export const batchCommands = new Histogram({
  name: 'bursar_write_batch_commands',
  help: 'Commands that shared one commit.',
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers: [registry],
});
export const batchSeconds = new Histogram({
  name: 'bursar_write_batch_duration_seconds',
  help: 'Time from the lock to COMMIT of one batch.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  registers: [registry],
});

export const workerLeases = new Gauge({
  name: 'bursar_worker_lease_held',
  help: 'Whether this process does the rounds of the worker.',
  labelNames: ['worker'],
  registers: [registry],
});
