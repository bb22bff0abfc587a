/**
 * Servers and PostgreSQL that die and freeze while clients pay, exchange and transfer (T8 and T9 of the bar). What comes
 * back says all that is wrong: acknowledged and lost, done twice, books that do not agree, a service that is away too
 * long. The short form is `test/soak/crash.test.ts`, the long one `npm run soak`. Next: `load.ts`, `test/support/model/audit.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { between, type Chance } from '../generators/seeded.ts';
import { startCluster, type TestCluster } from '../harness/cluster.ts';
import { createTenant } from '../harness/tenant-fixture.ts';
import { createDatabase, runSql } from '../harness/database.ts';
import { type Load, lostOrDoubled, startLoad } from './load.ts';
import type { Fault } from './fault-injection.ts';
import { freePort, type ServerProcess, startServer } from '../harness/server-process.ts';

const CLIENTS = 12;
const SERVER_BACK_WITHIN_MS = 3_000;
/** On a slow machine half of them may take as much more than the first starts, before anything was killed. */
const MEDIAN_TO_FIRST = 1.5;
/** On a busy machine one start of twenty may take longer: this many times as long as half of them take. */
const SLOWEST_TO_MEDIAN = 4;
const SERVICE_BACK_WITHIN_MS = 2_000;
/** Fewer answers prove nothing. */
const LEAST_ANSWERS = 100;
/** One key in so many is sent once more at the end. */
const REPLAYED = 20;
/** Longer than PostgreSQL is ever frozen. */
const PATIENCE_MS = 120_000;

/** Quick steps, so that the settlement worker is at work too when things break. */
const STEPS = { BURSAR_SANDBOX_STEP_SECONDS: '1' };

/** What came of it. */
export interface Ordeal {
  readonly complaints: readonly string[];
  readonly answers: number;
  /** Answers that took more than one attempt: what was broken was felt. */
  readonly felt: number;
}

/** Everything that can be wrong once every client has its answers. */
async function audited(load: Load, url: string, others: readonly string[]): Promise<Ordeal> {
  await load.stop();
  const { answers } = load;
  const complaints = [...others, ...(await load.replay(REPLAYED)), ...(await lostOrDoubled(url, answers))];
  complaints.push(...(await auditDatabase(url)));
  if (answers.length < LEAST_ANSWERS) complaints.push(`only ${answers.length} answers`);
  return { complaints, answers: answers.length, felt: answers.filter(({ failures }) => failures > 0).length };
}

/** kill -9 of one of two servers, now and then of both, each started again at its old address. */
export async function killServers(options: {
  readonly kills: number;
  readonly chance: Chance;
  readonly fault?: Fault;
}): Promise<Ordeal> {
  const { kills, chance, fault } = options;
  const database = await createDatabase();
  const { url } = database;
  const ports = [await freePort(), await freePort()];
  const start = (index: number) =>
    startServer({ databaseUrl: url, port: ports[index] as number, env: STEPS, ...(fault && { fault }) });
  const servers: ServerProcess[] = [];
  try {
    servers.push(await start(0), await start(1));
    const firstMs = Math.max(...servers.map((server) => server.readyMs));
    const tenant = await createTenant(url, servers[0]!.address);
    let attempt = 0;
    const load = await startLoad(tenant, { clients: CLIENTS, address: () => servers[attempt++ % 2]!.address });
    const readyMs: number[] = [];
    for (let kill = 0; kill < kills; ) {
      await load.nextAnswers(10);
      await sleep(between(chance, 0, 60));
      const victims = kill % 5 === 3 && kill + 1 < kills ? [0, 1] : [kill % 2];
      await Promise.all(victims.map((index) => servers[index]!.kill()));
      const back = await Promise.all(victims.map(start));
      for (const [i, index] of victims.entries()) servers[index] = back[i]!;
      readyMs.push(...back.map((server) => server.readyMs));
      kill += victims.length;
    }
    const ordeal = await audited(load, url, slowStarts(readyMs, firstMs));
    tenant.client.close();
    return ordeal;
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await database.drop();
  }
}

