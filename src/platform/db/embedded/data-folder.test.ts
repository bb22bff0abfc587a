/** The data folder and what Bursar keeps in it are closed to other users; what serves others too is left as it is. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canRead } from '../../../../test/support/faults/intruder.ts';
import { openDataDir } from './data-folder.ts';

const isRoot = process.getuid?.() === 0;
const logged: string[] = [];
const log = { info: () => {}, warn: (message: string) => void logged.push(message), error: () => {} };
let home: string;
let dataDir: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'bursar-folder-')));
  dataDir = join(home, 'data');
  logged.length = 0;
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const modeOf = (path: string) => (fs.lstatSync(path).mode & 0o7777).toString(8);

function put(name: string, mode: number): string {
  const path = join(dataDir, name);
  fs.writeFileSync(path, 'x');
  fs.chmodSync(path, mode);
  return path;
}

test('a new folder is closed, and a closed one is opened without a word', async () => {
  expect(await openDataDir(dataDir, log)).toBe(dataDir);
  expect(modeOf(dataDir)).toBe('700');
  for (const name of ['secret', 'server.lock', 'postgres-password-bursar']) put(name, 0o600);
  await openDataDir(dataDir, log);
  expect(logged).toEqual([]);
});

test('what is open is closed, and said', async () => {
  fs.mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  fs.mkdirSync(join(dataDir, 'postgresql-18.4.0-0123456789abcdef'));
  for (const folder of [dataDir, 'postgres', 'postgresql-18.4.0-0123456789abcdef'])
    fs.chmodSync(join(dataDir, folder === dataDir ? '' : folder), 0o755);
  const names = ['secret', 'sandbox-key', 'server.lock', 'postgres.log', 'postgres.log.1', 'postgres-password-bursar'];
  for (const name of names) put(name, 0o644);
  await openDataDir(dataDir, log);
  expect([dataDir, join(dataDir, 'postgres')].map(modeOf)).toEqual(['700', '700']);
  expect(names.map((name) => modeOf(join(dataDir, name)))).toEqual(names.map(() => '600'));
  expect(modeOf(join(dataDir, 'postgresql-18.4.0-0123456789abcdef'))).toBe('755'); // programs, no secret
  expect(logged).toHaveLength(8);
  expect(logged).toContain(`${dataDir}/secret is open to other users (mode 644). It has mode 600 now.`);
});

test('a folder that holds something else is not closed over its head, but refused', async () => {
  fs.mkdirSync(dataDir);
  put('wages.xlsx', 0o600);
  fs.chmodSync(dataDir, 0o755);
  await expect(openDataDir(dataDir, log)).rejects.toThrow(
    `${dataDir} is open to other users (mode 755) and also holds wages.xlsx, which is not Bursar's. Name a folder of its own with BURSAR_DATA, for example ${dataDir}/bursar; or`,
  );
  expect(modeOf(dataDir)).toBe('755');
  fs.chmodSync(dataDir, 0o700); // then it is nobody else's business
  await openDataDir(dataDir, log);

  fs.rmSync(join(dataDir, 'wages.xlsx'));
  fs.chmodSync(dataDir, 0o1777);
  await expect(openDataDir(dataDir, log)).rejects.toThrow('(mode 1777) and is shared on purpose (sticky bit)');
  expect(modeOf(dataDir)).toBe('1777');
});

test('a link is not followed, and a file with a second name is refused', async () => {
  fs.mkdirSync(dataDir, { mode: 0o700 });
  const elsewhere = join(home, 'elsewhere');
  fs.writeFileSync(elsewhere, 'x');
  fs.chmodSync(elsewhere, 0o644);
  fs.symlinkSync(elsewhere, join(dataDir, 'secret'));
  await openDataDir(dataDir, log);
  fs.linkSync(elsewhere, join(dataDir, 'sandbox-key'));
  await expect(openDataDir(dataDir, log)).rejects.toThrow(
    'sandbox-key is open to other users (mode 644) and has a second name',
  );
  expect(modeOf(elsewhere)).toBe('644');
});

const STRANGER = { uid: 2_000_000_001, gid: 2_000_000_001 };
const readable = isRoot && canRead(STRANGER, import.meta.filename) && canRead(STRANGER, process.execPath);

test.runIf(readable)(
  'what belongs to somebody else is refused (left out unless the tests run as root, in a folder that others can read)',
  () => {
    const script = `
      import { openDataDir } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)};
      const log = { info() {}, warn() {}, error() {} };
      await openDataDir(${JSON.stringify(dataDir)}, log).then(() => console.log('opened'), (error) => console.log(error.message));`;
    const openAsStranger = () => {
      const options = { encoding: 'utf8', env: { PATH: process.env['PATH'] }, ...STRANGER } as const;
      return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], options).stdout;
    };
    fs.chmodSync(home, 0o711);
    fs.mkdirSync(dataDir);
    fs.chmodSync(dataDir, 0o777);
    expect(openAsStranger()).toContain(`(mode 777) and belongs to user 0, not to user ${STRANGER.uid} of this process`);
    expect(modeOf(dataDir)).toBe('777');
    fs.chownSync(dataDir, STRANGER.uid, STRANGER.gid);
    expect(openAsStranger()).toBe('opened\n'); // control
    expect(modeOf(dataDir)).toBe('700');
  },
);
