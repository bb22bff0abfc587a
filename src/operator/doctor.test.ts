/** What the doctor finds: nothing in what is in order, and each fault with what mends it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import { asServer } from '../../test/support/harness/database.ts';
import { startTcpReceiver } from '../../test/support/webhooks/raw-receivers.ts';
import { withClient } from '../../test/support/model/audit.ts';
import { type Config, loadConfig } from '../config.ts';
import { connectPatiently } from '../platform/db/pool.ts';
import { ages } from './doctor-database.ts';
import { examine, nodeVersion } from './doctor.ts';

let application: Application;
let others: Server;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

beforeAll(async () => {
  application = await startApplication();
  others = createServer((_, response) => response.writeHead(404).end('{}'));
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  others?.close();
  await application?.stop();
});

/** What is wrong, as title and message. */
async function wrongs(settings: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const url = application.databaseUrl;
  const env = {
    DATABASE_URL: asServer(url),
    DATABASE_OWNER_URL: url,
    BURSAR_SECRET: SERVER_SECRET,
    BURSAR_WEBHOOK_PRIVATE_TARGETS: 'loopback',
  };
  const config: Config = loadConfig({ ...env, ...settings });
  const client = await connectPatiently(url, quiet);
  try {
    const findings = await examine(config, (look) => look({ client, serverUrl: asServer(url) }));
    for (const { isFine, mend } of findings) expect(mend === null).toBe(isFine);
    return Object.fromEntries(findings.filter(({ isFine }) => !isFine).map(({ title, message }) => [title, message]));
  } finally {
    await client.end();
  }
}

/** The faults beyond those that every test database has: keys that are live, and a user who is root. */
async function beyond(settings?: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { 'A user of its own': _, 'Private targets': __, ...rest } = await wrongs(settings);
  return rest;
}

const change = (text: string) => withClient(application.databaseUrl, async (client) => void (await client.query(text)));

describe('the doctor', () => {
  it('says who the server runs as, not who asks; without a server it does not know', async () => {
    const { port } = new URL(application.address);
    const ofUser = async (PORT: string) => {
      const config = loadConfig({
        PORT,
        HOST: '0.0.0.0',
        DATABASE_URL: asServer(application.databaseUrl),
        BURSAR_SECRET: SERVER_SECRET,
      });
      const findings = await examine(config, async () => null);
      return findings.find(({ title }) => title === 'A user of its own');
    };
    const isRoot = process.getuid?.() === 0;
    const found = await ofUser(port);
    expect([found?.isFine, found?.message]).toEqual([!isRoot, expect.stringContaining('server runs as')]);
    const free = String((others.address() as AddressInfo).port + 1);
    expect(await ofUser(free)).toMatchObject({
      isFine: true,
      message: expect.stringContaining(`port ${free}`) as string,
    });
  });

  it('finds nothing where all is in order', async () => expect(await beyond()).toEqual({}));

  it.each([
    ['Rights', /other rights/, 'GRANT DELETE ON events TO bursar_app', 'REVOKE DELETE ON events FROM bursar_app'],
    [
      'Schema',
      /1 migrations have not run, from 01\d\d_\w+\.sql/,
      'CREATE TABLE kept AS SELECT * FROM schema_migrations; DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)',
      'INSERT INTO schema_migrations SELECT * FROM kept ON CONFLICT DO NOTHING; DROP TABLE kept',
    ],
    [
      'Backup',
      /60\.0 h ago/,
      "INSERT INTO backups VALUES (now() - interval '60 hours', now(), 1, 1, false)",
      'DELETE FROM backups',
    ],
    [
      'Verification',
      /2 damages were found/,
      "INSERT INTO verifications SELECT environment_id, now(), now(), 1, 2, '[]' FROM environments LIMIT 1",
      'DELETE FROM verifications',
    ],
    ['Sealed texts', /another server secret/, "UPDATE sealings SET key_id = 'ffffffff'", 'DELETE FROM sealings'],
  ])('finds %s', async (title, message, damage, undo) => {
    if (title === 'Sealed texts')
      await change("INSERT INTO sealings (name, key_id) VALUES ('payments', 'x') ON CONFLICT DO NOTHING");
    await change(damage);
    const found = await beyond();
    await change(undo);
    expect(found).toEqual({ [title]: expect.stringMatching(message) as string });
  });

  it('finds a receiver that takes no connection, and none that does', async () => {
    const { client } = application.sandbox;
    const { port } = others.address() as AddressInfo;
    await client.post('/v1/webhook_endpoints', { url: `http://127.0.0.1:${port}/` });
    expect(await beyond()).toEqual({});
    const { json } = await client.post('/v1/webhook_endpoints', { url: 'http://127.0.0.1:9/' });
    expect(await beyond()).toEqual({ 'Webhook receiver': '127.0.0.1:9 takes no connection (ECONNREFUSED)' });
    await client.write('DELETE', `/v1/webhook_endpoints/${json['id'] as string}`, '');
  });

  it('finds a public address that leads elsewhere or nowhere, and none that leads here', async () => {
    const proxied = { BURSAR_TRUSTED_PROXIES: '127.0.0.1' };
    expect(await beyond({ ...proxied, BURSAR_PUBLIC_URL: application.address })).toEqual({});
    const { port } = others.address() as AddressInfo;
    expect(await beyond({ ...proxied, BURSAR_PUBLIC_URL: `http://127.0.0.1:${port}` })).toEqual({
      'Public address': `http://127.0.0.1:${port}/livez answers 404, and not as Bursar does`,
    });
    expect(await beyond({ ...proxied, BURSAR_PUBLIC_URL: 'https://bursar.invalid' })).toEqual({
      'Public address': 'the name in https://bursar.invalid is not found (DNS)',
    });
  });

  it('is not misled by a proxy that sends an informational answer first', async () => {
    const body = '{"status":"ok"}';
    const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const early = await startTcpReceiver((socket) => {
      socket.once('data', () => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer}`));
    });
    const proxied = { BURSAR_TRUSTED_PROXIES: '127.0.0.1', BURSAR_PUBLIC_URL: `http://127.0.0.1:${early.port}` };
    expect(await beyond(proxied)).toEqual({});
    await early.close();
  });

  it('finds rates that cannot be used, and a database that is away', async () => {
    expect(await beyond({ BURSAR_RATES_FILE: '/nowhere/rates.json' })).toEqual({
      'Live rates': expect.stringContaining('/nowhere/rates.json cannot be used') as string,
    });
    const config = loadConfig({ DATABASE_URL: 'postgres://a@127.0.0.1:9/b', BURSAR_SECRET: SERVER_SECRET });
    const findings = await examine(config, () => Promise.reject(new Error('The database does not let us in.')));
    expect(findings.find(({ title }) => title === 'Database')).toMatchObject({
      isFine: false,
      message: 'The database does not let us in.',
    });
  });
});

it.each([
  ['20.18.1', false],
  ['20.19.0', true],
  ['18.20.0', false],
  ['24.1.0', true],
])('Node %s', (version, isFine) => expect(nodeVersion(version).isFine).toBe(isFine));

it('a backup is due only where it matters, and not in the first two days', () => {
  const counts = { backup_hours: null, verified_hours: 1, damages: 0, age_hours: 100 };
  const backup = (of: object, matters: boolean) => ages({ ...counts, ...of }, matters, { verifyHour: 3 })[0]?.isFine;
  expect([
    backup({}, true),
    backup({}, false),
    backup({ age_hours: 40 }, true),
    backup({ backup_hours: 47 }, true),
  ]).toEqual([false, true, true, true]);
});
