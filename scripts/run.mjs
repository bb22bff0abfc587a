/**
 * `npm start`, `npm test`, `npm run check | bench | bench:peers | soak | build | bursar | dashboard | docs`, `npm pack`: makes sure that Node is new enough, the dependencies are
 * those of package-lock.json and dist/ is as new as the sources, then hands over. Plain JavaScript without dependencies,
 * because it runs before there are any. Writes to stderr only: stdout belongs to what it starts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once as event } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { dashboard } from './dashboard.mjs';
import { docs } from './docs.mjs';
import { at, fail, install, listOf, once, root, seconds, tell } from './making.mjs';

const SELF = 'scripts/run.mjs';
const tool = {
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
};

/**
 * Two at a time in this order, so that a slip is told early; the packages of the dashboard are there before what `needs` them. Those that are
 * commands of this file show what they say as they go. Tests come behind, one after the other.
 */
const CHECKS = [
  { name: 'dashboard', command: [SELF, 'dashboard', '--if-old'] },
  { name: 'format', command: [tool.biome, 'format', '.'] },
  { name: 'types', command: [tool.tsc, '-p', 'tsconfig.json'] },
  { name: 'generated docs', command: ['--import', 'tsx', 'scripts/generate-docs.ts', '--check'] },
  { name: 'dashboard types', command: [tool.tsc, '-p', 'dashboard'], needs: 'dashboard' },
  { name: 'types of its tests', command: [tool.tsc, '-p', 'dashboard/tsconfig.tests.json'], needs: 'dashboard' },
  { name: 'lint', command: [tool.oxlint, '--type-aware', '--deny-warnings'], needs: 'dashboard' },
  { name: 'unused code', command: [tool.knip], needs: 'dashboard' },
];
const TESTS = [
  { name: 'tests', command: [SELF, 'test'] },
  { name: 'soaks', command: [SELF, 'soak', 'ci'] },
];
const LANES = 2;

const VERBS = {
  // Where things are tried out, the dashboard and the documentation are built beside the service.
  start: (rest) =>
    runBuilt('dist/src/server/main.js', process.env.NODE_ENV === 'production' ? rest : ['--build', ...rest]),
  bursar: (rest) => runBuilt('dist/src/cli/bursar.js', rest),
  bench: (rest) => runBuilt('dist/bench/run.js', rest),
  peers: (rest) => runBuilt('dist/bench/peers/run.js', rest),
  soak,
  build,
  test,
  check,
  dashboard,
  docs,
  client,
};

/** What is started as a program or a thread, and what tests load into a built one. Whatever several of them use is one file of `chunks/`. */
const BUILDS = [
  {
    chunks: 'src/chunks',
    entries: [
      'src/server/main.ts',
      'src/cli/bursar.ts',
      'src/iso20022/read/worker.ts',
      'src/ledger/statements/pdf-worker.ts',
      'src/collecting/checkout/receipt-worker.ts',
      ...['in-worker', 'read'].map((name) => `src/iso20022/read/${name}.ts`),
      'src/platform/db/embedded/embedded.ts',
      ...['fault-injection', 'fifo-fault', 'patient'].map((name) => `test/support/faults/${name}.ts`),
    ],
  },
  {
    chunks: 'bench/chunks',
    entries: [
      'bench/run.ts',
      'bench/peers/run.ts',
      ...['fastify', 'inserted', 'one-transaction', 'tigerbeetle'].map((name) => `bench/limits/${name}.ts`),
      ...['generator', 'receiver'].map((name) => `bench/load/${name}.ts`),
    ],
  },
];

const LOCK_STALE_MS = 60_000;

requireNode();
const [verb, ...args] = process.argv.slice(2);
if (!Object.hasOwn(VERBS, verb ?? ''))
  fail(`Usage: node scripts/run.mjs ${Object.keys(VERBS).join(' | ')} [arguments]`, 2);
install();
await VERBS[verb](args);

function requireNode() {
  const wanted = JSON.parse(readFileSync(at('package.json'), 'utf8')).engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  fail(
    `Bursar needs Node.js ${wanted} or newer, and this is ${process.versions.node}. Get it from https://nodejs.org.`,
  );
}

/** Makes dist/ when a source has changed, come or gone since the last time. */
function build() {
  once('dist.lock', LOCK_STALE_MS, isBuilt, compile);
}

function isBuilt() {
  const stamp = at('dist/.sources');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === listSources();
}

/**
 * Few files instead of one for each source: the service starts in two thirds of the time (docs/decisions/0073). Types are left to `npm run types`,
 * and packages stay where npm put them.
 */
function compile() {
  const stamp = at('dist/.sources');
  const sources = listSources();
  tell('Compiling …');
  const startedAt = Date.now();
  rmSync(at('dist'), { recursive: true, force: true }); // or files whose source is gone would stay
  const { buildSync } = createRequire(import.meta.url)('esbuild');
  for (const { chunks, entries } of BUILDS) {
    try {
      buildSync({
        absWorkingDir: root,
        entryPoints: entries,
        outdir: 'dist',
        outbase: '.',
        chunkNames: `${chunks}/[name]-[hash]`,
        bundle: true,
        splitting: true,
        packages: 'external',
        platform: 'node',
        format: 'esm',
        target: 'node20.19',
        sourcemap: true,
        sourcesContent: false,
        logLevel: 'warning',
      });
    } catch (error) {
      // Faults of the sources were printed; anything else, such as a program of esbuild that does not run, was not.
      fail(
        error.errors === undefined ? `Compiling failed: ${error.message}` : 'Compiling failed; the errors are above.',
      );
    }
  }
  writeFileSync(stamp, sources);
  tell(`Compiled in ${seconds(startedAt)}.`);
}

