/**
 * Which installation a command works on: its database, its address, and the setting that says so. A command never makes one because it was
 * called in a wrong folder. Next: `cli/database.ts`, `doctor.ts`.
 */
import { accessSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { type Config, environmentWith } from '../config.ts';
import { missingMigrations } from '../platform/db/migrate.ts';
import { Exit } from './exit.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** A database without it has no tables of Bursar. */
const FIRST_MIGRATION = '0101_environments.sql';

/** Where to find another one, as the end of a message or the remedy of a fault. */
export const WHERE_TO_LOOK =
  'run this in the folder that the server was started in, or with its settings (BURSAR_DATA or DATABASE_URL); bursar start makes a new installation';

/** Whether the data folder is named by a setting. Otherwise it is `data` of the current folder, whatever that is. */
export const isNamed = (env: Environment = environmentWith({})): boolean => (env['BURSAR_DATA']?.trim() ?? '') !== '';

/** Whether there is a database to look at: one at `DATABASE_URL`, which only a connection can tell, or one in the data folder. */
export const hasDatabase = ({ databaseUrl, dataDir }: Place): boolean =>
  databaseUrl !== null || mayBe(join(dataDir, 'postgres', 'PG_VERSION'));

/** What this user may not look at may be there: whoever opens it says so. */
function mayBe(file: string): boolean {
  try {
    accessSync(file);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** The database and the setting that names it, without login and password. */
export function placeOf({ databaseUrl, dataDir }: Place, env?: Environment): string {
  if (databaseUrl !== null)
    return `${databaseUrl.replace(/\/\/[^@/?#]*@/, '//').replace(/[?#].*$/, '')} (DATABASE_URL)`;
  return `${dataDir} (${isNamed(env) ? 'BURSAR_DATA' : 'the default; BURSAR_DATA and DATABASE_URL are not set'})`;
}

/** Throws `Exit` unless there is a database to connect to. Makes nothing. */
export function assertDatabase(config: Place): void {
  if (!hasDatabase(config)) throw none(config);
}

/** Whether the tables of Bursar were made in this database. */
export const isEmpty = async (client: Client): Promise<boolean> =>
  (await missingMigrations(client)).includes(FIRST_MIGRATION);

/** Throws `Exit` unless the tables of Bursar are in the database. */
export async function assertNotEmpty(client: Client, config: Place): Promise<void> {
  if (await isEmpty(client)) throw none(config);
}

const none = (config: Place): Exit =>
  new Exit('failed', `There is no Bursar in ${placeOf(config)}. Nothing was done. Next: ${WHERE_TO_LOOK}.`);
