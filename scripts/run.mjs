/**
 * `npm start`, `npm test`, `npm run check | bench | bench:peers | soak | build | bursar | docs`, `npm pack`: makes sure that Node is new enough, the dependencies are
 * those of package-lock.json and dist/ is as new as the sources, then hands over. Plain JavaScript without dependencies,
 * because it runs before there are any. Writes to stderr only: stdout belongs to what it starts.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (path) => join(root, path);
const SELF = 'scripts/run.mjs';
const tool = {
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
};

/** Quick ones first, so that a slip is told early. The last two are the commands themselves, and show what they say as they go. */
const CHECKS = [
  ['format', [tool.biome, 'format', '.']],
  ['types', [tool.tsc, '-p', 'tsconfig.json']],
  ['lint', [tool.oxlint, '--type-aware', '--deny-warnings']],
  ['unused code', [tool.knip]],
  ['generated docs', ['--import', 'tsx', 'scripts/generate-docs.ts', '--check']],
  ['tests', [SELF, 'test']],
  ['soaks', [SELF, 'soak', 'ci']],
];

const VERBS = {
  start: (rest) => runBuilt('dist/src/server/main.js', rest),
  bursar: (rest) => runBuilt('dist/src/cli/bursar.js', rest),
  bench: (rest) => runBuilt('dist/bench/run.js', rest),
  peers: (rest) => runBuilt('dist/bench/peers/run.js', rest),
  soak,
  build,
  test,
  check,
  docs,
  client,
};

/** Pages, what makes them, and what they link to. */
const DOCS_SOURCES = [
  'docs',
  'site',
  'examples',
  'deploy',
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
];

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

const LOCK_POLL_MS = 200;
const LOCK_STALE_MS = 60_000;
/** On a busy machine it takes two minutes. */
const DOCS_LOCK_STALE_MS = 300_000;

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

/**
 * Makes node_modules what package-lock.json says. Not by `npm ci`: that refuses a lock file without the packages of
 * every other platform, and some registries do not carry them all. `--no-save` keeps the lock file as it is.
 */
function install() {
  if (isInstalled()) return;
  tell('Installing dependencies (once, about half a minute) …');
  npmInstall(root);
}

function npmInstall(folder) {
  // The npm that started us, whatever it is called here; devDependencies too, since they build dist/.
  const npm = process.env.npm_execpath;
  const flags = [
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const options = { cwd: folder, stdio: ['ignore', 2, 2], env: { ...process.env, NODE_ENV: '' } };
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...flags], options)
    : spawnSync('npm', flags, options);
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.status !== 0)
    fail('The dependencies could not be installed; npm says why above. Then run the same command again.');
}

function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (wanted === null) fail('package-lock.json is missing: this is not a complete copy of Bursar.');
  if (present === null) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    const found = present[path];
    // Optional ones are for other platforms, unless they are here.
    if (path === '' || (optional && found === undefined)) return true;
    return found?.version === version && existsSync(at(path));
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(at(file), 'utf8')).packages;
  } catch {
    return null;
  }
}

/** Makes dist/ when a source has changed, come or gone since the last time. */
function build() {
  once('dist.lock', LOCK_STALE_MS, isBuilt, compile);
}

/** One process at a time makes what is not there yet; the others wait for it. */
function once(name, staleMs, isMade, make) {
  const lock = at(name);
  for (let waited = 0; !isMade(); waited += LOCK_POLL_MS) {
    if (waited >= staleMs) rmSync(lock, { recursive: true, force: true }); // left by one that was killed
    try {
      mkdirSync(lock);
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
      continue;
    }
    const unlock = () => rmSync(lock, { recursive: true, force: true });
    process.once('exit', unlock); // what fails ends the process
    if (!isMade()) make(); // another process may have had the lock before
    process.off('exit', unlock);
    unlock();
  }
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
  const others = [SELF, 'tsconfig.json', 'node_modules/.package-lock.json'];
  return listOf(['client/src', 'src', 'bench', ...faults, ...others], /(?:(?<!\.test)\.ts|\.json|run\.mjs)$/);
}

