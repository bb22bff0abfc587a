/** The registry of GET /metrics, and the metrics of this layer. */
import { Gauge, Histogram, Registry } from 'prom-client';

export const registry = new Registry();

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from a whole request read to its answer, by route pattern, method and class of status.',
  labelNames: ['route', 'method', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

/** Durations of one route: `observe` is called once per answer. */
export interface RouteTimer {
  observe(status: number, seconds: number): void;
}

/** The timer of one route; call once, at start. */
export function routeTimer(route: string, method: string): RouteTimer {
  const classes = ['2xx', '3xx', '4xx', '5xx'].map((status) => durations.labels(route, method, status));
  return { observe: (status, seconds) => classes[Math.floor(status / 100) - 2]?.observe(seconds) };
}

/** Open streams; the duration above ends with the head of a stream. */
export const openStreams = new Gauge({
  name: 'http_streams_open',
  help: 'Answers that go on (server-sent events) and are open now, by route pattern.',
  labelNames: ['route'],
  registers: [registry],
});
