/**
 * Loading rows by primary key, set-based. Written as a LATERAL with LIMIT so that a generic plan made while the table
 * was small still goes by the primary key (architecture, "Measured").
 */
import { uuids } from './columns.ts';
import type { Key, Statement } from './statement.ts';
import { unnest } from './unnest.ts';

/** Parameters $1 and $2 as rows of `environment_id` and `id`. */
export const KEYS = unnest({ environment_id: 'uuid', id: 'uuid' });

/** The load of `table` by (environment_id, id). `columns` are those of `alias`. */
export function keyed(table: string, columns: string, alias: string): (keys: readonly Key[]) => Statement {
  const text = `SELECT ${columns} FROM ${KEYS} AS k
    CROSS JOIN LATERAL (SELECT * FROM ${table} t
      WHERE t.environment_id = k.environment_id AND t.id = k.id LIMIT 1) AS ${alias}`;
  return (keys) => ({
    name: `load_${table}`,
    text,
    values: [uuids(keys.map((key) => key.environmentId)), uuids(keys.map((key) => key.id))],
  });
}
