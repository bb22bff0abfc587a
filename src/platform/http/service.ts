/** The service that routes call: the write path, for the commands of their slice, and the readers. Made in `server/app.ts`. */
import { idOf, NAMES, type Prefix, sequenceOf, uuidOf } from '../../core/values/ids.ts';
import {
  type Condition,
  cursorOf,
  cursorRow,
  equal,
  needOwnPlan,
  page,
  pageOf,
  type PageQuery,
  type PageSource,
} from '../db/wire/page.ts';
import { uuids } from '../db/wire/columns.ts';
import type { Key, Row, Statement } from '../db/wire/statement.ts';
import { RequestError } from '../../core/values/errors.ts';
import { PAYROLL_CATEGORIES } from '../../core/rails/purposes.ts';
import { seesPayroll, shownTo } from '../../core/scopes.ts';
import { type AllExpansions, withExpanded } from './expand.ts';
import { presentOf } from './clock.ts';
import { CSV_TYPE, csvFile, csvLine, orderedRow } from './csv.ts';
import { withNames } from './csv-names.ts';
import { download, DOWNLOAD_PAGE_ROWS } from './download.ts';
import { renderList, renderWhole, type WholeQuery } from './lists.ts';
import { pathId } from './request/params.ts';
import type { Answer, Call, Caller, CsvOrder } from './route.ts';

export interface Service<Command = never> {
  /** Sends a command down the write path and answers with its outcome. Replays are marked as such. */
  write(
    call: Call<unknown, unknown>,
    command: Command,
    options?: { readonly dryRun?: boolean | undefined },
  ): Promise<Answer>;
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly expansions: AllExpansions;
}

/** The reads that most resources have: a route's handler is `retrieve` itself, or `list` with the filters of the query. */
export interface Reads<T> {
  /** The id in the path (`:id`). Throws `resource_missing`. */
  idIn(this: void, call: Call<unknown, unknown>): string;
  /** The object that the path names, by primary key. Throws `resource_missing`. */
  find(this: void, call: Call<unknown, unknown>): Promise<T>;
  retrieve(this: void, call: Call<unknown, unknown>): Promise<Answer>;
  /** Every filter of the query names a column; `ids` has the columns of ids. `also`: further conditions (alias `t`). */
  list<Q extends PageQuery>(
    this: void,
    call: Call<unknown, Q>,
    ids?: { readonly [F in keyof Q]?: string },
    also?: readonly Condition[],
  ): Promise<Answer>;
}

/**
 * The reads of a kind. `open`: where rows are sealed. `complete`: adds what further reads find, a page at a time; a whole list in CSV goes
 * without. `ofAccounts`: the condition on a row (alias `t`, uuids `$`) for
 * keys that see some accounts only. `isNumbered`: lists are in order of `sequence`, which ids do not carry.
 */
