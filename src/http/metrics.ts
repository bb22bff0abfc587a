/**
 * The registry of GET /metrics, and the metrics of this layer. `Histogram.observe` with labels builds and hashes an object
 * each time (1 to 2 µs); here a request adds to plain arrays, and a scrape makes the rows.
 */
import { Gauge, Histogram, type MetricObjectWithValues, type MetricValueWithName, Registry } from 'prom-client';

export const registry = new Registry();

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
const NAME = 'http_request_duration_seconds';
const HELP = 'Time from a whole request read to its answer, by route pattern, method and class of status.';

/** Counts of one route and status class. The last bucket is +Inf; buckets are not cumulative here. */
interface Cell {
  readonly buckets: number[];
  sum: number;
}

/** Durations of one route: `observe` is called once per answer and must stay cheap. */
export interface RouteTimer {
  observe(status: number, seconds: number): void;
}

type Label = 'route' | 'method' | 'status' | 'le';
type Values = MetricObjectWithValues<MetricValueWithName<Label>>;

class DurationHistogram extends Histogram<Label> {
  readonly #cells: { labels: { route: string; method: string; status: string }; cell: Cell }[] = [];

  timer(route: string, method: string): RouteTimer {
    const cells = STATUS_CLASSES.map((status): Cell => {
      const cell: Cell = { buckets: BUCKETS_SECONDS.map(() => 0).concat(0), sum: 0 };
      this.#cells.push({ labels: { route, method, status }, cell });
      return cell;
    });
    return {
      observe(status, seconds) {
        const cell = cells[Math.floor(status / 100) - 2];
        if (cell === undefined) return;
        let bucket = 0;
        while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket += 1;
        cell.buckets[bucket] = (cell.buckets[bucket] as number) + 1;
        cell.sum += seconds;
      },
    };
  }

  override async get(): Promise<Values> {
    const values: MetricValueWithName<Label>[] = [];
    for (const { labels, cell } of this.#cells) {
      let count = 0;
      const rows = cell.buckets.map((inBucket, at) => {
        count += inBucket;
        return { labels: { ...labels, le: BUCKETS_SECONDS[at] ?? '+Inf' }, value: count, metricName: `${NAME}_bucket` };
      });
      if (count === 0) continue;
      values.push(...rows);
      values.push({ labels, value: cell.sum, metricName: `${NAME}_sum` });
      values.push({ labels, value: count, metricName: `${NAME}_count` });
    }
    // prom-client's types call the type a number; the text format wants the word.
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values } as unknown as Values;
  }

  // The registry calls this to write text; the inherited method would read arrays that stay empty here.
  getForPromString(): Promise<Values> {
    return this.get();
  }
}

const durations = new DurationHistogram({
  name: NAME,
  help: HELP,
  labelNames: ['route', 'method', 'status'],
  buckets: BUCKETS_SECONDS,
  registers: [registry],
});

/** Open streams; the duration above ends with the head of a stream. */
export const openStreams = new Gauge({
  name: 'http_streams_open',
  help: 'Answers that go on (server-sent events) and are open now, by route pattern.',
  labelNames: ['route'],
  registers: [registry],
});

/** The timer of one route; call once, at start. */
export function routeTimer(route: string, method: string): RouteTimer {
  return durations.timer(route, method);
}
