/** Hands a statement file in and waits until it is imported: on a slow machine the service answers before, and imports on. */
import { eventually } from '../harness/eventually.ts';
import type { Client, Reply } from '../harness/http.ts';
import { bundleReaders } from './bundled-reader.ts';

bundleReaders();
const PATIENCE_MS = 300_000;

/** The answer once nothing is imported any more: a refusal, or the document as it then is. */
export async function handedIn(client: Client, file: string | Uint8Array, type = 'application/xml'): Promise<Reply> {
  const reply = await client.send('POST', '/v1/statement_files', file, { 'content-type': type });
  if (reply.status !== 200 || reply.json['status'] !== 'importing') return reply;
  const path = `/v1/statement_files/${reply.json['id'] as string}`;
  const isOver = async () => {
    const later = await client.get(path);
    return later.json['status'] !== 'importing' && later;
  };
  return eventually('the statement file is imported', isOver, { patienceMs: PATIENCE_MS });
}
