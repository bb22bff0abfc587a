/**
 * The server secret, under which API keys are hashed and other secrets are sealed, and earlier ones. Given by settings,
 * or made once in the data folder. Must never be logged or leave the process. Rotating: `rotation.ts`.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError, MAX_PREVIOUS_SECRETS, previousSecretsIn, SECRET_MIN_CHARACTERS } from '../config.ts';
import { writePrivate } from '../platform/db/embedded/data-folder.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';

/** Name of the file in the data folder. A backup of the database without it cannot check any key. */
export const SECRET_FILE = 'secret';
/** Beside it: those from before, newest first, one a line. */
export const PREVIOUS_FILE = 'secret.previous';
const OTHERS = 0o077;

export type SecretSettings = Pick<
  Config,
  'secret' | 'secretFile' | 'previousSecrets' | 'previousSecretsFile' | 'dataDir' | 'databaseUrl'
>;

/** Whether other users may read or change the file of a secret. In a container all users see those that Docker hands in. */
export function isOpenToOthers(path: string): boolean {
  const found = statSync(path);
  return found.isFile() && (found.mode & OTHERS) !== 0 && !path.startsWith('/run/secrets/');
}

/** Whether the secret is Bursar's own, kept in the data folder. Else it is the operator's. */
export const isOwnSecret = ({ secret, secretFile }: Pick<Config, 'secret' | 'secretFile'>): boolean =>
  secret === null && secretFile === null;

/**
 * The secrets in use. Without a setting, the current one is in `<dataDir>/secret` (mode 0600), made at the first call,
 * also by two processes at once. Rejects with `ConfigError` when a file is missing or damaged.
 */
export async function serverSecrets(config: SecretSettings): Promise<ServerSecrets> {
  const isOwn = isOwnSecret(config);
  const current = isOwn ? await ownSecret(config) : (config.secret ?? (await fromFile(config.secretFile as string)));
  const { previousSecretsFile: file } = config;
  const given =
    file === null ? config.previousSecrets : await previousFrom(file, 'The file in BURSAR_SECRET_PREVIOUS_FILE');
  const own = isOwn ? await ownPrevious(config.dataDir) : [];
  const previous = [...new Set([...own, ...given])].filter((each) => each !== current);
  return { current, previous };
}

/** The same, but `null` where the secret is Bursar's own and not made yet: nothing is made. */
export async function keptSecrets(config: SecretSettings): Promise<ServerSecrets | null> {
  if (isOwnSecret(config) && (await readIfThere(join(config.dataDir, SECRET_FILE))) === null) return null;
  return serverSecrets(config);
}

/**
 * Replaces the secret in the data folder, and keeps the old one beside it, on disk when it returns. Killed between the
 * two files, nothing has changed. Needs an existing secret.
 */
export async function replaceOwnSecret(dataDir: string): Promise<ServerSecrets> {
  const path = join(dataDir, SECRET_FILE);
  const old = await ownSecret({ dataDir, databaseUrl: null });
  const previous = [...new Set([old, ...(await ownPrevious(dataDir))])];
  const current = newSecret();
  const { uid, gid } = statSync(path);
  const user = process.getuid?.() === 0 ? { uid, gid } : null; // the server may be another user than root
  writePrivate(join(dataDir, PREVIOUS_FILE), `${previous.join('\n')}\n`, user);
  writePrivate(path, `${current}\n`, user);
  return { current, previous };
}

const newSecret = () => randomBytes(32).toString('hex');

async function ownSecret({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<string> {
  if (databaseUrl !== null) throw new ConfigError('BURSAR_SECRET is required when DATABASE_URL is set.');
  const path = join(dataDir, SECRET_FILE);
  const kept = await readIfThere(path);
  const secret = kept ?? (await make(dataDir, path));
  if (secret.length < SECRET_MIN_CHARACTERS) {
    throw new ConfigError(
      `${path} is damaged: ${secret.length} characters. Restore it from a backup; without it no API key works.`,
    );
  }
  await chmod(path, 0o600);
  return secret;
}

async function ownPrevious(dataDir: string): Promise<readonly string[]> {
  const path = join(dataDir, PREVIOUS_FILE);
  if ((await readIfThere(path)) === null) return [];
  await chmod(path, 0o600);
  return previousFrom(path, path);
}

/** `what` names the file in a message. The path of a setting is not shown: somebody may have put the secret itself there. */
async function previousFrom(path: string, what: string): Promise<readonly string[]> {
  const secrets = previousSecretsIn((await readGiven(path, what)).split('\n'));
  if (secrets !== null) return secrets;
  throw new ConfigError(
    `${what} is wrong. Allowed: one secret a line, at most ${MAX_PREVIOUS_SECRETS}, each of at least ${SECRET_MIN_CHARACTERS} characters.`,
  );
}

async function fromFile(path: string): Promise<string> {
  const what = 'The file in BURSAR_SECRET_FILE';
  const secret = (await readGiven(path, what)).trim();
  if (secret.length >= SECRET_MIN_CHARACTERS) return secret;
  throw new ConfigError(
    `${what} holds only ${secret.length} characters. Allowed: at least ${SECRET_MIN_CHARACTERS}, for example from: openssl rand -hex 32.`,
  );
}

async function readGiven(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${what} cannot be read (${code}). Check its path and who may read it.`);
  }
}

async function make(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${newSecret()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // `link` refuses to replace: of two starters the first wins and both read the same secret.
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary, { force: true });
  return (await readFile(path, 'utf8')).trim();
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
