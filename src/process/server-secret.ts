/**
 * The server secret, under which API keys are hashed. Given by BURSAR_SECRET, or made once and kept in the data folder
 * beside the embedded database. Must never be logged or leave the process. Next: `keys/`.
 */
import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError, SECRET_MIN_CHARACTERS } from '../config.ts';

/** Name of the file in the data folder. A backup of the database without it cannot check any key. */
export const SECRET_FILE = 'secret';

/**
 * BURSAR_SECRET if it is set; else the one in `<dataDir>/secret` (mode 0600), made at the first call. Two processes that
 * start together get the same one. Rejects with `ConfigError` when the file was damaged.
 */
export async function serverSecret(config: Pick<Config, 'secret' | 'dataDir' | 'databaseUrl'>): Promise<string> {
  if (config.secret !== null) return config.secret;
  if (config.databaseUrl !== null) throw new ConfigError('BURSAR_SECRET is required when DATABASE_URL is set.');
  const path = join(config.dataDir, SECRET_FILE);
  const kept = await readIfThere(path);
  const secret = kept ?? (await make(config.dataDir, path));
  if (secret.length < SECRET_MIN_CHARACTERS) {
    throw new ConfigError(
      `${path} is damaged: ${secret.length} characters. Restore it from a backup; without it no API key works.`,
    );
  }
  await chmod(path, 0o600);
  return secret;
}

async function make(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
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
