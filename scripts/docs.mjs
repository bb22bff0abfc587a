/** `npm run docs`, and the build beside a service that `npm start` has started (src/server/builds.ts). What is built: `site/build.ts`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { at, fail, giveWay, listOf, npmInstall, once, packagesOf, root, seconds, tell } from './making.mjs';

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
/** On a busy machine it takes two minutes. */
const DOCS_LOCK_STALE_MS = 300_000;

/**
 * Builds the documentation site to site/dist/, which every running service of this folder then serves. What builds it is a package of its own,
 * so that `npm start` need not install it before the service listens. `--if-old`: only where a page has changed. `--beside`: so that the service
 * keeps its share of the machine.
 */
export function docs(options) {
  if (options.includes('--beside')) giveWay();
  const stamp = at('site/dist/.sources');
  if (!options.includes('--if-old')) rmSync(stamp, { force: true });
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
  if (packagesOf('site/node_modules/.package-lock.json') === null) {
    tell('Installing what builds the documentation (once) …');
    npmInstall(at('site'));
  }
  const sources = listDocs(); // not before: it holds what is installed
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
