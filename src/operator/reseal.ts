/**
 * The walk over sealed texts: those that are clear or under a previous secret are sealed under the current one. Runs as
 * the owner, beside servers; may be killed and repeated. A row is changed only if it still says what was read, under
 * the lock of its environment, so no change of a server is lost. What is walked: `sealed.ts`, `seal-stored.ts`. Next:
 * `rotation.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf } from '../core/values/ids.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { SealError, type ServerSecrets } from '../platform/vault/vault.ts';
import { stopPoint } from '../platform/workers/stop-points.ts';
import { SEALED_PLACES, type SealedPlace } from './sealed.ts';

const resealedPoint = stopPoint('secret.batch_resealed');

/** Runs a statement in a transaction of its own. */
export type RunOne = (
  statement: Statement,
) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;

/** Sealed texts of one place, counted; of a table whose rows are read whole, its rows. */
export interface Tally {
  /** Table and column. */
  readonly place: string;
  /** Under the current secret. */
  readonly current: number;
  /** Under a previous one, or clear. */
  readonly previous: number;
  /** Resealed by this run; part of `current`. */
  readonly resealed: number;
  /** Open under none of the secrets. */
  readonly unreadable: number;
  /** The reasons of the first few. They name objects and ids of secrets, never a sealed text. */
  readonly reasons: readonly string[];
}
type Counting = { -readonly [K in keyof Tally]: Tally[K] };

/** Columns and their types, in their order. */
type Columns = Readonly<Record<string, string>>;

/** One table as it is walked. SQL calls the table `t`. */
export interface Step {
  readonly name: string;
  readonly table: string;
  /** The primary key, which begins with `environment_id`; of people, who are in no environment, the person. */
  readonly key: Columns;
  /** The columns of the index in whose order rows are walked; left out: the primary key. */
  readonly order?: Columns;
  /** SQL: the rows that this index holds; left out: all. */
  readonly within?: string;
  /** SQL: which of these rows may hold sealed texts. */
  readonly where: string;
  /** What is read, and what is written. A row is written only if what is written still is what was read. */
  readonly columns: string;
  readonly writes: Columns;
  /** Counts what the row holds. Returns the row as it is to be; `null`: there is nothing to do. */
  judge(row: Row, counting: Counting): Change | null;
}

/** A row that is to be another. */
export interface Change {
  /** In the order of `writes`. */
  readonly values: readonly (string | null)[];
  /** What was counted as `previous`, and becomes `current`. */
  readonly texts: number;
  /** What stands for page tokens, and what is to. */
  readonly lookUps?: readonly (readonly [string, string])[];
}

export interface WalkOptions {
  readonly run: RunOne;
  readonly secrets: ServerSecrets;
  /** Whether to reseal texts. If not, they are only counted. */
  readonly reseals: boolean;
  /** Called after every page of a table. `rows`: walked so far. */
  readonly onProgress?: (place: string, rows: number, resealed: number) => void;
}

/** Rows that one statement reads. */
const PAGE_ROWS = 5_000;
/** Rows that one statement changes, in as many environments at most: their writes wait for it. */
const BATCH_ROWS = 100;
const MOST_REASONS = 5;
/** A row that a server changed between our reading and our writing is found by the next walk. */
const MOST_WALKS = 5;
/** SQLSTATEs of others being in the way: a deadlock, a lock time-out. */
const BUSY: ReadonlySet<string> = new Set(['40P01', '55P03']);
const MOST_TRIES = 10;
const PAUSE_MS = 200;

/** Every place of `sealed.ts` in turn. */
export async function walkSealed(options: WalkOptions): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  for (const place of SEALED_PLACES) tallies.push(await walkStep(stepOf(place, options.secrets), options));
  return tallies;
}

/** Again, as long as it reseals and something is left. */
export async function walkStep(step: Step, options: Omit<WalkOptions, 'secrets'>): Promise<Tally> {
  for (let walks = 1, resealed = 0; ; walks++) {
    const tally = await walk(step, options);
    resealed += tally.resealed;
    if (!options.reseals || tally.previous === 0 || walks === MOST_WALKS) return { ...tally, resealed };
  }
}

async function walk(step: Step, options: Omit<WalkOptions, 'secrets'>): Promise<Tally> {
  const tally: Counting = { place: step.name, current: 0, previous: 0, resealed: 0, unreadable: 0, reasons: [] };
  let walked = 0;
  for (let after: Row | null = null; ; ) {
    const { rows } = await options.run(pageOf(step, after));
    const changes = rows.flatMap((row) => {
      const change = row['is_wanted'] === true ? step.judge(row, tally) : null;
      return change === null ? [] : { ...change, row };
    });
    for (let at = 0; options.reseals && at < changes.length; at += BATCH_ROWS) {
      const batch = changes.slice(at, at + BATCH_ROWS);
      const { rows: written } = await patiently(() => options.run(replacing(step, batch)));
      const changed = new Set(written.map((row) => keyOf(step, row)));
      for (const { row, texts } of batch) {
        if (!changed.has(keyOf(step, row))) continue;
        tally.previous -= texts;
        tally.current += texts;
        tally.resealed += texts;
      }
      resealedPoint();
    }
    after = rows.at(-1) ?? null;
    walked += Number(after?.['page_rows'] ?? 0);
    options.onProgress?.(step.name, walked, tally.resealed);
    if (after === null || Number(after['page_rows']) < PAGE_ROWS) return tally;
  }
}

