/**
 * The user of PostgreSQL's programs. Started by root, PostgreSQL runs as the system user `bursar`, else as a number that no
 * user, group, process or container has, so that no other process can enter it through `/proc`, signal it or read its files.
 * Never root, never `nobody`. The owner of the cluster folder keeps the number. Next: `access.ts`, `cluster.ts`.
 */
import { randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type DatabaseUser, EmbeddedError, OWN_DATABASE } from './binaries.ts';
import { textIn } from './data-folder.ts';

export type Account = NonNullable<DatabaseUser>;

/** What a machine says about its users: the text of its files, and the numbers of what runs. */
export interface Machine {
  readonly passwd: string;
  readonly group: string;
  /** /etc/subuid and /etc/subgid: ranges lent to containers. */
  readonly lent: string;
  /** /proc/self/uid_map and gid_map: the numbers that exist in this container. Empty: all. */
  readonly maps: readonly string[];
  /** Users and groups of running processes. */
  running(): ReadonlySet<number>;
}

const NOBODY = 65_534;
/**
 * Above what SSSD and FreeIPA give out (to 2,000,200,000) and below systemd's foreign images (from 2,147,352,576); then
 * for containers with 65,536 numbers, below systemd's dynamic users (from 61,184).
 */
const RANGES = [
  { from: 2_001_000_000, to: 2_147_000_000 },
  { from: 20_000, to: 61_184 },
] as const;
const ATTEMPTS = 1_000;
const MAKE_ONE = `Make a system user for PostgreSQL: useradd --system bursar (adduser -S bursar on Alpine). ${OWN_DATABASE}`;

/**
 * `null`: the user of this process, which is not root. The owner of an existing cluster is kept unless it is root or `nobody`.
 * Throws `EmbeddedError` when the cluster belongs to somebody else, or no number is free.
 */
export function databaseUser(dataDir: string, folder: string): DatabaseUser {
  const ourselves = process.getuid?.();
  const owner = fs.statSync(folder, { throwIfNoEntry: false });
  if (ourselves === 0) return userUnderRoot(owner ?? null, thisMachine());
  if (owner === undefined || owner.uid === ourselves) return null;
  throw new EmbeddedError(
    `The database in ${dataDir} belongs to user ${owner.uid}, and this process runs as ${ourselves}: a server started by root made it. Start as root again, or run: sudo chown -R ${ourselves} ${dataDir}`,
  );
}

/** `owner`: of the existing cluster. */
export function userUnderRoot(owner: Account | null, machine: Machine): Account {
  const accounts = accountsOf(machine.passwd);
  const unfit = new Set([0, ...nobodies(machine)]);
  if (owner !== null && !unfit.has(owner.uid)) return { uid: owner.uid, gid: owner.gid };
  const named = accounts.find(({ name, uid }) => name === 'bursar' && !unfit.has(uid));
  if (named !== undefined) return { uid: named.uid, gid: named.gid };

  const taken = new Set([
    ...accounts.flatMap(({ uid, gid }) => [uid, gid]),
    ...idsOf(machine.group),
    ...machine.running(),
  ]);
  const lent = fieldsOf(machine.lent).map(([, from, count]) => ({ from: Number(from), count: Number(count) }));
  const isFree = (id: number) => !taken.has(id) && !lent.some(({ from, count }) => id >= from && id < from + count);
  const range = RANGES.find(({ from, to }) => machine.maps.every((map) => isMapped(map, from) && isMapped(map, to)));
  for (let attempt = 0; range !== undefined && attempt < ATTEMPTS; attempt++) {
    const id = randomInt(range.from, range.to);
    if (isFree(id)) return { uid: id, gid: id };
  }
  throw new EmbeddedError(`No user number is free for PostgreSQL, which refuses to run as root. ${MAKE_ONE}`);
}

/**
 * The user that `initdb` runs as: initdb refuses a number without a name, so a free number borrows an idle system account for
 * the second that initdb takes. Its group stays the free number: Linux lets no process with another group into
 * `/proc/<pid>`, not even of the same user, and the path leads through the data folder, which is root's.
 */
