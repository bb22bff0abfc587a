/** Files that nobody else can read. Links are never followed: what a command writes goes where it was told, and nowhere else. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A new file, in place of what has its name. On disk when it returns. */
export async function writeNew(path: string, content: Buffer | string): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600); // neither a link nor a file that somebody made meanwhile
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The same, whole or not at all: a cut leaves the old one. */
export async function replacePrivate(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  await writeNew(part, content);
  await rename(part, path);
}
