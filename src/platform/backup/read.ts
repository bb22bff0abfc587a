/** Reads a backup and refuses one that is cut short or damaged. Trusted only when its end has come. Next: `load.ts`. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  BackupUnusable,
  type ClearHead,
  type Frame,
  FRAME_HEAD_BYTES,
  FRAME_KINDS,
  frameCipher,
  sha256,
  SIGNATURE,
  MAX_PAYLOAD_BYTES,
} from './frames.ts';
import type { BackupHead, Manifest, Part, TableHead } from './manifest.ts';

const MAX_HEAD_BYTES = 1_024;
const CUT_SHORT = 'The backup is cut short: its end is missing. Use another copy.';

export interface OpenBackup {
  readonly head: BackupHead;
  /** Each table with its rows, which must be read to their end before the next one. Ends after the manifest has been found to fit. */
  tables(): AsyncGenerator<{
    readonly table: TableHead;
    readonly rows: AsyncGenerator<Buffer>;
    readonly part: () => Part;
  }>;
}

/** With a passphrase the file must be sealed: a plain one may have been put in its place. */
export async function openBackup(path: string, passphrase: () => Promise<string | null>): Promise<OpenBackup> {
  const frames = framesOf(path, passphrase);
  const first = await next(frames);
  if (first.kind !== 'head') throw damaged('its first part is not its head');
  const head = parsed(first) as BackupHead;
  if (!Array.isArray(head.migrations) || !Array.isArray(head.secretIds)) throw damaged('its head says nothing');
  return { head, tables: () => tablesOf(frames, sha256(first.payload)) };
}

/** Reads all of it and writes nothing. */
export async function checkBackup(
  path: string,
  passphrase: () => Promise<string | null>,
): Promise<{ head: BackupHead; parts: readonly Part[] }> {
  const backup = await openBackup(path, passphrase);
  const parts: Part[] = [];
  for await (const { rows, part } of backup.tables()) {
    for await (const _ of rows);
    parts.push(part());
  }
  return { head: backup.head, parts };
}

async function* tablesOf(frames: AsyncGenerator<Frame>, headSha256: string): ReturnType<OpenBackup['tables']> {
  const parts: Part[] = [];
  for (;;) {
    const frame = await next(frames);
    if (frame.kind === 'manifest') {
      await assertComplete(frames, frame, { parts, headSha256 });
      return;
    }
    if (frame.kind !== 'table') throw damaged('its parts are out of order');
    const table = parsed(frame) as TableHead;
    const before = parts.length;
    yield {
      table,
      rows: rowsOf(frames, table, (part) => parts.push(part)),
      part: () => parts[before] as Part,
    };
    if (parts.length === before) throw new Error('The rows of a table were not read to their end.');
  }
}

async function* rowsOf(
  frames: AsyncGenerator<Frame>,
  { name, columns }: TableHead,
  onEnd: (part: Part) => void,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let bytes = 0;
  for (;;) {
    const frame = await next(frames);
    if (frame.kind === 'rows') {
      digest.update(frame.payload);
      bytes += frame.payload.length;
      yield frame.payload;
    } else if (frame.kind === 'table_end') {
      const part = parsed(frame) as Part;
      const isSame =
        part.table === name &&
        String(part.columns) === String(columns) &&
        part.bytes === bytes &&
        part.sha256 === digest.digest('hex');
      if (!isSame) throw damaged(`the rows of ${name} are not those that were written`);
      onEnd(part);
      return;
    } else throw damaged('its parts are out of order');
  }
}

async function assertComplete(frames: AsyncGenerator<Frame>, manifest: Frame, read: Manifest): Promise<void> {
  const end = await next(frames);
  if (end.kind !== 'end' || end.payload.toString() !== sha256(manifest.payload))
    throw damaged('its list of parts was changed');
  const { parts, headSha256 } = parsed(manifest) as Manifest;
  if (headSha256 !== read.headSha256 || JSON.stringify(parts) !== JSON.stringify(read.parts))
    throw damaged('a part is not the one that was written');
  if ((await frames.next()).done !== true) throw damaged('something follows its end');
}

