/**
 * `npm run bench:peers -- formance`: the closed loop of 1, 16, 64 and 256 clients on one hot account, Bursar and a peer that runs
 * on this machine in turns. A refused request, or a balance that is not what was answered, ends the run without figures.
 * Next: `peer.ts`, then an adapter.
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { facts } from '../measure/facts.ts';
import { interleave, NOT_MEASURED, type Pass, perSecond, ratio, runPass, summary } from '../measure/pass.ts';
import { runLoad } from '../load/run-load.ts';
import { type Options, options } from '../options.ts';
import { Report, resultsFolder } from '../report.ts';
import { ONE_PAYOUT, passesOf } from '../scenarios/scenario.ts';
import { type Cluster, startCluster, withClient } from '../setup/cluster.ts';
import { addTenants } from '../setup/environments.ts';
import { payoutOf } from '../setup/requests.ts';
import { startProduct } from '../setup/world.ts';
import { blnk } from './blnk.ts';
import { formance, formanceOne } from './formance.ts';
import { AMOUNT, type Opened, type Peer } from './peer.ts';
import { tigerbeetle } from './tigerbeetle.ts';

const PEERS: Readonly<Record<string, Peer>> = { 'formance-v1': formanceOne, formance, blnk, tigerbeetle };
const NAMES = Object.keys(PEERS).join(' | ');
const USAGE = `npm run bench:peers -- ${NAMES} [--port 3068] [--passes 3] [--quick]`;
const CLIENTS = [1, 16, 64, 256];

let loads = 0;

/** Rejects when the peer refused a request, or has not paid exactly what it answered. */
async function peerPass(peer: Peer, opened: Opened, clients: number, { warmupMs, measureMs }: Options): Promise<Pass> {
  const { port, request } = opened;
  loads += 1;
  const keyPrefix = `bench-${process.pid}-${loads}-`;
  const before = await opened.paid();
  const load = await runLoad({ port, clients, requests: [request], keyPrefix, warmupMs, measureMs, total: null });
  if (load.failures > 0)
    throw new Error(`${peer.title}: ${load.failures} requests were refused; the first: ${load.firstFailure}`);
  const paid = (await opened.paid()) - before;
  const answered = AMOUNT * BigInt(load.answers);
  if (paid !== answered)
    throw new Error(`${peer.title}: ${answered} minor units were answered, and ${paid} left the account.`);
  const { p50Ms, p99Ms, measured, measuredMs } = load;
  return { ...NOT_MEASURED, p50Ms, p99Ms, perSecond: (measured * 1000) / measuredMs };
}

async function compare(peer: Peer, opened: Opened, cluster: Cluster, chosen: Options, name: string): Promise<string> {
  const report = new Report();
  const databaseUrl = await cluster.createDatabase('bench_product');
  const [hot] = await withClient(databaseUrl, (client) =>
    addTenants(client, [{ merchant: 'hot', livemode: false, currencies: ['EUR'] }]),
  );
  if (hot === undefined) throw new Error('no tenant');
  const program = await startProduct(cluster, chosen, databaseUrl);
  const product = { program, databaseUrl, gapless: true };
  try {
    for (const clients of CLIENTS) {
      const scenario = `payouts, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
      const drive = { ...chosen, requests: [payoutOf(hot)], clients, adds: ONE_PAYOUT };
      const runs = {
        Bursar: () => runPass(cluster, product, drive),
        [peer.title]: () => peerPass(peer, opened, clients, chosen),
      };
      const results = await interleave(chosen, runs, (line) => report.progress(`${scenario}: ${line}`));
      for (const [contestant, passes] of Object.entries(results)) report.figure(scenario, contestant, summary(passes));
      const times = ratio(passesOf(results, 'Bursar'), passesOf(results, peer.title), perSecond);
      report.reported(scenario, times, `${peer.title} (adapter for ${peer.version})`);
    }
    return await report.write(resultsFolder(), `peers-${name}`, await facts(databaseUrl, cluster.folder, chosen));
  } finally {
    await program.stop();
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { port: { type: 'string' }, passes: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const [name = '', ...more] = positionals;
  const peer = Object.hasOwn(PEERS, name) ? PEERS[name] : undefined;
  if (peer === undefined || more.length > 0)
    throw new Error(`Name one peer, not "${positionals.join(' ')}". There are: ${Object.keys(PEERS).join(', ')}.`);
  const port = Number(values.port ?? peer.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port takes a whole number from 1 to 65535, not "${values.port}".`);
  const { passes, quick } = values;
  const chosen = options([...(quick ? ['--quick'] : []), ...(passes === undefined ? [] : ['--passes', passes])], []);
  if (!(await listens(port)))
    throw new Error(`Nothing listens on 127.0.0.1:${port}. Start ${peer.title} (${peer.version}) first: ${peer.start}`);
  const cluster = await startCluster();
  let opened: Opened | null = null;
  try {
    opened = await peer.open(port, cluster.folder);
    process.stdout.write(await compare(peer, opened, cluster, chosen, quick ? `${name}-quick` : name));
  } finally {
    await opened?.stop();
    await cluster.stop();
  }
}

// So that what runs on exit (servers killed, folders removed) runs on Ctrl-C too.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 1;
}
