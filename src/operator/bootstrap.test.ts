/** The first start fills a sandbox once, whatever the command line did before, and however often it starts. */
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../test/support/harness/database.ts';
import { rowsOf } from '../../test/support/model/audit.ts';
import { loadConfig } from '../config.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import { type App, startApp } from '../server/app.ts';
import { ensureEnvironment, keyMaker } from '../tenancy/keys/keys.ts';
import { internal } from '../write/internal.ts';
import { FIRST_MERCHANT } from '../core/company.ts';
import { firstStart } from './bootstrap.ts';
import { createKey } from './keys.ts';
import type { Submit } from './operator.ts';

const SECRET = 'only-tests-know-this-secret-0123456789abcdef';
/** More than a first start has events. */
const KEYS = 8;

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: App;
beforeAll(async () => {
  database = await createDatabase();
  const { url: ownerUrl, serverUrl: databaseUrl } = database;
  const log = pino({ level: 'silent' });
  app = await startApp({ config: loadConfig({}), databaseUrl, ownerUrl, serverSecret: SECRET, log });
});
afterAll(async () => {
  await app?.stop();
  await database?.drop();
});

const run = async ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) =>
  rowsOf<Row>(database.url, text, [...values]);
const start = () => firstStart(app, run, SECRET, { databaseUrl: database.serverUrl, dataDir: '/nowhere' });
const accounts = async () => (await rowsOf(database.url, 'SELECT id FROM accounts')).length;

it('fills the sandbox also after keys were made, each with an event, and only once', async () => {
  const environmentId = await ensureEnvironment(run, FIRST_MERCHANT, false);
  let made = 0;
  const submit: Submit = (id, command) => app.submit(internal('cli', id, command, `key ${made++}`, 'key'));
  const maker = keyMaker({ current: SECRET, previous: [] });
  const all = { scopes: null, accounts: null, allowedIps: null, expiresAt: null };
  for (let n = 0; n < KEYS; n++) {
    await createKey({ submit, run, maker }, { merchant: FIRST_MERCHANT, livemode: false, name: `${n}`, ...all });
  }
  const [before] = await rowsOf(database.url, 'SELECT last_sequence::int AS events FROM environments');
  expect([environmentId, before]).toEqual([expect.stringMatching(/^env_/), { events: KEYS }]);
  expect(await accounts()).toBe(0);

  expect((await start()).recipient).toMatch(/^rcp_/);
  expect(await accounts()).toBe(3);
  await rowsOf(database.url, 'DELETE FROM idempotency_records'); // as after their time
  await start();
  expect(await accounts()).toBe(3);
});
