/** The verbs that run and prepare a server: `bursar start`, `dev`, `migrate`, as processes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { webhooks } from '../../client/src/bursar.ts';
import { cli, startCli } from '../support/harness/cli.ts';
import { emptyDatabase, type Database, createDatabase } from '../support/harness/database.ts';
import { freePort, TEST_SECRET } from '../support/harness/server-process.ts';
import { answers, startReceiver } from '../support/webhooks/receiver.ts';
import { rowsOf } from '../support/model/audit.ts';

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-cli-'));
  database = await createDatabase();
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const patience = { timeout: 60_000, interval: 50 };

describe.concurrent('with the embedded database', () => {
  test.sequential('start runs the server until SIGTERM, and dev fills a sandbox that was emptied', async ({
    expect,
  }) => {
    const port = await freePort();
    const env = { BURSAR_DATA: join(folder, 'data'), PORT: String(port) };
    const url = `http://127.0.0.1:${port}`;
    const first = startCli(['start'], env);
    await expect.poll(() => first.output().stderr, patience).toContain(`Bursar listens on ${url}`);
    const headers = { Authorization: `Bearer ${readFileSync(join(folder, 'data', 'sandbox-key'), 'utf8').trim()}` };
    const accounts = async () =>
      ((await (await fetch(`${url}/v1/accounts`, { headers })).json()) as { data: unknown[] }).data.length;
    expect(await accounts()).toBe(3);
    await fetch(`${url}/v1/test_helpers/reset`, { method: 'POST', headers });
    expect(await accounts()).toBe(0);
    first.child.kill('SIGTERM');
    const ended = await first.ended;
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('Stopped.')]);

    const second = startCli(['dev'], env);
    await expect.poll(() => second.output().stderr, patience).toContain(`Ready for development on ${url}.`);
    expect(await accounts()).toBe(3);
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  test.sequential('dev forwards its events, signed, and ends with a signal', async ({ expect }) => {
    const env = { BURSAR_DATA: join(folder, 'data'), PORT: String(await freePort()), XDG_CONFIG_HOME: folder };
    const url = `http://127.0.0.1:${env.PORT}`;
    const receiver = await startReceiver(answers(200));
    const forwarding = ['--forward-to', receiver.url, '--events', 'account.*'];
    const dev = startCli(['dev', ...forwarding], env);
    await expect.poll(() => dev.output().stderr, patience).toContain(`Events from now on go to ${receiver.url}.`);
    await expect.poll(() => dev.output().stderr, patience).toContain('sent again from now on');
    const headers = { Authorization: `Bearer ${readFileSync(join(folder, 'data', 'sandbox-key'), 'utf8').trim()}` };
    // Again and again: what happens before its stream is there is not of "from now on".
    const happen = () =>
      fetch(`${url}/v1/accounts`, { method: 'POST', headers, body: new URLSearchParams('currency=EUR') });
    await expect.poll(() => happen().then(() => receiver.received.length), patience).toBeGreaterThan(0);
    const [{ body, headers: signed } = { body: '', headers: {} }] = receiver.received;
    const secret = /whsec_\S+/.exec(dev.output().stderr)?.[0] ?? '';
    expect(await webhooks.verify(body, signed, secret)).toMatchObject({ type: 'account.created' });
    dev.child.kill('SIGTERM');
    const end = await dev.ended;
    expect([end.code, end.stderr]).toEqual([0, expect.not.stringContaining('connecting again')]);
    await receiver.stop();
    const wrong = await cli(['dev', '--forward-to', 'localhost:3000'], env);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--forward-to takes an address')]);
  });
});

describe.concurrent('with a database of your own', () => {
  test('a server that cannot start ends start with its code and its sentence', async ({ expect }) => {
    const { code, stderr } = await cli(['start'], { DATABASE_URL: database.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining('BURSAR_SECRET is required')]);
  });

  test('migrate makes the schema and gives the server its rights; doctor then finds both', async ({ expect }) => {
    const target = await emptyDatabase(database.url);
    const env = { DATABASE_URL: target.url, BURSAR_SECRET: TEST_SECRET };
    for (const verb of [['verify'], ['keys', 'list'], ['backup', '/nowhere/'], ['doctor']]) {
      const { code, stdout, stderr } = await cli(verb, env);
      if (verb[0] === 'backup') expect([code, stderr]).toEqual([2, expect.stringContaining('/nowhere does not exist')]);
      else
        expect([code, stdout + stderr]).toEqual([
          1,
          expect.stringMatching(/(?:no Bursar|none) in \S+ \(DATABASE_URL\)/),
        ]);
    }
    const first = await cli(['migrate'], env);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('0101_environments.sql')]);
    expect(await cli(['migrate'], env)).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing to do.\n' });
    await rowsOf(target.url, 'CREATE TABLE kept AS SELECT * FROM schema_migrations');
    await rowsOf(target.url, 'DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM kept)');
    expect((await cli(['verify'], env)).stderr).toContain('Make a backup, then run: bursar migrate');
    await rowsOf(target.url, 'INSERT INTO schema_migrations SELECT * FROM kept ON CONFLICT DO NOTHING');
    await rowsOf(target.url, 'DROP TABLE kept');
    const { code, stdout } = await cli(['doctor', '--json'], env);
    const findings = JSON.parse(stdout) as { title: string; status: string }[];
    expect([code, findings.filter(({ status }) => status === 'wrong')]).toEqual([0, []]);
    expect(findings.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Installation', 'PostgreSQL', 'Schema', 'Rights', 'Backup']),
    );
    expect((await cli(['verify', '--json'], env)).code).toBe(0);
    await target.drop();
  });

  test('verify ends with 3 where there is damage, and says where', async ({ expect }) => {
    const env = { DATABASE_URL: database.url, BURSAR_SECRET: TEST_SECRET };
    expect((await cli(['verify'], env)).stdout).toMatch(/^The books agree: \d+ rules/);
    await cli(['keys', 'create', '--sandbox'], env);
    await rowsOf(
      database.url,
      "INSERT INTO accounts (environment_id, id, currency, balance, status, created_at) SELECT environment_id, '0192f5d0-0000-7000-8000-000000000001', 'EUR', 7, 'open', now() FROM environments",
    );
    const { code, stdout } = await cli(['verify', '--json'], env);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      damages: expect.arrayContaining([
        expect.objectContaining({ kind: 'balance', expected: '0 EUR, the sum of its transfers', found: '7 EUR' }),
      ]) as unknown,
    });
  });
});
