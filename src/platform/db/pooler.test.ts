/** PgBouncer between the server and PostgreSQL: session mode works; transaction mode is refused at the start, in words. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config.ts';
import { startApp } from '../../server/app.ts';
import { insertKey } from '../../../test/support/harness/keys.ts';
import { SERVER_SECRET } from '../../../test/support/harness/application.ts';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { Client } from '../../../test/support/harness/http.ts';
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from '../../../test/support/harness/pgbouncer.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase, withClient } from '../../../test/support/model/audit.ts';
import { connectPatiently, DatabaseUnfit, openPools } from './pool.ts';

const CONFIG = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0', BURSAR_RATE_LIMIT: '0' });
const QUIET = pino({ level: 'silent' });

describe.skipIf(withoutPgBouncer)('behind PgBouncer', () => {
  let database: Database;
  const running: PgBouncer[] = [];
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    for (const pooler of running) await pooler.stop();
    await database?.drop();
  });
  async function pooler(mode: string, size?: number): Promise<string> {
    const started = await startPgBouncer(database.serverUrl, mode, size);
    running.push(started);
    return started.url;
  }

  it.each([
    ['transaction', 20],
    ['transaction', 2],
    ['transaction', 1],
  ])('a %s pool of %i connections is refused', async (mode, size) => {
    const url = await pooler(mode, size);
    const refusal = openPools({ ...CONFIG, url, log: QUIET });
    await expect(refusal).rejects.toThrow(DatabaseUnfit);
    await expect(refusal).rejects.toThrow('Set pool_mode = session for this database');
  });

  it('control: such a pool hands the settings of one session to another', async () => {
    const url = await pooler('transaction', 1); // of several, the other session could get another one
    const [one, two] = await Promise.all([connectPatiently(url, QUIET), connectPatiently(url, QUIET)]);
    await one.query('SET synchronous_commit = off');
    expect((await two.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'off' }]);
    await one.end();
    await two.end();
  });

  it('a session pool serves: writes, reads, events, and notifications between processes', async () => {
    const url = await pooler('session');
    const options = {
      config: CONFIG,
      databaseUrl: url,
      ownerUrl: database.url,
      serverSecret: SERVER_SECRET,
      log: QUIET,
    };
    const [one, two] = await Promise.all([startApp(options), startApp(options)]);
    const order = { merchant: 'pooled', livemode: false, name: 'test', scopes: null, expiresAt: null };
    const { key } = await withClient(database.url, (client) =>
      insertKey(async (statement) => (await client.query(statement)).rows, SERVER_SECRET, order),
    );
    const clients = await Promise.all(
      [one, two].map(async ({ server }) => new Client(await server.listen({ host: '127.0.0.1', port: 0 }), key)),
    );
    for (let i = 0; i < 20; i++) must(await (clients[i % 2] as Client).post('/v1/accounts', { currency: 'EUR' }));
    const { data } = must(await (clients[0] as Client).get('/v1/events?limit=100')).json;
    expect(data).toHaveLength(20);
    for (const client of clients) client.close();
    await Promise.all([one.stop(), two.stop()]);
    expect(await auditDatabase(database.url)).toEqual([]);
  });
});
