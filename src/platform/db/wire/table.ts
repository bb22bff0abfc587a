/**
 * A table by its columns, `environment_id` first: set-based INSERT and UPDATE, each run once a batch, and the load by
 * id. Other loads are in each slice's `sql.ts`. Next: `columns.ts`, the wire format.
 */
import {
  type ColumnType,
  type Field,
  type Fields,
  type ObjectOf,
  type ObjectType,
  snakeCase,
} from '../../../core/fields.ts';
import { idOf } from '../../../core/values/ids.ts';
import { int2s, int4s, int8s, texts, timestamps, uuids } from './columns.ts';
import { type Load, keyed } from './keyed.ts';
import type { Row, Scoped, Statement } from './statement.ts';
import { unnest, type WireType } from './unnest.ts';

const ENCODERS = {
  uuid: uuids,
  int8: int8s,
  int4: int4s,
  int2: int2s,
  timestamptz: timestamps,
  text: texts,
  jsonb: texts,
  date: texts,
  boolean: texts,
  bytea: texts,
  'text[]': texts,
} as const satisfies Record<ColumnType, unknown>;
type TravelsAsText = 'text' | 'jsonb' | 'date' | 'boolean' | 'bytea' | 'text[]';
type ValueOf<C extends ColumnType> = Parameters<(typeof ENCODERS)[C]>[0][number];

export interface Column<T> {
  readonly type: ColumnType;
  readonly mutable: boolean;
  encode(objects: readonly T[]): Buffer;
}

/** A column that never changes after the insert. */
export function column<T, C extends ColumnType>(type: C, value: (object: T) => ValueOf<C>): Column<T> {
  const encoder = ENCODERS[type] as (values: readonly ValueOf<C>[]) => Buffer;
  return { type, mutable: false, encode: (objects) => encoder(objects.map(value)) };
}

export function mutable<T, C extends ColumnType>(type: C, value: (object: T) => ValueOf<C>): Column<T> {
  return { ...column(type, value), mutable: true };
}

export interface Table<T> {
  readonly name: string;
  readonly changing: readonly string[];
  /** Column list for a SELECT, with the alias of the table in front of each; `prefix` is put in front of their names. */
  columns(alias: string, prefix?: string): string;
  /** By (environment_id, id). */
  readonly load: Load;
  insert(rows: readonly Scoped<T>[]): Statement;
  /** By (environment_id, id); rows must be distinct. */
  update(rows: readonly Scoped<T>[]): Statement;
}

/** `columns` by SQL name, `environment_id` apart. */
export function table<T>(name: string, columns: Readonly<Record<string, Column<T>>>): Table<T> {
  const entries = Object.entries(columns);
  const kept = entries.filter(([column, { mutable }]) => mutable || column === 'id');
  const names = entries.map(([column]) => column);
  const columnsOf = (alias: string, prefix?: string) =>
    ['environment_id', ...names]
      .map((column) => `${alias}.${column}${prefix === undefined ? '' : ` AS ${prefix}${column}`}`)
      .join(', ');
  return {
    name,
    changing: kept.flatMap(([column, { mutable }]) => (mutable ? [column] : [])),
    columns: columnsOf,
    load: keyed({ name, columns: columnsOf }),
    insert: rowsStatement(`insert_${name}`, entries, ({ rows, fields }) => {
      const values = fields.map(({ column, cast }) => `v.${column}${cast}`);
      return `INSERT INTO ${name} (${['environment_id', ...names].join(', ')}) SELECT v.environment_id, ${values.join(', ')} FROM ${rows}`;
    }),
    update: rowsStatement(`update_${name}`, kept, ({ rows, fields }) => {
      const sets = fields
        .filter(({ column }) => column !== 'id')
        .map(({ column, cast }) => `${column} = v.${column}${cast}`);
      return `UPDATE ${name} AS t SET ${sets.join(', ')} FROM ${rows} WHERE t.environment_id = v.environment_id AND t.id = v.id`;
    }),
  };
}

