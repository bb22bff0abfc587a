/** Payouts by what became of them, at GET /metrics: counted at the commit, in plain numbers, because the path of a payout must not pay for a scrape. */
import { Counter, Gauge, Histogram } from 'prom-client';
import type { State } from '../core/state.ts';
import { registry } from '../platform/http/metrics.ts';

/** Events that begin or end a state of a payout, in this order of life. */
const STEPS = ['created', 'held', 'in_transit', 'paid', 'failed', 'canceled', 'returned'] as const;
const none = (): Record<string, number> => Object.fromEntries(STEPS.map((step) => [`payout.${step}`, 0]));
const counts = { live: none(), sandbox: none() };

/** Call once with what a commit wrote. */
export function countPayouts(states: readonly State[]): void {
  for (const { environment, events } of states) {
    const count = environment.livemode ? counts.live : counts.sandbox;
    for (const { event } of events) {
      const before = count[event.type];
      if (before !== undefined) count[event.type] = before + 1;
    }
  }
}

registry.registerMetric(
  new Counter({
    name: 'bursar_payouts_total',
    help: 'Payouts by what happened to them (status), as this process has committed it since its start; mode is live or sandbox.',
    labelNames: ['mode', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const [mode, count] of Object.entries(counts))
        for (const status of STEPS) this.inc({ mode, status }, count[`payout.${status}`] ?? 0);
    },
  }),
);

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
