/**
 * The embedded database of an older Bursar (owned by `nobody`, without a password), one that was copied, and one whose
 * password was lost: the next start secures it, whatever a kill -9 has left, and it is never open meanwhile. Control:
 * such a folder is open until then.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts';
import { type Postmaster, startPatiently } from '../../src/platform/db/embedded/cluster.ts';
import { findBinaries } from '../../src/platform/db/embedded/binaries.ts';
import { type Account, canRead, enterAs } from '../support/faults/intruder.ts';
import {
  type EmbeddedProcess,
  type ProcessOptions,
  startEmbeddedProcess,
} from '../support/harness/embedded-process.ts';
import { eventually } from '../support/harness/eventually.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
const STRANGER = { uid: 2_000_000_001, gid: 2_000_000_001 };
const PEER = '# Written by Bursar, which replaces what it did not write.\nlocal all bursar peer map=server\n';
const TRUST = 'local all all trust\nhost all all 127.0.0.1/32 reject\n';
const PASSWORD_FILE = 'postgres-password-bursar';

const logged: string[] = [];
const started: EmbeddedProcess[] = [];
const keep = (message: string) => void logged.push(message);
const log = { info: keep, warn: keep, error: keep };
/** A folder as an older Bursar left it. */
let old: string;
let home: string;
let dataDir: string;

beforeAll(async () => {
  home = fs.mkdtempSync(join(tmpdir(), 'bursar-old-'));
  old = join(home, 'data');
  const embedded = await startEmbedded({ dataDir: old, log });
  await query(embedded.url, 'CREATE TABLE kept AS SELECT 7 AS n; ALTER ROLE bursar PASSWORD NULL');
  await embedded.stop();
  fs.rmSync(join(old, PASSWORD_FILE));
  fs.writeFileSync(join(old, 'postgres', 'pg_hba.conf'), TRUST);
  if (isRoot) give(join(old, 'postgres'), NOBODY);
});
afterAll(() => fs.rmSync(join(old, '..'), { recursive: true, force: true }));
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'bursar-conversion-'));
  dataDir = join(home, 'data');
  copy(old, dataDir);
  logged.length = 0;
});
afterEach(async () => {
  // What a failed test leaves; nothing otherwise.
  for (const server of started.splice(0)) await server.kill();
  for (const pid of running('postgres', fs.realpathSync(home))) process.kill(pid, 'SIGKILL');
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Processes of a program that work in a folder whose path begins so. */
function running(program: string, path: string): number[] {
  const names = fs.existsSync('/proc') ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return names.map(Number).filter((pid) => {
    try {
      const runs = fs.readFileSync(`/proc/${pid}/comm`, 'utf8') === `${program}\n`;
      return runs && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(path);
    } catch {
      return false; // it has ended, or is another user's
    }
  });
}

/** Another process that starts the database, ended with the test at the latest. */
function begin(options: ProcessOptions = {}): EmbeddedProcess {
  const server = startEmbeddedProcess(dataDir, options);
  started.push(server);
  return server;
}

/** With owners and modes, as `cp -a` does. */
function copy(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, preserveTimestamps: true });
  for (const name of ['', ...fs.readdirSync(from, { recursive: true, encoding: 'utf8' })]) {
    const { uid, gid, mode } = fs.lstatSync(join(from, name));
    fs.chownSync(join(to, name), uid, gid);
    fs.chmodSync(join(to, name), mode & 0o7777);
  }
}

