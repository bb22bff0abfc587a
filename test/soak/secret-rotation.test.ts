/**
 * A rotation of the server secret from outside: real servers that serve payouts meanwhile, the command line, kill -9 in
 * the middle, and what is refused without the previous secret. Sealing anew: `src/operator/reseal.test.ts`; keys:
 * `src/tenancy/keys/rehash.soak.test.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idOf, newId, uuidOf } from '../../src/core/values/ids.ts';
import { secretIdOf } from '../../src/platform/vault/vault.ts';
import { secretBox } from '../../src/events/webhooks/signature.ts';
import { auditDatabase } from '../support/model/audit.ts';
import { BUILT, cli as runCli, cliAt } from '../support/harness/cli.ts';
import { eventually } from '../support/harness/eventually.ts';
import { asServer, createDatabase, type Database } from '../support/harness/database.ts';
import { Client } from '../support/harness/http.ts';
import { outcome } from '../support/harness/probe-client.ts';
import {
  builtProgram,
  makeKey,
  type ServerProcess,
  startServer,
  TEST_SECRET,
} from '../support/harness/server-process.ts';
import { createTenant, must } from '../support/harness/tenant-fixture.ts';
import { makeEndpoint, verifies } from '../support/webhooks/endpoints.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const cli = (args: readonly string[], env: Readonly<Record<string, string>>) => runCli(args, env, BUILT);

/** Between two payouts: what they cost must not slow down the servers that start beside them. */
const PACE_MS = 20;
const NEW = 'the-secret-after-the-rotation-0123456789';
const BEFORE = { BURSAR_SECRET: TEST_SECRET };
/** A step of rolling several servers: the new one is known, and not used yet. */
const READY = { BURSAR_SECRET: TEST_SECRET, BURSAR_SECRET_PREVIOUS: NEW };
const FORGOTTEN = { BURSAR_SECRET: NEW };
/** It has a comma in it, so it cannot stand in a list. */
const PREVIOUS_FILE = join(mkdtempSync(join(tmpdir(), 'bursar-previous-')), 'secrets');
writeFileSync(PREVIOUS_FILE, `${TEST_SECRET}\n`);
afterAll(() => rmSync(join(PREVIOUS_FILE, '..'), { recursive: true }));
const AFTER = { BURSAR_SECRET: NEW, BURSAR_SECRET_PREVIOUS_FILE: PREVIOUS_FILE };

beforeAll(() => void builtProgram());

