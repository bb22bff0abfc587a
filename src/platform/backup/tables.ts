/** Which tables a backup holds, in an order in which rows can be inserted again: a table after those that its foreign keys name. */
import type { Client } from 'pg';
import type { TableHead } from './manifest.ts';

/**
 * Of this database alone: leases lapse, migrations are what a restore begins with, backups and verifications are its own, and daily sums
 * are made anew from the transfers. The request log, which is in partitions, is no part of the books and left out as well: it would be most
 * of the file, and days old when it is needed.
 */
const LEFT_OUT = ['worker_leases', 'schema_migrations', 'backups', 'verifications', 'daily_sums', 'summary_state'];

/** Of a session that reads or loads everything. */
export async function unhurried(client: Client): Promise<void> {
  await client.query("SET statement_timeout = 0; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = 0");
  await client.query("SET TimeZone = 'UTC'");
}

export async function tablesOf(client: Client): Promise<TableHead[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; needs: string[] }>(
    `SELECT c.relname AS name,
      array(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
      array(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid WHERE k.conrelid = c.oid AND k.contype = 'f') AS needs
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition AND c.relname <> ALL ($1) ORDER BY 1`,
    [LEFT_OUT],
  );
  const done = new Set<string>();
  const ordered: TableHead[] = [];
  while (ordered.length < rows.length) {
    const ready = rows.filter(
      ({ name, needs }) => !done.has(name) && needs.every((each) => done.has(each) || each === name),
    );
    if (ready.length === 0) throw new Error('Foreign keys of the tables form a circle.');
    for (const { name, columns } of ready) {
      done.add(name);
      ordered.push({ name, columns });
    }
  }
  return ordered;
}

/** `"payouts" ("id", "amount")`, for COPY. Names come from the catalogue, or from a file that names only what the catalogue has. */
export const copied = ({ name, columns }: TableHead): string =>
  `"${name}" (${columns.map((column) => `"${column}"`).join(', ')})`;
