/**
 * What a release must pass, in parts: every file of `test/long/` and every `*.long.test.ts`, every named soak at the size of a release, more and other
 * random stories of banks and of payment files, every scenario of the bench, and the clients in other languages. A part is a program of its own, so that a
 * part that fails leaves the others alone. Who runs them: `scripts/long.ts`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Soak } from '../faults/soaks.ts';

export interface Part {
  /** The path of a long test, `soak t1`, `stories`, `whole`, `tests`, `bench`, or `clients`. */
  readonly name: string;
  /** Of Node, from the root of the repository. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Properties of which a story takes a millisecond: 80 times as many as with every change. */
const STORIES = [
  'src/core/deduplication/spellings.test.ts',
  'src/core/deduplication/verdict.test.ts',
  'src/bank/imports/first-day.test.ts',
  'src/bank/imports/ordinary-sources.test.ts',
  'src/bank/imports/stories.test.ts',
  'src/bank/statements/confluence.test.ts',
  'src/iso20022/write/pain001.test.ts',
  'src/paying/payouts/payable-everywhere.test.ts',
];
/** What leaves out a part, or controls that take a minute, with every change: whole. */
const WHOLE = [
  'examples/guides.test.ts',
  'src/cli/remote/terminal.soak.test.ts',
  'test/add-a-resource.test.ts',
  'test/soak/backup.test.ts',
  'test/soak/crash.test.ts',
  'test/soak/cut-wire.test.ts',
  'test/soak/dashboard-pages.test.ts',
  'test/soak/deliveries.test.ts',
  'test/soak/idempotency.test.ts',
  'test/soak/race.test.ts',
];
/** What a part that failed said at its end is shown. */
const SHOWN_CHARACTERS = 20_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Every part, the files first. `root`: of the repository. */
export function partsIn(root: string, soaks: Readonly<Record<string, Soak>>): Part[] {
  const below = (folder: string, ending: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(ending))
      .map((path) => `${folder}/${path}`)
      .toSorted();
  const files = [...below('test/long', '.test.ts'), ...below('src', '.long.test.ts')];
  return [
    ...files.map((name) => ({
      name,
      args: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'long', '--maxWorkers=1', name],
    })),
    ...Object.entries(soaks).map(([name, { longSize }]) => ({
      name: `soak ${name}`,
      args: ['--import', 'tsx', 'scripts/soak.ts', name, '--size', String(longSize)],
    })),
    {
      name: 'stories',
      args: ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=2', ...STORIES],
      env: { TIMES: '80' },
    },
    {
      name: 'whole',
      args: ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...WHOLE],
      env: { TIMES: '2' },
    },
    { name: 'tests', args: ['scripts/run.mjs', 'test'] }, // with every change they run on a newer Node
    { name: 'bench', args: ['scripts/run.mjs', 'bench', '--quick'] },
    {
      name: 'clients',
      args: ['--import', 'tsx', 'scripts/clients.ts', 'python', 'go'],
      env: { BURSAR_REQUIRE_CLIENTS: '1' },
    },
  ];
}

/** Those whose names hold one of the words; all of them without words. */
export const matching = (parts: readonly Part[], words: readonly string[]): Part[] =>
  parts.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

/**
 * Runs them in turn, and says a line for each, with the output of a part that failed. Returns the names of the failed
 * parts; `null`: interrupted.
 */
export function runParts(root: string, parts: readonly Part[], say: (line: string) => void): string[] | null {
  const failed: string[] = [];
  const all = performance.now();
  for (const { name, args, env } of parts) {
    const startedMs = performance.now();
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    if (signal === 'SIGINT' || signal === 'SIGTERM' || status === 130) return null;
    if (status !== 0) {
      failed.push(name);
      say(`${stdout}${stderr}`.slice(-SHOWN_CHARACTERS));
    }
    say(`${status === 0 ? 'ok    ' : 'FAILED'}  ${seconds(startedMs).padStart(9)}  ${name}`);
  }
  const done = `${parts.length} parts in ${seconds(all)}`;
  say(failed.length === 0 ? `PASSED: ${done}.` : `FAILED: ${failed.length} of ${done}: ${failed.join(', ')}.`);
  return failed;
}

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