describe('with a database of your own', () => {
  let database: Database;
  let receiver: Receiver;
  const running: ServerProcess[] = [];
  beforeEach(async () => {
    database = await createDatabase();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.kill()));
    await receiver.stop();
    await database.drop();
  });
  const serve = async (env: Readonly<Record<string, string>>) => {
    const urls = { databaseUrl: asServer(database.url), env: { DATABASE_OWNER_URL: database.url, ...env } };
    const server = await startServer({ ...urls });
    running.push(server);
    return server;
  };
  const secret = (verb: string, env: Readonly<Record<string, string>>) =>
    cli(['secret', verb], { DATABASE_URL: asServer(database.url), DATABASE_OWNER_URL: database.url, ...env });

  it('servers go from one secret to the other under load: no key is refused, every delivery verifies, no payout is lost', async () => {
    const unused = await makeKey(database.url, 'unused');
    let [one, two] = await Promise.all([serve(BEFORE), serve(BEFORE)]);
    const tenant = await createTenant(database.url, one.address);
    const { client } = tenant;
    const { key } = await makeKey(database.url); // of the same environment
    const endpoint = await makeEndpoint(client, { url: receiver.url, enabled_events: ['payout.created'] });
    const created = { idempotencyKey: 'the second endpoint' };
    const hook = { url: `${receiver.url}/paid`, enabled_events: ['payout.paid'] };
    const first = must(await client.post('/v1/webhook_endpoints', hook, created));
    const account = await tenant.account('EUR', '1000.00');
    const recipient = await tenant.recipient();
    const link = must(await client.post('/v1/payment_links', { amount: '5', currency: 'EUR', reusable: true }));
    const opensAt = async (address: string) => {
      const asking = new Client(address, key);
      const read = must(await asking.get(`/v1/payment_links/${link.json['id'] as string}`)).text;
      const { pathname } = new URL(link.json['url'] as string);
      const page = await fetch(address + pathname);
      asking.close();
      return [new URL(JSON.parse(read).url as string).pathname === pathname, page.status];
    };
    expect(await opensAt(one.address)).toEqual([true, 200]);

    // Payouts all the time, each on a server that is up; a refusal ends the test.
    let [made, isOver] = [0, false];
    const paying = (async () => {
      for (; !isOver; made++) {
        const { address } = made % 2 === 0 ? one : two;
        const payer = new Client(address, key);
        const order = { amount: '0.01', currency: 'EUR', account, recipient };
        must(await payer.post('/v1/payouts', order));
        payer.close();
        await sleep(PACE_MS);
      }
    })();
    paying.catch(() => undefined); // the end of the test awaits it and gets the error
    const paid = (more: number) => {
      const from = made;
      return eventually(`${more} more payouts`, () => made >= from + more);
    };
    const swap = async (env: Readonly<Record<string, string>>) => {
      const before = [one, two];
      const [next, last] = await Promise.all([serve(env), serve(env)]);
      [one, two] = [next, last];
      await paid(2); // the order that was under way went to one of those before
      for (const server of before) await server.stop();
    };

    expect((await secret('rotate', BEFORE)).stderr).toContain('There is no previous secret to rotate from');
    await swap(READY);
    const early = await secret('rotate', { BURSAR_SECRET: 'z'.repeat(40), BURSAR_SECRET_PREVIOUS_FILE: PREVIOUS_FILE });
    expect(early.stderr).toContain('2 servers run on this database and do not use the secret');
    expect(early.code).toBe(1);
    await swap(AFTER);
    expect((await secret('status', AFTER)).stdout).toContain('Not all under it yet: recipients, ');
    expect(await opensAt(one.address)).toEqual([true, 200]);
    const rotated = await secret('rotate', AFTER);
    expect([rotated.code, rotated.stderr]).toEqual([0, expect.stringMatching(/^(Sealed rows of \w+: \d+\.\n)+$/)]);
    expect(rotated.stdout).toContain('Links, payments and bank details: all under it.');
    expect(rotated.stdout).toContain(
      'Sealed in webhook_endpoints.secrets (we_): 2 under it (2 now), 0 under a previous',
    );
    expect(rotated.stdout).toContain(`Server secret ${secretIdOf(NEW)}; previous: ${secretIdOf(TEST_SECRET)}.`);
    expect(rotated.stdout).toContain(`${unused.id}  unused (sandbox)`);
    expect(rotated.stdout).toContain('Keep the previous secret until then.');
    for (const text of [NEW, TEST_SECRET]) expect(rotated.stdout + rotated.stderr).not.toContain(text);
    const noted = must(await new Client(one.address, key).get('/v1/audit_log?action=server_secret.rotated')).json;
    const ids = { secret: secretIdOf(NEW), previous: [secretIdOf(TEST_SECRET)] };
    expect(noted['data']).toMatchObject([{ actor: 'cli', details: ids }]);
    const again = await secret('rotate', AFTER);
    expect(again.stdout).toContain('Sealed in webhook_endpoints.secrets (we_): 2 under it, 0 under a previous');
    await swap(FORGOTTEN);
    expect(await opensAt(one.address)).toEqual([true, 200]);
    await paid(4);
    isOver = true;
    await paying;

    // Nothing needs the previous secret: keys, deliveries, answers that are given again.
    await eventually('every delivery has come', () => new Set(receiver.ids('/')).size === made);
    const secretOf: Record<string, string> = { '/': endpoint.secret, '/paid': first.json['secret'] as string };
    expect(receiver.ids('/paid').length).toBeGreaterThan(0);
    expect(receiver.received.filter((each) => !verifies(each, secretOf[each.path] as string))).toEqual([]);
    const now = new Client(one.address, key);
    const replayed = await now.post('/v1/webhook_endpoints', hook, created);
    expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const other = new Client(one.address, unused.key);
    // The control: a key that was not used in between is refused without the previous secret.
    expect(outcome(await other.get('/v1/accounts'))).toBe('401 api_key_invalid');
    for (const each of [now, other, client]) each.close();
    expect(await auditDatabase(database.url)).toEqual([]);
  });

  it('killed in the middle, it has done a part, every text opens, and a second run does the rest', async () => {
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
  });
});

describe('with the embedded database', () => {
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
