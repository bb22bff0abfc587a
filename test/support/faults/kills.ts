/**
 * Servers and PostgreSQL that die and freeze while clients pay, exchange and transfer (T8 and T9 of the bar). What
 * comes back says all that is wrong: acknowledged and lost, done twice, books that do not agree; and how long things
 * were away, which only the named soaks hold against a limit. The short form is `test/soak/crash.test.ts`. Next:
 * `load.ts`, `test/support/model/audit.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { between, type Chance } from '../generators/seeded.ts';
import { startCluster, type TestCluster } from '../harness/cluster.ts';
import { createTenant } from '../harness/tenant-fixture.ts';
import { createDatabase, runSql } from '../harness/database.ts';
import type { StopPoint } from '../../../src/platform/workers/stop-points.ts';
import { timed } from '../measure/timed.ts';
import { type Load, lostOrDoubled, startLoad } from './load.ts';
import type { Fault } from './fault-injection.ts';
import { freePort, type ServerProcess, startServer } from '../harness/server-process.ts';

const CLIENTS = 12;
/**
 * So often is a server killed at a point until the kill does to a client what is to be seen there. Once is nearly
 * always enough.
 */
const FELT_WITHIN = 10;
/** Fewer answers prove nothing. */
const LEAST_ANSWERS = 100;
/** One key in so many is sent once more at the end. */
const REPLAYED = 20;
/** Answers between two blows to PostgreSQL. */
const BEFORE_A_BLOW = 50;
/** Sessions are ended in so many rounds, and in more if those ended too few. */
const ROUNDS_OF_ENDING = { short: 5, long: 20 };
const MOST_ROUNDS_OF_ENDING = 200;
const ENDED_AT_LEAST = 20;
/** Longer than PostgreSQL is ever frozen, and than two servers take to start on a busy machine. */
const PATIENCE_MS = 120_000;

/** Quick steps, so that the settlement worker is at work too when things break. */
const STEPS = { BURSAR_SANDBOX_STEP_SECONDS: '1' };

/** What came of it. */
export interface Ordeal {
  readonly complaints: readonly string[];
  readonly answers: number;
  /** Answers that took more than one attempt: what was broken was felt. */
  readonly felt: number;
  /** How long each thing that was broken took to be back, for those who hold it against a limit. */
  readonly backMs: readonly number[];
}

/** Everything that can be wrong once every client has its answers. */
async function audited(load: Load, url: string, others: readonly string[], backMs: readonly number[]): Promise<Ordeal> {
  await load.stop();
  const { answers } = load;
  const complaints = [...others, ...(await load.replay(REPLAYED)), ...(await lostOrDoubled(url, answers))];
  complaints.push(...(await auditDatabase(url)));
  if (answers.length < LEAST_ANSWERS) complaints.push(`only ${answers.length} answers`);
  return { complaints, answers: answers.length, felt: answers.filter(({ failures }) => failures > 0).length, backMs };
}

/** One kill -9 of a server. */
export interface Kill {
  /** Where in the path of a write: at a stop point, or wherever it is. */
  readonly at: BatchPoint | 'any moment';
  /** The other server too, in the same moment. */
  readonly both?: boolean;
  /** Answers that are waited for before it. */
  readonly after?: number;
}
export type BatchPoint = Extract<StopPoint, `batch.${string}`>;

/** What kills at one place came to, in answers to commands that were on their way. */
export interface Felt {
  /** The command had not been committed: another attempt did it. */
  readonly repeated: number;
  /** The command had been committed and not answered: another attempt was told of it. */
  readonly replayed: number;
}

export interface ServerOrdeal extends Ordeal {
  /** By place. */
  readonly outcomes: Readonly<Partial<Record<Kill['at'], Felt>>>;
  readonly kills: number;
  /** How long the slower one of the first two servers took to start, before anything was killed. */
  readonly firstMs: number;
}

