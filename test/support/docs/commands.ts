/**
 * The commands of the docs, block by block as they stand there, in a shell and a folder of their own, against a server and its database. What
 * runs until it is stopped is stopped when it has said what it is for; programs of others (`sftp`, a client of EBICS) only say what they were
 * asked. Runners: `examples/commands.soak.test.ts`, and `test/long/commands.test.ts` for what starts a PostgreSQL of its own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { camt } from '../bank/camt.ts';
import { createDatabase, emptyDatabase } from '../harness/database.ts';
import { Client } from '../harness/http.ts';
import { freePort, makeKey, startServer, TEST_SECRET } from '../harness/server-process.ts';
import { idIn, must, RECIPIENT } from '../harness/tenant-fixture.ts';
import { auditDatabase } from '../model/audit.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = `"${process.execPath}" "${ROOT}/dist/src/cli/bursar.js"`;
const IBAN = 'DE02120300000000202051';

/**
 * `bursar` is the compiled program; what asks is told `--yes`, since nobody sits here. `until_said TEXT …` runs what does not end by itself, and
 * stops it when it has said that; it fails when it ends before.
 */
const PRELUDE = `set -e
program() { ${PROGRAM} "$@"; }
until_said() {
  local text=$1 said; shift
  said=$(mktemp -p "$PWD")
  ${PROGRAM} "$@" >"$said" 2>&1 &
  local pid=$! tries
  for tries in $(seq 1200); do
    grep -q -e "$text" "$said" && break
    kill -0 $pid 2>/dev/null || break
    sleep 0.05
  done
  grep -q -e "$text" "$said" || { cat "$said"; kill $pid; return 1; }
  kill -TERM $pid
  wait $pid || [ $? = 143 ]
}
bursar() {
  case "$*" in
    dev*) unset DATABASE_URL BURSAR_SECRET; until_said 'sent again from now on' "$@" ;;
    listen*) until_said 'sent again from now on' "$@" ;;
    'events tail'*) until_said 'evt_' "$@" ;;
    *'bank watch'*) until_said '^out  ' "$@" ;;
    redact*|'payouts batch'*) program "$@" --yes ;;
    doctor) program doctor || [ $? = 3 ] ;;
    *) program "$@" ;;
  esac
}
sftp() { cat; }
your-ebics-client() { echo "$@"; }
source() { if [ $# = 0 ]; then cat; else builtin source "$@"; fi; }
`;

export interface Commands {
  /** Runs a block as it stands on its page, with what it names put in. */
  run(block: string): Promise<{ readonly status: number | null; readonly said: string }>;
  /** Runs what looks into the embedded database of this folder, while a server runs on it. */
  beside(block: string): ReturnType<Commands['run']>;
  /** Puts files where `bank watch` leaves them for the loops that send them. */
  fillOut(): void;
  /** What `bursar verify` finds in what the commands have left. */
  damages(): Promise<readonly string[]>;
  end(): Promise<void>;
}

/** psql is PostgreSQL's own program, which not every machine has. `.ci/run` installs it, and then its block may not be left out. */
export const lacksPsql = (): boolean =>
  !process.env['BURSAR_REQUIRE_PROGRAMS'] && spawnSync('bash', ['-c', 'command -v psql']).status !== 0;

/** A server, what its blocks name, and a backup of its database. */
export async function commands(): Promise<Commands> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-commands-'));
  chmodSync(folder, 0o755); // the embedded PostgreSQL runs as another user
  const database = await createDatabase();
  const empty = await emptyDatabase(database.url);
  const server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const key = /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '';
  const recipient = /RECIPIENT=(\S+)/.exec(server.output())?.[1] ?? '';
  const client = new Client(server.address, key);
  const live = await makeKey(database.url, 'default', true);
  const acme = await makeKey(database.url, 'Acme GmbH', true);
  const theirs = new Client(server.address, acme.key);
  must(await theirs.post('/v1/recipients', { ...RECIPIENT, email: 'ada@example.com' }));
  theirs.close();
  const hours = { cut_off: '14:30', time_zone: 'Europe/Berlin' };
  const bank = { currency: 'EUR', country: 'DE', holder: 'Example GmbH', bank_details: { iban: IBAN }, ...hours };
  const account = idIn(await client.post('/v1/bank_accounts', bank));
  /** One for each that the docs name: what was canceled is not paid. */
  const payouts: string[] = [];
  for (let number = 0; number < 8; number += 1)
    payouts.push(idIn(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient })));
  const spare = must(await client.post('/v1/keys', { name: 'spare' })).json;

  writeFileSync(join(folder, 'secret'), `${TEST_SECRET}\n`, { mode: 0o600 });
  writeFileSync(join(folder, 'passphrase'), 'correct horse battery staple\n', { mode: 0o600 });
  writeFileSync(join(folder, 'november.csv'), `Betrag,Empfänger\n"1,00",${recipient}\n"2,50",${recipient}\n`);
  const day = { iban: IBAN, day: '2026-10-30', opening: '0.00', closing: '5.00', entries: [{ amount: '5.00' }] };
  writeFileSync(join(folder, 'statement.xml'), camt([day]));
  for (const name of ['backups', `bank/${account}/out`, `bank/${account}/in`, `bank/${account}/done`])
    mkdirSync(join(folder, name), { recursive: true });

  const env: Readonly<Record<string, string>> = {
    PATH: process.env['PATH'] ?? '',
    BURSAR_URL: server.address,
    BURSAR_KEY: key,
    XDG_CONFIG_HOME: folder,
    DATABASE_URL: database.url,
    BURSAR_SECRET: TEST_SECRET,
    PORT: String(await freePort()),
    HOME: folder,
  };
  /** What stands in the docs → what it is here. */
  const places: readonly (readonly [string | RegExp, string])[] = [
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
  ];

  const run: Commands['run'] = (block) => {
    const here = places
      .reduce((text, [from, to]) => text.replaceAll(from, to), block)
      .replaceAll('po_…', () => payouts.shift() ?? '');
    const child = spawn('bash', ['-c', PRELUDE + here], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = `${here}\n`;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    return new Promise((resolve) => child.once('close', (status) => resolve({ status, said })));
  };
  const made = await run('bursar backup nightly.backup');
  if (made.status !== 0) throw new Error(made.said);

  return {
    run,
    beside: (block) =>
      run(`(unset DATABASE_URL BURSAR_SECRET; exec ${PROGRAM} start) >start.log 2>&1 &
server=$!
trap 'kill $server; wait' EXIT
for tries in $(seq 600); do grep -q 'Bursar listens on' start.log && break; sleep 0.1; done
${block} --command 'SELECT count(*) FROM payouts'`),
    fillOut() {
      const out = join(folder, 'bank', account, 'out');
      for (const name of readdirSync(out)) rmSync(join(out, name));
      const file = join(out, 'payments.xml');
      writeFileSync(file, '<Document/>');
      writeFileSync(`${file}.json`, JSON.stringify({ suggested_ebics_order_type: 'CTV' }));
    },
    damages: () => auditDatabase(database.url),
    async end() {
      client.close();
      await server.stop();
      await empty.drop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}
