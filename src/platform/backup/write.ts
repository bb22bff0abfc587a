/**
 * Writes a backup: all tables in one REPEATABLE READ snapshot, beside a busy server, which it never blocks. The file appears under its name
 * only when it is whole and on disk. Memory does not grow with the database. Next: `frames.ts`; the way back: `read.ts`, `load.ts`.
 */
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { VERSION } from '../../core/values/version.ts';
import { syncFolder } from '../db/embedded/data-folder.ts';
import { stopPoint } from '../workers/stop-points.ts';
import {
  clearHead,
  type ClearHead,
  FRAME_HEAD_BYTES,
  FRAME_KINDS,
  type FrameCipher,
  frameCipher,
  type FrameKind,
  headLine,
  sha256,
} from './frames.ts';
import type { BackupHead, Manifest, Part, TableHead } from './manifest.ts';
import { copied, tablesOf, unhurried } from './tables.ts';

const ROWS_BYTES = 1024 * 1024;

const copiedPoint = stopPoint('backup.table_copied');
const sealedPoint = stopPoint('backup.sealed');

export interface BackupOptions {
  /** Where it is to be. Must not exist. */
  readonly path: string;
  /** `null`: not sealed. */
  readonly passphrase: string | null;
  readonly secretIds: readonly string[];
  onProgress?(progress: {
    readonly table: string;
    readonly tables: number;
    readonly done: number;
    readonly bytes: number;
  }): void;
}

export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  readonly head: BackupHead;
  readonly manifest: Manifest;
}

/** `client` is the owner's, and used for this alone. Rejects with the error of the file system or PostgreSQL; nothing is left behind then. */
export async function writeBackup(client: Client, options: BackupOptions): Promise<Backup> {
  const { path, passphrase } = options;
  const temporary = `${path}.part`;
  await rm(temporary, { force: true }); // of one that was killed
  const file = await open(temporary, 'wx', 0o600);
  try {
    const clear = clearHead(passphrase !== null);
    const out = new FrameWriter(file, clear, await frameCipher(clear, passphrase));
    const backup = await writeAll(client, out, options);
    await file.sync();
    await file.close();
    sealedPoint();
    await rename(temporary, path);
    syncFolder(dirname(path));
    return { ...backup, path, bytes: out.bytes };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAll(
  client: Client,
  out: FrameWriter,
  options: BackupOptions,
): Promise<Omit<Backup, 'path' | 'bytes'>> {
  await unhurried(client);
  await client.query("SET application_name = 'bursar backup'");
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const head = await headOf(client, options.secretIds);
  const headBytes = Buffer.from(JSON.stringify(head));
  await out.frame('head', headBytes);
  const tables = await tablesOf(client);
  const parts: Part[] = [];
  for (const table of tables) {
    const onBytes = () =>
      options.onProgress?.({ table: table.name, tables: tables.length, done: parts.length, bytes: out.bytes });
    parts.push(await writeTable(client, out, table, onBytes));
    copiedPoint();
  }
  await client.query('COMMIT');
  const manifest: Manifest = { parts, headSha256: sha256(headBytes) };
  const manifestBytes = Buffer.from(JSON.stringify(manifest));
  await out.frame('manifest', manifestBytes);
  await out.frame('end', Buffer.from(sha256(manifestBytes)));
  return { head, manifest, rows: parts.reduce((sum, { rows }) => sum + rows, 0) };
}

async function headOf(client: Client, secretIds: readonly string[]): Promise<BackupHead> {
  const { rows } = await client.query<{ at: string; version: string }>(
    `SELECT to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, current_setting('server_version') AS version`,
  );
  const migrations = await client.query<BackupHead['migrations'][number]>(
    'SELECT version, name, hash FROM schema_migrations ORDER BY version',
  );
  const [{ at, version } = { at: '', version: '' }] = rows;
  return { version: VERSION, snapshotAt: at, postgres: version, migrations: migrations.rows, secretIds };
}

async function writeTable(client: Client, out: FrameWriter, table: TableHead, onBytes: () => void): Promise<Part> {
  await out.frame('table', Buffer.from(JSON.stringify(table)));
  const digest = createHash('sha256');
  const rows = client.query(copyTo(`COPY ${copied(table)} TO STDOUT (FORMAT binary)`));
  let [bytes, kept, keptBytes] = [0, [] as Buffer[], 0];
  const flush = async () => {
    if (keptBytes > 0) await out.frame('rows', Buffer.concat(kept));
    [kept, keptBytes] = [[], 0];
    onBytes();
  };
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
    kept.push(chunk);
    keptBytes += chunk.length;
    if (keptBytes >= ROWS_BYTES) await flush();
  }
  await flush();
  const { name, columns } = table;
  const part: Part = { table: name, columns, rows: rows.rowCount, bytes, sha256: digest.digest('hex') };
  await out.frame('table_end', Buffer.from(JSON.stringify(part)));
  return part;
}

class FrameWriter {
  bytes = 0;
  private readonly file: FileHandle;
  private readonly clear: ClearHead;
  private readonly cipher: FrameCipher;

  constructor(file: FileHandle, clear: ClearHead, cipher: FrameCipher) {
    this.file = file;
    this.clear = clear;
    this.cipher = cipher;
  }

  async frame(kind: FrameKind, payload: Buffer): Promise<void> {
    if (this.bytes === 0) await this.write(headLine(this.clear));
    const sealed = this.cipher.seal(kind, payload);
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeUInt8(FRAME_KINDS.indexOf(kind));
    head.writeUInt32BE(sealed.length, 1);
    await this.write(Buffer.concat([head, sealed]));
  }

  private async write(bytes: Buffer): Promise<void> {
    await this.file.writeFile(bytes);
    this.bytes += bytes.length;
  }
}
