/**
 * Starts a thread from a file of ours, compiled or as source, with a bound on its memory. What threads are for: work that would hold the
 * event loop of a server. Who uses it: `iso20022/read/in-worker.ts`, `ledger/statements/pdf.ts`.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type ResourceLimits } from 'node:worker_threads';

/** The folder `src/` of the sources, or of dist/, where this code is in any of its files. */
const SRC = import.meta.url.slice(0, import.meta.url.lastIndexOf('/src/') + '/src/'.length);
const ENDING = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** What a thread runs, for the source of it. */
let fileOf = (source: URL): URL => source;

/** For tests, which run from source: a thread that needs no compiler starts in a tenth of the time. */
export function startThreadsFrom(of: (source: URL) => URL): void {
  fileOf = of;
}

/** `name`: its file below `src/`, without the ending, which is a program of the build (scripts/run.mjs). Source needs the compiler too. */
export function startThread(name: string, workerData: unknown, resourceLimits: ResourceLimits): Worker {
  const file = fileOf(new URL(`${name}${ENDING}`, SRC));
  return new Worker(file, {
    workerData,
    execArgv: file.href.endsWith('.ts') ? ['--import', compiler()] : [],
    resourceLimits,
  });
}

/** `--import tsx` does nothing in a thread: it registers itself in the main one alone. */
function compiler(): string {
  const path = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const api = pathToFileURL(path).href;
  return `data:text/javascript,import { register } from '${api}'; register();`;
}
