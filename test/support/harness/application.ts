/**
 * The whole service in this process, on a database and a port of its own, with keys for two merchants: what tests of
 * routes stand on. Real PostgreSQL and real HTTP; sandbox payouts stand still until a helper moves them. Servers to be
 * killed are in `server-process.ts`; ids of every kind in `fixtures.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { type AppOptions, startApp } from '../../../src/server/app.ts';
import { type Config, loadConfig } from '../../../src/config.ts';
import type { Versions } from '../../../src/platform/http/version/versions.ts';
import { TYPES } from '../../../src/platform/db/wire/types.ts';
import type { Run } from '../../../src/tenancy/keys/keys.ts';
import type { KeyOrder, MadeKey } from '../../../src/operator/keys.ts';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { insertKey } from './keys.ts';
import type { Origin } from '../../../src/core/state.ts';
import type { Command } from '../../../src/write/slices.ts';
import { createDatabase, type Database } from './database.ts';
import { Client } from './http.ts';
import { UNLIMITED } from './unlimited.ts';

/** How long an injected request looks at an answer that goes on: for its shape, not for what comes. */
const STREAM_LOOK_MS = 30;

export const SERVER_SECRET = 'only-tests-know-this-secret-0123456789abcdef';

/** A key, and a client that uses it. */
export interface Holder extends MadeKey {
  readonly client: Client;
}

export interface ApplicationOptions {
  readonly config?: Partial<Config>;
  readonly log?: Logger;
  /** Of the API; left out: those there are. */
  readonly versions?: Versions;
  /** Where the built dashboard is; left out: of this copy, if it was built. */
  readonly dashboardFolder?: string;
  /** How far a build beside the service is; left out: there is none. */
  readonly buildState?: AppOptions['buildState'];
  /** A way into the dashboard that lacks something, for controls. */
  readonly doorOf?: AppOptions['doorOf'];
  /** Left out: a new one, dropped at the end too. */
  readonly database?: Database;
}

export interface Application {
  readonly address: string;
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  /** Of the first merchant. */
  readonly sandbox: Holder;
  readonly live: Holder;
  /** Of the second merchant. */
  readonly otherSandbox: Holder;
  readonly otherLive: Holder;
  /** One more key; by default for the sandbox of the first merchant. */
  key(order?: Partial<KeyOrder>): Promise<Holder>;
  revoke(holder: MadeKey): Promise<void>;
  /** A request without a socket: the same server, several times the speed. A stream is left after its first events. */
  inject(options: InjectOptions): Promise<{ status: number; headers: Record<string, unknown>; text: string }>;
  /** Sends a command down the write path, whatever a key may do: the only way to fund a live account. */
  submit(environmentId: string, command: Command, by?: Pick<Origin, 'actor' | 'lineage'>): Promise<string>;
  /** As the owner of the database. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

export async function startApplication(options: ApplicationOptions = {}): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-application-'));
  const ratesFile = join(folder, 'rates.json');
  const at = new Date(Date.now() - 60_000).toISOString();
  const rates = { source: 'tests', at, base: 'EUR', rates: { USD: '1.1', GBP: '0.9' }, markup_bps: 0 };
  writeFileSync(ratesFile, JSON.stringify(rates));
  const { url: databaseUrl, serverUrl, drop } = options.database ?? (await createDatabase());
  const settings = loadConfig({
    BURSAR_SANDBOX_STEP_SECONDS: '0',
    ...UNLIMITED,
    BURSAR_RATES_FILE: ratesFile,
    BURSAR_WRITER: process.env['BURSAR_WRITER'], // all tests with the other writer: BURSAR_WRITER=plain npm test
  });
  const config: Config = { ...settings, pageFaultsPerSecond: 0, ...options.config };
  const log = options.log ?? pino({ level: 'silent' });
  const app = await startApp({
    config,
    databaseUrl: serverUrl,
    ownerUrl: databaseUrl,
    serverSecret: SERVER_SECRET,
    ...(options.versions && { versions: options.versions }),
    ...(options.doorOf && { doorOf: options.doorOf }),
    ...(options.dashboardFolder !== undefined && { dashboardFolder: options.dashboardFolder }),
    ...(options.buildState && { buildState: options.buildState }),
    log,
  });
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const owner = new pg.Client({ connectionString: databaseUrl, types: TYPES, pipeline: true });
  owner.on('error', () => {});
  await owner.connect();
  const run: Run = async (statement) => (await owner.query(statement)).rows;
  const clients: Client[] = [];

  const key = async (order: Partial<KeyOrder> = {}): Promise<Holder> => {
    const made = await insertKey(run, SERVER_SECRET, { merchant: 'first', livemode: false, ...order });
    const client = new Client(address, made.key);
    clients.push(client);
    return { ...made, client };
  };
  return {
    address,
    databaseUrl,
    sandbox: await key(),
    live: await key({ livemode: true }),
    otherSandbox: await key({ merchant: 'second' }),
    otherLive: await key({ merchant: 'second', livemode: true }),
    key,
    async revoke(holder) {
      await run({ text: 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', values: [uuidOf(holder.id)] });
    },
    async inject(request) {
      const reply = await app.server.inject({ ...request, payloadAsStream: true });
      const goesOn = reply.headers['content-type'] === 'text/event-stream';
      const silence = goesOn ? setTimeout(() => reply.raw.res.destroy(), STREAM_LOOK_MS) : undefined;
      const chunks: Buffer[] = [];
      reply.stream().on('data', (chunk: Buffer) => void chunks.push(chunk));
      await new Promise((resolve) =>
        reply
          .stream()
          .on('close', resolve)
          .on('error', () => undefined),
      );
      clearTimeout(silence);
      return { status: reply.statusCode, headers: reply.headers, text: Buffer.concat(chunks).toString() };
    },
    async submit(environmentId, command, by = { actor: 'worker' }) {
      const origin = { ...by, requestId: null, idempotencyKey: null };
      const submission = { environmentId, command, origin, recordKey: null, fingerprint: '', dryRun: false };
      const { status, body } = await app.submit(submission);
      if (status !== 200) throw new Error(body);
      return body;
    },
    sql: (text, values = []) => run({ text, values: [...values] }),
    async stop() {
      for (const client of clients) client.close();
      await app.stop();
      await owner.end();
      await drop();
      rmSync(folder, { recursive: true });
    },
  };
}
