#!/usr/bin/env node
/**
 * The program `bursar` of the package. With `start` it is the service, and without a verb where nobody reads along; at a terminal it says what
 * it can do. Any other verb is the command line (src/cli/bursar.ts). The service runs in a process of its own with the settings that `npm start` gives it: they are read before the first line
 * of a program, so this one hands over to another Node. Plain CommonJS: it has to say which Node is needed on a Node that is too old.
 */
'use strict';

const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const WANTED = [20, 19];
const root = join(__dirname, '..');
const [verb, ...rest] = process.argv.slice(2);

/** As in the script `start` of package.json, with the measurements of bench/results. */
const FLAGS = ['--max-semi-space-size=32', '--heap-growing-percent=80', '--no-allocation-site-pretenuring'];
const DEFAULTS = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '32' };
const WATCH_MS = 500;
/** Loaded before the service: ends it when the program that started it is gone, however that ended. */
const END_WITH_PARENT = `data:text/javascript,const parent=process.ppid;setInterval(()=>{if(process.ppid!==parent)process.kill(process.pid,'SIGTERM')},${WATCH_MS}).unref()`;
/** npx ends its shell and leaves what that runs. Anywhere else a parent may go: `nohup bursar &` stays. */
const underNpx = process.env.npm_command === 'exec';

if (tooOld()) {
  console.error(
    `Bursar needs Node.js ${WANTED.join('.')} or newer, and this is ${process.versions.node}. Get it from https://nodejs.org.`,
  );
  process.exitCode = 1;
} else if (verb === undefined ? !process.stdout.isTTY : verb === 'start' && rest.length === 0) {
  start();
} else {
  if (verb === undefined) process.argv.push('--help');
  import('../dist/src/cli/bursar.js').catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

function tooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < WANTED[0] || (major === WANTED[0] && minor < WANTED[1]);
}

function start() {
  const program = join(root, 'dist/src/server/main.js');
  if (!existsSync(program)) {
    console.error('This copy of Bursar was not built. In a copy of the repository use: npm start');
    process.exitCode = 1;
    return;
  }
  const env = { ...DEFAULTS, ...process.env };
  // Node 22.15 and newer can become the other program; before, a parent waits for it.
  if (typeof process.execve === 'function') {
    process.removeAllListeners('warning'); // that it is experimental
    process.execve(
      process.execPath,
      [process.execPath, ...FLAGS, ...(underNpx ? ['--import', END_WITH_PARENT] : []), program],
      env,
    );
  }
  const child = spawn(process.execPath, [...FLAGS, '--import', END_WITH_PARENT, program], { env, stdio: 'inherit' });
  const end = (signal) => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
  const parent = process.ppid;
  if (underNpx) setInterval(() => process.ppid !== parent && end('SIGTERM'), WATCH_MS).unref();
  child.on('error', (error) => {
    console.error(`The service could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
