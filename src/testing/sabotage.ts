/**
 * Faults on purpose, for control runs: loaded into a server before anything else, it rewrites one statement on its way to
 * PostgreSQL. A test that stays green under its sabotage tests nothing. Never loaded by anything but tests.
 */
import pg from 'pg';

const LOST_EVERY = 10;
let commits = 0;

const SABOTAGES = {
  /** The environments are read without their lock. */
  no_lock: (text: string) => (text.includes('FROM environments') ? text.replace('FOR UPDATE', '') : text),
  /** What a key was used for is not looked up. */
  no_memory: (text: string) =>
    text.includes('FROM idempotency_records r')
      ? text.replace('AND r.key = k.key', 'AND false AND r.key = k.key')
      : text,
  /** What a key was used for is not written down. */
  no_records: (text: string) => text.replace(/^INSERT INTO idempotency_records\s*\([^)]*\)/, ''),
  /** Now and then a transaction is answered without having been committed. */
  lost_commits: (text: string) => (text === 'COMMIT' && ++commits % LOST_EVERY === 0 ? 'ROLLBACK' : text),
} as const;

export type Sabotage = keyof typeof SABOTAGES;

const chosen = process.env['SABOTAGE'];
if (chosen !== undefined && chosen in SABOTAGES) {
  const rewrite = SABOTAGES[chosen as Sabotage];
  const prototype = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const query = prototype.query;
  prototype.query = function sabotaged(first: unknown, ...rest: unknown[]) {
    const { text } = (first ?? {}) as { text?: unknown };
    const sent = typeof text === 'string' ? { ...(first as object), text: rewrite(text) } : first;
    return query.call(this, sent, ...rest);
  };
}
