/**
 * A second server on the database of an application, in this process but with connections, lanes and memory of its own:
 * what one has committed, the other learns as another process would. Real processes are in `server-process.ts`.
 */
import { pino } from 'pino';
import { startApp } from '../../../src/server/app.ts';
import { type Config, loadConfig } from '../../../src/config.ts';
import { type Application, SERVER_SECRET } from './application.ts';
import { asServer } from './database.ts';
import { UNLIMITED } from './unlimited.ts';

export interface SecondServer {
  readonly address: string;
  stop(): Promise<void>;
}

/** Knows the same keys, and the same forms of pages. `serverSecret`: of the other server, where that is no application. */
export async function startSecondServer(
  { databaseUrl }: Pick<Application, 'databaseUrl'>,
  serverSecret: string = SERVER_SECRET,
  settings: Partial<Config> = {},
): Promise<SecondServer> {
  const usual = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0', ...UNLIMITED });
  const config = { ...usual, pageFaultsPerSecond: 0, ...settings };
  const log = pino({ level: 'silent' });
  const app = await startApp({
    config,
    databaseUrl: asServer(databaseUrl),
    ownerUrl: databaseUrl,
    serverSecret,
    log,
  });
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  return { address, stop: () => app.stop() };
}
