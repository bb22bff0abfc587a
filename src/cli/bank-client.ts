/**
 * The API of a running server, for the commands about banks. Objects are as the server wrote them, so their amounts in major units are
 * numbers, whatever the type says: use those in minor units. Next: `bank.ts`, `bank-folders.ts`.
 */
import { constants, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatementFile } from '../../client/src/bursar.ts';
import { Exit } from '../operator/exit.ts';
import { connect, pageAt, type RemoteOptions } from './remote/connection.ts';

export type BankClient = Awaited<ReturnType<typeof bankClient>>;

/** Throws `UsageError` where nothing says which server. The methods throw what the client throws: say it with `asking`. */
export async function bankClient(options: RemoteOptions) {
  const { bursar } = await connect(options);
  const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
  const send = <T>(path: string, type: string, body: string | Blob, timeout?: number) =>
    json<T>(bursar.request('POST', path, { body, headers: { 'Content-Type': type }, ...(timeout && { timeout }) }));
  async function* all<T>(path: string): AsyncGenerator<T> {
    for (let at: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=100`; at !== null; ) {
      const { raw, next }: Awaited<ReturnType<typeof pageAt>> = await pageAt(bursar, at);
      yield* raw as readonly T[];
      at = next;
    }
  }
  return {
    get: <T>(path: string): Promise<T> => json(bursar.request('GET', path)),
    /** Every object of a list, newest first. */
    all,
    async whole<T>(path: string): Promise<readonly T[]> {
      const found: T[] = [];
      for await (const each of all<T>(path)) found.push(each);
      return found;
    },
    download: async (path: string) => Buffer.from(await (await bursar.request('GET', path)).arrayBuffer()),
    post: <T>(path: string, body: object): Promise<T> => send(path, 'application/json', JSON.stringify(body)),
    /** Sends a file as it is read. The answer comes when the server has read it: within a minute, and a second for each megabyte. */
    async upload<T>(path: string, file: string): Promise<T> {
      const body = await blobOf(file);
      return send(path, 'application/octet-stream', body, 60_000 + body.size / 1_000);
    },
  };
}

/** The file, which is read as it is sent. Throws `Exit` where that cannot be. */
async function blobOf(file: string): Promise<Blob> {
  try {
    if ((await stat(file)).isDirectory())
      throw new Exit(
        'failed',
        'It is a folder. Name its files, such as FOLDER/*. To have a folder looked through again and again: bursar bank watch FOLDER',
      );
    await access(file, constants.R_OK);
    return await openAsBlob(file);
  } catch (error) {
    if (error instanceof Exit) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Exit('failed', code === 'ENOENT' ? 'There is no such file.' : `The file cannot be read (${code}).`);
  }
}

/** Waits until the server has read an upload to its end. `encoding`: of a file that does not say its own. */
export async function importedDocument(
  client: BankClient,
  file: string,
  onWait: () => void,
  encoding?: string,
): Promise<StatementFile> {
  const query = encoding === undefined ? '' : `?encoding=${encodeURIComponent(encoding.toLowerCase())}`;
  let document = await client.upload<StatementFile>(`/v1/statement_files${query}`, file);
  while (document.status === 'importing') {
    onWait();
    await sleep(1_000);
    document = await client.get(`/v1/statement_files/${document.id}`);
  }
  return document;
}
