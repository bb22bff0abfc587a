/** Loads rows by primary key. A LATERAL with LIMIT, so that a generic plan of a small table still uses the key. */
import { uuids } from './columns.ts';
import type { Key, Statement } from './statement.ts';
import { unnest } from './unnest.ts';

/** Parameters $1 and $2 as rows `k` of `environment_id` and `id`; {@link valuesOf} gives their values. */
export const KEYS = `${unnest({ environment_id: 'uuid', id: 'uuid' })} AS k`;

export const valuesOf = (keys: readonly Key[]): Buffer[] => [
  uuids(keys.map(({ environmentId }) => environmentId)),
  uuids(keys.map(({ id }) => id)),
];

export type Load = (keys: readonly Key[]) => Statement;

export function byKeys(name: string, columns: string, joins: string): Load {
  const text = `SELECT ${columns} FROM ${KEYS} ${joins}`;
  return (keys) => ({ name, text, values: valuesOf(keys) });
}

/** Joins the row of `table` with this id, as `alias`; `id` is an expression such as `k.id`. */
const join = (table: string, alias: string, id: string) =>
  `CROSS JOIN LATERAL (SELECT * FROM ${table} r WHERE r.environment_id = k.environment_id AND r.id = ${id} LIMIT 1) AS ${alias}`;

interface Readable {
  readonly name: string;
  columns(alias: string): string;
}

export function keyed({ name, columns }: Readable): Load {
  return byKeys(`load_${name}`, columns('t'), join(name, 't', 'k.id'));
}

/** The rows that other rows refer to with `column`, by the keys of those others: the accounts of payouts. */
export function keyedOf({ name, columns }: Readable, others: { readonly name: string }, column: string): Load {
  const joins = `${join(others.name, 'o', 'k.id')} ${join(name, 't', `o.${column}`)}`;
  return byKeys(`load_${name}_of_${others.name}`, columns('t'), joins);
}
