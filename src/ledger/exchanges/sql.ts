/** The statements of quotes and exchanges. Loads and writes run inside the write path, the rest on the readers. */
import { uuidOf } from '../../core/values/ids.ts';
import { EXCHANGE, QUOTE, type RateTableParts } from './fields.ts';
import { texts } from '../../platform/db/wire/columns.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';

export const QUOTES = tableOf(QUOTE, 'quotes');
/** The unique index exchanges_quote stands behind "a quote is used at most once". */
export const EXCHANGES = tableOf(EXCHANGE, 'exchanges');

/**
 * A quote by primary key, and in `now_at` the environment's instant that decides whether it has expired: the clock the
 * write path goes by, sandbox offset included, never before the newest batch. Locks nothing.
 */
export function readQuote(environmentId: string, quoteId: string): Statement {
  return {
    name: 'read_quote',
    text: `SELECT ${QUOTES.columns('q')},
        greatest(clock_timestamp() + e.clock_offset_ms * interval '1 millisecond', e.last_at) AS now_at
      FROM quotes q JOIN environments e ON e.environment_id = q.environment_id
      WHERE q.environment_id = $1 AND q.id = $2`,
    values: [uuidOf(environmentId), uuidOf(quoteId)],
  };
}

export interface Fixing extends RateTableParts {
  readonly atMs: number;
}

const isoInstant = (atMs: number) => new Date(atMs).toISOString();
const FIXED = unnest({ c: 'text', r: 'text' }, 5);
const valuesOf = ({ source, atMs, base, markupBps, rates }: Fixing) => [
  isoInstant(atMs),
  source,
  base,
  markupBps,
  texts(Object.keys(rates)),
  texts(Object.values(rates)),
];

/** Adds a fixing to every live environment that has none of this source and instant. As the owner: nobody else adds fixings. */
export const storeFixing = (fixing: Fixing): Statement => ({
  name: 'store_fixing',
  text: `INSERT INTO fixings (environment_id, at, source, currency, base, rate, markup_bps)
    SELECT e.environment_id, $1::timestamptz, $2, v.c, $3, v.r::numeric, $4 FROM environments e CROSS JOIN ${FIXED} AS v
    WHERE e.livemode AND NOT EXISTS (
      SELECT FROM fixings f WHERE f.environment_id = e.environment_id AND f.at = $1::timestamptz AND f.source = $2)
    ON CONFLICT DO NOTHING`,
  values: valuesOf(fixing),
});

/**
 * `is_missing`: a live environment has no fixing of this source and instant. `is_contradicted`: one has another. By primary key, once an
 * environment; locks nothing.
 */
export const fixingState = (fixing: Fixing): Statement => ({
  name: 'fixing_state',
  text: `SELECT coalesce(bool_or(f.environment_id IS NULL), false) AS is_missing, coalesce(bool_or(f.rates <> g.rates), false) AS is_contradicted
    FROM environments e
    CROSS JOIN (SELECT jsonb_object_agg(v.c, jsonb_build_array(v.r::numeric, $3::text, $4::int)) AS rates FROM ${FIXED} AS v) AS g
    LEFT JOIN LATERAL (
      SELECT environment_id, jsonb_object_agg(currency, jsonb_build_array(rate, base, markup_bps)) AS rates FROM fixings
      WHERE environment_id = e.environment_id AND at = $1::timestamptz AND source = $2 GROUP BY 1) AS f ON true
    WHERE e.livemode`,
  values: valuesOf(fixing),
});

/** The newest fixing up to an instant, a row a currency; none: there was none yet. By primary key. */
export const fixingAt = (environmentId: string, atMs: number): Statement => ({
  name: 'fixing_at',
  text: `SELECT f.source, f.at, f.base, f.currency, f.rate::text AS rate, f.markup_bps FROM fixings f
    JOIN (SELECT at, source FROM fixings WHERE environment_id = $1 AND at <= $2::timestamptz ORDER BY at DESC, source LIMIT 1) AS newest
      ON newest.at = f.at AND newest.source = f.source
    WHERE f.environment_id = $1`,
  values: [uuidOf(environmentId), isoInstant(atMs)],
});

/** Of the rows of {@link fixingAt}. */
export function fixingFrom(rows: readonly Row[]): Fixing | null {
  const [first] = rows;
  if (first === undefined) return null;
  return {
    source: first['source'] as string,
    atMs: first['at'] as number,
    base: first['base'] as string,
    markupBps: first['markup_bps'] as number,
    rates: Object.fromEntries(rows.map((row) => [row['currency'] as string, row['rate'] as string])),
  };
}
