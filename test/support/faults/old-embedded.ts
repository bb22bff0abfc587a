/**
 * The embedded database of an older Bursar, in a folder of its own for each case, so that cases run side by side. What has to hold once it is
 * started; and kills on the way. A few: `test/long/embedded-conversion-few.test.ts`. All: `test/long/embedded-conversion.test.ts`.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import { findBinaries } from '../../../src/platform/db/embedded/binaries.ts';
import { type Postmaster, startPatiently } from '../../../src/platform/db/embedded/cluster.ts';
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts';
import { type EmbeddedProcess, type ProcessOptions, startEmbeddedProcess } from '../harness/embedded-process.ts';
import { type Account, enterAs } from './intruder.ts';

export const isRoot = process.getuid?.() === 0;
export const NOBODY = { uid: 65_534, gid: 65_534 };
export const STRANGER = { uid: 2_000_000_001, gid: 2_000_000_001 };
const PEER = '# Written by Bursar, which replaces what it did not write.\nlocal all bursar peer map=server\n';
export const TRUST = 'local all all trust\nhost all all 127.0.0.1/32 reject\n';
export const PASSWORD_FILE = 'postgres-password-bursar';

/** Processes of a program that work in a folder whose path begins so. */
export function running(program: string, path: string): number[] {
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

/** With owners and modes, as `cp -a` does. */
export function copy(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true, preserveTimestamps: true });
  for (const name of ['', ...fs.readdirSync(from, { recursive: true, encoding: 'utf8' })]) {
    const { uid, gid, mode } = fs.lstatSync(join(from, name));
    fs.chownSync(join(to, name), uid, gid);
    fs.chmodSync(join(to, name), mode & 0o7777);
  }
}

