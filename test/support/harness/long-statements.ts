/**
 * Accounts with very many lines, on a real server process whose heap is small: for statements that must not be held in memory. Small:
 * `test/long/statement-heap.test.ts` and `test/long/small/statement-pdf.test.ts`; at full size, with limits in MB: the same names in `test/long/`.
 */
import { get, type IncomingMessage } from 'node:http';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { withClient } from '../model/audit.ts';
import { createDatabase } from './database.ts';
import { makeKey, type ServerProcess, startServer } from './server-process.ts';
import { createTenant } from './tenant-fixture.ts';

/** Megabytes. A server of Node.js that may have more grows under any load, because it collects garbage late. */
export const HEAP_MB = 64;
export const HEAP = `--max-old-space-size=${HEAP_MB}`;

export interface LongStatements {
  readonly server: ServerProcess;
  /** One for each number of lines, in their order. */
  readonly accounts: readonly string[];
  /** A statement whose body nobody has read yet. */
  open(account: string, format: 'csv' | 'pdf'): Promise<IncomingMessage>;
  /** The lines of one as CSV; rejects with the log of the server when it is cut. */
  linesOf(reply: IncomingMessage): Promise<CountedLines>;
  stop(): Promise<void>;
}

export async function startLongStatements(lines: readonly number[]): Promise<LongStatements> {
  const database = await createDatabase();
  // No clock cuts off a reader: beside other work all of them are slow.
  const env = { NODE_OPTIONS: HEAP, BURSAR_LOG_LEVEL: 'info' };
  const server = await startServer({ databaseUrl: database.url, patient: true, env });
  const tenant = await createTenant(database.url, server.address);
  const { key } = await makeKey(database.url);
  const accounts: string[] = [];
  await withClient(database.url, async (owner) => {
    for (const count of lines) {
      const account = await tenant.account('EUR', '1');
      accounts.push(account);
      // Behind the funding of the account, by one cent each.
      await owner.query(
        `INSERT INTO transfers (environment_id, id, debit_account, credit_account, amount, currency, cause, credit_balance_after, created_at)
         SELECT t.environment_id, (left(t.id::text, 13) || '-7fff-8000-' || lpad(to_hex(n), 12, '0'))::uuid, t.debit_account,
           t.credit_account, 1, 'EUR', 'funding', t.credit_balance_after + n, t.created_at
         FROM transfers t, generate_series(1, ${count}) n WHERE t.credit_account = $1`,
        [uuidOf(account)],
      );
      await owner.query(`UPDATE accounts SET balance = balance + ${count} WHERE id = $1`, [uuidOf(account)]);
    }
    await owner.query('ANALYZE transfers');
  });
  return {
    server,
    accounts,
    open(account, format) {
      const url = `${server.address}/v1/accounts/${account}/statement?format=${format}`;
      return new Promise((resolve, reject) =>
        get(url, { headers: { authorization: `Bearer ${key}` } }, resolve).on('error', reject),
      );
    },
    linesOf: (reply) =>
      linesOf(reply).catch((cause: unknown) => {
        throw new Error(`The statement was cut: ${server.output()}`, { cause });
      }),
    async stop() {
      tenant.client.close();
      await server.stop();
      await database.drop();
    },
  };
}

export interface CountedLines {
  readonly lines: number;
  readonly bytes: number;
  /** The last 200 characters. */
  readonly end: string;
}

/** Line breaks, and the end of the text. */
async function linesOf(reply: IncomingMessage): Promise<CountedLines> {
  let [lines, bytes, end] = [0, 0, ''];
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    bytes += chunk.length;
    end = (end + chunk.subarray(-200).toString()).slice(-200);
  }
  return { lines, bytes, end };
}

export async function bytesOf(reply: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Pages of a PDF, by what it says of itself. */
export const pagesOf = (bytes: Buffer) => Number(/\/Type \/Pages\n\/Count (\d+)/.exec(bytes.toString('latin1'))?.[1]);
