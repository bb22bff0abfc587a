/** Profiles: address, key and the secret of `bursar listen`, by name, in the user's config folder; the file is the user's alone (0600). */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientSettings } from '../../config.ts';
import { UsageError } from '../../operator/exit.ts';

export interface Profile {
  readonly url: string;
  readonly key: string;
  /** `whsec_…`, what `bursar listen` signs with. */
  readonly listenSecret?: string;
}

export const configFolder = (): string => join(clientSettings().configFolder, 'bursar');
const fileOf = (folder: string) => join(folder, 'profiles.json');

export async function readProfiles(folder = configFolder()): Promise<Readonly<Record<string, Profile>>> {
  const text = await readFile(fileOf(folder), 'utf8').catch(() => null);
  if (text === null) return {};
  try {
    return JSON.parse(text) as Readonly<Record<string, Profile>>;
  } catch {
    throw new UsageError(`${fileOf(folder)} is not JSON. Mend it, or remove it and log in again: bursar login`);
  }
}

/** Replaces the file as a whole, so that a cut leaves the old one. */
export async function saveProfile(name: string, profile: Profile, folder = configFolder()): Promise<string> {
  const all = { ...(await readProfiles(folder)), [name]: profile };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = `${fileOf(folder)}.${process.pid}`;
  await writeFile(part, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  await chmod(part, 0o600);
  await rename(part, fileOf(folder));
  return fileOf(folder);
}
