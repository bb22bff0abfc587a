/**
 * The commands of the docs, block by block as they stand there, in a shell and a folder of their own, against a server and its database. What
 * runs until it is stopped is stopped after some seconds; programs of others (`sftp`, a client of EBICS) only say what they were asked.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt } from '../test/support/bank/camt.ts';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';
import { createDatabase, type Database, emptyDatabase } from '../test/support/harness/database.ts';
import { Client } from '../test/support/harness/http.ts';
import {
  freePort,
  makeKey,
  type ServerProcess,
  startServer,
  TEST_SECRET,
} from '../test/support/harness/server-process.ts';
import { idIn, must, RECIPIENT } from '../test/support/harness/tenant-fixture.ts';

const ROOT = join(import.meta.dirname, '..');
const IBAN = 'DE02120300000000202051';

/** `bursar` is the compiled program; what asks is told `--yes`, since nobody sits here. */
const PRELUDE = `set -e
program() { "${process.execPath}" "${ROOT}/dist/src/cli/bursar.js" "$@"; }
stopped() {
  local seconds=$1; shift
  timeout --preserve-status --signal=TERM "$seconds" "${process.execPath}" "${ROOT}/dist/src/cli/bursar.js" "$@" || [ $? = 143 ]
}
bursar() {
  case "$*" in
    dev*) unset DATABASE_URL BURSAR_SECRET; stopped 12 "$@" ;;
    listen*|'events tail'*|*'bank watch'*) stopped 5 "$@" ;;
    redact*|'payouts batch'*) program "$@" --yes ;;
    doctor) program doctor || [ $? = 3 ] ;;
    *) program "$@" ;;
  esac
}
sftp() { cat; }
your-ebics-client() { echo "$@"; }
source() { if [ $# = 0 ]; then cat; else builtin source "$@"; fi; }
`;

