/**
 * Servers that go from one server secret to the other while they serve payouts: first the new secret is known, then
 * it is used, then the command line moves what is stored, and in the end nobody knows the old one. With servers in
 * the process of the test: `test/long/secret-swap.test.ts`; with servers of their own:
 * `test/long/secret-rotation.test.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { secretIdOf } from '../../../src/platform/vault/vault.ts';
import { cli } from '../harness/cli.ts';
import { asServer, createDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { Client } from '../harness/http.ts';
import { outcome } from '../harness/probe-client.ts';
import { makeKey, TEST_SECRET } from '../harness/server-process.ts';
import { createTenant, must } from '../harness/tenant-fixture.ts';
import { auditDatabase } from '../model/audit.ts';
import { makeEndpoint, verifies } from '../webhooks/endpoints.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/** Between two payouts: what they cost must not slow down the servers that start beside them. */
const PACE_MS = 20;
export const NEW = 'the-secret-after-the-rotation-0123456789';
/** It has a comma in it, so it cannot stand in a list. */
const PREVIOUS_FILE = join(mkdtempSync(join(tmpdir(), 'bursar-previous-')), 'secrets');
writeFileSync(PREVIOUS_FILE, `${TEST_SECRET}\n`);
process.on('exit', () => rmSync(join(PREVIOUS_FILE, '..'), { recursive: true, force: true }));

/** What a server or a command line is told of secrets. */
export type Setting = Readonly<Record<string, string>>;
const BEFORE: Setting = { BURSAR_SECRET: TEST_SECRET };
/** A step of rolling several servers: the new one is known, and not used yet. */
const READY: Setting = { BURSAR_SECRET: TEST_SECRET, BURSAR_SECRET_PREVIOUS: NEW };
export const AFTER: Setting = { BURSAR_SECRET: NEW, BURSAR_SECRET_PREVIOUS_FILE: PREVIOUS_FILE };
const FORGOTTEN: Setting = { BURSAR_SECRET: NEW };

export interface Serving {
  readonly address: string;
  stop(): Promise<unknown>;
}

/** `bursar secret <verb>` on the database at `url`. */
export const secretOn = (url: string, verb: string, setting: Setting) =>
  cli(['secret', verb], { DATABASE_URL: asServer(url), DATABASE_OWNER_URL: url, ...setting });

/** No key is refused, every delivery verifies, no payout is lost. `serve` starts a server that keeps to the setting. */
export async function rollUnderLoad(serve: (url: string, setting: Setting) => Promise<Serving>): Promise<void> {
  const { url, drop } = await createDatabase();
  const receiver = await startReceiver();
  const running: Serving[] = [];
  try {
    await roll(url, receiver, async (setting) => {
      const { address, stop } = await serve(url, setting);
      let stopping: Promise<unknown> | undefined;
      const server = { address, stop: () => (stopping ??= stop()) };
      running.push(server);
      return server;
    });
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    await receiver.stop();
    await drop();
  }
}

async function roll(url: string, receiver: Receiver, serve: (setting: Setting) => Promise<Serving>): Promise<void> {
  const secret = (verb: string, setting: Setting) => secretOn(url, verb, setting);
  const unused = await makeKey(url, 'unused');
  let [one, two] = await Promise.all([serve(BEFORE), serve(BEFORE)]);
  const tenant = await createTenant(url, one.address);
  const { client } = tenant;
  const { key } = await makeKey(url); // of the same environment
  const endpoint = await makeEndpoint(client, { url: receiver.url, enabled_events: ['payout.created'] });
  const created = { idempotencyKey: 'the second endpoint' };
  const hook = { url: `${receiver.url}/paid`, enabled_events: ['payout.paid'] };
  const maker = new Client(one.address, key);
  const first = must(await maker.post('/v1/webhook_endpoints', hook, created));
  maker.close();
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
  const swap = async (env: Setting) => {
    const before = [one, two];
    const [next, last] = await Promise.all([serve(env), serve(env)]);
    [one, two] = [next, last];
    await paid(2); // the order that was under way went to one of those before
    await Promise.all(before.map((server) => server.stop()));
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
  expect(rotated.stdout).toContain('Sealed in webhook_endpoints.secrets (we_): 2 under it (2 now), 0 under a previous');
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
  await eventually('a payout that arrived has been told', () => receiver.ids('/paid').length > 0);
  expect(receiver.received.filter((each) => !verifies(each, secretOf[each.path] as string))).toEqual([]);
  const now = new Client(one.address, key);
  const replayed = await now.post('/v1/webhook_endpoints', hook, created);
  expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  const other = new Client(one.address, unused.key);
  // The control: a key that was not used in between is refused without the previous secret.
  expect(outcome(await other.get('/v1/accounts'))).toBe('401 api_key_invalid');
  for (const each of [now, other, client]) each.close();
  expect(await auditDatabase(url)).toEqual([]);
}
