/**
 * An upgrade: the database that an earlier build has written starts with this build. It migrates; requests that were answered before are
 * answered again with the same bytes, and nothing is done twice; the books agree. Control: a request under another key is done. A clone
 * without history can run it, since what the earlier builds wrote is kept in `test/support/upgrade/` as backup files. `first` is of the
 * first build (schema 0004). `before` is of a later one (schema 0028), with orders and a bank account. Both go on with the files in
 * migrations/before-1.0/ (docs/decisions/0072).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT, cli } from '../support/harness/cli.ts';
import { createDatabase, type Database, emptyDatabase, runSql } from '../support/harness/database.ts';
import { builtProgram, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { API_VERSION } from '../../src/core/values/version.ts';

const KEPT = 'test/support/upgrade';

interface Asked {
  readonly path: string;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}
interface Before {
  readonly secret: string;
  readonly key: string;
  readonly asked: readonly Asked[];
  /** Path → what was read last. */
  readonly state: Readonly<Record<string, string>>;
}

/** Members that were called otherwise (docs/decisions/0092). */
const RENAMED: Readonly<Record<string, string>> = {
  scheduled_for: 'scheduled_on',
  wait_until: 'wait_until_on',
  expected_arrival: 'expected_arrival_on',
  expected_execution_date: 'expected_execution_on',
  failing_since: 'first_failed_at',
  rate_time: 'rate_at',
  books_from: 'books_from_on',
};
const renamed = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).map(([name, each]) => [RENAMED[name] ?? name, each])),
  );
/** Requests that are written otherwise now, and how the old ones are refused: none is done again. */
const REFUSED: Readonly<Record<string, string>> = {
  'upgrade-batch': '400 idempotency_key_reused',
  'upgrade-order': '400 parameter_unknown',
  'upgrade-fee': '404 path_unknown',
};

describe.each([
  { name: 'first', next: '0005' },
  { name: 'before', next: '0029' },
])('what is kept as $name.backup', ({ name, next }) => {
  const before = JSON.parse(readFileSync(join(KEPT, `${name}.json`), 'utf8')) as Before;

  let cluster: Database;
  let database: Database;
  let server: ServerProcess;
  let env: Record<string, string>;
  let restored: Awaited<ReturnType<typeof cli>>;

  beforeAll(async () => {
    cluster = await createDatabase();
    database = await emptyDatabase(cluster.url);
    env = { DATABASE_URL: database.url, BURSAR_SECRET: before.secret };
    builtProgram();
    restored = await cli(['restore', join(KEPT, `${name}.backup`), '--json'], env, BUILT);
    // As if it had been written today: records are kept for 30 days.
    const today = new Date().toISOString();
    for (const table of ['idempotency_records', 'events', 'deliveries'])
      await runSql(database.url, `UPDATE ${table} SET created_at = '${today}'`);
    server = await startServer({ databaseUrl: database.url, env: { ...env, BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  });
  afterAll(async () => {
    await server?.stop();
    await database?.drop();
    await cluster?.drop();
  });

  async function ask({ path, idempotencyKey, body }: Asked) {
    const method = path.startsWith('/v1/recipients/') ? 'DELETE' : 'POST';
    const headers = {
      Authorization: `Bearer ${before.key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    };
    const response = await fetch(`${server.address}${path}`, { method, headers, body });
    return { status: response.status, answer: await response.text() };
  }

  const read = async (path: string) => {
    const headers = { Authorization: `Bearer ${before.key}` };
    return (await fetch(`${server.address}${path}`, { headers })).text();
  };

  it('was restored and migrated', () => {
    expect(restored.code).toBe(0);
    const done = `${restored.stderr}${server.output()}`;
    // The files before that came with the backup.
    expect(done.match(/Applying .*|Making the tables/g)).toEqual([
      expect.stringMatching(new RegExp(`^Applying \\d+ migrations, ${next}_\\w+\\.sql to \\d+_\\w+\\.sql …$`)),
    ]);
  });

  it('reads what was there as it was', async () => {
    for (const [path, text] of Object.entries(before.state)) {
      // Members may come to it; none goes, and none changes. What an event told keeps its names.
      const dated = text.replaceAll('"api_version":"v1"', `"api_version":"${API_VERSION}"`);
      const kept = path.startsWith('/v1/events') ? (JSON.parse(dated) as unknown) : renamed(text);
      const now = JSON.parse(await read(path)) as unknown;
      expect(now).toMatchObject(kept as object);
    }
  });

  it.each(before.asked.map((each) => [each.idempotencyKey, each] as const))(
    'answers %s again with the same bytes',
    async (_, each) => {
      const again = await ask(each);
      const refused = REFUSED[each.idempotencyKey];
      if (refused === undefined) expect(again).toEqual({ status: each.status, answer: each.answer });
      else expect(`${again.status} ${/"code":"(\w+)"/.exec(again.answer)?.[1]}`).toBe(refused);
    },
  );

  it('has done nothing twice, and its books agree', async () => {
    expect(JSON.parse(await read('/v1/accounts'))).toMatchObject(
      JSON.parse(before.state['/v1/accounts'] ?? '') as object,
    );
    const verified = await cli(['verify'], env, BUILT);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('The books agree')]);
  });

  it('control: under another key it is done', async () => {
    const payout = before.asked.find(({ idempotencyKey }) => idempotencyKey === 'upgrade-payout') as Asked;
    const again = await ask({ ...payout, idempotencyKey: 'another key' });
    expect(again.status).toBe(200);
    expect(again.answer).not.toBe(payout.answer);
  });
});
