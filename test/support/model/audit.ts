/** What `bursar verify` finds in a database of a test, in words; and connections as the owner. The checks: `src/verify/verify.ts`. */
import pg from 'pg';
import type { Run } from '../../../src/verify/check.ts';
import { inWords, type Verdict, verdicts, verify } from '../../../src/verify/verify.ts';

/** Complaints about everything a database holds; empty when all is well. Reads one snapshot; the server may be running. */
export function auditDatabase(url: string): Promise<string[]> {
  return withClient(url, (client) => complaintsOf(verify(runOn(client))));
}

/** The same in a transaction that is open. */
export const audit = (client: pg.Client): Promise<string[]> => complaintsOf(verdicts(runOn(client)));

const runOn =
  (client: pg.Client): Run =>
  async (text, values = []) =>
    values.length === 0
      ? (await client.query<object>(text)).rows
      : (await client.query<object>(text, [...values])).rows;

/** One for each rule that does not hold: how often, and the first break. */
async function complaintsOf(all: AsyncIterable<Verdict>): Promise<string[]> {
  const complaints: string[] = [];
  for await (const { damages, counts } of all) {
    const [first] = damages;
    const times = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (first !== undefined) complaints.push(`${inWords(first)} ${times} times.`);
  }
  return complaints;
}

/** Rows of any statement, as the owner; integers as `pg` gives them, so cast to int what is to be compared. */
export async function rowsOf<R extends object>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  return withClient(url, async (client) => (await client.query(sql, values)).rows as R[]);
}

/** A connection of its own, as the owner, for the time of the work. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