async function next(frames: AsyncGenerator<Frame>): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done === true) throw new BackupUnusable(CUT_SHORT);
  return value;
}

function parsed({ payload }: Frame): unknown {
  try {
    return JSON.parse(payload.toString()) as unknown;
  } catch {
    throw damaged('a part cannot be read');
  }
}

const damaged = (why: string): BackupUnusable => new BackupUnusable(`The backup is damaged: ${why}. Use another copy.`);

async function* framesOf(path: string, passphrase: () => Promise<string | null>): AsyncGenerator<Frame> {
  const source = new ByteSource(path);
  try {
    const head = await clearHeadOf(source);
    const given = await passphrase();
    if (head.salt !== null && given === null)
      throw new BackupUnusable('This backup is sealed with a passphrase. Give it with --passphrase-file.');
    if (head.salt === null && given !== null) {
      throw new BackupUnusable(
        'This backup is not sealed, so it may have been put in the place of yours. If you made it without a passphrase, leave --passphrase-file out.',
      );
    }
    const cipher = await frameCipher(head, given);
    for (;;) {
      const about = await source.take(FRAME_HEAD_BYTES);
      if (about === null) return;
      const kind = FRAME_KINDS[about.readUInt8()];
      const length = about.readUInt32BE(1);
      if (kind === undefined || length > MAX_PAYLOAD_BYTES + cipher.extraBytes)
        throw damaged('a part has no beginning');
      const payload = length === 0 ? Buffer.alloc(0) : await source.take(length);
      if (payload === null) throw new BackupUnusable(CUT_SHORT);
      yield { kind, payload: cipher.open(kind, payload) };
    }
  } finally {
    source.close();
  }
}

async function clearHeadOf(source: ByteSource): Promise<ClearHead> {
  const signature = await source.take(SIGNATURE.length).catch((error: unknown) => {
    if (error instanceof BackupUnusable && error.message === CUT_SHORT) return null;
    throw error;
  });
  if (signature?.toString('latin1') !== SIGNATURE) {
    throw new BackupUnusable(
      signature?.toString('latin1').startsWith('bursar backup ') === true
        ? 'This backup has a newer form. Restore it with the version of Bursar that made it, or a newer one.'
        : 'This file is no backup made by bursar backup.',
    );
  }
  let line = '';
  for (let byte = ''; byte !== '\n'; line += byte) {
    byte = (await source.take(1))?.toString('latin1') ?? '\n';
    if (line.length > MAX_HEAD_BYTES) throw damaged('it has no head');
  }
  const head = parsed({ kind: 'head', payload: Buffer.from(line) }) as { salt?: unknown };
  if (head.salt !== null && (typeof head.salt !== 'string' || !/^[0-9a-f]{32}$/.test(head.salt)))
    throw damaged('its head says nothing');
  return { salt: head.salt };
}

function unreadable({ code, message }: NodeJS.ErrnoException): never {
  throw new BackupUnusable(`The backup cannot be read (${code ?? message}).`);
}

class ByteSource {
  private readonly stream: ReturnType<typeof createReadStream>;
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(path: string) {
    this.stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
    this.chunks = this.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** `null` at the end of the file. Throws {@link BackupUnusable} when the file ends in between. */
  async take(count: number): Promise<Buffer | null> {
    const parts = [this.rest];
    let have = this.rest.length;
    while (have < count) {
      const { value, done } = await this.chunks.next().catch(unreadable);
      if (done === true) {
        if (have === 0) return null;
        throw new BackupUnusable(CUT_SHORT);
      }
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? this.rest : Buffer.concat(parts);
    this.rest = all.subarray(count);
    return all.subarray(0, count);
  }

  close(): void {
    this.stream.destroy();
  }
}
