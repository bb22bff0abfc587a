/** Temporary files for statement files that are too large for memory. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFile {
  readonly handle: FileHandle;
  remove(): Promise<void>;
}

/**
 * A file that only this process can open. Where the system allows that, it has no name, so nothing stays behind however the process
 * ends, and nothing has to be tidied up at the next start.
 */
export async function temporaryFile(): Promise<TemporaryFile> {
  const path = join(tmpdir(), `bursar-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  const unname = () => unlink(path).catch(() => undefined);
  await unname();
  return {
    handle,
    async remove() {
      await handle.close().catch(() => undefined);
      await unname();
    },
  };
}

export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.byteLength; ) from += (await handle.write(bytes, from)).bytesWritten;
}
