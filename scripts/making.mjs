/**
 * What `run.mjs`, `docs.mjs` and `dashboard.mjs` share: packages as a lock file names them, a thing made by one process at a time, and lists of files that tell
 * whether it is old. Plain JavaScript without dependencies, because it runs before there are any. Writes to stderr only.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const at = (path) => join(root, path);
const LOCK_POLL_MS = 200;
const LOWEST_PRIORITY = 19;

/**
 * Makes node_modules what package-lock.json says. Not by `npm ci`: that refuses a lock file without the packages of
 * every other platform, and some registries do not carry them all. `--no-save` keeps the lock file as it is.
 */
export function install() {
  if (isInstalled()) return;
  tell('Installing dependencies (once, about half a minute) …');
  npmInstall(root);
}

/**
 * What the lock file in this folder names. npm takes a package for whole that it was stopped in the middle of, and never mends it; so where an
 * installation did not come to its end, the next one begins with an empty folder.
 */
export function npmInstall(folder) {
  const modules = join(folder, 'node_modules');
  const begun = join(modules, '.begun');
  if (existsSync(begun) && isGone(begun)) rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  writeFileSync(begun, String(process.pid));
  // The npm that started us, whatever it is called here; devDependencies too, since they build dist/.
  const npm = process.env.npm_execpath;
  const flags = [
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  const options = { cwd: folder, stdio: ['ignore', 2, 2], env: { ...process.env, NODE_ENV: '' } };
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...flags], options)
    : spawnSync('npm', flags, options);
  if (done.error) fail(`npm could not be started: ${done.error.message}`);
  if (done.status !== 0)
    fail('The dependencies could not be installed; npm says why above. Then run the same command again.');
  rmSync(begun, { force: true });
}

/** Whether the packages that the lock file of this folder names are there. */
export function isInstalled(folder = '.') {
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const present = packagesOf(join(folder, 'node_modules/.package-lock.json'));
  if (wanted === null) fail(`${join(folder, 'package-lock.json')} is missing: this is not a complete copy of Bursar.`);
  if (present === null) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    const found = present[path];
    // Optional ones are for other platforms, unless they are here.
    if (path === '' || (optional && found === undefined)) return true;
    return found?.version === version && existsSync(at(join(folder, path)));
  });
}

/** What a lock file lists; `null`: there is no such file. */
export function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(at(file), 'utf8')).packages;
  } catch {
    return null;
  }
}

/** The lowest priority, for this process and what it starts. Where memory runs out, Linux ends it first. */
export function giveWay() {
  setPriority(LOWEST_PRIORITY);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // another system
  }
}

/** One process at a time makes what is not there yet; the others wait for it. */
export function once(name, staleMs, isMade, make) {
  const lock = at(name);
  const owner = join(lock, 'pid');
  const unlock = () => rmSync(lock, { recursive: true, force: true });
  for (let waited = 0; !isMade(); waited += LOCK_POLL_MS) {
    if (waited >= staleMs || isGone(owner)) unlock(); // left by one that was killed
    try {
      mkdirSync(lock);
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
      continue;
    }
    writeFileSync(owner, String(process.pid));
    process.once('exit', unlock); // what fails ends the process
    if (!isMade()) make(); // another process may have had the lock before
    process.off('exit', unlock);
    unlock();
  }
}

/** Whether the process that this file names has ended. */
function isGone(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Size and time of each file that is named or below a folder that is; what is made is left out. */
export function listOf(places, ending) {
  return places
    .filter((place) => existsSync(at(place)))
    .flatMap((place) =>
      statSync(at(place)).isFile()
        ? [place]
        : readdirSync(at(place), { recursive: true }).map((path) => join(place, path)),
    )
    .filter(
      (path) =>
        ending.test(path) &&
        !/(?:^|\/)(?:node_modules\/(?!\.package)|dist\/|site\/pages\/|\.(?:cache|temp)\/)/.test(path),
    )
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((path) => {
      const { size, mtimeMs } = statSync(at(path));
      return `${path} ${size} ${mtimeMs}\n`;
    })
    .join('');
}

export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

export function tell(message) {
  process.stderr.write(`${message}\n`);
}

export function fail(message, code = 1) {
  tell(message);
  process.exit(code);
}
