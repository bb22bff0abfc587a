/**
 * `npm run dashboard`, and the build beside a service that `npm start` has started (src/server/builds.ts). What is built: `dashboard/`, a
 * package with a lock file of its own. Who serves it: `src/server/dashboard/site.ts`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { at, fail, giveWay, isInstalled, listOf, npmInstall, once, seconds, tell } from './making.mjs';

const FOLDER = 'dashboard';
const STAMP = 'dashboard/dist/.sources';
/** Its own files, and what it takes from the service and from the client. */
const SOURCES = [
  FOLDER,
  'client/src',
  'src/collecting/checkout/html/colours.ts',
  // When standing orders run, and when banks work.
  'src/core/rails/business-days.ts',
  'src/core/values/time.ts',
  'src/paying/standing-orders/calendar.ts',
  'scripts/dashboard.mjs',
];
const LOCK_STALE_MS = 300_000;
const HASH_CHARACTERS = 27;
/** What is compressed beforehand, if it is worth it. The page itself is not: it has another nonce each time. */
const TEXTS = /\.(?:js|css|svg)$/;
const LEAST_BYTES = 1_024;

/**
 * Builds the dashboard to dashboard/dist/, which every running service of this folder then serves. `--if-old`: only where a source has changed.
 * `--beside`: so that the service keeps its share of the machine.
 */
export function dashboard(options) {
  if (options.includes('--beside')) giveWay();
  if (!options.includes('--if-old')) rmSync(at(STAMP), { force: true });
  once('dashboard.lock', LOCK_STALE_MS, isBuilt, make);
}

function isBuilt() {
  return existsSync(at(STAMP)) && readFileSync(at(STAMP), 'utf8') === listSources();
}

function listSources() {
  return listOf(SOURCES, /(?<!\.test)\.(?:tsx?|mjs|css|html|json|svg)$/);
}

function make() {
  if (!isInstalled(FOLDER)) {
    tell('Installing what builds the dashboard (once) …');
    npmInstall(at(FOLDER));
  }
  const sources = listSources(); // not before: it holds what is installed
  tell('Building the dashboard …');
  const startedAt = Date.now();
  const [made, served] = ['.cache/dist', 'dist'].map((name) => join(at(FOLDER), name));
  const command = ['node_modules/vite/bin/vite.js', 'build', '--outDir', made, '--emptyOutDir', '--logLevel', 'warn'];
  const env = { ...process.env, NODE_ENV: 'production' };
  const done = spawnSync(process.execPath, command, { cwd: at(FOLDER), env, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) fail('Building the dashboard failed; the errors are above.');
  finish(made);
  writeFileSync(join(made, '.sources'), sources);
  // A service that runs serves the one from before until this one is whole.
  rmSync(served, { recursive: true, force: true });
  renameSync(made, served);
  tell(`Built in ${seconds(startedAt)}: /dashboard of a running service.`);
}

/** Puts each text there compressed too, and a list of all files with their hashes, which is what the service serves. */
function finish(folder) {
  const names = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .toSorted();
  for (const name of names().filter((each) => TEXTS.test(each))) {
    const bytes = readFileSync(join(folder, name));
    if (bytes.length < LEAST_BYTES) continue;
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, quality));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
  const hashOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('base64url');
  const files = Object.fromEntries(names().map((name) => [name, hashOf(name).slice(0, HASH_CHARACTERS)]));
  writeFileSync(join(folder, 'files.json'), `${JSON.stringify({ files }, null, 2)}\n`);
}