const keyOf = ({ key }: Step, row: Row): string =>
  JSON.stringify(Object.keys(key).map((column) => String(row[column])));

/** Counts what opens under none of the secrets. Throws what is no `SealError`. */
export function noteShut(counting: Counting, error: unknown): null {
  if (!(error instanceof SealError)) throw error;
  counting.unreadable += 1;
  if (counting.reasons.length < MOST_REASONS) counting.reasons = [...counting.reasons, error.message];
  return null;
}

function stepOf({ table, column, type, key, where, sealed, about, box }: SealedPlace, secrets: ServerSecrets): Step {
  const vault = box(secrets);
  return {
    name: `${table}.${column} (${about.prefix}_)`,
    table,
    key,
    where,
    columns: `t.${about.column} AS about, t.${column}::text`,
    writes: { [column]: type },
    judge(row, counting) {
      const before = row[column] as string | null;
      if (before === null) return null;
      const id = idOf(about.prefix, row['about'] as string);
      let texts = 0;
      const after = before.replace(sealed, (match: string, text: string) => {
        if (vault.isCurrent(text)) {
          counting.current += 1;
          return match;
        }
        try {
          const resealed = vault.seal(vault.open(text, id), id);
          counting.previous += 1;
          texts += 1;
          return match.replace(text, resealed);
        } catch (error) {
          noteShut(counting, error);
          return match;
        }
      });
      return texts > 0 ? { values: [after], texts } : null;
    },
  };
}

/** The rows of the next page that may hold sealed texts, and its last row in any case; locks nothing. */
function pageOf({ table, key, order = key, within = 'true', where, columns }: Step, after: Row | null): Statement {
  const names = Object.keys(order);
  const ordered = names.map((name) => `t.${name}`).join(', ');
  const both = [...new Set([...names, ...Object.keys(key)])].map((name) => `t.${name}`).join(', ');
  const parameters = Object.values(order).map((type, index) => `$${index + 1}::${type}`);
  const from = after === null ? 'true' : `(${ordered}) > (${parameters.join(', ')})`;
  const isSame = Object.keys(key).map((name) => `t.${name} = n.${name}`);
  return {
    text: `WITH page AS MATERIALIZED (
        SELECT ${both}, (${where}) AS is_wanted FROM ${table} t WHERE ${within} AND ${from} ORDER BY ${ordered} LIMIT ${PAGE_ROWS}),
      numbered AS (SELECT p.*, row_number() OVER (ORDER BY ${names.join(', ')}) AS place, count(*) OVER () AS page_rows FROM page p)
      SELECT n.page_rows, n.is_wanted, ${both}, ${columns} FROM numbered n JOIN ${table} t ON ${isSame.join(' AND ')}
      WHERE n.is_wanted OR n.place = n.page_rows ORDER BY n.place`,
    values: after === null ? [] : names.map((name) => after[name]),
  };
}

/** Writes them where nothing has changed since they were read; locks their environments, sorted, as the write path does. */
function replacing({ table, key, writes }: Step, changes: readonly (Change & { readonly row: Row })[]): Statement {
  const [keys, names] = [Object.keys(key), Object.keys(writes)];
  const all = [...keys, ...names.map((name) => `before_${name}`), ...names.map((name) => `after_${name}`)];
  const list = all.map((name, index) => `unnest($${index + 1}::text[]) AS ${name}`);
  const isSame = [
    ...keys.map((name) => `t.${name} = v.${name}::${key[name]}`),
    ...names.map((name) => `t.${name} IS NOT DISTINCT FROM v.before_${name}::${writes[name]}`),
  ];
  const lookUps = changes.flatMap((change) => change.lookUps ?? []);
  const at = all.length + 1;
  const tokens = `, tokens AS (UPDATE payment_tokens AS t SET token = v.now
        FROM (SELECT unnest($${at}::text[]) AS before, unnest($${at + 1}::text[]) AS now) AS v WHERE t.token = v.before)`;
  const environments =
    'SELECT e.environment_id FROM environments e WHERE e.environment_id = ANY ($1::uuid[]) ORDER BY e.environment_id FOR UPDATE';
  return {
    text: `WITH locked AS MATERIALIZED (${keys[0] === 'environment_id' ? environments : 'SELECT 1'})${lookUps.length > 0 ? tokens : ''}
      UPDATE ${table} t SET ${names.map((name) => `${name} = v.after_${name}::${writes[name]}`).join(', ')}
      FROM (SELECT ${list.join(', ')}) AS v
      WHERE ${isSame.join(' AND ')} AND (SELECT count(*) FROM locked) > 0
      RETURNING ${keys.map((name) => `t.${name}`).join(', ')}`,
    values: [
      ...keys.map((name) => changes.map(({ row }) => String(row[name]))),
      ...names.map((name) => changes.map(({ row }) => row[name])),
      ...names.map((_, index) => changes.map(({ values }) => values[index])),
      ...(lookUps.length > 0 ? [lookUps.map(([before]) => before), lookUps.map(([, now]) => now)] : []),
    ],
  };
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !BUSY.has((error as { code?: string }).code ?? '')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
