/**
 * `npm run release [-- --once]`: what goes out with a version, into release/: the package, built twice from the last commit in clean folders
 * and the same to the byte; what an installation consists of (CycloneDX); the section of the changelog; SHA256SUMS over all of them. Plain
 * JavaScript without dependencies. Next: docs/releasing.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = join(root, 'release');
const once = process.argv.includes('--once');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const tell = (message) => process.stderr.write(`${message}\n`);

if (git('status', '--porcelain') !== '')
  tell('! There are changes that are not committed. What is built is the last commit.');
// Whatever is dated is dated by the commit.
const env = { ...process.env, SOURCE_DATE_EPOCH: git('log', '-1', '--format=%ct'), npm_config_loglevel: 'error' };

rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const work = mkdtempSync(join(tmpdir(), 'bursar-release-'));
try {
  const [first, second] = (once ? ['one'] : ['one', 'two']).map(packed);
  if (second !== undefined && first.hash !== second.hash) {
    tell(`The two builds differ: ${first.hash} and ${second.hash}. ${differences(first.file, second.file)}`);
    process.exit(1);
  }
  copyFileSync(first.file, join(target, first.name));
  run(first.folder, process.execPath, ['scripts/sbom.mjs', join(target, 'sbom.cdx.json')]);
  writeFileSync(join(target, 'notes.md'), notes());
  const sums = readdirSync(target)
    .toSorted()
    .map((name) => `${sha256(join(target, name))}  ${name}\n`);
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  tell(`release/ holds version ${version}${once ? '' : ', built twice with the same bytes'}:\n${sums.join('')}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The package of the last commit, built in a folder with this name. */
function packed(folderName) {
  const folder = join(work, folderName);
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  run(folder, 'npm', ['pack', '--silent']); // its `prepack` installs, compiles and builds the documentation
  const name = `bursar-${version}.tgz`;
  const file = join(folder, name);
  return { folder, name, file, hash: sha256(file) };
}

function run(folder, program, args) {
  const done = spawnSync(program, args, { cwd: folder, env, stdio: ['ignore', 2, 2] });
  if (done.status === 0) return;
  tell(`${program} ${args.join(' ')} failed.`);
  process.exit(1);
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Files of the two packages that are not the same, as a hint for a person. */
function differences(...files) {
  const folders = files.map((file, at) => {
    const folder = join(work, `unpacked-${at}`);
    mkdirSync(folder);
    execFileSync('tar', ['--extract', '--gzip', '--file', file, '--directory', folder]);
    return folder;
  });
  return spawnSync('diff', ['--recursive', '--brief', ...folders], { encoding: 'utf8' }).stdout;
}

/** The section of the changelog: of the version, or what is not released yet. */
function notes() {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const own =
    sections.find((section) => section.startsWith(`[${version}]`)) ??
    sections.find((section) => section.startsWith('[Unreleased]'));
  return `## ${own ?? `[${version}]\n`}`;
}