export function readsOf<T>(
  service: Service,
  kind: { readonly object: string; readonly prefix: Prefix; render(object: T, livemode: boolean): string },
  table: {
    readonly name: string;
    readonly load: (keys: readonly Key[]) => Statement;
    columns(alias: string): string;
    read(row: Row): T;
  },
  {
    open = (stored) => stored,
    complete,
    ofAccounts,
    isNumbered = false,
  }: {
    open?(this: void, stored: T): T;
    complete?(this: void, caller: Caller, found: readonly T[]): Promise<readonly T[]>;
    ofAccounts?: string;
    isNumbered?: boolean;
  } = {},
): Reads<T> {
  const what = NAMES[kind.prefix];
  const columns = table.columns('t');
  const numbered = isNumbered ? ({ key: 'sequence', named: 'id' } as const) : {};
  const idIn = (call: Call<unknown, unknown>) => pathId(call, kind.prefix);
  const renderFor = (livemode: boolean) => (row: Row) => kind.render(open(table.read(row)), livemode);
  const expanded = async (call: Call<unknown, unknown>, texts: readonly string[]) => {
    const { expand } = (call.query ?? {}) as { readonly expand?: readonly string[] };
    return expand === undefined ? texts : withExpanded(service.expansions, call.caller, texts, expand);
  };
  const find = async (call: Call<unknown, unknown>): Promise<T> => {
    const { environmentId } = call.caller;
    const id = idIn(call);
    const restricted = restrictedTo(call.caller, ofAccounts);
    const [row] = await service.rows(
      restricted.length === 0
        ? table.load([{ environmentId, id }])
        : page(
            {
              from: `${table.name} AS t`,
              columns,
              environmentId,
              conditions: [...restricted, { sql: 't.id = $', value: uuidOf(id) }],
            },
            { limit: 1, order: 'desc' },
          ),
    );
    if (!row) throw missing(what, id);
    return open(table.read(row));
  };
  return {
    idIn,
    find,
    async retrieve(call) {
      const { caller } = call;
      const found = await find(call);
      const [whole = found] = complete === undefined ? [] : await complete(caller, [found]);
      const body = kind.render(whole, caller.livemode);
      return { status: 200, body: (await expanded(call, [body]))[0] as string };
    },
    list(call, ids = {}, also = []) {
      const { environmentId, livemode } = call.caller;
      if (call.csv && 'expand' in call.query && call.query.expand !== undefined) throw noExpandedCsv();
      const restricted = restrictedTo(call.caller, ofAccounts);
      const conditions = [...also, ...restricted, ...equal(columnsOf(call.query, ids))];
      const cursors = { table: table.name, conditions: restricted };
      const hasOwnPlan = needOwnPlan(conditions);
      const source = {
        from: `${table.name} AS t`,
        columns,
        environmentId,
        conditions,
        cursors,
        hasOwnPlan,
        ...numbered,
      };
      const idOfRow = (row: Row) => idOf(kind.prefix, row['id'] as string);
      const finish = async (texts: readonly string[], rows: readonly Row[]) => {
        if (complete === undefined) return expanded(call, texts);
        const whole = await complete(
          call.caller,
          rows.map((row) => open(table.read(row))),
        );
        return whole.map((each) => kind.render(each, livemode));
      };
      return listPage(service, call, source, renderFor(livemode), idOfRow, finish);
    },
  };
}

const noExpandedCsv = () =>
  new RequestError('parameter_conflict', 'Expanded objects have no place in CSV. Leave expand out.', {
    param: 'expand',
  });

/** The condition on rows for a key that is restricted to accounts. None for other keys, and for objects without an account. */
function restrictedTo({ accounts }: Caller, ofAccounts: string | undefined): Condition[] {
  if (accounts === null || ofAccounts === undefined) return [];
  return [{ sql: ofAccounts, value: Array.from(accounts, uuidOf) }];
}

/**
 * For lists with a filter by what a key does not see of payroll (decision 0090): its rows are left out, so that it says nothing. `filters`:
 * their values.
 */
export function withoutPayroll({ scopes }: Caller, filters: readonly unknown[]): Condition[] {
  if (seesPayroll(scopes) || filters.every((each) => each === undefined)) return [];
  const sql = '(t.category_purpose IS NULL OR t.category_purpose <> ALL ($::text[]))';
  return [{ sql, value: PAYROLL_CATEGORIES }];
}

/** What every list takes beside its filters (`lists.ts`). */
const COMMON: ReadonlySet<string> = new Set(['limit', 'order', 'starting_after', 'ending_before', 'created', 'expand']);

/** The filters of a query by column, with the values of columns: the uuid of an id, the code of a currency. Several values stay several. */
function columnsOf(query: PageQuery, ids: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const given = Object.entries(query).filter(([name, value]) => !COMMON.has(name) && value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]: [string, Filter | readonly Filter[]]) => {
      const id = ids[name];
      const stored = (each: Filter) =>
        id !== undefined ? uuidOf(each as string) : typeof each === 'object' ? each.code : each;
      return [`t.${id ?? name}`, Array.isArray(value) ? value.map(stored) : stored(value as Filter)];
    }),
  );
}

type Filter = string | boolean | { readonly code: string };

