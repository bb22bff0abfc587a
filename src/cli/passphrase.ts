/** The passphrase of a backup: the first line of a file, never an argument, which every user of the machine could read. */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../operator/exit.ts';
import { isOpenToOthers } from '../operator/server-secret.ts';
import { say } from './remote/terminal.ts';

const MIN_CHARACTERS = 12;

/** `null` without a file. Warns of one that others can open. Throws `UsageError`. */
export async function passphraseFrom(path: string | undefined): Promise<string | null> {
  if (path === undefined) return null;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The file of --passphrase-file cannot be read (${error.code}).`);
  });
  const [line = ''] = text.split('\n');
  const passphrase = line.trim();
  if (passphrase.length < MIN_CHARACTERS)
    throw new UsageError(`The passphrase has ${passphrase.length} characters; it needs at least ${MIN_CHARACTERS}.`);
  if (isOpenToOthers(path)) say(`Other users can open ${path}, and with it your backups. Run: chmod 600 ${path}`);
  return passphrase;
}
