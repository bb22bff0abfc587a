/**
 * Metrics of this process and its disk at GET /metrics: memory, event loop, processor, build, free bytes. Read when somebody asks, so that
 * they cost nothing between two scrapes. Next: `figures.ts`, for what the database knows.
 */
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge } from 'prom-client';
import { VERSION } from '../core/values/version.ts';
import { registry } from '../platform/http/metrics.ts';

const registers = [registry];
/** Node looks this often how late a timer is: in its own code, without JavaScript. */
const LAG_RESOLUTION_MS = 20;
const NS_PER_SECOND = 1e9;

new Gauge({
  name: 'bursar_info',
  help: 'Always 1; the version of Bursar and of Node are its labels.',
  labelNames: ['version', 'node'],
  registers,
}).set({ version: VERSION, node: process.versions.node }, 1);

new Gauge({
  name: 'bursar_process_start_time_seconds',
  help: 'When this process started, Unix seconds.',
  registers,
}).set(Math.round(performance.timeOrigin) / 1000);

registry.registerMetric(
  new Gauge({
    name: 'bursar_process_memory_bytes',
    help: 'Memory of this process: resident (all of it), heap (objects of JavaScript) and external (buffers outside of the heap).',
    labelNames: ['kind'],
    registers: [],
    collect() {
      const { rss, heapUsed, external } = process.memoryUsage();
      this.set({ kind: 'resident' }, rss);
      this.set({ kind: 'heap' }, heapUsed);
      this.set({ kind: 'external' }, external);
    },
  }),
);

/** A counter whose value is read when somebody asks. `read`: the sum since the start. */
function counterOf(name: string, help: string, read: () => number): void {
  registry.registerMetric(
    new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(read());
      },
    }),
  );
}
counterOf('bursar_process_cpu_seconds_total', 'Processor time of this process, all threads together.', () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
});
counterOf(
  'bursar_event_loop_active_seconds_total',
  'Time in which the event loop was not idle. Its rate is the load of the one thread that serves requests: 1 is all of it.',
  () => performance.eventLoopUtilization().active / 1000,
);

const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
delays.enable();
registry.registerMetric(
  new Gauge({
    name: 'bursar_event_loop_lag_seconds',
    help: 'How late timers of this process ran since the scrape before: half of the looks (0.5), all but one in a hundred (0.99), the worst (1).',
    labelNames: ['quantile'],
    registers: [],
    collect() {
      // A look measures the whole interval. Before the first look there is nothing to say but 0.
      const late = (ns: number) =>
        Math.max(0, (delays.count === 0 ? 0 : ns / NS_PER_SECOND) - LAG_RESOLUTION_MS / 1000);
      this.set({ quantile: '0.5' }, late(delays.percentile(50)));
      this.set({ quantile: '0.99' }, late(delays.percentile(99)));
      this.set({ quantile: '1' }, late(delays.max));
      delays.reset();
    },
  }),
);

let dataFolder: string | null = null;
/** Names the folder whose disk is looked at. Until then, and where it is not there, the two metrics have no value. */
export function watchDisk(folder: string): void {
  dataFolder = folder;
}

const diskBytes = (name: string, help: string, of: 'bavail' | 'blocks') =>
  registry.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: [],
      registers: [],
      async collect() {
        this.remove();
        if (dataFolder === null) return;
        const disk = await statfs(dataFolder).catch(() => null);
        if (disk !== null) this.set(disk[of] * disk.bsize);
      },
    }),
  );
diskBytes(
  'bursar_data_free_bytes',
  'Free bytes on the disk of BURSAR_DATA. There the embedded PostgreSQL is; a PostgreSQL of your own is elsewhere.',
  'bavail',
);
diskBytes('bursar_data_size_bytes', 'Size of the disk of BURSAR_DATA.', 'blocks');
