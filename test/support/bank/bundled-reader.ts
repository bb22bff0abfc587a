/**
 * The thread that reads statement files, for this process, in one file that is made from its sources: it starts in a tenth of the CPU time that the
 * compiler in a thread and its twenty modules take. The compiled thread as users run it: `test/soak/bank-files.test.ts`.
 */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { startThreadsFrom } from '../../../src/platform/workers/thread.ts';

const READER = new URL('../../../src/iso20022/read/worker.ts', import.meta.url);
/** Packages that are no modules ask for parts of Node by `require`. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(READER.href)});`;

let reader: URL | null = null;

function bundled(): URL {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(READER)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: REQUIRE },
  });
  return new URL(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}

/** From now on; the file is made once a process, for its first thread. */
export function bundleReaders(): void {
  startThreadsFrom((source) => (source.href === READER.href ? (reader ??= bundled()) : source));
}
