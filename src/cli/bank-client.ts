/**
 * The API of a running server, for the commands about banks: as all other remote commands find it (`cli/remote/connection.ts`), through the typed client. Objects
 * are as the server wrote them. Next: `bank.ts`, `bank-folders.ts`.
 */
import { openAsBlob } from 'node:fs';
import { connect, type RemoteOptions } from './remote/connection.ts';
import type { Json } from './remote/output.ts';

export interface BankClient {
  get(path: string): Promise<Json>;
  /** The bytes of an answer. */
  download(path: string): Promise<Buffer>;
  post(path: string, body: Json): Promise<Json>;
  /** Sends a file as it is read. */
  upload(path: string, file: string): Promise<Json>;
  /** Every object of a list, newest first. */
  all(path: string): AsyncGenerator<Json>;
  /** The same at once. */
  whole(path: string): Promise<readonly Json[]>;
}

/** Throws `UsageError` where nothing says which server, and what the client throws: say it with `asking`. */
export async function bankClient(options: RemoteOptions): Promise<BankClient> {
  const { bursar } = await connect(options);
  const json = async (response: Promise<Response>) => (await (await response).json()) as Json;
  const get = (path: string) => json(bursar.request('GET', path));
  async function* all(path: string): AsyncGenerator<Json> {
    const joined = path.includes('?') ? '&' : '?';
    for (let after = ''; ; ) {
      const page = await get(`${path}${joined}limit=100${after}`);
      const data = page['data'] as readonly Json[];
      yield* data;
      if (page['has_more'] !== true) return;
      after = `&starting_after=${data.at(-1)?.['id'] as string}`;
    }
  }
  return {
    get,
    all,
    whole: async (path) => {
      const found: Json[] = [];
      for await (const each of all(path)) found.push(each);
      return found;
    },
    download: async (path) => Buffer.from(await (await bursar.request('GET', path)).arrayBuffer()),
    post: (path, body) => {
      const headers = { 'Content-Type': 'application/json' };
      return json(bursar.request('POST', path, { body: JSON.stringify(body), headers }));
    },
    upload: async (path, file) => {
      const headers = { 'Content-Type': 'application/octet-stream' };
      const body = await openAsBlob(file);
      return json(bursar.request('POST', path, { body, headers, timeoutMs: uploadMs(body.size) }));
    },
  };
}

/** How long the answer to an upload may take: it comes when the server has read all of it. A minute, and a second more for each megabyte. */
const uploadMs = (bytes: number): number => 60_000 + bytes / 1_000;

/** Waits until the server has read an upload to its end. */
export async function importedDocument(client: BankClient, file: string, onWait: () => void): Promise<Json> {
  let document = await client.upload('/v1/bank/documents', file);
  while (document['status'] === 'importing') {
    onWait();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    document = await client.get(`/v1/bank/documents/${document['id'] as string}`);
  }
  return document;
}
