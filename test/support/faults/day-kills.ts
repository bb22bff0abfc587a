/**
 * Workers of days that come due, killed at their stop points: two servers on one database, the clock leaps over some
 * days, whichever server comes to the point first is killed there, and now and then the other one with it. In the end
 * all days are counted. Small: `test/long/small/standing-orders.test.ts` and `test/long/daily-statements.test.ts`; as they
 * were once, with more days: `test/long/days.test.ts`.
 */
import type { StopPoint } from '../../../src/platform/workers/stop-points.ts';
import { createDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { insist } from '../harness/http.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { createTenant, idIn, must, type Tenant } from '../harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import type { Fault } from './fault-injection.ts';

/** One leap of the clock, and what happens in it. */
export interface Leap {
  readonly at: StopPoint;
  /** The so-manieth time that a server comes to the point in this leap; default: the first. */
  readonly time?: number;
  readonly both?: boolean;
}

interface Days {
  readonly daysALeap: number;
  /** `null`: a leap without a kill, for control runs. */
  readonly leaps: readonly (Leap | null)[];
  readonly fault?: Fault;
  /** Servers on the database; one is enough where none is killed. */
  readonly serverCount?: 1 | 2;
}

/** Everything that waits for the lease of a dead process would wait for seconds. */
const DROP_LEASES = 'DELETE FROM worker_leases';
const PATIENCE_MS = 60_000;

/** Runs `act` on a database with its servers, and ends all of that. */
async function onServers<T>(
  { fault, serverCount = 2 }: Pick<Days, 'fault' | 'serverCount'>,
  env: Readonly<Record<string, string>>,
  act: (pair: Pair, tenant: Tenant, url: string) => Promise<T>,
): Promise<T> {
  const database = await createDatabase();
  const { url } = database;
  const pair = new Pair(url, () => startServer({ databaseUrl: url, env, ...(fault && { fault }) }));
  let tenant: Tenant | undefined;
  try {
    await pair.start(serverCount);
    tenant = await createTenant(url, pair.address);
    return await act(pair, tenant, url);
  } finally {
    tenant?.client.close();
    await pair.kill();
    await database.drop();
  }
}

class Pair {
  #servers: ServerProcess[] = [];
  #asked = 0;
  readonly #url: string;
  readonly #startOne: () => Promise<ServerProcess>;

  constructor(url: string, startOne: () => Promise<ServerProcess>) {
    this.#url = url;
    this.#startOne = startOne;
  }

  /** Of either in turn. */
  get address(): string {
    return this.#servers[this.#asked++ % this.#servers.length]!.address;
  }

  async start(count: number): Promise<void> {
    this.#servers = await Promise.all(Array.from({ length: count }, () => this.#startOne()));
  }

  async kill(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
  }

  /**
   * Kills whichever server comes to the point once `act` is begun; `look` sees the database after that. Then both are
   * up again.
   */
  async strike({ at, time = 1, both = false }: Leap, act: () => Promise<unknown>, look: () => Promise<void>) {
    const armed = await Promise.all(this.#servers.map((server) => server.stopAt(at, time)));
    const acting = act();
    const reached = armed.map(async (each, index) => {
      await each.reached;
      return index;
    });
    const first = await Promise.race(reached);
    for (const each of reached) each.catch(() => undefined);
    const victims = this.#servers.filter((_, index) => both || index === first);
    await Promise.all(victims.map((server) => server.kill()));
    if (!both) await this.#servers[1 - first]!.stopAt(at, Number.POSITIVE_INFINITY); // it goes on with the work
    await look();
    await rowsOf(this.#url, DROP_LEASES);
    this.#servers = await Promise.all(
      this.#servers.map(async (server) => (victims.includes(server) ? this.#startOne() : server)),
    );
    await acting;
  }
}

/** Leaps, and waits after each until no day is due any more. Returns how many were due at each kill. */
async function leapOver(
  { daysALeap, leaps }: Days,
  { pair, tenant, due }: { readonly pair: Pair; readonly tenant: Tenant; readonly due: () => Promise<number> },
): Promise<number[]> {
  const dueAtKills: number[] = [];
  for (const [number, leap] of leaps.entries()) {
    const advance = async () => {
      const options = { idempotencyKey: `leap-${number}`, address: () => pair.address, patienceMs: PATIENCE_MS };
      const seconds = daysALeap * 86_400;
      must(await insist(tenant.client, '/v1/test_helpers/clock/advance', { seconds }, options));
    };
    if (leap === null) await advance();
    else await pair.strike(leap, advance, async () => void dueAtKills.push(await due()));
    await eventually('no day is due', async () => (await due()) === 0, { patienceMs: PATIENCE_MS });
  }
  return dueAtKills;
}

export interface OrdersOutcome {
  readonly payouts: number;
  /** Planned days that have one or more. */
  readonly days: number;
  /** Orders that are not completed. */
  readonly open: number;
  /** Orders with a day due, at each kill. */
  readonly dueAtKills: readonly number[];
  readonly complaints: readonly string[];
}

/** Standing orders with a payout for each day of all leaps; one more leap without a kill goes beyond their end. */
export function killStandingOrders(options: Days & { readonly orders: number }): Promise<OrdersOutcome> {
  const { orders, daysALeap, leaps } = options;
  return onServers(options, { BURSAR_SANDBOX_STEP_SECONDS: '0' }, async (pair, tenant, url) => {
    const { client } = tenant;
    await tenant.account('EUR', '1000000');
    const recipient = await tenant.recipient();
    const first = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const count = daysALeap * leaps.length;
    const body = { amount: '1', currency: 'EUR', recipient, interval: 'day', starts_on: first, count };
    await Promise.all(Array.from({ length: orders }, async () => idIn(await client.post('/v1/standing_orders', body))));
    const due = async () => {
      const [row] = await rowsOf<{ due: number }>(
        url,
        `SELECT count(*)::int AS due FROM standing_orders o JOIN environments e USING (environment_id)
          WHERE o.due_at <= now() + e.clock_offset_ms * interval '1 ms'`,
      );
      return row?.due ?? 0;
    };
    const dueAtKills = await leapOver({ ...options, leaps: [...leaps, null] }, { pair, tenant, due });
    const [counts] = await rowsOf<Omit<OrdersOutcome, 'dueAtKills' | 'complaints'>>(
      url,
      `SELECT count(*)::int AS payouts, count(DISTINCT (standing_order_id, scheduled_on))::int AS days,
        (SELECT count(*)::int FROM standing_orders WHERE status <> 'completed') AS open FROM payouts`,
    );
    return { ...(counts as OrdersOutcome), dueAtKills, complaints: await auditDatabase(url) };
  });
}

export interface StatementsOutcome {
  readonly counts: {
    readonly statements: number;
    readonly days: number;
    /** From the first day to the last. */
    readonly span: number;
    /** Statements that an event tells of. */
    readonly announced: number;
    readonly events: number;
  };
  /** 1 where a day was left to do, at each kill. */
  readonly dueAtKills: readonly number[];
  readonly complaints: readonly string[];
}

/** Daily statements of one environment. */
export function killStatements(options: Days): Promise<StatementsOutcome> {
  return onServers(options, {}, async (pair, tenant, url) => {
    await tenant.account('EUR', '1000');
    must(await tenant.client.post('/v1/settings', { daily_statements: true }));
    const due = async () => {
      const [row] = await rowsOf<{ due: number }>(
        url,
        `SELECT count(*)::int AS due FROM settings s JOIN environments e ON e.environment_id = s.environment_id
          WHERE next_statement_day + 1 <= (now() AT TIME ZONE 'UTC' + e.clock_offset_ms * interval '1 ms')`,
      );
      return row?.due ?? 0;
    };
    const dueAtKills = await leapOver(options, { pair, tenant, due });
    const [counts] = await rowsOf<StatementsOutcome['counts']>(
      url,
      `SELECT count(*)::int AS statements, count(DISTINCT day)::int AS days, max(day) - min(day) + 1 AS span,
        (SELECT count(DISTINCT object_id)::int FROM events WHERE type = 'daily_statement.created'
          AND object_id IN (SELECT id FROM daily_statements)) AS announced,
        (SELECT count(*)::int FROM events WHERE type = 'daily_statement.created') AS events FROM daily_statements`,
    );
    return { counts: counts as StatementsOutcome['counts'], dueAtKills, complaints: await auditDatabase(url) };
  });
}
