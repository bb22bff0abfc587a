/**
 * A reader at a first start of a page's own: pastes its blocks of commands and requests into a shell, from the top to the end. Only what the
 * first start printed is known at first. A reader takes an id or a key from an answer where the page names it (`PAYOUT`). A name that nothing
 * has made ends the paste. What runs until it is stopped is stopped when it has said what it is for; programs of others (`sftp`, a client of
 * EBICS) only say what they were asked. Runners: `test/long/commands-shown.test.ts`, `test/long/commands.test.ts`, `test/long/going-live.test.ts`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { camt } from '../bank/camt.ts';
import { type Block, statementsIn } from '../generators/blocks.ts';
import { createDatabase, emptyDatabase } from '../harness/database.ts';
import { Client, type Json } from '../harness/http.ts';
import { freePort, startServer, TEST_SECRET } from '../harness/server-process.ts';
import { must } from '../harness/tenant-fixture.ts';
import { auditDatabase } from '../model/audit.ts';
import { inTime, nameOfPrefix, REFUSED, takenFromText } from './answers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = `"${process.execPath}" "${ROOT}/dist/src/cli/bursar.js"`;

/**
 * `bursar` is the compiled program; what asks gets `--yes`, since nobody sits here. `until_said TEXT …` runs what does not end by itself, and
 * stops it when it has said that; it fails when it ends before.
 */
const PRELUDE = `set -eu
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
    dev*) (unset DATABASE_URL BURSAR_SECRET; until_said 'sent again from now on' "$@") ;;
    listen*) until_said 'sent again from now on' "$@" ;;
    'events tail'*) until_said 'evt_' "$@" ;;
    *'bank watch'*) until_said '^out  ' "$@" ;;
    redact*|'payouts batch'*) program "$@" --yes ;;
    doctor) program doctor || [ $? = 3 ] ;;
    *) program "$@" ;;
  esac
}
curl() { command curl -sS --max-time 10 "$@"; }
sftp() { cat; }
your-ebics-client() { echo "$@"; }
source() { if [ $# = 0 ]; then cat; else builtin source "$@"; fi; }
`;

export interface Pasted {
  readonly status: number | null;
  /** What was pasted, and what it said. */
  readonly said: string;
  /** What its requests and commands answered, as text. */
  readonly answers: readonly string[];
}

export interface Reader {
  readonly databaseUrl: string;
  /** The folder in which the blocks are pasted. */
  readonly folder: string;
  /** What the shell has exported, and what the reader has taken. */
  readonly known: Readonly<Record<string, string>>;
  /** Pastes a block of a page; ends with its first line that fails or is refused. */
  paste(page: string, block: Block): Promise<Pasted>;
  /** Pastes what looks into the embedded database of this folder, while a server runs on it. */
  beside(block: Block): Promise<Omit<Pasted, 'answers'>>;
  /** Makes the sandbox what the first start made, and forgets what was taken. `examples/guides.test.ts` holds that a reset does that. */
  afresh(): Promise<void>;
  /** What `bursar verify` finds in what the page has left. */
  damages(): Promise<readonly string[]>;
  end(): Promise<void>;
}

/** psql is PostgreSQL's own program, which not every machine has. `.ci/run` installs it, and then its block may not be left out. */
export const lacksPsql = (): boolean =>
  !process.env['BURSAR_REQUIRE_PROGRAMS'] && spawnSync('bash', ['-c', 'command -v psql']).status !== 0;

/** Whether a page names a variable to its reader: `PAYOUT` between backticks, or an `export` of it. */
const namedOn = (page: string) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return ([name]: readonly [string, string]) => new RegExp(`\`\\$?${name}\`|export ${name}=`).test(text);
};

