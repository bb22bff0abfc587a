/**
 * Failovers under load, round by round: what happens to the primary, and what must hold after it. Three servers work on the same
 * database, each by its own way to it: HAProxy, PgBouncer before HAProxy, and several hosts in DATABASE_URL. Acknowledged payouts are there once with
 * their answer, the books and events agree, `/readyz` is back, no server has ended. `npm run soak -- failover`. Next: `standby-pair.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lostOrDoubled } from '../faults/load.ts';
import type { Round } from '../faults/soaks.ts';
import { type ServerProcess, startServer } from '../harness/server-process.ts';
import { createTenant } from '../harness/tenant-fixture.ts';
import { auditDatabase, rowsOf } from '../model/audit.ts';
import { Front } from './front.ts';
import { type Payers, startPaying, type TimedAnswer } from './payers.ts';
import { StandbyPair, until } from './standby-pair.ts';

type Way = 'proxy' | 'pooler' | 'hosts';

interface Scene {
  readonly pair: StandbyPair;
  readonly front: Front;
}

interface Blow {
  readonly name: string;
  readonly way: Way;
  readonly strike: (scene: Scene) => Promise<void>;
}

/** Before and after the blow, so that there is something to lose. */
const LOAD_MS = 1_500;
/** The standby is away for this long before the primary dies: an asynchronous pair then loses what was acknowledged meanwhile. */
const LAG_MS = 700;

/**
 * The standby is away for a while, then the primary dies, and `afterMs` later the standby is promoted. Not frozen: it would find in its
 * socket what it missed, and an asynchronous pair would lose nothing.
 */
const promotedAfter =
  (afterMs: number) =>
  async ({ pair }: Scene) => {
    await pair.standby.kill();
    await sleep(LAG_MS);
    await pair.primary.kill();
    pair.standby.start();
    await sleep(afterMs);
    await pair.promote();
  };

async function frozen({ pair }: Scene): Promise<void> {
  pair.primary.signal('SIGSTOP');
  await sleep(3_000);
  await pair.primary.kill(); // fenced, before there is another
  await pair.promote();
}

async function switchedOver({ pair }: Scene): Promise<void> {
  await pair.primary.shutDown();
  await pair.promote();
}

async function readOnly({ pair, front }: Scene): Promise<void> {
  front.pointAt(pair.standby);
  await sleep(5_000);
  front.pointAt(null);
}

async function restarted({ pair }: Scene): Promise<void> {
  await pair.primary.kill();
  pair.primary.start();
}

const BLOWS: readonly Blow[] = [
  { name: 'killed, promoted after 2 s', way: 'proxy', strike: promotedAfter(2_000) },
  { name: 'read-only primary for 5 s', way: 'proxy', strike: readOnly },
  { name: 'killed, promoted after 6 s', way: 'hosts', strike: promotedAfter(6_000) },
  { name: 'frozen 3 s, fenced, promoted', way: 'proxy', strike: frozen },
  { name: 'planned switchover', way: 'pooler', strike: switchedOver },
  { name: 'killed, promoted after 2 s', way: 'pooler', strike: promotedAfter(2_000) },
  { name: 'killed, promoted after 25 s', way: 'proxy', strike: promotedAfter(25_000) },
  { name: 'killed, started again', way: 'hosts', strike: restarted },
  { name: 'planned switchover', way: 'hosts', strike: switchedOver },
  { name: 'frozen 3 s, fenced, promoted', way: 'hosts', strike: frozen },
];

export interface FailoverOptions {
  readonly rounds: number;
  /** Nobody waits for the standby: payouts must be found lost. */
  readonly asynchronous: boolean;
  readonly say: (line: string) => void;
}

export async function failOver({ rounds, asynchronous, say }: FailoverOptions): Promise<Round> {
  const pair = await StandbyPair.start({ synchronous: !asynchronous });
  const ends: (() => void)[] = [() => pair.end()];
  const endAll = () =>
    ends
      .splice(0)
      .toReversed()
      .forEach((end) => end());
  process.on('exit', endAll); // Ctrl-C too: the caller turns signals into an exit
  try {
    const front = await Front.start(pair);
    ends.push(() => front.end());
    const servers = await startServers(pair, front);
    return await run({ pair, front }, servers, { rounds, asynchronous, say });
  } finally {
    process.off('exit', endAll);
    endAll();
  }
}