function listSources() {
  const faults = ['fault-injection', 'fifo-fault', 'patient', 'rewrite'].map(
    (name) => `test/support/faults/${name}.ts`,
  );
  const others = [SELF, 'scripts/making.mjs', 'tsconfig.json', 'node_modules/.package-lock.json'];
  return listOf(
    ['client/src', 'src', 'bench', ...faults, ...others],
    /(?:(?<!\.test)\.ts|\.json|(?:run|making)\.mjs)$/,
  );
}

/** Compiles the client to client/dist/, from which `npm pack` in client/ makes its package. */
function client() {
  rmSync(at('client/dist'), { recursive: true, force: true });
  const done = spawnSync(process.execPath, [at(tool.tsc), '-p', 'client'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) fail('The client does not compile; the errors are above.');
  copyFileSync(at('LICENSE'), at('client/LICENSE'));
}

async function runBuilt(path, rest) {
  build();
  await handOver(path, rest);
}

/**
 * Without the soaks, unless a file is named: a file runs whichever suite it is of (vitest.config.ts). Three workers, because
 * much of the time is waiting: 98 s on two cores.
 */
async function test(rest) {
  useMemory();
  const namesFile = rest.some((each) => !each.startsWith('-'));
  await handOver(tool.vitest, [
    'run',
    ...(namesFile ? [] : ['--project', 'pure', '--project', 'suite', '--maxWorkers=4']),
    ...rest,
  ]);
}

/**
 * From the sources: it uses what the tests use, which is never built. `ci` is the second suite of the tests. Three files at a time, because
 * they leave a core idle while they wait. `long` is what a release must pass.
 */
async function soak([name, ...options]) {
  if (name === 'ci') useMemory();
  if (name === 'ci') return handOver(tool.vitest, ['run', '--project', 'soak', '--maxWorkers=3', ...options]);
  const { register } = await import('tsx/esm/api');
  register();
  if (name === 'long') return handOver('scripts/long.ts', options);
  await handOver('scripts/soak.ts', name === undefined ? [] : [name, ...options]);
}

/**
 * Temporary folders, the databases of tests among them, stand in memory where Linux has room there: on a slow disk a fifth of the time of the
 * soaks is waiting for it. PostgreSQL still writes and syncs all it would elsewhere. Two gigabytes are written at most. A TMPDIR that is set is kept.
 */
function useMemory() {
  const folder = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(folder)) return;
  const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1] ?? 'noexec';
  const { bavail, bsize } = statfsSync(folder);
  const hasRoom = bavail * bsize > 8e9;
  if (hasRoom && !mount.split(',').includes('noexec')) process.env.TMPDIR = folder;
}

/** In this very process, so that signals and exit codes need no forwarding. */
async function handOver(path, rest) {
  process.argv = [process.execPath, at(path), ...rest];
  mergeRepeatedSignals();
  await import(pathToFileURL(at(path)).href);
}

/**
 * Ctrl-C reaches this process twice under npm: from the terminal, and forwarded by npm. The second would count as "do
 * not wait any longer", so one that follows at once is dropped.
 */
function mergeRepeatedSignals() {
  const seenAt = new Map();
  const emit = process.emit;
  process.emit = function (name, ...details) {
    if (name === 'SIGINT' || name === 'SIGTERM') {
      const now = Date.now();
      if (now - (seenAt.get(name) ?? 0) < 300) return true;
      seenAt.set(name, now);
    }
    return emit.call(this, name, ...details);
  };
}

/** The whole definition of done, `--except` what is named. Every step runs, so that one look shows everything that is wrong. */
async function check(rest) {
  const { values } = parseArgs({ args: rest, options: { except: { type: 'string', multiple: true, default: [] } } });
  const names = [...CHECKS, ...TESTS].map(({ name }) => name);
  const unknown = values.except.find((name) => !names.includes(name));
  if (unknown !== undefined) fail(`--except takes ${names.join(', ')}; got ${unknown}.`, 2);
  const chosen = (list) => list.filter(({ name }) => !values.except.includes(name));
  const failed = [];
  const ended = new Map();
  const run = async ({ name, command, needs }) => {
    await ended.get(needs);
    if (!(await passes(name, command))) failed.push(name);
  };
  const waiting = chosen(CHECKS);
  const lane = async () => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      ended.set(each.name, run(each));
      await ended.get(each.name);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const each of chosen(TESTS)) await run(each);
  if (failed.length > 0) fail(`Not done: ${failed.join(', ')}.`);
  tell('Everything is in order.');
}

/** Whether a check ends well. Says so, and what it printed where it does not. */
async function passes(name, command) {
  const startedAt = Date.now();
  const live = command[0] === SELF;
  const child = spawn(process.execPath, command, { cwd: root, stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [status, signal] = await event(child, 'close');
  if (signal !== null) process.exit(130);
  if (status !== 0) process.stderr.write(`\n${Buffer.concat(printed).toString()}\n`);
  tell(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(19)}${seconds(startedAt)}`);
  return status === 0;
}
