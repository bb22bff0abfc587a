/** The metrics of deliveries at GET /metrics. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '../../platform/http/metrics.ts';

const registers = [registry];

export const attempts = new Counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to deliver an event, by outcome.',
  labelNames: ['outcome'],
  registers,
});
export const latency = new Histogram({
  name: 'webhook_delivery_latency_seconds',
  help: 'From the commit of an event to the 2xx of its receiver, for deliveries that succeeded at the first attempt.',
  buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
export const pendingDeliveries = new Gauge({
  name: 'webhook_pending_deliveries',
  help: 'Deliveries that wait for an attempt, in all processes; of one endpoint at most 10,000 are counted.',
  registers,
});
export const oldestSeconds = new Gauge({
  name: 'webhook_oldest_undelivered_seconds',
  help: 'Age of the oldest event that an enabled endpoint has not had, environment clock.',
  registers,
});
export const queuedDeliveries = new Gauge({
  name: 'webhook_queued_deliveries',
  help: 'Deliveries in the memory of this process.',
  registers,
});
export const exchanges = new Gauge({
  name: 'webhook_exchanges_in_flight',
  help: 'Exchanges with receivers under way in this process.',
  registers,
});
