/**
 * `npm run release -- --source https://… [--once]`: what goes out with a version, into release/: the package and that of the client, built
 * twice from the last commit in clean folders and the same to the byte; what an installation consists of (CycloneDX); the section of the
 * changelog; SHA256SUMS over all of them. `--source`: where the sources are, which stands in both packages. Plain JavaScript without
 * dependencies. Next: docs/releasing.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = join(root, 'release');
const once = process.argv.includes('--once');
const source = process.argv[process.argv.indexOf('--source') + 1];
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
/** Stands where the address of the sources belongs; no host is called so (RFC 2606). */
const NO_SOURCE = 'https://source.invalid/bursar';
const SAYS_SOURCE = ['package.json', 'client/package.json', 'README.md', 'client/README.md', 'SECURITY.md'];
const tell = (message) => process.stderr.write(`${message}\n`);

if (!process.argv.includes('--source') || !/^https:\/\/[^/]+\/.*[^/]$/.test(source ?? '')) {
  tell('Say where the sources of this release are: npm run release -- --source https://example.com/bursar');
  process.exit(2);
}
if (git('status', '--porcelain') !== '')
  tell('! There are changes that are not committed. What is built is the last commit.');
// Whatever is dated is dated by the commit.
const env = { ...process.env, SOURCE_DATE_EPOCH: git('log', '-1', '--format=%ct'), npm_config_loglevel: 'error' };

rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const work = mkdtempSync(join(tmpdir(), 'bursar-release-'));
try {
  const [first, second] = (once ? ['one'] : ['one', 'two']).map(packed);
  for (const [at, { name, file }] of first.packages.entries()) {
    const other = second?.packages[at].file ?? file;
    if (sha256(file) !== sha256(other)) {
      tell(`The two builds of ${name} differ: ${sha256(file)} and ${sha256(other)}. ${differences(file, other)}`);
      process.exit(1);
    }
    copyFileSync(file, join(target, name));
  }
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

/** The packages of the last commit, built in a folder with this name. */
function packed(folderName) {
  const folder = join(work, folderName);
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  for (const file of SAYS_SOURCE.map((each) => join(folder, each)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(NO_SOURCE, source));
  run(folder, 'npm', ['pack', '--silent']); // its `prepack` installs, compiles and builds the documentation
  run(join(folder, 'client'), 'npm', ['pack', '--silent']);
  const packages = [`bursar-${version}.tgz`, `client/bursar-client-${version}.tgz`].map((path) => ({
    name: basename(path),
    file: join(folder, path),
  }));
  return { folder, packages };
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
