/**
 * T8 and T9: servers and PostgreSQL die and freeze under load. Whatever was acknowledged is there, once, and the service
 * comes back by itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { books, rowsOf } from '../src/testing/books.ts';
import { startCluster, type TestCluster } from '../src/testing/cluster.ts';
import { type Company, foundCompany } from '../src/testing/company.ts';
import { createDatabase, type Database } from '../src/testing/database.ts';
import { type Load, lostOrDoubled, startLoad } from '../src/testing/load.ts';
import type { Sabotage } from '../src/testing/sabotage.ts';
import { freePort, type ServerProcess, startServer } from '../src/testing/server-process.ts';

const CLIENTS = 12;
const SERVER_BACK_WITHIN_MS = 3_000;
/** On a busy machine one start of twenty may take longer: this many times as long as half of them take. */
const SLOWEST_TO_MEDIAN = 4;
const SERVICE_BACK_WITHIN_MS = 2_000;

/** Quick steps, so that the settlement worker is at work too when things break. */
const env = { BURSAR_SANDBOX_STEP_SECONDS: '1' };
const between = (least: number, most: number) => least + Math.random() * (most - least);

let database: Database;
let servers: ServerProcess[] = [];
let company: Company | undefined;
afterEach(async () => {
  company?.client.close();
  await Promise.all(servers.map((server) => server.kill()));
  servers = [];
});

/** Everything that can be wrong once every client has its answers. */
async function complaints(load: Load, url: string): Promise<string[]> {
  await load.stop();
  expect(load.answers.length).toBeGreaterThan(100);
  return [...(await load.replay(20)), ...(await lostOrDoubled(url, load.answers)), ...(await books(url))];
}

describe('T8: kill -9 of a server', () => {
  const KILLS = 20;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  test('20 kills under load, now one of two servers, now both: nothing lost, nothing doubled, soon back', async () => {
    const ports = [await freePort(), await freePort()];
    const start = (index: number) => startServer({ databaseUrl: database.url, port: ports[index] as number, env });
    servers = [await start(0), await start(1)];
    company = await foundCompany(database.url, servers[0]!.address);
    let attempt = 0;
    const load = await startLoad(company, { clients: CLIENTS, address: () => servers[attempt++ % 2]!.address });
    const readyMs: number[] = [];
    for (let kill = 0; kill < KILLS; ) {
      await load.nextAnswers(10);
      await sleep(between(0, 60));
      const victims = kill % 5 === 3 && kill + 1 < KILLS ? [0, 1] : [kill % 2];
      await Promise.all(victims.map((index) => servers[index]!.kill()));
      const back = await Promise.all(victims.map(start));
      for (const [i, index] of victims.entries()) servers[index] = back[i]!;
      readyMs.push(...back.map((server) => server.readyMs));
      kill += victims.length;
    }
    expect(await complaints(load, database.url)).toEqual([]);
    const medianMs = readyMs.toSorted((a, b) => a - b)[KILLS / 2]!;
    expect(medianMs).toBeLessThanOrEqual(SERVER_BACK_WITHIN_MS);
    expect(Math.max(...readyMs)).toBeLessThanOrEqual(Math.max(SERVER_BACK_WITHIN_MS, SLOWEST_TO_MEDIAN * medianMs));
    expect(load.answers.some(({ failures }) => failures > 0)).toBe(true); // the kills were felt
  });
});

describe('control: the checker notices', () => {
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  async function short(sabotage: Sabotage): Promise<string[]> {
    servers = [await startServer({ databaseUrl: database.url, env, sabotage })];
    company = await foundCompany(database.url, servers[0]!.address);
    const load = await startLoad(company, { clients: CLIENTS, address: () => servers[0]!.address });
    await load.nextAnswers(200);
    await load.stop();
    return lostOrDoubled(database.url, load.answers);
  }

  test('what was acknowledged without being committed', async () => {
    expect((await short('lost_commits')).filter((complaint) => complaint.includes('lost'))).not.toEqual([]);
  });
});

describe('T9: PostgreSQL', () => {
  let cluster: TestCluster;
  let load: Load;
  beforeAll(async () => {
    cluster = await startCluster();
    database = await cluster.createDatabase();
  });
  afterAll(() => cluster.stop());

  async function begin(): Promise<void> {
    servers = [await startServer({ databaseUrl: database.url, env })];
    company = await foundCompany(database.url, servers[0]!.address, `tests ${performance.now()}`);
    load = await startLoad(company, { clients: CLIENTS, address: () => servers[0]!.address });
  }

  test('killed 5 times, its sessions ended for 2 s, frozen for 1 s: nothing lost, nothing doubled, soon back', async () => {
    await begin();
    const backMs: Record<string, number> = {};
    for (let kill = 1; kill <= 5; kill++) {
      await load.nextAnswers(50);
      await sleep(between(0, 30));
      await cluster.kill('SIGKILL');
      await cluster.restart();
      backMs[`kill ${kill}`] = await load.nextAnswers();
    }

    await load.nextAnswers(50);
    const endSessions = `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
      WHERE application_name LIKE 'bursar %' AND datname = current_database()`;
    let ended = 0;
    for (const until = performance.now() + 2_000; performance.now() < until; await sleep(100)) {
      ended += (await rowsOf<{ ended: number }>(database.url, endSessions))[0]!.ended;
    }
    backMs['sessions ended'] = await load.nextAnswers();
    expect(ended).toBeGreaterThan(20);

    await load.nextAnswers(50);
    const processes = familyOf(cluster.pid);
    expect(processes.length).toBeGreaterThan(5);
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    const told = load.answers.length;
    await sleep(1_000);
    expect(load.answers.length - told).toBeLessThan(CLIENTS); // nothing but what was on its way
    for (const pid of processes) process.kill(pid, 'SIGCONT');
    backMs['frozen'] = await load.nextAnswers();

    expect(await complaints(load, database.url)).toEqual([]);
    expect(Object.entries(backMs).filter(([, ms]) => ms > SERVICE_BACK_WITHIN_MS)).toEqual([]);
  });
});

/** A process and its children; PostgreSQL's are one generation. */
function familyOf(parent: number): number[] {
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
