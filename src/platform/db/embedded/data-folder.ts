/**
 * The data folder: made, usable, and closed to other users. What Bursar keeps in it (password, secret, sandbox key, lock, log)
 * is readable by its owner alone. Must never change the mode of a folder that serves others too. Next: `embedded.ts`.
 */
import * as fs from 'node:fs';
import { access, constants, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DatabaseUser, EmbeddedError } from './binaries.ts';

/** Receives progress and problems; pino's logger is one. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Names that Bursar gives in its data folder. `lost+found` comes with a file system that is mounted there. */
const OURS =
  /^(postgres(|\.new-.*|\.log(\.1)?|-password-.*|ql-.*)|server\.lock(\..*)?|secret(\..*)?|sandbox-key|\.(probe|copying)-.*|lost\+found)$/;
/** Those that nobody else may read. The programs (`postgresql-…`) are no secret. */
const PRIVATE = /^(postgres(|\.log(\.1)?|-password-.*)|server\.lock|secret(\.previous)?|sandbox-key)$/;
const OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Makes the folder if need be, and returns its real path. A folder (0700) or file (0600) that was open to other users is
 * closed, with a warning. Rejects with `EmbeddedError` when it cannot be used, or is open and cannot or should not be closed.
 */
export async function openDataDir(dataDir: string, log: Log): Promise<string> {
  const folder = await usable(dataDir);
  const names = fs.readdirSync(folder);
  close(folder, log, names.find((name) => !OURS.test(name)) ?? null);
  for (const name of names.filter((each) => PRIVATE.test(each))) close(join(folder, name), log, null);
  return folder;
}

/**
 * Replaces a file (0600), on disk when it returns. `user` owns it; `null`: this process's user. Throws `EmbeddedError`.
 */
export function writePrivate(path: string, text: string, user: DatabaseUser): void {
  const temporary = `${path}.new`;
  try {
    fs.rmSync(temporary, { force: true });
    const file = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(file, text);
      if (user !== null) fs.fchownSync(file, user.uid, user.gid);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    const { message } = error as Error;
    throw new EmbeddedError(`${path} cannot be written (${message}). Mend that, then start again.`, { cause: error });
  }
}

/** Brings the names in a folder to the disk. */
export function syncFolder(path: string): void {
  const folder = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

/** Whether `work` succeeded, where an error with the code `expected` is an answer too. */
export function succeeds(work: () => unknown, expected: string): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false;
    throw error;
  }
}

/** Empty when the file is not there, may not be read, or its process has ended. */
export function textIn(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function usable(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EmbeddedError(`The data folder ${dataDir} cannot be used (${code}). Name another with BURSAR_DATA.`, {
      cause: error,
    });
  }
}

/** Closes a folder or file to other users. `stranger` is something in the folder that is not Bursar's. */
function close(path: string, log: Log, stranger: string | null): void {
  const { mode, uid, nlink } = fs.lstatSync(path);
  const type = mode & fs.constants.S_IFMT;
  const isFolder = type === fs.constants.S_IFDIR;
  if ((!isFolder && type !== fs.constants.S_IFREG) || (mode & OTHERS) === 0) return;
  const ourselves = process.getuid?.();
  const wanted = isFolder ? '700' : '600';
  let obstacle: string | null = null;
  if (ourselves !== 0 && uid !== ourselves)
    obstacle = `belongs to user ${uid}, not to user ${ourselves} of this process`;
  else if (stranger !== null) obstacle = `also holds ${stranger}, which is not Bursar's`;
  else if ((mode & STICKY) !== 0) obstacle = 'is shared on purpose (sticky bit)';
  else if (!isFolder && nlink > 1) obstacle = 'has a second name elsewhere (hard link)';
  const open = `${path} is open to other users (mode ${(mode & 0o7777).toString(8)})`;
  if (obstacle !== null) {
    const way = isFolder
      ? `Name a folder of its own with BURSAR_DATA, for example ${path}/bursar; or, if nobody else needs this one, run: chmod 700 ${path}`
      : `Run: chmod 600 ${path}`;
    throw new EmbeddedError(`${open} and ${obstacle}. ${way}`);
  }
  const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    fs.fchmodSync(file, Number.parseInt(wanted, 8));
  } finally {
    fs.closeSync(file);
  }
  log.warn(`${open}. It has mode ${wanted} now.`);
}
