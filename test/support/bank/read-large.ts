/**
 * Reads a large statement file with the compiled reader, in a process whose memory its starter bounds, and prints as JSON what it counted.
 * Started by `test/soak/bank-files.test.ts`: `read-large.ts <module> <function> <bytes> [keep]`. With `keep` it holds all items.
 */
import type { readInWorker } from '../../../src/iso20022/read/in-worker.ts';
import { largeStatement } from './large-files.ts';

export interface Counted {
  readonly entries: number;
  readonly expected: number;
  /** How often the event loop came round between items. */
  readonly turns: number;
}

/** Far less than the items take. */
const THREAD_MB = 24;
const [module = '', name = '', size = '', keep = ''] = process.argv.slice(2);
const loaded = (await import(module)) as Record<string, typeof readInWorker>;
const read = loaded[name] as typeof readInWorker;

async function counted(bytes: number): Promise<Counted> {
  const file = largeStatement(bytes);
  const kept: unknown[] = [];
  let [entries, turns, isAwaited] = [0, 0, false];
  for await (const item of read(file.source, { maxMemoryMb: THREAD_MB })) {
    if (keep === 'keep') kept.push(item);
    if (item.type === 'entry') entries += 1;
    if (isAwaited) continue;
    isAwaited = true;
    setImmediate(() => {
      turns += 1;
      isAwaited = false;
    });
  }
  return { entries, expected: file.entries, turns };
}

process.stdout.write(JSON.stringify(await counted(Number(size))));
