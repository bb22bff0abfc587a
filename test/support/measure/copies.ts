/**
 * A long history made by SQL: copies of rows that the service made itself, spread over days that have gone. For tests of how quick reads are;
 * the books of such an environment do not add up.
 */
import type pg from 'pg';

export interface Copies {
  readonly table: string;
  /** The row that is copied, a condition. */
  readonly of: string;
  readonly count: number;
  /** By column what stands in it instead, of `n` from 1; `s` is the row that is copied. */
  readonly set: Readonly<Record<string, string>>;
}

/** Rejects where there is no such row. */
export async function copied(client: pg.Client, { table, of, count, set }: Copies): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const columns = rows.map(({ name }) => name);
  const values = columns.map((column) => set[column] ?? `s.${column}`);
  const { rowCount } = await client.query(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')}
      FROM (SELECT * FROM ${table} WHERE ${of} LIMIT 1) AS s, generate_series(1, ${count}) AS n`,
  );
  if (rowCount !== count) throw new Error(`${rowCount ?? 0} copies of ${table} were made: no row is like ${of}.`);
}

/** Instants of `count` copies, evenly from so many days ago until now, as SQL of `n`. `kind`: a digit; ids of two kinds never meet. */
export function spread(days: number, count: number) {
  const startS = Math.floor(Date.now() / 1000) - days * 86_400;
  const ms = `(${startS}::int8 * 1000 + (n * ${((days * 86_400_000 - 60_000) / count).toFixed(6)})::int8)`;
  return {
    at: `to_timestamp(${ms} / 1000.0)`,
    id: (kind: number) => `(lpad(to_hex(${ms}), 12, '0') || '7000800${kind}' || lpad(to_hex(n), 12, '0'))::uuid`,
  };
}
