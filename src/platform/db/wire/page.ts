/**
 * One page of a list, by keyset: rows after or before a known id, in order of the primary key, or of `sequence`. Ids carry their instant
 * (UUIDv7), so `created` filters are ranges of the same key and no list needs an index of its own for them.
 */
import { encodeId, sequenceOf, uuidOf } from '../../../core/values/ids.ts';
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
  /** Of several values, by {@link inOrder}: the condition on one, `each.value`, and the type of a value. */
  readonly each?: { readonly sql: string; readonly type: string };
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

/** A page reads at most the square of it. */
const MAX_MERGED_VALUES = 100;

/**
 * The condition of a filter that has an index in the order of the list, such as `(environment_id, column, id)`. A page
 * of several values reads each in that order, up to the limit, and merges them. Else PostgreSQL sorts all of them, or
 * walks the whole list.
 */
export function inOrder(column: string, type: 'uuid' | 'text' | 'bigint', given: unknown): Condition[] {
  const [condition] = equal({ [column]: given });
  if (condition === undefined) return [];
  const { value } = condition;
  if (!Array.isArray(value) || value.length > MAX_MERGED_VALUES) return [condition];
  return [{ ...condition, each: { sql: `${column} = each.value`, type } }];
}

/** Sequences above `after`, up to `until`; `null` is no end. */
export function between({ after, until }: { readonly after: bigint; readonly until: bigint | null }): Condition[] {
  const upTo = until === null ? [] : [{ sql: 't.sequence <= $', value: until }];
  return [{ sql: 't.sequence > $', value: after }, ...upTo];
}

/** Whether one plan does not suit all values: one filter by one value has its index, whatever the value. */
export const needOwnPlan = (filters: readonly Condition[]): boolean =>
  filters.length > 1 || filters.some(({ value, each }) => Array.isArray(value) && each === undefined);

export interface PageSource {
  /** `payouts AS t`: the alias is always `t`. */
  readonly from: string;
  readonly columns: string;
  readonly environmentId: string;
  readonly conditions: readonly Condition[];
  /** The column of the order; with `environment_id` it is an index. The `created` filter of `sequence` lists is a condition. */
  readonly key?: 'id' | 'sequence';
  /** The column that an id names: ids of events and deliveries carry a sequence. Another one than `key` needs `cursors`. */
  readonly named?: 'id' | 'sequence';
  /** A second column of the order, where several rows have the same key, and its value for the row that an id names. */
  readonly tie?: { readonly column: string; of(this: void, id: string): string };
  /** What is joined to the rows of a page alone. */
  readonly beside?: string;
  /** Where the rows are that a cursor may name. Left out: any id will do, which need not exist any more. */
  readonly cursors?: Cursors;
  /** Plan for the values of each query: which of several filters finds the fewest rows is told by them alone. */
  readonly hasOwnPlan?: boolean;
}

/** A table, and the conditions on its rows (alias `t`). The filters of the list are none of them: what a filter leaves out today was in a page of yesterday. */
export interface Cursors {
  readonly table: string;
  readonly conditions: readonly Condition[];
}

export function cursorOf(
  query: PageQuery,
): { readonly name: 'starting_after' | 'ending_before'; readonly id: string } | null {
  const { starting_after: after, ending_before: before } = query;
  if (after !== undefined) return { name: 'starting_after', id: after };
  return before === undefined ? null : { name: 'ending_before', id: before };
}

/**
 * Reads one row more than the limit, which {@link pageOf} removes. Behind a cursor that is not among `cursors` nothing
 * is found: it is looked up within the statement (10 µs of 170), so only an empty page has to ask ({@link cursorRow}).
 */
export function page(source: PageSource, query: PageQuery): Statement {
  const { key = 'id', named = key, cursors, tie, beside = '' } = source;
  const merged = query.limit > MAX_MERGED_VALUES ? undefined : source.conditions.find(({ each }) => each !== undefined);
  const conditions = source.conditions.filter((each) => each !== merged);
  const descending = (query.order === 'desc') !== (query.ending_before !== undefined);
  const at = cursorOf(query);
  const { fromMs, untilMs } = (named === 'id' && query.created) || {};
  if (fromMs !== undefined) conditions.push({ sql: 't.id >= $', value: uuidOf(firstIdAt(fromMs)) });
  if (untilMs !== undefined) conditions.push({ sql: 't.id < $', value: uuidOf(firstIdAt(untilMs)) });
  const values: unknown[] = [uuidOf(source.environmentId)];
  const numbered = numberedIn(values);
  const where = conditions.map(numbered);
  if (at !== null) {
    const known =
      cursors === undefined
        ? numbered({ sql: '$', value: namedBy(at.id, named) })
        : rowOf(at.id, source, cursors, numbered);
    const side = descending ? '<' : '>';
    where.push(
      tie === undefined
        ? `t.${key} ${side} ${known}`
        : `(t.${key}, t.${tie.column}) ${side} (${known}, ${numbered({ sql: '$::uuid', value: tie.of(at.id) })})`,
    );
  }
  const direction = descending ? 'DESC' : 'ASC';
  // The limit is a literal: for LIMIT $n a generic plan expects a tenth of the table and sorts it.
  const keys = ['environment_id', key, ...(tie === undefined ? [] : [tie.column])];
  const ordered = `ORDER BY ${keys.map((each) => `t.${each} ${direction}`).join(', ')} LIMIT ${query.limit + 1}`;
  const rows = (columns: string, also: readonly string[] = [], joined = '') =>
    `SELECT ${columns} FROM ${source.from}${joined} WHERE ${['t.environment_id = $1', ...also, ...where].join(' AND ')} ${ordered}`;
  const merge = ({ sql, type }: NonNullable<Condition['each']>, columns: string) =>
    `SELECT ${columns} FROM ${numbered({ sql: `unnest($::${type}[])`, value: merged?.value })} AS each (value)
      CROSS JOIN LATERAL (${rows('t.*', [sql])}) AS t ${ordered}`;
  const text =
    merged?.each === undefined
      ? rows(source.columns, [], beside)
      : beside === ''
        ? merge(merged.each, source.columns)
        : `SELECT ${source.columns} FROM (${merge(merged.each, 't.*')}) AS t${beside} ${ordered}`;
  return { name: source.hasOwnPlan ? '' : nameOf(text), text, values };
}

const numberedIn = (values: unknown[]) => (condition: Condition) => {
  values.push(condition.value);
  return condition.sql.replaceAll('$', `$${values.length}`);
};

const namedBy = (id: string, named: 'id' | 'sequence') => (named === 'id' ? uuidOf(id) : sequenceOf(id));

function rowOf(
  id: string,
  { key = 'id', named = key }: PageSource,
  { table, conditions }: Cursors,
  numbered: (each: Condition) => string,
): string {
  const where = [{ sql: `t.${named} = $`, value: namedBy(id, named) }, ...conditions].map(numbered);
  return `(SELECT t.${key} FROM ${table} AS t WHERE t.environment_id = $1 AND ${where.join(' AND ')})`;
}

/** A row, if the id is one that a page may begin or end with. */
export function cursorRow(source: PageSource, id: string, cursors: Cursors): Statement {
  const values: unknown[] = [uuidOf(source.environmentId)];
  const text = `SELECT WHERE ${rowOf(id, source, cursors, numberedIn(values))} IS NOT NULL`;
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

const names = new Map<string, string>();
/** List statements that PostgreSQL keeps a plan for. The others are parsed each time. */
export const MAX_NAMED_PAGES = 500;

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMED_PAGES) return '';
  const name = `page_${names.size + 1}`;
  names.set(text, name);
  return name;
}
