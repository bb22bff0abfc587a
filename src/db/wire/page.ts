/**
 * One page of a list, by keyset: rows after or before a known id, in order of the primary key. Ids carry their instant
 * (UUIDv7), so `created` filters are ranges of the same key and no list needs an index of its own for them.
 */
import { encodeId, sequenceOf, uuidOf } from '../../core/ids.ts';
import type { Row, Statement } from './statement.ts';

/** The parsed parameters every list has. Instants in milliseconds. */
export interface PageQuery {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
  readonly created?: { readonly fromMs: number | undefined; readonly untilMs: number | undefined } | undefined;
}

/** A condition with `$` where its value goes: `{sql: 't.status = $', value: 'paid'}`. */
export interface Condition {
  readonly sql: string;
  readonly value: unknown;
}

/** Conditions for the filters that were given: `equal({'t.status': query.status})` leaves the absent ones out. A list is any of its values. */
export function equal(filters: Readonly<Record<string, unknown>>): Condition[] {
  return Object.entries(filters).flatMap(([column, value]): Condition[] => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [{ sql: `${column} = $`, value }];
    // A list of one is the statement, and so the plan, of one.
    return [value.length === 1 ? { sql: `${column} = $`, value: value[0] } : { sql: `${column} = ANY ($)`, value }];
  });
}

/** Sequences above `after`, up to `until`; `null` is no end. */
export function between({ after, until }: { readonly after: bigint; readonly until: bigint | null }): Condition[] {
  const upTo = until === null ? [] : [{ sql: 't.sequence <= $', value: until }];
  return [{ sql: 't.sequence > $', value: after }, ...upTo];
}

export interface PageSource {
  /** `payouts AS t`: the alias is always `t`. */
  readonly from: string;
  readonly columns: string;
  readonly environmentId: string;
  readonly conditions: readonly Condition[];
  /** The last column of the primary key. Ids of `sequence` lists carry it; their `created` filter is a condition. */
  readonly key?: 'id' | 'sequence';
}

/** Reads one row more than the limit, which shows whether another page follows; {@link pageOf} removes it. */
export function page(source: PageSource, query: PageQuery): Statement {
  const { key = 'id' } = source;
  const cursor = (id: string) => (key === 'id' ? uuidOf(id) : sequenceOf(id));
  const conditions: Condition[] = [...source.conditions];
  const descending = (query.order === 'desc') !== (query.ending_before !== undefined);
  const at = query.starting_after ?? query.ending_before;
  if (at !== undefined) conditions.push({ sql: `t.${key} ${descending ? '<' : '>'} $`, value: cursor(at) });
  const { fromMs, untilMs } = (key === 'id' && query.created) || {};
  if (fromMs !== undefined) conditions.push({ sql: 't.id >= $', value: uuidOf(firstIdAt(fromMs)) });
  if (untilMs !== undefined) conditions.push({ sql: 't.id < $', value: uuidOf(firstIdAt(untilMs)) });
  const values: unknown[] = [uuidOf(source.environmentId)];
  const where = conditions.map(({ sql, value }) => {
    values.push(value);
    return sql.replaceAll('$', `$${values.length}`);
  });
  // The limit is a literal: for LIMIT $n a generic plan expects a tenth of the table and sorts it.
  const text = `SELECT ${source.columns} FROM ${source.from} WHERE ${['t.environment_id = $1', ...where].join(' AND ')} ORDER BY t.environment_id ${descending ? 'DESC' : 'ASC'}, t.${key} ${descending ? 'DESC' : 'ASC'} LIMIT ${query.limit + 1}`;
  return { name: nameOf(text), text, values };
}

/** The rows of the page in list order, and whether more rows follow in the direction of the query. */
export function pageOf(rows: readonly Row[], query: PageQuery): { rows: readonly Row[]; hasMore: boolean } {
  const kept = rows.slice(0, query.limit);
  return { rows: query.ending_before === undefined ? kept : kept.toReversed(), hasMore: rows.length > query.limit };
}

/** The smallest id of an instant: no random bits, no counter. */
export function firstIdAt(atMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.min(Math.max(0, atMs), 2 ** 48 - 1), 0, 6);
  return encodeId('evt', bytes);
}

/** Names of prepared list statements, by text. */
const names = new Map<string, string>();
const MAX_NAMES = 500;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) return '';
  const name = `page_${names.size + 1}`;
  names.set(text, name);
  return name;
}
