/**
 * Walks everything that is sealed (`sealed.ts`) along its primary keys, and seals anew what is under a previous server secret. Needs a
 * connection of the tables' owner; may run beside servers, be killed at any moment and be repeated. A row is changed only if it
 * still says what was read, and under the lock of its environment: so it neither takes a change of a server back, nor is taken back by a
 * server that read the row before. Next: `rotation.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf } from '../core/values/ids.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { SealError, type ServerSecrets, type Vault } from '../platform/vault/vault.ts';
import { stopPoint } from '../platform/workers/stop-points.ts';
import { SEALED_PLACES, type SealedPlace } from './sealed.ts';

const resealedPoint = stopPoint('secret.batch_resealed');

/** Runs a statement in a transaction of its own. */
export type RunOne = (
  statement: Statement,
) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>;

/** Sealed texts of one place, counted. */
export interface Tally {
  /** Table and column. */
  readonly place: string;
  /** Under the current secret. */
  readonly current: number;
  /** Under a previous one. */
  readonly previous: number;
  /** Resealed by this run; part of `current`. */
  readonly resealed: number;
  /** Open under none of the secrets. */
  readonly unreadable: number;
  /** The reasons of the first few. They name objects and ids of secrets, never a sealed text. */
  readonly reasons: readonly string[];
}

export interface WalkOptions {
  readonly run: RunOne;
  readonly secrets: ServerSecrets;
  /** Whether to reseal texts. If not, they are only counted. */
  readonly reseals: boolean;
  /** Called after every page of a table. `rows`: walked so far. */
  readonly onProgress?: (place: string, rows: number, resealed: number) => void;
  readonly places?: readonly SealedPlace[];
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

/** Every place in turn. */
export async function walkSealed(options: WalkOptions): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  for (const place of options.places ?? SEALED_PLACES) {
    let resealed = 0;
    for (let walks = 1; ; walks++) {
      const tally = await walk(place, options);
      resealed += tally.resealed;
      if (options.reseals && tally.previous > 0 && walks < MOST_WALKS) continue;
      tallies.push({ ...tally, resealed });
      break;
    }
  }
  return tallies;
}

/** A row whose sealed texts are to be others. */
interface Change {
  readonly row: Row;
  readonly after: string;
  readonly texts: number;
}

async function walk(place: SealedPlace, options: WalkOptions): Promise<Tally> {
  const box = place.box(options.secrets);
  const name = `${place.table}.${place.column} (${place.about.prefix}_)`;
  const tally = { place: name, current: 0, previous: 0, resealed: 0, unreadable: 0, reasons: [] as string[] };
  let walked = 0;
  for (let after: Row | null = null; ; ) {
    const { rows } = await options.run(pageOf(place, after));
    const changes = rows.flatMap((row) => judge(place, box, row, tally) ?? []);
    for (let at = 0; options.reseals && at < changes.length; at += BATCH_ROWS) {
      const batch = changes.slice(at, at + BATCH_ROWS);
      const changed = new Set(
        (await patiently(() => options.run(replacing(place, batch)))).rows.map((row) => keyOf(place, row)),
      );
      for (const { row, texts } of batch) {
        if (!changed.has(keyOf(place, row))) continue;
        tally.previous -= texts;
        tally.current += texts;
        tally.resealed += texts;
      }
      resealedPoint();
    }
    after = rows.at(-1) ?? null;
    walked += Number(after?.['page_rows'] ?? 0);
    options.onProgress?.(name, walked, tally.resealed);
    if (after === null || Number(after['page_rows']) < PAGE_ROWS) return tally;
  }
}

const keyOf = ({ key }: SealedPlace, row: Row): string =>
  JSON.stringify(Object.keys(key).map((column) => String(row[column])));

/** Counts a row's sealed texts. Returns the resealed row, or null if no text is under a previous secret. */
function judge(
  place: SealedPlace,
  box: Vault,
  row: Row,
  tally: { -readonly [K in keyof Tally]: Tally[K] },
): Change | null {
  const before = row['stored'] as string | null;
  if (before === null) return null;
  const about = idOf(place.about.prefix, row['about'] as string);
  let texts = 0;
  const after = before.replace(place.sealed, (match: string, sealed: string) => {
    if (box.isCurrent(sealed)) {
      tally.current += 1;
      return match;
    }
    try {
      const anew = box.seal(box.open(sealed, about), about);
      tally.previous += 1;
      texts += 1;
      return match.replace(sealed, anew);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      tally.unreadable += 1;
      if (tally.reasons.length < MOST_REASONS) tally.reasons = [...tally.reasons, error.message];
      return match;
    }
  });
  return texts > 0 ? { row, after, texts } : null;
}

/** The rows of the next page that may hold sealed texts, and its last row in any case; by primary key, locks nothing. */
function pageOf({ table, column, key, where, about }: SealedPlace, after: Row | null): Statement {
  const names = Object.keys(key);
  const columns = names.map((name) => `t.${name}`).join(', ');
  const parameters = Object.values(key).map((type, index) => `$${index + 1}::${type}`);
  const from = after === null ? 'true' : `(${columns}) > (${parameters.join(', ')})`;
  return {
    text: `WITH page AS MATERIALIZED (
        SELECT ${columns}, t.${about.column} AS about, CASE WHEN ${where} THEN t.${column}::text END AS stored
        FROM ${table} t WHERE ${from} ORDER BY ${columns} LIMIT ${PAGE_ROWS}),
      numbered AS (SELECT p.*, row_number() OVER (ORDER BY ${names.join(', ')}) AS place, count(*) OVER () AS page_rows FROM page p)
      SELECT * FROM numbered WHERE stored IS NOT NULL OR place = page_rows ORDER BY place`,
    values: after === null ? [] : names.map((name) => after[name]),
  };
}

/** Writes them where nothing has changed since they were read; locks their environments, sorted, as the write path does. */
function replacing(place: SealedPlace, changes: readonly Change[]): Statement {
  const { table, column, type, key } = place;
  const names = Object.keys(key);
  const list = [...names, 'before', 'after'].map((name, index) => `unnest($${index + 1}::text[]) AS ${name}`);
  const isSame = Object.entries(key).map(([name, kind]) => `t.${name} = v.${name}::${kind}`);
  return {
    text: `WITH locked AS MATERIALIZED (SELECT e.environment_id FROM environments e
        WHERE e.environment_id = ANY ($1::uuid[]) ORDER BY e.environment_id FOR UPDATE)
      UPDATE ${table} t SET ${column} = v.after::${type}
      FROM (SELECT ${list.join(', ')}) AS v
      WHERE ${isSame.join(' AND ')} AND t.${column} = v.before::${type} AND (SELECT count(*) FROM locked) > 0
      RETURNING ${names.map((name) => `t.${name}`).join(', ')}`,
    values: [
      ...names.map((name) => changes.map(({ row }) => String(row[name]))),
      changes.map(({ row }) => row['stored']),
      changes.map(({ after }) => after),
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
