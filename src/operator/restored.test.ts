/** What readers of events notice when a database is put back to a backup: with `noteRestores`, and without it as a control. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { insertKey } from '../../test/support/harness/keys.ts';
import { SERVER_SECRET } from '../../test/support/harness/application.ts';
import { asServer, createDatabase, databaseUrl, runSql } from '../../test/support/harness/database.ts';
import { Client, type Json } from '../../test/support/harness/http.ts';
import { outcome } from '../../test/support/harness/probe-client.ts';
import { must } from '../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../test/support/model/audit.ts';
import pg from 'pg';
import { startApp } from '../server/app.ts';
import { noteRestores } from './restored.ts';

const CONFIG = {
  ...loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0', BURSAR_RATE_LIMIT: '0' }),
  readPoolSize: 1,
};
const QUIET = pino({ level: 'silent' });

async function makeKey(url: string): Promise<string> {
  const owner = new pg.Client(url);
  await owner.connect();
  const order = { merchant: 'first', livemode: false, name: 'test', scopes: null, expiresAt: null };
  const { key } = await insertKey(async (statement) => (await owner.query(statement)).rows, SERVER_SECRET, order);
  await owner.end();
  return key;
}

/** Runs a server on the database for as long as `work` takes. */
async function serving<T>(url: string, key: string, work: (client: Client) => Promise<T>): Promise<T> {
  const app = await startApp({
    config: CONFIG,
    databaseUrl: asServer(url),
    ownerUrl: url,
    serverSecret: SERVER_SECRET,
    log: QUIET,
  });
  const client = new Client(await app.server.listen({ host: '127.0.0.1', port: 0 }), key);
  try {
    return await work(client);
  } finally {
    client.close();
    await app.stop();
  }
}

const open = async (client: Client, currency: string) =>
  must(await client.post('/v1/accounts', { currency })).json['id'] as string;
const events = async (client: Client, query: string) =>
  must(await client.get(`/v1/events?order=asc&limit=100&${query}`)).json['data'] as readonly Json[];
const newest = async (client: Client) =>
  (must(await client.get('/v1/events?limit=1')).json['data'] as readonly Json[])[0]?.['sequence'] as number;

it('gives no sequence twice, and tells readers where to go on', async () => {
  const { url, drop } = await createDatabase();
  const backupUrl = (name: string) => databaseUrl(url, name);
  const backups = ['restored', 'control'].map((name) => `${name}_${Date.now()}`) as [string, string];
  const key = await makeKey(url);
  const hook = { url: 'https://hooks.example.com/', enabled_events: ['environment.*'] };
  await serving(url, key, async (client) => {
    await open(client, 'EUR');
    must(await client.post('/v1/webhook_endpoints', hook));
  });
  for (const name of backups)
    await runSql(backupUrl('postgres'), `CREATE DATABASE ${name} TEMPLATE ${databaseName(url)}`);
  // After the backup: events that a reader sees and the restore takes back.
  const { seen, kept } = await serving(url, key, async (client) => {
    const before = await newest(client);
    for (const currency of ['USD', 'GBP', 'SEK']) await open(client, currency);
    return { seen: await newest(client), kept: before };
  });
  expect(seen).toBe(kept + 3);

  const [restored, control] = backups.map(backupUrl) as [string, string];
  await serving(control, key, async (client) => {
    const refused = await client.get(`/v1/events?after_sequence=${seen}`);
    expect(outcome(refused)).toBe('400 sequence_unknown after_sequence');
    expect(refused.text).toContain(`read on after ${kept}.`);
    const stream = await client.get(`/v1/events/stream?after_sequence=${seen}`);
    expect(outcome(stream)).toBe('400 sequence_unknown after_sequence');
    for (const currency of ['USD', 'GBP', 'SEK', 'CHF']) await open(client, currency);
    // The control: a reader that has seen the lost events misses three of four accounts.
    expect(await events(client, `after_sequence=${seen}`)).toHaveLength(1);
  });

  const done = await noteRestores({ ...CONFIG, url: restored, log: QUIET }, 1_000);
  expect(done).toEqual([
    { environmentId: expect.stringMatching(/^env_/), lastSequence: kept, nextSequence: kept + 1_001 },
  ]);
  await serving(restored, key, async (client) => {
    for (const currency of ['USD', 'GBP', 'SEK', 'CHF']) await open(client, currency);
    const after = await events(client, `after_sequence=${seen}`);
    expect(after.map((event) => event['type'])).toEqual(['environment.restored', ...Array(4).fill('account.created')]);
    expect(after.map((event) => event['sequence'])).toEqual([1, 2, 3, 4, 5].map((n) => kept + 1_000 + n));
    const object = { object: 'restore', last_sequence: kept, next_sequence: kept + 1_001 };
    expect(after[0]).toMatchObject({ data: { object } });
    const [endpoint] = must(await client.get('/v1/webhook_endpoints')).json['data'] as readonly Json[];
    const path = `/v1/deliveries?webhook_endpoint=${endpoint?.['id'] as string}`;
    expect(must(await client.get(path)).json['data']).toMatchObject([{ event_type: 'environment.restored' }]);
  });
  expect(await auditDatabase(restored)).toEqual([]);
  await drop();
  for (const name of backups)
    await runSql(url.replace(databaseName(url), 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
});

const databaseName = (url: string) => /^postgres:\/\/[^/]*\/([^?]*)/.exec(url)?.[1] as string;
