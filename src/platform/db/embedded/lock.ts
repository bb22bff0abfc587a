/**
 * The owner of a data folder, named in `server.lock`: a start after kill -9 takes over, a second start names the
 * process to stop. Not the last guard: PostgreSQL refuses a second postmaster on one cluster. Next: `embedded.ts`.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { succeeds } from './data-folder.ts';

export interface Owner {
  readonly pid: number;
  /** The kernel's start time of the process, which detects a reused process number. */
  readonly processStart: string;
  /** Machine and pid namespace: process numbers mean nothing outside them. */
  readonly place: string;
  readonly nonce: string;
  readonly socketDir: string;
}

const FILE = 'server.lock';
const ATTEMPTS = 5;

/** `null` when the folder has no owner. */
export function readOwner(dataDir: string): Owner | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof SyntaxError) return { pid: 0, processStart: '', place: place(), nonce: '', socketDir: '' };
    throw error;
  }
}

/**
 * Whether the owner's process lives; `'elsewhere'`: in another container or machine, whose processes are not visible. Under systemd
 * (`ProtectProc`, `PrivateUsers`) `/proc` hides processes of the same user too: one that takes signals of ours counts as the owner.
 */
export function ownerLives({ pid, ...owner }: Owner, proc = '/proc'): boolean | 'elsewhere' {
  if (owner.place !== place()) return 'elsewhere';
  if (pid <= 0) return false;
  return processStart(pid, proc) === owner.processStart || isHidden(pid, proc);
}

/** Whether a process of this user runs that `/proc` does not show. Of another user it would be no server of this folder. */
function isHidden(pid: number, proc: string): boolean {
  if (process.platform !== 'linux' || existsSync(join(proc, String(pid)))) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Takes the folder, `before` from a dead owner. Throws what `refuse` returns for an owner that keeps the folder. */
export function takeOwnership(
  dataDir: string,
  socketDir: string,
  refuse: (owner: Owner) => Error | null,
): { mine: Owner; before: Owner | null } {
  const path = join(dataDir, FILE);
  const { pid } = process;
  const nonce = randomBytes(8).toString('hex');
  const mine = { pid, processStart: processStart(pid) ?? '', place: place(), nonce, socketDir };
  const temporary = `${path}.${mine.nonce}`;
  writeFileSync(temporary, `${JSON.stringify(mine)}\n`, { mode: 0o600 });
  let before: Owner | null = null;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (tryLink(temporary, path)) return { mine, before };
      const owner = readOwner(dataDir);
      if (owner === null) continue;
      const refusal = refuse(owner);
      if (refusal !== null) throw refusal;
      if (moveAway(path, owner)) before = owner;
    }
    throw new Error(`${path} changes all the time: several servers are being started on this folder`);
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function letGo(dataDir: string, mine: Owner): void {
  if (readOwner(dataDir)?.nonce === mine.nonce) rmSync(join(dataDir, FILE), { force: true });
}

/** Removes the lock of `owner`, and not that of a process that has replaced it. */
function moveAway(path: string, owner: Owner): boolean {
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  if (!succeeds(() => renameSync(path, aside), 'ENOENT')) return false;
  const text = readFileSync(aside, 'utf8');
  const same = owner.nonce === '' || text.includes(owner.nonce);
  if (!same) tryLink(aside, path);
  rmSync(aside, { force: true });
  return same;
}

const tryLink = (from: string, to: string): boolean => succeeds(() => linkSync(from, to), 'EEXIST');

/** `null` when no such process runs. Zombies count as dead. */
export function processStart(pid: number, proc = '/proc'): string | null {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(join(proc, String(pid), 'stat'), 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? null : (fields[19] as string);
    } catch {
      return null;
    }
  }
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}

function place(): string {
  try {
    return `${hostname()} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