/** Size and time of each file that is named or below a folder that is; what is made is left out. */
function listOf(places, ending) {
  return places
    .filter((place) => existsSync(at(place)))
    .flatMap((place) =>
      statSync(at(place)).isFile()
        ? [place]
        : readdirSync(at(place), { recursive: true }).map((path) => join(place, path)),
    )
    .filter((path) => ending.test(path) && !/(?:^|\/)(?:node_modules\/(?!\.package)|dist\/|site\/pages\/)/.test(path))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((path) => {
      const { size, mtimeMs } = statSync(at(path));
      return `${path} ${size} ${mtimeMs}\n`;
    })
    .join('');
}

/**
 * Builds the documentation site to site/dist/, which every running service of this folder then serves; a minute, and only when asked for. What
 * builds it is a package of its own, so that `npm start` need not install it. With `--if-old`: only where a page has changed.
 */
function docs([option]) {
  const stamp = at('site/dist/.sources');
  if (option !== '--if-old') rmSync(stamp, { force: true });
  once(
    'site.lock',
    DOCS_LOCK_STALE_MS,
    () => existsSync(stamp) && readFileSync(stamp, 'utf8') === listDocs(),
    makeDocs,
  );
}

function listDocs() {
  return listOf(DOCS_SOURCES, /\.(?:md|mjs|ts|css|json|svg|png)$/);
}

function makeDocs() {
  const sources = listDocs();
  if (packagesOf('site/node_modules/.package-lock.json') === null) {
    tell('Installing what builds the documentation (once) …');
    npmInstall(at('site'));
  }
  tell('Building the documentation …');
  const startedAt = Date.now();
  const done = spawnSync(process.execPath, ['--import', 'tsx', 'site/build.ts'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) fail('Building the documentation failed; the errors are above.');
  writeFileSync(at('site/dist/.sources'), sources);
  tell(`Built in ${seconds(startedAt)}: /docs of a running service.`);
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
  const namesFile = rest.some((each) => !each.startsWith('-'));
  await handOver(tool.vitest, [
    'run',
    ...(namesFile ? [] : ['--project', 'pure', '--project', 'suite', '--maxWorkers=4']),
    ...rest,
  ]);
}

/**
 * From the sources: it uses what the tests use, which is never built. `ci` is the second suite of the tests. Two files at a time, because
 * one leaves a core idle while it waits. `long` is what a release must pass.
 */
async function soak([name, ...options]) {
  if (name === 'ci') return handOver(tool.vitest, ['run', '--project', 'soak', '--maxWorkers=2', ...options]);
  const { register } = await import('tsx/esm/api');
  register();
  if (name === 'long') return handOver('scripts/long.ts', options);
  await handOver('scripts/soak.ts', name === undefined ? [] : [name, ...options]);
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
function check(rest) {
  const { values } = parseArgs({ args: rest, options: { except: { type: 'string', multiple: true, default: [] } } });
  const names = CHECKS.map(([name]) => name);
  const unknown = values.except.find((name) => !names.includes(name));
  if (unknown !== undefined) fail(`--except takes ${names.join(', ')}; got ${unknown}.`, 2);
  const failed = [];
  for (const [name, command] of CHECKS.filter(([each]) => !values.except.includes(each))) {
    const startedAt = Date.now();
    const live = command[0] === SELF;
    const done = spawnSync(process.execPath, command, {
      cwd: root,
      encoding: 'utf8',
      stdio: live ? 'inherit' : 'pipe',
    });
    if (done.signal !== null) process.exit(130);
    if (done.status !== 0) {
      failed.push(name);
      if (!live) process.stderr.write(`\n${done.stdout}${done.stderr}\n`);
    }
    tell(`${done.status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)}${seconds(startedAt)}`);
  }
  if (failed.length > 0) fail(`Not done: ${failed.join(', ')}.`);
  tell('Everything is in order.');
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

function tell(message) {
  process.stderr.write(`${message}\n`);
}

function fail(message, code = 1) {
  tell(message);
  process.exit(code);
}
