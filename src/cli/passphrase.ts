/** The passphrase of a backup: the first line of a file, never an argument, which every user of the machine could read. */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../operator/exit.ts';

const MIN_CHARACTERS = 12;

/** `null` without a file. Throws `UsageError`. */
export async function passphraseFrom(path: string | undefined): Promise<string | null> {
  if (path === undefined) return null;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The file of --passphrase-file cannot be read (${error.code}).`);
  });
  const [line = ''] = text.split('\n');
  const passphrase = line.trim();
  if (passphrase.length >= MIN_CHARACTERS) return passphrase;
  throw new UsageError(`The passphrase has ${passphrase.length} characters; it needs at least ${MIN_CHARACTERS}.`);
}
