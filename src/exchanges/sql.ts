/** The statements of quotes and exchanges. Loads and writes run inside the write path, the rest on the readers. */
import { uuidOf } from '../core/ids.ts';
import { EXCHANGE, QUOTE } from './fields.ts';
import type { Statement } from '../db/wire/statement.ts';
import { tableOf } from '../db/wire/table.ts';

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