/** The reads of a few objects that are always read whole, without pages. `kind`, and objects with an `id`. */
export function readsOfFew<T extends { readonly id: string }>(
  service: Service,
  kind: Prefix,
  all: (caller: Caller) => Promise<readonly T[]>,
  render: (object: T, livemode: boolean) => string,
): {
  list(this: void, call: Call<unknown, WholeQuery>): Promise<Answer>;
  retrieve(this: void, call: Call<unknown, unknown>): Promise<Answer>;
} {
  return {
    async list(call) {
      const found = await all(call.caller);
      const texts = found.map((each) => render(each, call.caller.livemode));
      return renderWhole(await named(service, call, texts), call);
    },
    async retrieve(call) {
      const id = pathId(call, kind);
      const found = (await all(call.caller)).find((each) => each.id === id);
      if (found === undefined) throw missing(NAMES[kind], id);
      return { status: 200, body: render(found, call.caller.livemode) };
    },
  };
}

/** The one object a look-up found, rendered; else `resource_missing`. `what` in words: `payout`. */
export async function one(
  service: Service,
  statement: Statement,
  what: string,
  id: string,
  render: (row: Row) => string,
): Promise<Answer> {
  const [row] = await service.rows(statement);
  if (!row) throw missing(what, id);
  return { status: 200, body: render(row) };
}

/** A column of the environment's own row, by its primary key: JSON as `core/` writes it; `null`: nothing is kept. */
export async function jsonOfEnvironment(
  service: Service,
  { environmentId }: Caller,
  column: 'payout_rules' | 'fees' | 'fx',
): Promise<string | null> {
  const [row] = await service.rows({
    name: `${column}_of`,
    text: `SELECT ${column} FROM environments WHERE environment_id = $1`,
    values: [uuidOf(environmentId)],
  });
  return (row?.[column] as string | null | undefined) ?? null;
}

/** All keys of the lines that these keys are of (index api_keys_line). */
const keysOfLines = (environmentId: string, keys: readonly string[]): Statement => ({
  name: 'keys_of_lines',
  text: `SELECT k.id FROM api_keys k WHERE k.environment_id = $1 AND k.lineage[cardinality(k.lineage)] IN (
      SELECT o.lineage[cardinality(o.lineage)] FROM api_keys o WHERE o.environment_id = $1 AND o.id = ANY ($2::uuid[]))`,
  values: [uuidOf(environmentId), uuids(keys)],
});

/**
 * For filters by who acted: the uuids of the actors they name, and of all keys of their lines (docs/decisions/0074). A row names the
 * first key of its line; entries of the audit log, and rows from before lines, name the very key. `undefined`: no filter.
 */
export async function lineMates(
  { rows }: Service,
  { environmentId }: Caller,
  actors: string | readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (actors === undefined) return undefined;
  const named = [actors].flat();
  const found = await rows(keysOfLines(environmentId, named));
  return [...new Set([...named.map(uuidOf), ...found.map(({ id }) => id as string)])];
}

/** For what is about the money of all accounts; `why` ends the sentence. Throws `account_not_allowed` for a key that is restricted to some. */
export function assertUnrestricted({ accounts }: Caller, why: string): void {
  if (accounts !== null)
    throw new RequestError('account_not_allowed', `This key is restricted to accounts, and ${why}.`);
}

/** `resource_missing`; `param` is what the id was given as. */
export function missing(what: string, id: string, param = 'id'): RequestError {
  const message = `No such ${what}: ${id}. If it was made with a key of the other mode (sandbox or live), use a key of that mode.`;
  return new RequestError('resource_missing', message, { param });
}

/** All that a query selects, page by page, each as it was then. Later objects are left out. */
async function* wholeList(
  service: Service,
  { query, caller }: Call<unknown, PageQuery>,
  source: PageSource,
  rendering: {
    readonly csv: CsvOrder;
    readonly render: (row: Row) => string;
    readonly idOfRow: (row: Row) => string;
  },
): AsyncGenerator<string> {
  const { csv, render, idOfRow } = rendering;
  const whole = await upTo(service, source, query);
  let text = csv.bom + csvLine(csv.columns);
  let after = query.starting_after;
  for (let hasMore = true; hasMore; ) {
    const { order } = query;
    const next = { limit: DOWNLOAD_PAGE_ROWS, order, created: whole.created, starting_after: after };
    const found = pageOf(await service.rows(page(whole.source, next)), next);
    const rows = await withNames(service.expansions, caller, found.rows.map(render), csv.named);
    for (const row of rows) text += orderedRow(csv, row);
    hasMore = found.hasMore;
    after = hasMore ? idOfRow(found.rows.at(-1) as Row) : undefined;
    yield text;
    text = '';
  }
}