export function userOfInitdb(user: DatabaseUser): DatabaseUser {
  return user === null ? null : borrowed(user, thisMachine());
}

export function borrowed(user: Account, machine: Machine): Account {
  const accounts = accountsOf(machine.passwd);
  if (accounts.some(({ uid }) => uid === user.uid)) return user;
  const unfit = new Set([0, ...nobodies(machine), ...machine.running()]);
  const idle = accounts.find(({ uid }) => !unfit.has(uid) && machine.maps.every((map) => isMapped(map, uid)));
  if (idle !== undefined) return { uid: idle.uid, gid: user.gid };
  throw new EmbeddedError(`PostgreSQL's initdb needs a user with a name in /etc/passwd, and none is idle. ${MAKE_ONE}`);
}

/**
 * Gives a cluster folder and everything in it to `user`, and closes its folders to others (0700). A folder is closed before
 * it is read, so that its former owner can put nothing in the way; links are not followed.
 */
export function giveTo(folder: string, user: Account): void {
  try {
    give(folder, user);
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new EmbeddedError(
      `${path ?? folder} cannot be given to user ${user.uid}, as which PostgreSQL runs (${message}). Name a folder on a file system that allows it with BURSAR_DATA. ${OWN_DATABASE}`,
      { cause: error },
    );
  }
}

function give(folder: string, user: Account): void {
  fs.chownSync(folder, user.uid, user.gid);
  fs.chmodSync(folder, 0o700);
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    const entry = fs.lstatSync(path);
    if (entry.isDirectory()) {
      give(path, user);
      continue;
    }
    if (entry.isFile() && entry.nlink > 1) {
      throw new EmbeddedError(
        `${path} has a second name elsewhere (hard link). Copy it to a file of its own, then start again.`,
      );
    }
    if (entry.isSymbolicLink()) assertTarget(path, user);
    if (entry.uid !== user.uid || entry.gid !== user.gid) fs.lchownSync(path, user.uid, user.gid);
  }
}

function assertTarget(link: string, { uid }: Account): void {
  const target = fs.statSync(link, { throwIfNoEntry: false });
  if (target === undefined || target.uid === uid) return;
  throw new EmbeddedError(
    `${link} leads out of the database, to what belongs to user ${target.uid}. Run: chown -R ${uid}:${uid} ${link}/ — then start again.`,
  );
}

function thisMachine(): Machine {
  const [passwd, group, subuid, subgid, ...maps] = [
    '/etc/passwd',
    '/etc/group',
    '/etc/subuid',
    '/etc/subgid',
    '/proc/self/uid_map',
    '/proc/self/gid_map',
  ].map(textIn) as [string, string, string, string, ...string[]];
  return { passwd, group, lent: `${subuid}\n${subgid}`, maps, running };
}

function running(): Set<number> {
  const pids = fs.existsSync('/proc') ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const lines = pids.flatMap((pid) => textIn(`/proc/${pid}/status`).match(/^(?:Uid|Gid|Groups):.*$/gm) ?? []);
  return new Set(lines.flatMap((line) => (line.match(/\d+/g) ?? []).map(Number)));
}

const fieldsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => line.split(':'));

const accountsOf = (passwd: string): { name: string; uid: number; gid: number }[] =>
  fieldsOf(passwd).map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));

const idsOf = (group: string): number[] => fieldsOf(group).map(([, , gid]) => Number(gid));

const nobodies = ({ passwd }: Machine): number[] => [
  NOBODY,
  ...accountsOf(passwd)
    .filter(({ name }) => name === 'nobody')
    .map(({ uid }) => uid),
];

/** A line of a map: first number inside, first number outside, how many. */
function isMapped(map: string, id: number): boolean {
  if (map === '') return true;
  return map.split('\n').some((line) => {
    const [inside, , count] = line.trim().split(/\s+/).map(Number);
    return inside !== undefined && count !== undefined && id >= inside && id < inside + count;
  });
}
