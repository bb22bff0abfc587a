/**
 * The files of a ZIP, in their order, each as bytes. What a ZIP says of itself is not believed: files, bytes and growth are counted while
 * they unfold, and check sums are compared. Next: `read.ts`.
 */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { StatementFileError } from './bank-file-error.ts';
import type { Limits } from './limits.ts';
import { temporaryFile, type TemporaryFile, writeAll } from './temporary-file.ts';

export interface FileInZip {
  /** Within the ZIP. It may hold an account number: not for logs or errors. */
  readonly name: string;
  /** From 1, folders left out. */
  readonly number: number;
  /** To be read to the end before the next file is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Below this a file may grow as it likes: a few lines over and over. */
const RATIO_COUNTS_FROM_BYTES = 1_048_576;
const MAX_NAME_CHARACTERS = 255;

const damaged = (): StatementFileError => new StatementFileError('zip', 'The ZIP file is damaged or not complete.');

export function isZip(head: Uint8Array): boolean {
  const [first, second, third, fourth] = head;
  return first === 0x50 && second === 0x4b && ((third === 3 && fourth === 4) || (third === 5 && fourth === 6));
}

/** Throws `StatementFileError` if the ZIP is damaged, encrypted, or beyond the limits. */
export async function* filesInZip(source: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<FileInZip> {
  const stored = await store(source, limits.maxZipBytesInMemory);
  try {
    const zip = await opened(stored);
    if (zip.entryCount > limits.maxZipFiles) throw tooMany(limits);
    let number = 0;
    let entries = 0;
    let totalBytes = 0;
    const count = (bytes: number) => {
      totalBytes += bytes;
      if (totalBytes <= limits.maxBytes) return;
      throw new StatementFileError('limit', `The ZIP unfolds to more than ${limits.maxBytes} bytes.`);
    };
    for await (const entry of entriesOf(zip)) {
      entries += 1;
      if (entries > limits.maxZipFiles) throw tooMany(limits);
      const name = nameOf(entry);
      if (name.endsWith('/')) continue;
      number += 1;
      if (!entry.canDecodeFileData()) {
        const sentence = 'A file of the ZIP is encrypted, or compressed in a way that is not read.';
        throw new StatementFileError('zip', sentence, undefined, number);
      }
      yield { name, number, bytes: unfolded(zip, entry, limits, count) };
    }
  } finally {
    await stored.remove();
  }
}

const tooMany = ({ maxZipFiles }: Limits): StatementFileError =>
  new StatementFileError('limit', `The ZIP holds more than ${maxZipFiles} files.`);

interface Stored {
  readonly buffer: Buffer | undefined;
  readonly handle: FileHandle | undefined;
  remove(): Promise<void>;
}

/**
 * A ZIP lists its files at its end, so all of it is needed. A large one goes to a temporary file.
 */
async function store(source: AsyncIterable<Uint8Array>, maxBytesInMemory: number): Promise<Stored> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let file: TemporaryFile | undefined;
  try {
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes <= maxBytesInMemory) continue;
      file ??= await temporaryFile();
      for (const each of chunks.splice(0)) await writeAll(file.handle, each);
    }
  } catch (error) {
    await file?.remove();
    throw error;
  }
  if (file) return { buffer: undefined, handle: file.handle, remove: file.remove };
  return { buffer: Buffer.concat(chunks), handle: undefined, remove: () => Promise.resolve() };
}

async function opened({ buffer, handle }: Stored): Promise<ZipFile> {
  // Names are read below: here an odd one would be an error.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true };
  try {
    return await (buffer === undefined
      ? fromFdPromise((handle as FileHandle).fd, options)
      : fromBufferPromise(buffer, options));
  } catch {
    throw damaged();
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry()[Symbol.asyncIterator]();
  while (true) {
    let next: IteratorResult<Entry>;
    try {
      next = await entries.next();
    } catch {
      throw damaged();
    }
    if (next.done === true) return;
    yield next.value;
  }
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  return name.replaceAll(/[\u0000-\u001f\u007f]/g, '').slice(-MAX_NAME_CHARACTERS);
}

async function* unfolded(
  zip: ZipFile,
  entry: Entry,
  limits: Limits,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      count(chunk.byteLength);
      if (bytes > RATIO_COUNTS_FROM_BYTES && bytes > entry.compressedSize * limits.maxZipRatio) {
        throw new StatementFileError(
          'limit',
          `A file of the ZIP grows to more than ${limits.maxZipRatio} times its size.`,
        );
      }
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof StatementFileError) throw error;
    throw damaged();
  }
  if (sum !== entry.crc32) throw damaged();
}
