/** The metrics of deliveries at GET /metrics. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '../../platform/http/metrics.ts';
import { ATTEMPT_OUTCOMES } from './fields.ts';

const registers = [registry];
const gauge = (name: string, help: string) => new Gauge({ name, help, registers });

export const attempts = new Counter({
  name: 'bursar_webhook_attempts_total',
  help: 'Attempts to deliver an event, by outcome.',
  labelNames: ['outcome'],
  registers,
});
for (const outcome of ATTEMPT_OUTCOMES) attempts.inc({ outcome }, 0); // a series that begins with the first failure has no rate
export const latency = new Histogram({
  name: 'bursar_webhook_delivery_latency_seconds',
  help: 'From the commit of an event to the 2xx of its receiver, for deliveries that succeeded at the first attempt.',
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
export const pendingDeliveries = gauge(
  'bursar_webhook_pending_deliveries',
  'Deliveries that wait for an attempt, in all processes; of one endpoint at most 10,000 are counted.',
);
export const oldestSeconds = gauge(
  'bursar_webhook_oldest_undelivered_seconds',
  'Age of the oldest event that an enabled endpoint has not had, environment clock.',
);
export const queuedDeliveries = gauge('bursar_webhook_queued_deliveries', 'Deliveries in the memory of this process.');
export const exchanges = gauge(
  'bursar_webhook_exchanges_in_flight',
  'Exchanges with receivers under way in this process.',
);