function slowStarts(readyMs: readonly number[], firstMs: number): string[] {
  const sorted = readyMs.map(Math.round).toSorted((a, b) => a - b);
  const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const slowestMs = sorted.at(-1) ?? 0;
  const withinMs = Math.max(SERVER_BACK_WITHIN_MS, MEDIAN_TO_FIRST * firstMs);
  const allowedMs = Math.max(withinMs, SLOWEST_TO_MEDIAN * medianMs);
  return [
    ...(medianMs > withinMs ? [`half of the servers took ${medianMs} ms and more to come back`] : []),
    ...(slowestMs > allowedMs ? [`a server took ${slowestMs} ms to come back`] : []),
  ];
}

/** What can be done to PostgreSQL: kill -9, sessions ended every 100 ms for 2 s, every process stopped for a while. */
export type Blow = 'kill' | 'end sessions' | { readonly freezeMs: number };

/**
 * A PostgreSQL that acknowledges what it keeps in memory only, for control runs: nothing is written before the flush
 * that nobody waits for, and that comes every ten seconds.
 */
const VOLATILE = {
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  wal_writer_flush_after: '1GB',
  wal_buffers: '64MB',
  bgwriter_lru_maxpages: '0', // would write what it finds, and the log before it
};

/** Blows to the PostgreSQL under one server, one after another. `volatile`: a control run, of which something must be lost. */
export async function strikePostgres(options: {
  readonly blows: readonly Blow[];
  readonly chance: Chance;
  readonly volatile?: boolean;
}): Promise<Ordeal> {
  const { blows, chance, volatile = false } = options;
  const cluster = await startCluster(volatile ? { settings: VOLATILE } : {});
  const servers: ServerProcess[] = [];
  try {
    const { url } = await cluster.createDatabase();
    const env = { ...STEPS, ...(volatile && { BURSAR_ALLOW_UNSAFE_DURABILITY: 'true' }) };
    servers.push(await startServer({ databaseUrl: url, env }));
    const { address } = servers[0]!;
    const tenant = await createTenant(url, address);
    const load = await startLoad(tenant, { clients: CLIENTS, address: () => address, patienceMs: PATIENCE_MS });
    if (volatile) await runSql(url, 'CHECKPOINT'); // what the clients need is safe
    const complaints: string[] = [];
    for (const [number, blow] of blows.entries()) {
      await load.nextAnswers(50);
      await sleep(between(chance, 0, 30));
      complaints.push(...(await strike(blow, cluster, url, load)));
      const backMs = await load.nextAnswers();
      if (backMs > SERVICE_BACK_WITHIN_MS) {
        complaints.push(`back ${Math.round(backMs)} ms after blow ${number}, ${JSON.stringify(blow)}`);
      }
    }
    const ordeal = await audited(load, url, complaints);
    tenant.client.close();
    return ordeal;
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await cluster.stop();
  }
}

/** Returns when PostgreSQL works again. Complaints: the blow was none. */
async function strike(blow: Blow, cluster: TestCluster, url: string, load: Load): Promise<string[]> {
  if (blow === 'kill') {
    await cluster.kill('SIGKILL');
    await cluster.restart();
    return [];
  }
  if (blow === 'end sessions') {
    const ended = await endSessions(url, 2_000);
    return ended > 20 ? [] : [`only ${ended} sessions were ended`];
  }
  const processes = familyOf(cluster.pid);
  for (const pid of processes) process.kill(pid, 'SIGSTOP');
  const reported = load.answers.length;
  await sleep(blow.freezeMs);
  const answered = load.answers.length - reported;
  for (const pid of processes) process.kill(pid, 'SIGCONT');
  // Nothing but what was on its way, if all its processes stood still.
  return processes.length > 5 && answered <= CLIENTS ? [] : [`${answered} answers while it was frozen`];
}

async function endSessions(url: string, forMs: number): Promise<number> {
  const sql = `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
    WHERE application_name LIKE 'bursar %' AND datname = current_database()`;
  let ended = 0;
  for (const until = performance.now() + forMs; performance.now() < until; await sleep(100)) {
    ended += (await rowsOf<{ ended: number }>(url, sql))[0]!.ended;
  }
  return ended;
}

/** A process and its children; PostgreSQL's are one generation. */
export function familyOf(parent: number): number[] {
  const children = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`);
    } catch {
      return false; // ended meanwhile
    }
  });
  return [parent, ...children.map(Number)];
}
