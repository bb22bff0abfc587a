/**
 * Reads a large statement file with the compiled reader and prints what it took, as JSON. A process of its own, so that nothing else is measured.
 * Started by `test/long/bank-files.test.ts`: `reading-speed.ts <module> <function> <bytes>`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { readInWorker } from '../../../src/iso20022/read/in-worker.ts';
import { largeStatement } from '../bank/large-files.ts';

export interface Measured {
  readonly bytes: number;
  readonly entries: number;
  readonly expected: number;
  readonly ms: number;
  /** Beyond what the process had before, with the thread. */
  readonly memoryMb: number;
  readonly loopHeldMs: number;
}

const SAMPLE_MS = 10;
const [module = '', name = '', size = ''] = process.argv.slice(2);
const loaded = (await import(module)) as Record<string, typeof readInWorker>;
const read = loaded[name] as typeof readInWorker;

async function measured(bytes: number): Promise<Measured> {
  const file = largeStatement(bytes);
  const delays = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS);
  const started = performance.now();
  let entries = 0;
  delays.enable();
  for await (const item of read(file.source)) {
    if (item.type !== 'entry') continue;
    entries += 1;
    // A loop that never waits would not let the samples be taken.
    if (entries % 1_000 === 0) most = Math.max(most, process.memoryUsage.rss());
  }
  const ms = performance.now() - started;
  delays.disable();
  clearInterval(sampling);
  return {
    bytes: file.bytes,
    entries,
    expected: file.entries,
    ms,
    memoryMb: (most - before) / 1e6,
    loopHeldMs: delays.max / 1e6,
  };
}

process.stdout.write(JSON.stringify(await measured(Number(size))));
