/**
 * Every statement of this process on its way to PostgreSQL, rewritten: single ones and those of flights. For control runs
 * and for nothing else. Works on `pg` itself, so also where the program is compiled and the test is not.
 */
import pg from 'pg';

/** A statement as `pg` and flights take it. */
export interface Sent {
  readonly name?: string | undefined;
  readonly text?: string;
}

/** What goes instead; the same object for what stays as it is, `null` for what must not go: it is answered with no rows. */
export type Rewrite = (statement: Sent) => Sent | null;

type Send = (this: unknown, ...given: unknown[]) => unknown;

/** From now on, until the returned function is called. */
export function rewriteStatements(rewrite: Rewrite): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Send };
  const { query } = prototype;
  prototype.query = function rewritten(first, ...rest) {
    const group = first as { submit?: unknown; run?: Send };
    if (group.submit !== undefined && group.run !== undefined) {
      const run = group.run.bind(group);
      group.run = (statement) => {
        const sent = rewrite(statement as Sent);
        return sent === null ? Promise.resolve({ rows: [] }) : run(sent);
      };
      return query.call(this, group, ...rest);
    }
    const sent = typeof first === 'object' && first !== null ? rewrite(first) : first;
    return sent === null ? Promise.resolve({ rows: [] }) : query.call(this, sent, ...rest);
  };
  return () => {
    prototype.query = query;
  };
}
