/** A database of the operator's own: the SQL of the guide makes it, and the server works on it with its two logins. */
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { loginFacts } from '../platform/db/roles.ts';
import { startCluster, type TestCluster } from '../../test/support/harness/cluster.ts';
import { runSql } from '../../test/support/harness/database.ts';
import { auditDatabase, withClient } from '../../test/support/model/audit.ts';
import { startApp } from '../server/app.ts';
import { firstStart } from './bootstrap.ts';
import { prepareDatabase, urlsOf, withLogin } from './database.ts';

const QUIET = pino({ level: 'silent' });
const SECRET = 'only-tests-know-this-secret-0123456789abcdef';

/** The indented lines of the guide that begin with SQL. */
function sqlOfTheGuide(): string[] {
  const guide = readFileSync(new URL('../../docs/guides/operating/database.md', import.meta.url), 'utf8');
  return guide.split('\n').flatMap((line) => (/^ {4}(?:CREATE|GRANT) /.test(line) ? [line.trim()] : []));
}

// A cluster of its own, in which no role of ours is known yet.
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster();
  await runSql(cluster.url.replace('/bursar?', '/bursar_template?'), 'DROP OWNED BY bursar_app');
  await runSql(cluster.url, 'DROP DATABASE bursar_template');
  await runSql(cluster.url, 'DROP ROLE bursar_server; DROP ROLE bursar_app');
});
afterAll(() => cluster?.stop());

const at = (role: string, password: string) =>
  withLogin(cluster.url.replace('/bursar?', '/operators?'), { role, password });

it('is made by the five lines of the guide, and served with the rights of the server only', async () => {
  const lines = sqlOfTheGuide();
  expect(lines).toHaveLength(5);
  for (const line of lines) await runSql(cluster.url, line.replace('DATABASE bursar ', 'DATABASE operators '));
  const urls = urlsOf({ databaseUrl: at('bursar_server', 'two'), databaseOwnerUrl: at('bursar_owner', 'one') });
  expect(urls).not.toBeNull();
  const { ownerUrl, serverUrl } = urls as NonNullable<typeof urls>;
  expect(await prepareDatabase(ownerUrl, QUIET)).toContain('0101_environments.sql');
  expect(await prepareDatabase(ownerUrl, QUIET)).toEqual([]);
  expect(await withClient(serverUrl, loginFacts)).toEqual({ isSuperuser: false, isOwner: false, hasRights: true });

  const config = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0' });
  const app = await startApp({ config, databaseUrl: serverUrl, ownerUrl, serverSecret: SECRET, log: QUIET });
  const start = await withClient(ownerUrl, (client) =>
    firstStart(app, async (statement) => (await client.query(statement)).rows, SECRET, {
      databaseUrl: serverUrl,
      dataDir: '/nowhere',
    }),
  );
  expect(start.key).toMatch(/^sk_test_/);
  await app.stop();
  expect(await auditDatabase(ownerUrl)).toEqual([]);
});

it('is refused in words when the login does not own the database, and DATABASE_OWNER_URL is not set', async () => {
  await runSql(cluster.url, "CREATE ROLE stranger LOGIN PASSWORD 'four'");
  await runSql(cluster.url, 'CREATE DATABASE strange TEMPLATE template0');
  const url = withLogin(cluster.url.replace('/bursar?', '/strange?'), { role: 'stranger', password: 'four' });
  const said = prepareDatabase(url, QUIET);
  await expect(said).rejects.toThrow('This login cannot make the tables (permission denied');
  await expect(said).rejects.toThrow('Name the login that owns the database in DATABASE_OWNER_URL');
});

it('is refused in words when nobody made the role of the server', async () => {
  await runSql(cluster.url, "CREATE ROLE poor LOGIN PASSWORD 'three'");
  await runSql(cluster.url, 'CREATE DATABASE poor OWNER poor TEMPLATE template0');
  const url = withLogin(cluster.url.replace('/bursar?', '/poor?'), { role: 'poor', password: 'three' });
  await expect(prepareDatabase(url, QUIET)).rejects.toThrow('GRANT bursar_app TO <owner> WITH ADMIN OPTION');
});
