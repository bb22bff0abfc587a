/** Files of `bursar listen` in the user's config folder: up to which event each forwarding has come, and the secret of each profile. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configFolder } from './profiles.ts';

async function save(name: string, text: string): Promise<void> {
  const path = join(configFolder(), name);
  await mkdir(configFolder(), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, path);
}

const read = (name: string) => readFile(join(configFolder(), name), 'utf8').catch(() => null);

export interface Cursor {
  /** The `sequence` of the last event that was answered, or behind which a first run began; `null` before. */
  load(): Promise<string | null>;
  save(sequence: number): Promise<void>;
}

/** Of one server, key, receiver and choice of events; none of them stands in the file. */
export function cursorOf(...about: readonly string[]): Cursor {
  const name = `listen-${createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 24)}`;
  return {
    load: async () => {
      const text = (await read(name))?.trim() ?? '';
      return /^\d+$/.test(text) ? text : null;
    },
    save: (sequence) => save(name, `${sequence}\n`),
  };
}

/** The same one for a profile, for good: receivers are set up once. */
export async function listenSecret(profile: string): Promise<string> {
  const name = `secret-${profile.replaceAll(/[^\w-]/g, '_')}`;
  const known = (await read(name))?.trim();
  if (known?.startsWith('whsec_') === true) return known;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await save(name, `${secret}\n`);
  return secret;
}