function give(folder: string, { uid, gid }: Account): void {
  fs.chownSync(folder, uid, gid);
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    fs.chownSync(join(folder, name), uid, gid);
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const inCluster = (name: string) => join(dataDir, 'postgres', name);
const ownerOf = (path: string): Account => {
  const { uid, gid } = fs.statSync(path);
  return { uid, gid };
};

/** Starts it: the data is there, the password is needed, and everything belongs to one user of its own. */
async function expectSecured(): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log });
  try {
    expect(await query(embedded.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    const owner = ownerOf(inCluster(''));
    const socket = isRoot ? `/proc/${embedded.pid}/cwd/.s.PGSQL.5432` : inCluster('.s.PGSQL.5432');
    expect(await enterAs(isRoot ? owner : null, socket)).toContain('client password must be a string');
    expect(await enterAs(isRoot ? owner : null, socket, 'wrong')).toContain('password authentication failed');
    const password = fs.readFileSync(join(dataDir, PASSWORD_FILE), 'utf8').trim();
    expect(await enterAs(isRoot ? owner : null, socket, password)).toBe('in');
    expect(fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')).toMatch(/\nlocal all all scram-sha-256\n$/);
    expect(fs.statSync(join(dataDir, PASSWORD_FILE))).toMatchObject({ uid: process.getuid?.() });
    expect(logged.join()).not.toContain(password);
    if (!isRoot) return;
    expect([0, NOBODY.uid]).not.toContain(owner.uid);
    expect(await enterAs(NOBODY, socket, password)).toBe('EACCES');
    const owners = fs
      .readdirSync(inCluster(''), { recursive: true, encoding: 'utf8' })
      .map((name) => ownerOf(inCluster(name)).uid);
    expect(new Set(owners)).toEqual(new Set([owner.uid]));
  } finally {
    await embedded.stop();
  }
}

/** PostgreSQL as an older Bursar ran it, under root. */
async function startAsNobody(): Promise<Postmaster> {
  const folder = join(dataDir, 'postgres');
  const { folder: binaries } = await findBinaries(NOBODY, dataDir);
  const at = { folder, binaries, user: NOBODY, socketDir: folder, port: 5432, settings: {} };
  return startPatiently({ ...at, logFile: join(dataDir, 'postgres.log') }, log);
}

describe.runIf(isRoot)('PostgreSQL as an older Bursar ran it (left out unless the tests run as root)', () => {
  test('control: any process of the user nobody gets in', async () => {
    const postmaster = await startAsNobody();
    expect(await enterAs(NOBODY, `/proc/${postmaster.pid}/cwd/.s.PGSQL.5432`)).toBe('in');
    postmaster.signal('SIGINT');
    await postmaster.ended;
  });

  test.each([
    ['', false],
    [' in a container', true],
  ])('is ended before its folder changes hands%s', async (_, inContainer) => {
    const left = await startAsNobody();
    const server = begin({ inContainer });
    const { pid } = await server.up;
    expect(await left.ended).toBe('exit code 0');
    expect(server.output()).toContain(`Stopping the PostgreSQL (process ${left.pid})`);
    expect(ownerOf(`/proc/${pid}`).uid).toBe(ownerOf(inCluster('')).uid);
    await server.kill();
    await expectSecured();
  });

  test('is waited for when only one of its sessions is left, which PostgreSQL would not see', async () => {
    const postmaster = await startAsNobody();
    const host = encodeURIComponent(join(dataDir, 'postgres'));
    const url = `postgres://bursar@/bursar?host=${host}&sslmode=disable`;
    const client = new Client(url);
    client.on('error', () => {});
    await client.connect();
    const session = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid as number;
    client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => {});
    const busy = `SELECT FROM pg_stat_activity WHERE pid = ${session} AND state = 'active'`;
    await eventually('the session is at work', async () => (await query(url, busy)).length > 0);
    postmaster.signal('SIGKILL');
    await postmaster.ended;
    expect(fs.existsSync(`/proc/${session}`)).toBe(true);
    const starting = startEmbedded({ dataDir, log });
    await eventually('it has come to the folder', () => logged.some((line) => line.startsWith('Giving the database')));
    expect(fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')).toBe(TRUST); // the first thing that is changed
    process.kill(session, 'SIGKILL');
    await (await starting).stop();
    await expectSecured();
  });
});

test('a folder of an older Bursar is converted, once, and then left alone', async () => {
  await expectSecured();
  expect(logged.join()).toContain(`Giving the database in ${fs.realpathSync(dataDir)} its own user and password`);
  const before = [inCluster(''), inCluster('pg_hba.conf'), join(dataDir, PASSWORD_FILE)].map(
    (path) => fs.statSync(path).ino,
  );
  const owner = ownerOf(inCluster(''));
  logged.length = 0;
  await expectSecured();
  expect(logged).toEqual([]);
  expect(
    [inCluster(''), inCluster('pg_hba.conf'), join(dataDir, PASSWORD_FILE)].map((path) => fs.statSync(path).ino),
  ).toEqual(before);
  expect(ownerOf(inCluster(''))).toEqual(owner);
});

describe('what a kill -9 may leave is finished by the next start', () => {
  const half = () => {
    fs.rmSync(inCluster('pg_hba.conf'));
    if (!isRoot) return;
    fs.chownSync(inCluster(''), STRANGER.uid, STRANGER.gid);
    give(inCluster('base'), STRANGER);
  };
  const given = () => {
    fs.rmSync(inCluster('pg_hba.conf'));
    if (isRoot) give(inCluster(''), STRANGER);
  };
  const password = () => fs.writeFileSync(join(dataDir, PASSWORD_FILE), `${'p'.repeat(43)}\n`, { mode: 0o600 });
  const peer = () => {
    fs.writeFileSync(inCluster('pg_hba.conf'), PEER, { mode: 0o600 });
    if (isRoot) fs.chownSync(inCluster('pg_hba.conf'), STRANGER.uid, STRANGER.gid);
  };
  test.each([
    ['pg_hba.conf removed', () => fs.rmSync(inCluster('pg_hba.conf'))],
    ['half of the files given to the new user', half],
    ['all of them', given],
    ['the password written', () => [given(), password()]],
    [
      'the password written in part',
      () => [given(), fs.writeFileSync(join(dataDir, `${PASSWORD_FILE}.new`), 'pp', { mode: 0o600 })],
    ],
    ['only this user allowed in, password not set', () => [given(), password(), peer()]],
    [
      'a new pg_hba.conf written in part',
      () => [given(), password(), peer(), fs.writeFileSync(inCluster('pg_hba.conf.new'), '#')],
    ],
  ])('%s', async (_, leave) => {
    leave();
    await expectSecured();
    expect(fs.readdirSync(dataDir).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});

describe('a secured folder', () => {
  let uid: number;
  beforeEach(async () => {
    await (await startEmbedded({ dataDir, log })).stop();
    ({ uid } = ownerOf(inCluster('')));
    logged.length = 0;
  });

  test('starts from a copy, with the same user and password', async () => {
    const original = dataDir;
    dataDir = join(home, 'copy');
    copy(original, dataDir);
    await expectSecured();
    expect(logged).toEqual([]);
    expect(ownerOf(inCluster('')).uid).toBe(uid);
    const passwords = [original, dataDir].map((folder) => fs.readFileSync(join(folder, PASSWORD_FILE), 'utf8'));
    expect(passwords[0]).toBe(passwords[1]);
  });

  test.runIf(isRoot)('starts from a copy that belongs to root (left out unless the tests run as root)', async () => {
    give(dataDir, { uid: 0, gid: 0 });
    await expectSecured();
  });

  test.each([
    ['is lost', () => fs.rmSync(join(dataDir, PASSWORD_FILE)), 'is missing or damaged: making a new password'],
    [
      'is cut short',
      () => fs.truncateSync(join(dataDir, PASSWORD_FILE), 10),
      'is missing or damaged: making a new password',
    ],
    [
      'is that of another folder',
      () => fs.writeFileSync(join(dataDir, PASSWORD_FILE), 'q'.repeat(43)),
      'Giving the database',
    ],
  ])('whose password %s gets a new one', async (_, lose, says) => {
    lose();
    await expectSecured();
    expect(logged.join()).toContain(says);
    logged.length = 0;
    await expectSecured();
    expect(logged).toEqual([]);
  });

  test('is not opened by a line in pg_hba.conf, or by another file in its place', async () => {
    fs.writeFileSync(join(home, 'open.conf'), TRUST);
    fs.chmodSync(home, 0o755);
    fs.appendFileSync(inCluster('postgresql.auto.conf'), `hba_file = '${join(home, 'open.conf')}'\n`);
    await expectSecured();
    fs.writeFileSync(inCluster('pg_hba.conf'), `${TRUST}${fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')}`);
    await expectSecured();
  });

  test('with a hard link or a link to somebody else in it is not given away', async () => {
    if (!isRoot) return;
    give(inCluster(''), NOBODY);
    fs.writeFileSync(join(home, 'mine'), 'mine');
    fs.linkSync(join(home, 'mine'), inCluster('base/mine'));
    await expect(startEmbedded({ dataDir, log })).rejects.toThrow('base/mine has a second name elsewhere (hard link)');
    fs.rmSync(inCluster('base/mine'));
    fs.symlinkSync(join(home, 'mine'), inCluster('base/mine'));
    await expect(startEmbedded({ dataDir, log })).rejects.toThrow('to what belongs to user 0. Run: chown -R');
    expect(ownerOf(join(home, 'mine')).uid).toBe(0);
    fs.rmSync(inCluster('base/mine'));
    await expectSecured();
  });
});

/** The postmaster that a killed process left, with the names of its sockets. */
function leftPostmaster(): { pid: number; sockets: string[] } | null {
  const file = inCluster('postmaster.pid');
  const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : 0;
  if (pid <= 1 || !fs.existsSync(`/proc/${pid}/cwd`)) return null;
  return { pid, sockets: fs.readdirSync(inCluster('')).filter((name) => /^\.s\.PGSQL\.\d+$/.test(name)) };
}

/**
 * Ten changes to be killed behind, spread over the way: of the files that are given away only the first, one in the
 * middle and the last.
 */
function tenOf(changes: readonly string[]): number[] {
  const numbers = [...changes.keys()];
  const given = numbers.filter((number) => changes[number]?.startsWith('lchownSync'));
  const some = new Set([given[0], given[given.length >> 1], given.at(-1)]);
  const places = numbers.filter((number) => !given.includes(number) || some.has(number));
  return Array.from({ length: 10 }, (_, turn) => places[Math.floor((places.length * turn) / 10)] as number);
}

test('killed ten times on the way, it is never open, and secured at last', async () => {
  const whole = begin();
  await whole.up;
  const changes = whole.changes();
  await whole.kill();
  await expectSecured(); // also ends the postmaster

  const tried = new Set<string>();
  let unfinished = 0;
  for (const number of tenOf(changes)) {
    fs.rmSync(dataDir, { recursive: true });
    copy(old, dataDir);
    const server = begin({ standsBehind: number });
    await server.stands;
    await server.kill();
    unfinished +=
      fs.existsSync(inCluster('pg_hba.conf')) && fs.readFileSync(inCluster('pg_hba.conf'), 'utf8').includes('scram')
        ? 0
        : 1;
    const left = leftPostmaster();
    for (const socket of left?.sockets ?? []) {
      tried.add(changes[number] as string);
      const way = isRoot ? `/proc/${left?.pid}/cwd/${socket}` : inCluster(socket);
      for (const account of isRoot ? [NOBODY, STRANGER, ownerOf(inCluster(''))] : [])
        expect(await enterAs(account, way), `${changes[number]}, ${socket}, user ${account.uid}`).not.toMatch(/^in/);
    }
    await expectSecured();
  }
  // Control: most kills came before the end, and some while PostgreSQL ran to be secured.
  expect([unfinished, tried.size > 0]).toEqual([expect.toSatisfy((count: number) => count > 5), true]);
});

test.runIf(isRoot)(
  'initdb, under a borrowed name, lets nobody of that name in (left out unless the tests run as root)',
  async () => {
    fs.rmSync(dataDir, { recursive: true });
    const server = begin();
    const found = () => running('initdb', `${fs.realpathSync(home)}/data/postgres.new-`)[0];
    const pid = await eventually('initdb runs', found);
    process.kill(pid, 'SIGSTOP'); // so that there is time to try
    const { uid, gid } = ownerOf(`/proc/${pid}/cwd/.`);
    const account = fs
      .readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([, , id]) => Number(id) === uid);
    expect(uid).not.toBe(NOBODY.uid);
    expect(uid).not.toBe(0);
    expect(canRead({ uid, gid: Number(account?.[3]) }, `/proc/${pid}/cwd`)).toBe(false);
    expect(canRead(NOBODY, `/proc/${pid}/cwd`)).toBe(false);
    expect(canRead({ uid, gid }, `/proc/${pid}/cwd`)).toBe(true); // control: with its group, the way leads there
    process.kill(pid, 'SIGCONT');
    await server.up;
    expect(ownerOf(inCluster('')).uid).not.toBe(uid);
    await server.kill();
    await (await startEmbedded({ dataDir, log })).stop();
  },
);
