/**
 * Loading rows by primary key, set-based. Written as a LATERAL with LIMIT so that a generic plan made while the table
 * was small still goes by the primary key (architecture, "Measured").
 */
import { uuids } from './columns.ts';
import type { Key, Statement } from './statement.ts';

/** The load of `table` by (environment_id, id). `columns` are those of `alias`. */
export function keyed(table: string, columns: string, alias: string): (keys: readonly Key[]) => Statement {
  const text = `SELECT ${columns} FROM unnest($1::uuid[], $2::uuid[]) AS k (environment_id, id)
    CROSS JOIN LATERAL (SELECT * FROM ${table} t
      WHERE t.environment_id = k.environment_id AND t.id = k.id LIMIT 1) AS ${alias}`;
  return (keys) => ({
    name: `load_${table}`,
    text,
    values: [uuids(keys.map((key) => key.environmentId)), uuids(keys.map((key) => key.id))],
  });
}