let database: Database;
let empty: Database;
let server: ServerProcess;
let client: Client;
let folder: string;
const env: Record<string, string> = {};
/** What stands in the docs → what it is here. */
const places: [string | RegExp, string][] = [];
/** One for each that the docs name: what was canceled is not paid. */
const payouts: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-commands-'));
  chmodSync(folder, 0o755); // the embedded PostgreSQL runs as another user
  database = await createDatabase();
  empty = await emptyDatabase(database.url);
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const key = /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '';
  const recipient = /recipient=(\S+)/.exec(server.output())?.[1] ?? '';
  client = new Client(server.address, key);
  const live = await makeKey(database.url, 'default', true);
  const acme = await makeKey(database.url, 'Acme GmbH', true);
  const theirs = new Client(server.address, acme.key);
  must(await theirs.post('/v1/recipients', { ...RECIPIENT, email: 'ada@example.com' }));
  theirs.close();
  const hours = { cut_off: '14:30', time_zone: 'Europe/Berlin' };
  const bank = { currency: 'EUR', country: 'DE', holder: 'Example GmbH', bank_details: { iban: IBAN }, ...hours };
  const account = idIn(await client.post('/v1/bank_accounts', bank));
  for (let number = 0; number < 6; number += 1)
    payouts.push(idIn(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient })));
  const spare = must(await client.post('/v1/keys', { name: 'spare' })).json;

  writeFileSync(join(folder, 'secret'), `${TEST_SECRET}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery staple\n', { mode: 0o600 });
  writeFileSync(join(folder, 'november.csv'), `Betrag,Empfänger\n"1,00",${recipient}\n"2,50",${recipient}\n`);
  const day = { iban: IBAN, day: '2026-10-30', opening: '0.00', closing: '5.00', entries: [{ amount: '5.00' }] };
  writeFileSync(join(folder, 'statement.xml'), camt([day]));
  for (const name of ['backups', `bank/${account}/out`, `bank/${account}/in`, `bank/${account}/done`])
    mkdirSync(join(folder, name), { recursive: true });

  Object.assign(env, { BURSAR_URL: server.address, BURSAR_KEY: key, XDG_CONFIG_HOME: folder });
  Object.assign(env, {
    DATABASE_URL: database.url,
    BURSAR_SECRET: TEST_SECRET,
    PORT: String(await freePort()),
    HOME: folder,
  });
  places.push(
    [
      'DATABASE_URL=… DATABASE_OWNER_URL=…',
      `BURSAR_SECRET= DATABASE_URL='${empty.serverUrl}' DATABASE_OWNER_URL='${empty.url}'`,
    ],
    ['BURSAR_DATA=new ', 'DATABASE_URL= BURSAR_SECRET= BURSAR_DATA=new '],
    ['/var/backups/bursar', `${folder}/backups`],
    ['/etc/bursar/backup-passphrase', `${folder}/passphrase`],
    ['/safe/place/secret', `${folder}/secret`],
    ['/var/lib/bank', `${folder}/bank`],
    [/http:\/\/127\.0\.0\.1:4242|https:\/\/pay\.example\.com/g, server.address],
    ['sk_test_…', key],
    ['sk_live_…', live.key],
    ['rcp_…', recipient],
    ['ba_…', account],
    ['key_…', spare['id'] as string],
  );
  expect(run('bursar backup nightly.backup')).toMatchObject({ status: 0 });
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  await empty?.drop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

function run(block: string): { readonly status: number | null; readonly said: string } {
  const here = places
    .reduce((text, [from, to]) => text.replaceAll(from, to), block)
    .replaceAll('po_…', () => payouts.shift() ?? '');
  const { PATH = '' } = process.env;
  const options = { cwd: folder, env: { PATH, ...env }, encoding: 'utf8', input: '' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', PRELUDE + here], options);
  return { status, said: `${here}\n${stdout}${stderr}` };
}

/** psql is PostgreSQL's own program, which not every machine has. `.ci/run` installs it, and then its block may not be left out. */
const lacksPsql = () =>
  !process.env['BURSAR_REQUIRE_PROGRAMS'] && spawnSync('bash', ['-c', 'command -v psql']).status !== 0;

/** A server on the embedded database of this folder, for a block that looks into it. */
const beside = (
  block: string,
) => `(unset DATABASE_URL BURSAR_SECRET; exec "${process.execPath}" "${ROOT}/dist/src/cli/bursar.js" start) &
server=$!
trap 'kill $server; wait' EXIT
for tries in $(seq 100); do [ -S data/postgres/.s.PGSQL.5432 ] && break; sleep 0.2; done
sleep 1
${block} --command 'SELECT count(*) FROM payouts'`;

/** Files as `bank watch` leaves them for the loops that send them. */
function fillOut(): void {
  const account = places.find(([from]) => from === 'ba_…')?.[1] ?? '';
  const out = join(folder, 'bank', account, 'out');
  for (const name of readdirSync(out)) rmSync(join(out, name));
  const file = join(out, 'payments.xml');
  writeFileSync(file, '<Document/>');
  writeFileSync(`${file}.json`, JSON.stringify({ suggested_ebics_order_type: 'CTV' }));
}

/** Last those of the page whose `bank export` takes along every pending payout: other pages cancel one. */
const isOfBanks = ({ page }: { readonly page: string }) => page.endsWith('/bank-reference.md');
const blocks = blocksRunBy('examples/commands.soak.test.ts').toSorted(
  (a, b) => Number(isOfBanks(a)) - Number(isOfBanks(b)),
);

it.each(blocks.map(({ page, block }) => [page, block.text] as const))(
  '%s: %s',
  (_page, block) => {
    if (block.startsWith('PGPASSWORD') && lacksPsql())
      return console.error('psql was not found, so its block was not run: apt-get install postgresql-client');
    if (block.startsWith('for ')) fillOut();
    const { status, said } = run(block.startsWith('PGPASSWORD') ? beside(block) : block);
    expect([status, said]).toEqual([0, said]);
  },
  60_000,
);

it('control: a command that is refused is seen, in the middle of a block too', () => {
  expect(run('bursar payouts lst\nbursar accounts list').status).toBe(2);
  expect(run('bursar accounts list').status).toBe(0);
  if (!lacksPsql())
    expect(run(beside('PGPASSWORD=wrong psql -h "$PWD/data/postgres" -U bursar bursar')).status).toBe(2);
});
