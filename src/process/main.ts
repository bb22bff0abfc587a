/**
 * The process: settings, database, first start, server, and a clean end. Everything else is made in `process/app.ts`.
 * SIGINT and SIGTERM drain: no new requests, answers for those under way, then the database.
 */
import { startApp } from './app.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { type Embedded, EmbeddedError, startEmbedded } from '../db/embedded/embedded.ts';
import { connectPatiently, DatabaseUnfit } from '../db/pool.ts';
import { embeddedUrls, prepareDatabase, urlsOf } from './database.ts';
import { firstStart, type Start } from './bootstrap.ts';
import type { Run } from '../keys/keys.ts';
import { openLog } from './logger.ts';
import { serverSecret } from './server-secret.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const log = openLog(config.logLevel);
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
  for (const file of await prepareDatabase(ownerUrl, progress)) say(`Migrated: ${file}`);
  urls ??= await embeddedUrls(ownerUrl, config.dataDir, progress);
  const secret = await serverSecret(config);
  const app = await startApp({ config, databaseUrl: urls.serverUrl, ownerUrl, serverSecret: secret, log });
  stops.push(() => app.stop());

  const client = await connectPatiently(ownerUrl, progress);
  const run: Run = async (statement) => (await client.query(statement)).rows;
  const start = await firstStart(app, run, secret, config).finally(() => client.end());
  const address = await app.server.listen({ host: config.host, port: config.port });
  if (stopping) return;
  say(banner(address, start));
}

function banner(address: string, { key, recipient }: Start): string {
  const shown = key ?? '<your sandbox key>';
  const lines = [
    '',
    `Bursar listens on ${address}`,
    key === null
      ? 'Sandbox key:  shown at the first start; make another with: npm run bursar -- keys create --sandbox'
      : `Sandbox key:  ${key}`,
    '',
    'Try it:',
    `  curl ${address}/v1/accounts -H "Authorization: Bearer ${shown}"`,
  ];
  if (recipient !== null) {
    lines.push(
      `  curl ${address}/v1/payouts -H "Authorization: Bearer ${shown}" -d amount=250.00 -d currency=EUR -d recipient=${recipient}`,
      `  curl ${address}/v1/exchanges -H "Authorization: Bearer ${shown}" -d sell_currency=EUR -d buy_currency=USD -d amount=100`,
    );
  }
  lines.push('', `API description: ${address}/openapi.json    Stop: Ctrl-C`, '');
  return lines.join('\n');
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof EmbeddedError || error instanceof DatabaseUnfit;
  const inUse = (error as { code?: unknown }).code === 'EADDRINUSE';
  const text = inUse ? 'The port is in use. Choose another one with PORT.' : (error as Error).message;
  process.stderr.write(known || inUse ? `${text}\n` : `${(error as Error).stack ?? text}\n`);
  process.exit(1);
});