export interface ObjectTable<T> extends Table<T> {
  /** The object of a row that was selected with {@link Table.columns}, with the same `prefix`. */
  read(row: Row, prefix?: string): T;
}

/**
 * A column a stored field, beside `id` and `created_at`. `written`: columns without a field that are never read back.
 */
export function tableOf<K extends string, F extends Fields>(
  { object, prefix: idPrefix, fields }: ObjectType<K, F>,
  name: string,
  written: Readonly<Record<string, Column<ObjectOf<ObjectType<K, F>>>>> = {},
): ObjectTable<ObjectOf<ObjectType<K, F>>> {
  type T = ObjectOf<ObjectType<K, F>>;
  const stored = Object.entries(fields).filter((entry): entry is [string, Field<unknown>] => entry[1].column !== null);
  const named = stored.map(([property, { column }]) => ({
    property,
    column,
    name: column.name ?? snakeCase(property),
  }));
  const columns = named.map(({ property, column: { type, mutable, encode }, name }) => {
    const value = (each: T) => encode((each as Readonly<Record<string, unknown>>)[property]);
    return [name, { ...column<T, ColumnType>(type, value), mutable }] as const;
  });
  const kept: Readonly<Record<string, Column<T>>> = {
    id: column('uuid', (each) => each.id),
    ...Object.fromEntries(columns),
    created_at: column('timestamptz', (each) => each.createdAt),
  };
  const { columns: columnsOf, load } = table<T>(name, kept);
  return {
    ...table<T>(name, { ...kept, ...written }),
    columns: columnsOf,
    load,
    read(row, prefix = '') {
      const values: Record<string, unknown> = {
        object,
        id: idOf(idPrefix, row[`${prefix}id`] as string),
        createdAt: row[`${prefix}created_at`],
      };
      for (const { property, column, name } of named) values[property] = column.decode(row[prefix + name]);
      return values as T;
    },
  };
}

interface Source {
  readonly rows: string;
  readonly fields: readonly { readonly column: string; readonly cast: string }[];
}

/** A statement over one array a column. jsonb, date, boolean, bytea and text[] travel as text and are cast row by row. */
function rowsStatement<T>(
  name: string,
  entries: readonly (readonly [string, Column<T>])[],
  write: (source: Source) => string,
): (rows: readonly Scoped<T>[]) => Statement {
  const isText = (type: ColumnType): type is TravelsAsText => ENCODERS[type] === texts;
  const travels = entries.map(([column, { type }]) => [column, isText(type) ? 'text' : type] as const);
  const text = write({
    rows: `${unnest({ environment_id: 'uuid', ...Object.fromEntries(travels) })} AS v`,
    fields: entries.map(([column, { type }]) => ({ column, cast: isText(type) && type !== 'text' ? `::${type}` : '' })),
  });
  return (rows) => {
    const objects = rows.map((row) => row.object);
    return {
      name,
      text,
      values: [uuids(rows.map((row) => row.environmentId)), ...entries.map(([, column]) => column.encode(objects))],
    };
  };
}

/** The environment of a row, as the first column of {@link overRows}. */
export const ofEnvironment = column('uuid', (each: { readonly environmentId: string }) => each.environmentId);

/** A statement over rows as they are given, one array a column, whose types travel as they are. `write` makes the text around `rows`. */
export function overRows<T>(
  name: string,
  columns: Readonly<Record<string, Column<T>>>,
  write: (rows: string) => string,
): (given: readonly T[]) => Statement {
  const all = Object.values(columns);
  const types = Object.entries(columns).map(([each, { type }]) => [each, type as WireType]);
  const text = write(unnest(Object.fromEntries(types) as Record<string, WireType>));
  return (given) => ({ name, text, values: all.map((each) => each.encode(given)) });
}

/** Metadata as jsonb. */
export function json(value: object): string {
  return JSON.stringify(value);
}
