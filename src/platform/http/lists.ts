/**
 * Parameters, envelope and `Link` header of lists. Pages follow ids, never offsets, so rows created between two requests neither
 * repeat nor hide others. Source: contract, section 4.
 */
import type { Prefix } from '../../core/values/ids.ts';
import { type Choice, type Notation, type Param, paramError, type Tree } from './request/param.ts';
import * as param from './request/params.ts';
import { optional, type Params, type Parsed, params } from './request/params.ts';
import { CSV_TYPE, csvFile, csvLine, orderedRow } from './csv.ts';
import type { Answer, CsvOrder } from './route.ts';

const MAX_LIMIT = 100;

function common(prefix: Prefix, defaultLimit: number) {
  const cursor = (description: string) => param.id(prefix, { description });
  const order = { description: 'By creation: newest first, or oldest first.' };
  return {
    limit: param.withDefault(
      param.integer({ description: `How many to return, 1 to ${MAX_LIMIT}.`, min: 1, max: MAX_LIMIT }),
      defaultLimit,
    ),
    ...optional({
      starting_after: cursor('The page begins after this id.'),
      ending_before: cursor('The page ends before this id.'),
    }),
    order: param.withDefault(param.oneOf(['asc', 'desc'], order), 'desc'),
    ...optional({ created: param.instantFilter({ description: 'Created at, or within bounds, in Unix seconds.' }) }),
  };
}

/** The one parameter of a list that has no pages, because there are never many: how many of them, from the first. */
export const wholeLimit = optional({
  limit: param.integer({
    description: `How many to return, the first 1 to ${MAX_LIMIT}. Left out: all. There are no pages.`,
    min: 1,
    max: MAX_LIMIT,
  }),
});
export const wholeListParams = params(wholeLimit);
export interface WholeQuery {
  readonly limit: number | undefined;
}

type Common = ReturnType<typeof common>;
/** Every list's parameters, parsed. Exactly one of `starting_after` and `ending_before`, or neither. */
export type ListQuery = Parsed<Common>;

type Filters = Readonly<Record<string, Param<unknown>>>;

/** What filters parse to: of a choice, one value or several. */
type Filtered<F extends Filters> = {
  readonly [K in keyof F]: F[K] extends Choice<infer T>
    ? T | readonly NonNullable<T>[]
    : F[K] extends Param<infer T>
      ? T
      : never;
};

const MAX_FILTER_VALUES = 100;

/** One value, as before, or several: `status[]=pending&status[]=paid`. */
export function severally<T>(inner: Choice<T>): Param<T | readonly NonNullable<T>[]> {
  const values = param.list(inner as Param<NonNullable<T>>, { description: inner.description, max: MAX_FILTER_VALUES });
  const parse = (value: Tree, path: string, notation: Notation) =>
    typeof value === 'object' && value !== null
      ? [...new Set(values.parse(value, path, notation))]
      : inner.parse(value, path, notation);
  const { isChoice: _, ...one } = inner;
  const { faultsIn } = values;
  return { ...one, parse, ...(faultsIn && { faultsIn }), mostValues: MAX_FILTER_VALUES };
}

const isChoice = (filter: Param<unknown>): filter is Choice<unknown> => 'isChoice' in filter;

/**
 * For objects whose ids begin with `prefix`; all `filters` are optional. `parameter_conflict` for both cursors at once.
 */
export function listParams<F extends Filters>(
  prefix: Prefix,
  filters: F,
  defaultLimit = 10,
): Params<ListQuery & Filtered<F>> {
  const own = Object.entries(filters).map(([name, each]) => [name, isChoice(each) ? severally(each) : each] as const);
  const fields = { ...common(prefix, defaultLimit), ...optional(Object.fromEntries(own)) };
  const check = ({ starting_after, ending_before }: ListQuery) => {
    if (starting_after === undefined || ending_before === undefined) return;
    const message = 'starting_after and ending_before exclude each other. Send one of them.';
    throw paramError('parameter_conflict', 'ending_before', message);
  };
  return params(fields, check, ['parameter_conflict', 'resource_missing']) as unknown as Params<
    ListQuery & Filtered<F>
  >;
}

/** One page of rendered objects, in list order. `hasMore`: rows follow in the direction of the query. The last page is `{"data":[…]}` alone. */
/** A list without pages: all rows, or the first `limit` of them. */
export const renderWhole = (
  rows: readonly string[],
  call: Parameters<typeof renderList>[2] & { readonly query: WholeQuery },
): Answer => renderList(call.query.limit === undefined ? rows : rows.slice(0, call.query.limit), false, call);

export function renderList(
  rows: readonly string[],
  hasMore: boolean,
  call: { readonly url: string; baseUrl(this: void): string; readonly csv?: CsvOrder | null },
  lastId?: string,
  firstId?: string,
): Answer {
  const link = linkOf(call, hasMore, lastId, firstId ?? lastId);
  const headers = link === null ? undefined : { Link: link };
  if (call.csv) {
    const { csv } = call;
    const body = csv.bom + csvLine(csv.columns) + rows.map((row) => orderedRow(csv, row)).join('');
    return { status: 200, body, contentType: CSV_TYPE, headers: { ...csvFile(call.url), ...headers } };
  }
  const body = `{"data":[${rows.join(',')}]${hasMore && lastId !== undefined ? ',"has_more":true' : ''}}`;
  return headers === undefined ? { status: 200, body } : { status: 200, body, headers };
}

/**
 * The `Link` header of a page (RFC 8288): `next` follows in the order of the list, `prev` comes before. A page that was asked for by a
 * cursor has the row of the cursor on one side; `hasMore` speaks of the other. `null`: the page is the whole list, or empty.
 */
function linkOf(
  { url, baseUrl }: { readonly url: string; baseUrl(this: void): string },
  hasMore: boolean,
  lastId: string | undefined,
  firstId: string | undefined,
): string | null {
  if (lastId === undefined || firstId === undefined) return null;
  const mark = url.indexOf('?');
  const isBackwards = mark !== -1 && BACKWARDS.test(url);
  const isForwards = mark !== -1 && FORWARDS.test(url);
  if (!hasMore && !isBackwards && !isForwards) return null;
  const links = [
    ...(hasMore || isBackwards ? [`starting_after=${lastId}`] : []),
    ...((isBackwards && hasMore) || isForwards ? [`ending_before=${firstId}`] : []),
  ];
  const [path = '', query = ''] = url.split('?', 2);
  const kept = query.split('&').filter((pair) => pair !== '' && !/^(?:starting_after|ending_before)=/.test(pair));
  return links
    .map((cursor) => {
      const target = `${path}?${[...kept, cursor].join('&').replaceAll('>', '%3E')}`;
      return `<${baseUrl()}${target}>; rel="${cursor.startsWith('starting') ? 'next' : 'prev'}"`;
    })
    .join(', ');
}

const BACKWARDS = /[?&]ending_before=/;
const FORWARDS = /[?&]starting_after=/;
