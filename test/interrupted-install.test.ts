/**
 * An installation that was stopped in the middle is made again from the beginning: `npm start`, and the build of the dashboard beside a service.
 * With the npm of this machine and a package in a file; what npm leaves when it is killed while it unpacks is laid down here.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../scripts/making.mjs');

describe('an installation', () => {
  let folder: string;
  const write = (path: string, value: unknown) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const npm = (at: string, ...args: readonly string[]) =>
    execFileSync('npm', args, { cwd: join(folder, at), stdio: 'pipe' });
  const PART = { name: 'part', version: '1.0.0', main: 'index.js' };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bursar-install-'));
    cpSync(SCRIPT, join(folder, 'scripts/making.mjs'));
    write('part/package.json', PART);
    write('part/index.js', 'exports.isWhole = true;');
    npm('part', 'pack', '--silent', '--pack-destination', '..');
    write('package.json', { name: 'whole', version: '1.0.0', dependencies: { part: 'file:part-1.0.0.tgz' } });
    npm('.', 'install', '--package-lock-only', '--offline', '--silent');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Half of a package, and whether the installation that was stopped there left its mark. */
  function installed(mark: string | null): boolean {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    write('node_modules/part/package.json', PART);
    if (mark !== null) write('node_modules/.begun', mark);
    const program = "const { npmInstall, root } = await import('./scripts/making.mjs'); npmInstall(root);";
    const env = { ...process.env, npm_execpath: '', npm_config_offline: 'true' };
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect([done.status, done.stderr]).toEqual([0, expect.any(String)]);
    expect(existsSync(join(folder, 'node_modules/.begun'))).toBe(false);
    return existsSync(join(folder, 'node_modules/part/index.js'));
  }
  /** Of a process that has ended. */
  const gone = () => String(spawnSync(process.execPath, ['-e', '']).pid);

  it('that was stopped in the middle of a package is whole behind the next one', () => {
    expect(installed(gone())).toBe(true);
  });
  it('control: without the mark npm takes the half for the whole', () => {
    expect(installed(null)).toBe(false);
  });
  it('that is under way elsewhere is not taken away', () => {
    expect(installed(String(process.pid))).toBe(false);
  });
});
