/**
 * Faults on purpose, for control runs: loaded into a server before anything else, it rewrites one statement on its way to
 * PostgreSQL, or takes it out of its transaction. A test that stays green under its sabotage tests nothing. Never loaded by anything but tests.
 */
import pg from 'pg';
import { rewriteStatements, type Sent } from './rewrite.ts';

/** Of commits; and of inserts exactly the second one, so that no run is spared: each insert holds many rows. */
const LOST_EVERY = 10;
const LOST_INSERT = 2;
/** None of the first: a server that cannot start or accounts that never were show nothing. */
const SAFE_COMMITS = 30;
let commits = 0;
let inserts = 0;
const KNOWN_AS_IT_IS = 'late';
/** How much later than its event a delivery is written that is not written with it. */
const LATE_MS = 150;

const FAULTS = {
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
  lost_commits: (text: string) => {
    if (text === 'COMMIT') commits += 1;
    return text === 'COMMIT' && commits > SAFE_COMMITS && commits % LOST_EVERY === 0 ? 'ROLLBACK' : text;
  },
  /** Once, deliveries are not written down with their events. */
  lost_deliveries: (text: string) => (isDeliveries(text) && ++inserts === LOST_INSERT ? `${text} WHERE false` : text),
  /** Once, payouts are not written down with what led to them. */
  lost_payouts: (text: string) =>
    text.startsWith('INSERT INTO payouts (') && ++inserts === LOST_INSERT ? `${text} WHERE false` : text,
  /** Once, daily statements are not written down with what tells of them. */
  lost_statements: (text: string) =>
    text.startsWith('INSERT INTO daily_statements (') && ++inserts === LOST_INSERT ? `${text} WHERE false` : text,
  /** Deliveries are written down after the commit of their events; `null`: on a connection of their own. */
  late_deliveries: (text: string) => (isDeliveries(text) ? null : text),
  /** Whatever waits is claimed, also what another process has in hand. */
  no_lease: (text: string) => text.replaceAll(/\((\w)\.leased_until IS NULL OR \1\.leased_until < now\(\)\)/g, 'true'),
} as const;

function isDeliveries(text: string): boolean {
  return text.startsWith('INSERT INTO deliveries (');
}

export type Fault = keyof typeof FAULTS;

const chosen = process.env['FAULT'];
if (chosen !== undefined && chosen in FAULTS) {
  const rewrite = FAULTS[chosen as Fault];
  let aside: Promise<pg.Client> | undefined;
  const connect = async () => {
    const client = new pg.Client(process.env['DATABASE_URL']);
    await client.connect();
    return client;
  };
  const late = async (statement: Sent): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    aside ??= connect();
    await (await aside).query({ ...statement, name: KNOWN_AS_IT_IS } as pg.QueryConfig);
  };
  rewriteStatements((statement) => {
    const { text, name } = statement;
    if (text === undefined || name === KNOWN_AS_IT_IS) return statement;
    const sent = rewrite(text);
    if (sent === text) return statement;
    // A prepared statement is known by its name, and this is another one.
    if (sent !== null) return { ...statement, text: sent, name: undefined };
    late(statement).catch(() => undefined); // of a flight that failed and went again: they are written down already
    return null;
  });
}