/** A first start and a shell that knows what it printed, and nothing else. */
export async function newReader(): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-page-'));
  chmodSync(folder, 0o755); // the embedded PostgreSQL runs as another user
  const database = await createDatabase();
  const server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const printed = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(server.output())?.[1] ?? '';
  const first = {
    BURSAR_URL: printed('BURSAR_URL'),
    BURSAR_KEY: printed('BURSAR_KEY'),
    RECIPIENT: printed('RECIPIENT'),
  };
  let known: Record<string, string> = { ...first };

  // What is of the repository, of the data folder, and of the reader's bank.
  cpSync(join(ROOT, 'examples/bank'), join(folder, 'examples/bank'), { recursive: true });
  cpSync(join(ROOT, 'examples/payees.csv'), join(folder, 'payees.csv'));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/secret'), `${TEST_SECRET}\n`, { mode: 0o600 });
  const october = { iban: 'DE02120300000000202051', day: '2026-10-30', opening: '0.00', closing: '5.00' };
  writeFileSync(join(folder, 'october.xml'), camt([{ ...october, entries: [{ amount: '5.00' }] }]));

  const settings: Readonly<Record<string, string>> = {
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: folder,
    DATABASE_URL: database.url,
    BURSAR_SECRET: TEST_SECRET,
    PORT: String(await freePort()),
    HOME: folder,
  };
  let empty: Awaited<ReturnType<typeof emptyDatabase>> | undefined;

  /** What a page shows as `…` → what it is here; `null` if nothing has made an id of which it shows the beginning. */
  async function filledIn(text: string): Promise<string | null> {
    if (text.includes('DATABASE_URL=… DATABASE_OWNER_URL=…')) empty ??= await emptyDatabase(database.url);
    const own = `BURSAR_SECRET= DATABASE_URL='${empty?.serverUrl}' DATABASE_OWNER_URL='${empty?.url}'`;
    const whole = inTime(text)
      .replaceAll('DATABASE_URL=… DATABASE_OWNER_URL=…', own)
      .replaceAll('BURSAR_DATA=new ', 'DATABASE_URL= BURSAR_SECRET= BURSAR_DATA=new ')
      .replaceAll('http://127.0.0.1:4242', first.BURSAR_URL)
      .replaceAll('sk_test_…', first.BURSAR_KEY)
      .replaceAll(/\b([a-z]+)_…/g, (shown, prefix: string) => known[nameOfPrefix(prefix) ?? ''] ?? shown);
    return /\b[a-z]+_…/.test(whole) ? null : whole;
  }

  /** Runs in the shell, and keeps what it has exported. */
  function run(
    script: string,
  ): Promise<{ readonly status: number | null; readonly said: string; readonly answer: string }> {
    const exported = join(folder, '.exported');
    const child = spawn('bash', ['-c', `${PRELUDE}${script}\nenv -0 >"${exported}"`], {
      cwd: folder,
      env: { ...settings, ...known },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = `${script}\n`;
    let answer = '';
    child.stdout.on('data', (chunk) => (answer += String(chunk)));
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    return new Promise((resolve) =>
      child.once('close', (status) => {
        if (status === 0) {
          const entries = readFileSync(exported, 'utf8')
            .split('\0')
            .map((entry) => entry.split(/=(.*)/s));
          for (const [name = '', value = ''] of entries)
            if (/^[A-Z][A-Z_0-9]*$/.test(name) && settings[name] === undefined && process.env[name] === undefined)
              known[name] = value;
        }
        resolve({ status, said, answer });
      }),
    );
  }

  /** A payment file is sealed a moment after it was opened: until then it has no content. */
  async function tried(script: string): ReturnType<typeof run> {
    for (let tries = 0; ; tries += 1) {
      const done = await run(script);
      if (tries === 50 || !done.answer.includes('"payment_file_state_invalid"')) return done;
      await new Promise((resolve) => void setTimeout(resolve, 100));
    }
  }

  return {
    databaseUrl: database.url,
    folder,
    get known() {
      return known;
    },
    async paste(page, block) {
      const named = namedOn(page);
      const all: string[] = [];
      const answers: string[] = [];
      for (const statement of statementsIn(block)) {
        const whole = await filledIn(statement);
        if (whole === null) return { status: 1, said: `Nothing on this page has made an id of ${statement}`, answers };
        const { status, said, answer } = await tried(whole);
        all.push(said);
        answers.push(answer);
        const code = /^\{\s*"error":[\s\S]*"code": ?"(\w+)"/.exec(answer)?.[1];
        const isRefused = code !== undefined && !REFUSED[page]?.includes(code);
        if (status !== 0 || isRefused) return { status: status || 22, said: all.join(''), answers };
        known = { ...known, ...Object.fromEntries(Object.entries(takenFromText(answer)).filter(named)) };
      }
      return { status: 0, said: all.join(''), answers };
    },
    beside: ({ text }) =>
      run(`(unset DATABASE_URL BURSAR_SECRET; exec ${PROGRAM} start) >start.log 2>&1 &
server=$!
trap 'kill $server; wait' EXIT
for tries in $(seq 600); do grep -q 'Bursar listens on' start.log && break; sleep 0.1; done
${text} --command 'SELECT count(*) FROM payouts'`),
    async afresh() {
      const client = new Client(server.address, first.BURSAR_KEY);
      must(await client.post('/v1/test_helpers/reset', { seed: true }));
      const { data } = must(await client.get('/v1/recipients')).json as { readonly data: readonly Json[] };
      client.close();
      known = { ...first, RECIPIENT: data[0]?.['id'] as string };
    },
    damages: () => auditDatabase(database.url),
    async end() {
      await server.stop();
      await empty?.drop();
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}
