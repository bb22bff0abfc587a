/**
 * A rotation of the server secret: servers that serve payouts meanwhile, the command line, kill -9 in the middle,
 * and what is refused without the previous secret. Sealing again: `src/operator/reseal.test.ts`; keys:
 * `src/tenancy/keys/rehash.soak.test.ts`; with every server a process of its own:
 * `test/long/secret-rotation.test.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { idOf, newId, uuidOf } from '../../src/core/values/ids.ts';
import { secretBox } from '../../src/events/webhooks/signature.ts';
import { serverSecrets } from '../../src/operator/server-secret.ts';
import { startApp } from '../../src/server/app.ts';
import { AFTER, NEW, rollUnderLoad, secretOn } from '../support/faults/secret-swap.ts';
import { cli, cliAt } from '../support/harness/cli.ts';
import { asServer, createDatabase } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { Client } from '../support/harness/http.ts';
import { builtProgram, makeKey, startServer, TEST_SECRET } from '../support/harness/server-process.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { UNLIMITED } from '../support/harness/unlimited.ts';
import { makeEndpoint, verifies } from '../support/webhooks/endpoints.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

beforeAll(() => void builtProgram()); // or it would hold up the servers in this process

// Alone: its servers are in this process.
it('servers go from one secret to the other under load: no key is refused, every delivery verifies, no payout is lost', () =>
  rollUnderLoad(async (url, setting) => {
    const config = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '1', ...UNLIMITED, ...setting });
    const { current: serverSecret, previous: previousSecrets } = await serverSecrets(config);
    const log = pino({ level: 'silent' });
    const urls = { databaseUrl: asServer(url), ownerUrl: url };
    const app = await startApp({ config, ...urls, serverSecret, previousSecrets, log });
    return { address: await app.server.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.stop() };
  }));

describe.concurrent('with a database of your own', () => {
  it('killed in the middle, it has done a part, every text opens, and a second run does the rest', async () => {
    const database = await createDatabase();
    const secret = (verb: string, setting: Readonly<Record<string, string>>) => secretOn(database.url, verb, setting);
    const { environmentId: first } = await makeKey(database.url, 'first');
    const { environmentId: second } = await makeKey(database.url, 'second');
    const box = secretBox({ current: TEST_SECRET, previous: [] });
    const owner = new pg.Client(database.url);
    owner.on('error', () => {}); // the database goes when the test fails
    await owner.connect();
    for (const environment of [first, second].map(uuidOf)) {
      const ids = Array.from({ length: 300 }, () => newId('we'));
      await owner.query(
        `INSERT INTO webhook_endpoints (environment_id, id, url, enabled_events, ordered, status, secrets, created_at)
          SELECT $1, unnest($2::uuid[]), 'https://hooks.example.com/', '["*"]', false, 'enabled', unnest($3::text[])::jsonb, now()`,
        [
          environment,
          ids.map(uuidOf),
          ids.map((id) => JSON.stringify([{ sealed: box.seal(`whsec_${id}`, id), expires_at: null }])),
        ],
      );
    }
    const done = async (secrets: { current: string; previous: readonly string[] }) => {
      const opener = secretBox(secrets);
      const { rows } = await owner.query<{ id: string; sealed: string }>(
        "SELECT id, secrets->0->>'sealed' AS sealed FROM webhook_endpoints",
      );
      for (const { id, sealed } of rows) expect(opener.open(sealed, idOf('we', id))).toBe(`whsec_${idOf('we', id)}`);
      return rows.filter(({ sealed }) => opener.isCurrent(sealed)).length;
    };

    // The rows of one environment are under the new secret, and there it is killed.
    const env = { DATABASE_URL: asServer(database.url), DATABASE_OWNER_URL: database.url, ...AFTER };
    const run = await cliAt('secret.batch_resealed', ['secret', 'rotate'], env, 3);
    const both = { current: NEW, previous: [TEST_SECRET] };
    expect(await done(both)).toBe(300);
    const beside = await secret('rotate', AFTER);
    expect([beside.code, beside.stderr]).toEqual([1, 'Another rotation is under way on this database.\n']);
    await run.kill();
    expect(await done(both)).toBe(300);

    // PostgreSQL has to notice that the session of the killed one is gone.
    await eventually('the next rotation has its turn', async () => (await secret('rotate', AFTER)).code === 0);
    expect(await done({ current: NEW, previous: [] })).toBe(600);
    const status = await secret('status', AFTER);
    expect(status.stdout).toContain('Sealed in webhook_endpoints.secrets (we_): 600 under it, 0 under a previous one.');
    await owner.end();
    await database.drop();
  });
});

describe.concurrent('with the embedded database', () => {
  it('beside a running server it only replaces the secret; after a restart it does the rest, and keys work all the time', async () => {
    const data = join(folder, 'serving');
    const env = { BURSAR_DATA: data };
    const serve = () => startServer({ databaseUrl: '', env: { ...env, BURSAR_SECRET: '' } });
    const receiver = await startReceiver();
    let server = await serve();
    try {
      const key = readFileSync(join(data, 'sandbox-key'), 'utf8').trim();
      const client = new Client(server.address, key);
      const endpoint = await makeEndpoint(client, { url: receiver.url, enabled_events: ['account.created'] });
      const open = async () => must(await client.post('/v1/accounts', { currency: 'EUR' }));
      const waiting = await cli(['secret', 'rotate'], env);
      expect([waiting.code, waiting.stderr]).toEqual([1, expect.stringContaining('1 server runs on this database')]);
      await open(); // the server still has the old one
      await server.stop();
      server = await serve();
      client.address = server.address;
      await open();
      const done = await cli(['secret', 'rotate'], env);
      expect(done.code).toBe(0);
      expect(done.stdout).toContain(
        'Sealed in webhook_endpoints.secrets (we_): 1 under it (1 now), 0 under a previous',
      );
      await open();
      await receiver.count(3);
      expect(receiver.received.filter((each) => !verifies(each, endpoint.secret))).toEqual([]);
      await eventually('the key is hashed under the new secret', async () =>
        (await cli(['secret', 'status'], env)).stdout.includes('Keys: 1 of 1'),
      );
      rmSync(join(data, 'secret.previous'));
      await server.stop();
      server = await serve();
      client.address = server.address;
      await open();
      await receiver.count(4);
      expect(receiver.received.filter((each) => !verifies(each, endpoint.secret))).toEqual([]);
      client.close();
    } finally {
      await server.stop();
      await receiver.stop();
    }
  });

  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bursar-rotation-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('makes a new secret, keeps the old one beside it, and goes on with what is unfinished', async () => {
    const data = join(folder, 'data');
    const env = { BURSAR_DATA: data };
    expect((await cli(['keys', 'create', '--sandbox'], env)).stderr).toContain(`no Bursar in ${data} (BURSAR_DATA)`);
    expect((await cli(['migrate'], env)).code).toBe(0); // a folder that is named may be made
    const made = await cli(['keys', 'create', '--sandbox'], env);
    expect(made.code).toBe(0);
    const before = readFileSync(join(data, 'secret'), 'utf8').trim();
    const rotated = await cli(['secret', 'rotate'], env);
    expect(rotated.stderr).toContain('Made a new server secret');
    expect(rotated.code).toBe(0);
    const after = readFileSync(join(data, 'secret'), 'utf8').trim();
    expect(after).not.toBe(before);
    expect(readFileSync(join(data, 'secret.previous'), 'utf8')).toBe(`${before}\n`);
    expect(statSync(join(data, 'secret.previous')).mode & 0o777).toBe(0o600);
    expect(rotated.stdout).toContain('Keys: 0 of 1 are hashed under it.');
    for (const text of [before, after]) expect(rotated.stdout + rotated.stderr).not.toContain(text);

    const again = await cli(['secret', 'rotate'], env);
    expect(again.stderr).toContain('No new secret was made');
    expect(readFileSync(join(data, 'secret'), 'utf8').trim()).toBe(after);
    const [id] = /key_\w+/.exec(again.stdout) ?? [];
    expect((await cli(['keys', 'revoke', id as string], env)).code).toBe(0);
    const status = await cli(['secret', 'status'], env);
    expect(status.stdout).toContain('Keys: 0 of 0 are hashed under it.');
    expect(status.stdout).toContain(`delete ${join(data, 'secret.previous')} and restart`);
    // A damaged list of previous ones is refused, not taken for none.
    writeFileSync(join(data, 'secret.previous'), 'short\n');
    const damaged = await cli(['secret', 'rotate'], env);
    expect([damaged.code, readFileSync(join(data, 'secret'), 'utf8').trim()]).toEqual([1, after]);
    expect(damaged.stderr).toContain('secret.previous is wrong');
  });
});
