/** Payouts by what became of them, at GET /metrics: counted at the commit, in plain numbers, because the path of a payout must not pay for a scrape. */
import { Counter } from 'prom-client';
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