/** The source and the `created` filter of a query without what comes after the present. */
async function upTo(service: Service, source: PageSource, { ending_before: end, order, created }: PageQuery) {
  const { key = 'id', named = key } = source;
  const conditions = [...source.conditions];
  const bound = (comparison: string, value: unknown) => conditions.push({ sql: `t.${key} ${comparison} $`, value });
  const { nowMs, lastSequence } = await presentOf(service, source.environmentId);
  const numberOf = async (which: readonly Condition[]) => {
    const [row] = await service.rows(page({ ...source, conditions: which }, { limit: 1, order: 'desc' }));
    return (row?.['sequence'] as bigint | undefined) ?? 0n;
  };
  if (key === 'sequence') bound('<=', named === 'sequence' ? lastSequence : await numberOf([]));
  if (end !== undefined) {
    const isLookedUp = named !== key;
    const position = named === 'id' ? uuidOf(end) : sequenceOf(end);
    const value = isLookedUp ? await numberOf([{ sql: 't.id = $', value: position }]) : position;
    bound(order === 'desc' ? '>' : '<', value);
  }
  // A numbered row may be ahead of the clock, which a reset of the sandbox puts back.
  if (named !== key) return { source: { ...source, conditions }, created };
  const untilMs = Math.min(created?.untilMs ?? nowMs + 1, nowMs + 1);
  return { source: { ...source, conditions }, created: { fromMs: created?.fromMs, untilMs } };
}

/** Throws `resource_missing` for a cursor that is not of this list. */
async function assertCursor(service: Service, source: PageSource, query: PageQuery): Promise<void> {
  const cursor = cursorOf(query);
  if (cursor === null || source.cursors === undefined) return;
  const found = await service.rows(cursorRow(source, cursor.id, source.cursors));
  if (found.length === 0) throw unknownCursor(cursor);
}

/** `resource_missing` for what a page cannot begin or end with: 400, because the list itself is there. */
export function unknownCursor({ id, name }: { readonly id: string; readonly name: string }): RequestError {
  const { code, message, details } = missing(NAMES[id.slice(0, id.indexOf('_')) as Prefix], id, name);
  return new RequestError(code, message, details, 400);
}

/** The rows of a page, with names where it is CSV. */
const named = async ({ expansions }: Service, { caller, csv }: Call<unknown, unknown>, texts: readonly string[]) =>
  csv ? withNames(expansions, caller, texts, csv.named) : texts;

/** As CSV without a `limit`: everything. `idOfRow`: the cursor of a row; `finish`: what is added to a page. */
export async function listPage(
  service: Service,
  call: Call<unknown, PageQuery>,
  source: PageSource,
  render: (row: Row) => string,
  idOfRow: (row: Row) => string,
  finish: (texts: readonly string[], rows: readonly Row[]) => Promise<readonly string[]> = (texts) =>
    Promise.resolve(texts),
): Promise<Answer> {
  const row = call.csv ? (each: Row) => shownTo(call.caller.scopes, render(each)) : render;
  if (call.csv && !call.csv.isOnePage) {
    const { environmentId } = call.caller;
    await assertCursor(service, source, call.query);
    // Later pages go on behind rows that were read, whatever has become of them; those of a log stay.
    const { cursors: _, ...rest } = source;
    const parts = wholeList(service, call, source.named === undefined ? rest : source, {
      csv: call.csv,
      render: row,
      idOfRow,
    });
    return download(environmentId, { contentType: CSV_TYPE, headers: csvFile(call.url), parts });
  }
  const { rows, hasMore } = pageOf(await service.rows(page(source, call.query)), call.query);
  if (rows.length === 0) await assertCursor(service, source, call.query);
  const [first, last] = [rows[0], rows.at(-1)];
  const texts = await named(service, call, await finish(rows.map(row), rows));
  return renderList(texts, hasMore, call, last && idOfRow(last), first && idOfRow(first));
}
