/**
 * The registry of GET /metrics, and the metrics of this layer. The library's `observe` hashes the labels at every answer (1 to
 * 2 µs; a cached read costs 36 µs), so answers are counted in plain arrays, and the rows are made when somebody asks.
 */
import { Gauge, Histogram, type MetricObjectWithValues, type MetricValueWithName, Registry } from 'prom-client';

export const registry = new Registry();

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const NAME = 'bursar_http_request_duration_seconds';
const HELP = 'Time from a whole request read to its answer, by route pattern, method and class of status.';

interface Counts {
  readonly labels: { readonly route: string; readonly method: string; readonly status: string };
  /** Not cumulative; the last one is +Inf. */
  readonly buckets: number[];
  sum: number;
}
const counted: Counts[] = [];

class Durations extends Histogram {
  override async get() {
    const values = counted.flatMap(({ labels, buckets, sum }) => {
      let count = 0;
      const rows: MetricValueWithName<string>[] = buckets.map((inBucket, at) => {
        const value = (count += inBucket);
        return { labels: { ...labels, le: BUCKETS_SECONDS[at] ?? '+Inf' }, value, metricName: `${NAME}_bucket` };
      });
      rows.push(
        { labels, value: sum, metricName: `${NAME}_sum` },
        { labels, value: count, metricName: `${NAME}_count` },
      );
      return count === 0 ? [] : rows;
    });
    // The library's types call the type a number; the text format wants the word.
    const histogram = { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values };
    return histogram as unknown as MetricObjectWithValues<MetricValueWithName<string>>;
  }

  // What the registry asks for when it writes text.
  getForPromString() {
    return this.get();
  }
}
registry.registerMetric(new Durations({ name: NAME, help: HELP, registers: [] }));

export interface RouteTimer {
  observe(status: number, seconds: number): void;
}

/** The timer of one route; call once, at start. */
export function routeTimer(route: string, method: string): RouteTimer {
  const classes = ['2xx', '3xx', '4xx', '5xx'].map((status): Counts => {
    return { labels: { route, method, status }, buckets: [...BUCKETS_SECONDS, Infinity].map(() => 0), sum: 0 };
  });
  counted.push(...classes);
  return {
    observe(status, seconds) {
      const counts = classes[Math.floor(status / 100) - 2];
      if (counts === undefined) return;
      let bucket = 0;
      while (seconds > (BUCKETS_SECONDS[bucket] ?? Infinity)) bucket += 1;
      counts.buckets[bucket] = (counts.buckets[bucket] as number) + 1;
      counts.sum += seconds;
    },
  };
}

/** Open streams; the duration above ends with the head of a stream. */
export const openStreams = new Gauge({
  name: 'bursar_http_streams_open',
  help: 'Answers that go on (server-sent events) and are open now, by route pattern.',
  labelNames: ['route'],
  registers: [registry],
});