export function give(folder: string, { uid, gid }: Account): void {
  fs.chownSync(folder, uid, gid);
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    fs.chownSync(join(folder, name), uid, gid);
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export const ownerOf = (path: string): Account => {
  const { uid, gid } = fs.statSync(path);
  return { uid, gid };
};

/** A folder with a database, and what is done to it. */
export interface Folder {
  /** Where the data folder and whatever a case puts beside it lies. */
  readonly home: string;
  readonly dataDir: string;
  /** A file of the cluster. */
  inCluster(name: string): string;
  /** What its starts in this process have said so far. */
  readonly logged: string[];
  start(): ReturnType<typeof startEmbedded>;
  /** Another process that starts the database, ended with the folder at the latest. */
  begin(options?: ProcessOptions): EmbeddedProcess;
  /** PostgreSQL as an older Bursar ran it, under root. */
  startAsNobody(): Promise<Postmaster>;
  /** Starts it: the data is there, the password is needed, and everything belongs to one user of its own. */
  expectSecured(): Promise<void>;
  /** Ends what a failed case leaves, and removes everything. */
  remove(): Promise<void>;
}

/** Takes the folder as it is: `home` is removed with it. */
export function folderAt(home: string, name = 'data'): Folder {
  const dataDir = join(home, name);
  const logged: string[] = [];
  const keep = (message: string) => void logged.push(message);
  const log = { info: keep, warn: keep, error: keep };
  const started: EmbeddedProcess[] = [];
  const inCluster = (file: string) => join(dataDir, 'postgres', file);
  const start = () => startEmbedded({ dataDir, log });
  return {
    home,
    dataDir,
    inCluster,
    logged,
    start,
    begin(options = {}) {
      const server = startEmbeddedProcess(dataDir, options);
      started.push(server);
      return server;
    },
    async startAsNobody() {
      const folder = join(dataDir, 'postgres');
      const { folder: binaries } = await findBinaries(NOBODY, dataDir);
      const at = { folder, binaries, user: NOBODY, socketDir: folder, port: 5432, settings: {} };
      return startPatiently({ ...at, logFile: join(dataDir, 'postgres.log') }, log);
    },
    async expectSecured() {
      const embedded = await start();
      try {
        expect(await query(embedded.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
        const owner = ownerOf(inCluster(''));
        const socket = isRoot ? `/proc/${embedded.pid}/cwd/.s.PGSQL.5432` : inCluster('.s.PGSQL.5432');
        const password = fs.readFileSync(join(dataDir, PASSWORD_FILE), 'utf8').trim();
        const as = isRoot ? owner : null;
        const [without, wrong, right] = await Promise.all([
          enterAs(as, socket),
          enterAs(as, socket, 'wrong'),
          enterAs(as, socket, password),
        ]);
        expect(without).toContain('client password must be a string');
        expect(wrong).toContain('password authentication failed');
        expect(right).toBe('in');
        expect(fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')).toMatch(/\nlocal all all scram-sha-256\n$/);
        expect(fs.statSync(join(dataDir, PASSWORD_FILE))).toMatchObject({ uid: process.getuid?.() });
        expect(logged.join()).not.toContain(password);
        if (!isRoot) return;
        expect([0, NOBODY.uid]).not.toContain(owner.uid);
        expect(await enterAs(NOBODY, socket, password)).toBe('EACCES');
        const owners = fs
          .readdirSync(inCluster(''), { recursive: true, encoding: 'utf8' })
          .map((each) => ownerOf(inCluster(each)).uid);
        expect(new Set(owners)).toEqual(new Set([owner.uid]));
      } finally {
        await embedded.stop();
      }
    },
    async remove() {
      for (const server of started.splice(0)) await server.kill();
      for (const pid of running('postgres', fs.realpathSync(home))) process.kill(pid, 'SIGKILL');
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface OldFolders {
  /** Runs a case on a copy of a folder as an older Bursar left it, which is removed afterwards. */
  on(work: (folder: Folder) => Promise<void>): Promise<void>;
  /** The same with a folder that this Bursar has secured already. */
  onSecured(work: (folder: Folder, uid: number) => Promise<void>): Promise<void>;
  /** The changes that a start makes on the way, in order. */
  changes(): Promise<readonly string[]>;
  end(): void;
}

export async function oldFolders(): Promise<OldFolders> {
  const made = folderAt(fs.mkdtempSync(join(tmpdir(), 'bursar-old-')));
  const { dataDir: old, home } = made;
  const embedded = await made.start();
  await query(embedded.url, 'CREATE TABLE kept AS SELECT 7 AS n; ALTER ROLE bursar PASSWORD NULL');
  await embedded.stop();
  fs.rmSync(join(old, PASSWORD_FILE));
  fs.writeFileSync(join(old, 'postgres', 'pg_hba.conf'), TRUST);
  if (isRoot) give(join(old, 'postgres'), NOBODY);
  const secured = folderAt(home, 'secured');
  copy(old, secured.dataDir);
  await (await secured.start()).stop();

  const onCopyOf = async (from: string, work: (folder: Folder) => Promise<void>) => {
    const folder = folderAt(fs.mkdtempSync(join(tmpdir(), 'bursar-conversion-')));
    try {
      copy(from, folder.dataDir);
      await work(folder);
    } finally {
      await folder.remove();
    }
  };
  return {
    on: (work) => onCopyOf(old, work),
    onSecured: (work) => onCopyOf(secured.dataDir, (folder) => work(folder, ownerOf(folder.inCluster('')).uid)),
    async changes() {
      let changes: readonly string[] = [];
      await onCopyOf(old, async ({ begin }) => {
        const whole = begin();
        await whole.up;
        changes = whole.changes();
        await whole.kill();
      });
      return changes;
    },
    end: () => fs.rmSync(home, { recursive: true, force: true }),
  };
}

const password = ({ dataDir }: Folder) =>
  fs.writeFileSync(join(dataDir, PASSWORD_FILE), `${'p'.repeat(43)}\n`, { mode: 0o600 });
function half({ inCluster }: Folder): void {
  fs.rmSync(inCluster('pg_hba.conf'));
  if (!isRoot) return;
  fs.chownSync(inCluster(''), STRANGER.uid, STRANGER.gid);
  give(inCluster('base'), STRANGER);
}
function given({ inCluster }: Folder): void {
  fs.rmSync(inCluster('pg_hba.conf'));
  if (isRoot) give(inCluster(''), STRANGER);
}
function peer({ inCluster }: Folder): void {
  fs.writeFileSync(inCluster('pg_hba.conf'), PEER, { mode: 0o600 });
  if (isRoot) fs.chownSync(inCluster('pg_hba.conf'), STRANGER.uid, STRANGER.gid);
}

/** What a kill -9 may leave. */
export const LEFT = {
  'pg_hba.conf removed': [({ inCluster }) => fs.rmSync(inCluster('pg_hba.conf'))],
  'half of the files given to the new user': [half],
  'all files given to the new user': [given],
  'the password written': [given, password],
  'the password written in part': [
    given,
    ({ dataDir }) => fs.writeFileSync(join(dataDir, `${PASSWORD_FILE}.new`), 'pp', { mode: 0o600 }),
  ],
  'only this user allowed in, password not set': [given, password, peer],
  'a new pg_hba.conf written in part': [
    given,
    password,
    peer,
    ({ inCluster }) => fs.writeFileSync(inCluster('pg_hba.conf.new'), '#'),
  ],
} as const satisfies Readonly<Record<string, readonly ((folder: Folder) => void)[]>>;

export async function expectFinished(folder: Folder, left: keyof typeof LEFT): Promise<void> {
  for (const leave of LEFT[left]) leave(folder);
  await folder.expectSecured();
  expect(fs.readdirSync(folder.dataDir).filter((name) => name.endsWith('.new'))).toEqual([]);
}

const REMADE = 'is missing or damaged: making a new password';
/** What may have become of a password: what happens to its file, and what the next start says. */
export const LOST = {
  'is lost': [(file) => fs.rmSync(file), REMADE],
  'is cut short': [(file) => fs.truncateSync(file, 10), REMADE],
  'is that of another folder': [(file) => fs.writeFileSync(file, 'q'.repeat(43)), 'Giving the database'],
} as const satisfies Readonly<Record<string, readonly [(file: string) => void, string]>>;

export async function expectNewPassword(folder: Folder, lost: keyof typeof LOST): Promise<void> {
  const [lose, says] = LOST[lost];
  lose(join(folder.dataDir, PASSWORD_FILE));
  await folder.expectSecured();
  expect(folder.logged.join()).toContain(says);
  folder.logged.length = 0;
  await folder.expectSecured();
  expect(folder.logged).toEqual([]);
}

/** A PostgreSQL of an older Bursar runs when the new one comes. */
export async function expectEnded(folder: Folder, options: ProcessOptions): Promise<void> {
  const left = await folder.startAsNobody();
  const server = folder.begin(options);
  const { pid } = await server.up;
  expect(await left.ended).toBe('exit code 0');
  expect(server.output()).toContain(`Stopping the PostgreSQL (process ${left.pid})`);
  expect(ownerOf(`/proc/${pid}`).uid).toBe(ownerOf(folder.inCluster('')).uid);
  await server.kill();
  await folder.expectSecured();
}

/** The postmaster that a killed process left, with the names of its sockets. */
function leftPostmaster({ inCluster }: Folder): { pid: number; sockets: string[] } | null {
  const file = inCluster('postmaster.pid');
  const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : 0;
  if (pid <= 1 || !fs.existsSync(`/proc/${pid}/cwd`)) return null;
  return { pid, sockets: fs.readdirSync(inCluster('')).filter((name) => /^\.s\.PGSQL\.\d+$/.test(name)) };
}

/**
 * So many changes to be killed behind, spread over the way: of the files that are given away only the first, one in the
 * middle and the last.
 */
export function placesIn(changes: readonly string[], count: number): number[] {
  const numbers = [...changes.keys()];
  const files = numbers.filter((number) => changes[number]?.startsWith('lchownSync'));
  const some = new Set([files[0], files[files.length >> 1], files.at(-1)]);
  const places = numbers.filter((number) => !files.includes(number) || some.has(number));
  return Array.from({ length: count }, (_, turn) => places[Math.floor((places.length * turn) / count)] as number);
}

/** Kills a start behind one of its changes. It is never open, and secured by the next start. Says what was seen of it. */
export async function killedBehind(
  folder: Folder,
  number: number,
  change = '',
): Promise<{ readonly isUnfinished: boolean; readonly wasTried: boolean }> {
  const { inCluster } = folder;
  const server = folder.begin({ standsBehind: number });
  await server.stands;
  await server.kill();
  const hba = inCluster('pg_hba.conf');
  const isUnfinished = !fs.existsSync(hba) || !fs.readFileSync(hba, 'utf8').includes('scram');
  const left = leftPostmaster(folder);
  for (const socket of left?.sockets ?? []) {
    const way = isRoot ? `/proc/${left?.pid}/cwd/${socket}` : inCluster(socket);
    for (const account of isRoot ? [NOBODY, STRANGER, ownerOf(inCluster(''))] : [])
      expect(await enterAs(account, way), `${change}, ${socket}, user ${account.uid}`).not.toMatch(/^in/);
  }
  await folder.expectSecured();
  return { isUnfinished, wasTried: (left?.sockets.length ?? 0) > 0 };
}
