/**
 * The process: settings, database, first start, server. SIGINT and SIGTERM drain: answers under way, then the database.
 * Next: `app.ts`.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startApp } from './app.ts';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { programName } from '../operator/program-name.ts';
import { type Embedded, EmbeddedError, startEmbedded } from '../platform/db/embedded/embedded.ts';
import { connectPatiently, DatabaseUnfit } from '../platform/db/pool.ts';
import { embeddedUrls, prepareDatabase, urlsOf } from '../operator/database.ts';
import { firstLink } from '../operator/people.ts';
import { isExposed, privateTargetsOf } from '../operator/private-targets.ts';
import { banner } from './banner.ts';
import { builder } from './builds.ts';
import { addressOfDashboard } from './dashboard/origin.ts';
import { firstStart } from '../operator/bootstrap.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { loginFacts } from '../platform/db/roles.ts';
import type { Statement } from '../platform/db/wire/statement.ts';
import { shortcomings } from '../operator/hardening.ts';
import { levelOf, openLog } from './logger.ts';
import { sealStored } from '../operator/seal-stored.ts';
import { serverSecrets } from '../operator/server-secret.ts';

const KEYS_AND_MERCHANTS: Statement = {
  text: `SELECT (SELECT count(*)::int4 FROM merchants) AS merchants, (SELECT count(*)::int4 FROM api_keys k
    JOIN environments e ON e.environment_id = k.environment_id
    WHERE e.livemode AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS live_keys`,
  values: [],
};

async function main(): Promise<void> {
  const config = loadConfig();
  await assertFree(config);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const log = openLog(levelOf(config.logLevel, process.stdout.isTTY));
  const progress = { info: say, warn: say, error: say };
  const stops: (() => Promise<void>)[] = [];
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    say(`${signal}: finishing what is under way …`);
    for (const each of stops.reverse()) await each();
    say('Stopped.');
    process.exit(0);
  };
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('SIGTERM', () => void stop('SIGTERM'));

  let urls = urlsOf(config);
  const embedded = urls === null ? await startEmbedded({ dataDir: config.dataDir, log: progress }) : null;
  if (embedded !== null) stops.push(() => embedded.stop());
  const ownerUrl = urls?.ownerUrl ?? (embedded as Embedded).url;
  await prepareDatabase(ownerUrl, progress);
  urls ??= await embeddedUrls(ownerUrl, config.dataDir, progress);
  const { current: serverSecret, previous: previousSecrets } = await serverSecrets(config);
  await sealStored(ownerUrl, progress, { current: serverSecret, previous: previousSecrets }, 'clear');
  const databaseUrl = urls.serverUrl;
  const builds = builder({ log, names: config.dashboard ? ['dashboard', 'docs'] : ['docs'] });
  const buildState = builds.state;
  const app = await startApp({ config, databaseUrl, ownerUrl, serverSecret, previousSecrets, log, buildState });
  stops.push(() => app.stop());
  stops.push(() => builds.stop());

  const client = await connectPatiently(ownerUrl, progress);
  const run: Run = async (statement) => (await client.query(statement)).rows;
  const start = await firstStart(app, run, serverSecret, config);
  const [counts] = await run(KEYS_AND_MERCHANTS);
  await app.server.listen({ host: config.host, port: config.port });
  if (stopping) return;
  if (process.argv.includes('--build')) builds.start();
  const { port } = app.server.server.address() as AddressInfo;
  const isHere = config.dashboard && urlsOf(config) === null && !isExposed(config);
  const secrets = { current: serverSecret, previous: previousSecrets };
  // Passkeys need a name. Logs of a database of the operator's own are shipped: there the command line makes links.
  const link = isHere ? await firstLink(run, secrets, `http://localhost:${port}`) : null;
  await client.end();
  const targets = privateTargetsOf(config, Number(counts?.['merchants']));
  const dashboard = link === null ? addressOfDashboard(config, port) : `${link}   (opens once, within a day)`;
  say(banner({ host: config.host, port, start, targets, program: programName(), dashboard }));
  const server = await connectPatiently(urls.serverUrl, progress);
  const login = await loginFacts(server).finally(() => server.end());
  const isRoot = process.getuid?.() === 0;
  for (const line of shortcomings({ config, login, liveKeys: Number(counts?.['live_keys']), isRoot })) say(`! ${line}`);
}

/** Before anything is made. Throws `EADDRINUSE` where somebody listens there. */
async function assertFree({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof EmbeddedError || error instanceof DatabaseUnfit;
  const { code, port } = error as { readonly code?: unknown; readonly port?: number };
  const inUse = code === 'EADDRINUSE';
  const text = inUse ? `Port ${port} is in use. Choose another one with PORT.` : (error as Error).message;
  process.stderr.write(known || inUse ? `${text}\n` : `${(error as Error).stack ?? text}\n`);
  process.exit(1);
});