/** kill -9 of one of two servers, now and then of both, each started again at its old address. */
export async function killServers(options: {
  readonly kills: readonly Kill[];
  readonly chance: Chance;
  readonly fault?: Fault;
}): Promise<ServerOrdeal> {
  const { kills, chance, fault } = options;
  const database = await createDatabase();
  const { url } = database;
  const ports = [await freePort(), await freePort()];
  const start = (index: number) =>
    startServer({ databaseUrl: url, port: ports[index] as number, env: STEPS, ...(fault && { fault }) });
  const servers: ServerProcess[] = [];
  try {
    servers.push(...(await Promise.all([start(0), start(1)])));
    const firstMs = Math.max(...servers.map((server) => server.readyMs));
    const tenant = await createTenant(url, servers[0]!.address);
    let attempt = 0;
    const load = await startLoad(tenant, {
      clients: CLIENTS,
      address: () => servers[attempt++ % 2]!.address,
      patienceMs: PATIENCE_MS,
    });
    const complaints: string[] = [];
    const backMs: number[] = [];
    const outcomes: Partial<Record<Kill['at'], Felt>> = {};
    let killed = 0;
    /** Where there is a lock at the point, only one server can stand there: both die as soon as one does. */
    const reach = async (at: Kill['at'], victims: readonly number[]) => {
      if (at === 'any moment') return sleep(between(chance, 0, 60));
      const armed = await Promise.all(victims.map((index) => servers[index]!.stopAt(at)));
      await Promise.race(armed.map(({ reached }) => reached));
    };
    const strike = async ({ at, both = false }: Kill): Promise<Felt> => {
      const victims = both ? [0, 1] : [killed % 2];
      await reach(at, victims);
      const before = load.answers.length;
      await Promise.all(victims.map((index) => servers[index]!.kill()));
      killed += victims.length;
      const back = await Promise.all(victims.map(start));
      for (const [i, index] of victims.entries()) servers[index] = back[i]!;
      backMs.push(...back.map((server) => server.readyMs));
      await load.answered();
      const hurt = load.answers.slice(before).filter(({ failures }) => failures > 0);
      const replayed = hurt.filter((answer) => answer.isReplay).length;
      return { replayed, repeated: hurt.length - replayed };
    };
    for (const kill of kills) {
      await load.nextAnswers(kill.after ?? 10);
      let isFelt = kill.at === 'any moment';
      for (let tries = 0; tries === 0 || (!isFelt && tries < FELT_WITHIN); tries++) {
        const felt = await strike(kill);
        const so = outcomes[kill.at];
        outcomes[kill.at] = {
          replayed: (so?.replayed ?? 0) + felt.replayed,
          repeated: (so?.repeated ?? 0) + felt.repeated,
        };
        isFelt ||= (kill.at === 'batch.committed' ? felt.replayed : felt.repeated) > 0;
      }
      if (!isFelt) complaints.push(`no client felt ${FELT_WITHIN} kills at ${kill.at}`);
    }
    const ordeal = await audited(load, url, complaints, backMs);
    tenant.client.close();
    return { ...ordeal, outcomes, kills: killed, firstMs };
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await database.drop();
  }
}

/**
 * What can be done to PostgreSQL: kill -9, sessions ended every 100 ms for some 2 s (briefly: half a second), every
 * process stopped for a while.
 */
export type Blow = 'kill' | 'end sessions' | 'end sessions briefly' | { readonly freezeMs: number };

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

/**
 * Blows to the PostgreSQL under one server, one after another. `volatile`: a control run, of which something must be
 * lost.
 */
export async function strikePostgres(options: {
  readonly blows: readonly Blow[];
  readonly chance: Chance;
  readonly volatile?: boolean;
}): Promise<Ordeal> {
  const { blows, chance, volatile = false } = options;
  const cluster = await startCluster({ copied: true, ...(volatile && { settings: VOLATILE }) });
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
    const backMs: number[] = [];
    for (const blow of blows) {
      await load.nextAnswers(BEFORE_A_BLOW);
      await sleep(between(chance, 0, 30));
      complaints.push(...(await strike(blow, cluster, url, load)));
      backMs.push(await timed(() => load.nextAnswers())); // or the clients give up
    }
    const ordeal = await audited(load, url, complaints, backMs);
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
  if (blow === 'end sessions' || blow === 'end sessions briefly') {
    const ended = await endSessions(url, ROUNDS_OF_ENDING[blow === 'end sessions' ? 'long' : 'short']);
    return ended > ENDED_AT_LEAST ? [] : [`only ${ended} sessions were ended`];
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

async function endSessions(url: string, rounds: number): Promise<number> {
  const sql = `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
    WHERE application_name LIKE 'bursar %' AND datname = current_database()`;
  let ended = 0;
  for (let round = 0; round < rounds || (ended <= ENDED_AT_LEAST && round < MOST_ROUNDS_OF_ENDING); round++) {
    ended += (await rowsOf<{ ended: number }>(url, sql))[0]!.ended;
    await sleep(100);
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