async function startServers(pair: StandbyPair, { proxyPort, poolerPort }: Front): Promise<Record<Way, ServerProcess>> {
  const url = (role: string, hosts: string) => `postgres://${role}@${hosts}/bursar`;
  const proxy = `127.0.0.1:${proxyPort}`;
  const hosts = pair.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const start = (database: string, owner: string, suffix = '') =>
    startServer({
      databaseUrl: url('bursar_server', database) + suffix,
      env: { BURSAR_SANDBOX_STEP_SECONDS: '1', DATABASE_OWNER_URL: url('postgres', owner) + suffix },
    });
  return {
    proxy: await start(proxy, proxy),
    pooler: await start(`127.0.0.1:${poolerPort}`, proxy),
    hosts: await start(hosts, hosts, '?target_session_attrs=read-write'),
  };
}

async function run(
  scene: Scene,
  servers: Record<Way, ServerProcess>,
  { rounds, say }: FailoverOptions,
): Promise<Round> {
  const { pair } = scene;
  let way: Way = 'proxy';
  const tenant = await createTenant(pair.primary.url, servers.proxy.address);
  const payers = await startPaying(tenant, () => servers[way].address);
  const complaints: string[] = [];
  try {
    for (let round = 0; round < rounds && complaints.length === 0; round++) {
      const blow = BLOWS[round % BLOWS.length] as Blow;
      way = blow.way;
      const before = { answers: payers.answers.length, failures: new Map(payers.failures) };
      payers.resume();
      await sleep(LOAD_MS);
      const struckMs = performance.now();
      await blow.strike(scene);
      await nextAnswer(payers);
      await sleep(LOAD_MS);
      const figures = figuresOf(payers, before, struckMs);
      await rebuildIfNeeded(pair);
      await payers.pause();
      const found = await complaintsAfter(scene, servers, payers);
      complaints.push(...found);
      const verdict = found.length === 0 ? 'ok' : `${found.length} complaints`;
      say(`round ${round + 1}  ${blow.name}, by ${blow.way}: ${figures}: ${verdict}`);
    }
  } finally {
    tenant.client.close();
    await Promise.all(Object.values(servers).map((server) => server.kill()));
  }
  return { complaints, counts: { 'payouts acknowledged': payers.answers.length } };
}

/** One that was sent after now, or at least answered. */
async function nextAnswer({ answers }: Payers): Promise<void> {
  const before = answers.length;
  await until('a payout is acknowledged again', () => Promise.resolve(answers.length > before + 10));
}

async function rebuildIfNeeded(pair: StandbyPair): Promise<void> {
  const following = await rowsOf(pair.primary.url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'");
  if (following.length === 0) await pair.rebuildStandby();
}

/** Everything that can be wrong once every client has its answers. */
async function complaintsAfter(
  { pair }: Scene,
  servers: Record<Way, ServerProcess>,
  { answers }: Payers,
): Promise<string[]> {
  const complaints = [...(await lostOrDoubled(pair.primary.url, answers)), ...(await auditDatabase(pair.primary.url))];
  for (const [name, { pid, address, output }] of Object.entries(servers)) {
    try {
      process.kill(pid, 0);
    } catch {
      complaints.push(`the server by ${name} has ended: ${output().slice(-500)}`);
      continue;
    }
    const isReady = async () => (await fetch(`${address}/readyz`)).status === 200;
    await until('/readyz', isReady).catch(() => complaints.push(`the server by ${name} is not ready`));
  }
  return complaints;
}

function figuresOf(
  { answers, failures }: Payers,
  before: { readonly answers: number; readonly failures: ReadonlyMap<string, number> },
  struckMs: number,
): string {
  const own = answers.slice(before.answers);
  const errors = [...failures]
    .map(([code, count]) => [code, count - (before.failures.get(code) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([code, count]) => `${count} × ${code}`);
  const retried = own.filter((answer) => answer.failures > 0).length;
  const said = errors.length === 0 ? 'no errors' : errors.join(', ');
  return `${(longestSilenceMs(own, struckMs) / 1000).toFixed(1)} s without an acknowledgement, ${own.length} acknowledged, ${retried} retried, ${said}`;
}

/** Longest time between two answers from the blow on. */
function longestSilenceMs(answers: readonly TimedAnswer[], struckMs: number): number {
  let last = struckMs;
  let longest = 0;
  for (const { atMs } of answers) {
    if (atMs < struckMs) continue;
    longest = Math.max(longest, atMs - last);
    last = atMs;
  }
  return longest;
}
