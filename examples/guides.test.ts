/**
 * The requests of the README and of the guides, run as they stand there, in order, by a shell, against a server that was really started. Each
 * page begins with what a first start leaves: three accounts, a recipient, and what the start prints. So a page makes what it needs, and names
 * it after an answer that it has shown. All pages fit into one sandbox, too, which is tried before a release. None may be refused, and `bursar verify` finds
 * nothing behind each page.
 * Which blocks of which pages other tests run: `test/support/docs/block-runners.ts`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../test/support/bank/camt.ts';
import { createDatabase, type Database } from '../test/support/harness/database.ts';
import { Client, type Json } from '../test/support/harness/http.ts';
import { type ServerProcess, startServer, TEST_SECRET } from '../test/support/harness/server-process.ts';
import { must } from '../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../test/support/model/audit.ts';
import { isRelease } from '../test/support/generators/random-cases.ts';
import { linesIn } from '../test/support/generators/blocks.ts';
import { inTime, REFUSED, takenFrom } from '../test/support/docs/answers.ts';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';

type Variables = Record<string, string>;
interface Guide {
  /** Refusals because an earlier page has done the same. */
  readonly done?: readonly string[];
}

/** The pages whose requests are run, in this order. */
const GUIDES: Readonly<Record<string, Guide>> = {
  'README.md': {},
  'docs/index.md': {},
  'docs/guides/first-payout.md': {},
  'docs/guides/exchanges.md': {},
  'docs/guides/exchange-rates.md': {},
  'docs/guides/retries.md': {},
  'docs/guides/recipients.md': {},
  'docs/guides/integrating.md': {},
  'docs/moving.md': {},
  'docs/guides/fees.md': {},
  'docs/guides/statements.md': {},
  'docs/guides/standing-orders.md': {},
  'docs/guides/bulk-payouts.md': {},
  'docs/webhooks.md': {},
  'docs/versions.md': {},
  'docs/troubleshooting.md': {},
  'docs/guides/approvals.md': {},
  'docs/guides/getting-paid.md': {},
  'docs/guides/closing-a-month.md': { done: ['bank_account_exists'] },
  'docs/sandbox.md': {}, // it ends with an empty sandbox
};

const BLOCKS = blocksRunBy('examples/guides.test.ts');
const PROGRAM = join(import.meta.dirname, '../dist/src/cli/bursar.js');

let database: Database;
let server: ServerProcess;
let client: Client;
let folder: string;
/** What the start prints to be exported. */
let printed: Variables;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-guides-'));
  copyFileSync('examples/payees.csv', join(folder, 'payees.csv'));
  const day = { iban: 'DE02120300000000202051', day: '2026-10-30', opening: '0.00', closing: '5.00' };
  writeFileSync(join(folder, 'october.xml'), camt([{ ...day, entries: [{ amount: '5.00' }] }]));
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const said = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(server.output())?.[1] ?? '';
  printed = { BURSAR_URL: said('BURSAR_URL'), BURSAR_KEY: said('BURSAR_KEY'), RECIPIENT: said('RECIPIENT') };
  client = new Client(server.address, printed['BURSAR_KEY'] as string);
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

/** Runs a line as it is pasted. A name that nobody has set fails, and one that the line exports is known from then on. */
function run(line: string, known: Variables): string {
  const seconds = line.includes('/stream') ? 1 : 10;
  const name = /^export (\w+)=/.exec(line)?.[1];
  const script = `set -u
curl() { command curl -sS --max-time ${seconds} "$@"; }
bursar() { "${process.execPath}" "${PROGRAM}" "$@"; }
${inTime(line)}${name === undefined ? '' : `\nprintf %s "$${name}"`}`;
  const env = { ...process.env, DATABASE_URL: database.url, BURSAR_SECRET: TEST_SECRET, ...known };
  const done = spawnSync('bash', ['-c', script], { env, cwd: folder, encoding: 'utf8' });
  const endless = line.includes('/stream') && done.status === 28;
  if (done.status !== 0 && !endless) throw new Error(`${line}\n${done.stdout}${done.stderr}`);
  if (name !== undefined) known[name] = done.stdout;
  return done.stdout;
}

/** A day's statement is there a moment after its day. */
async function answerTo(line: string, known: Variables): Promise<string> {
  let text = run(line, known);
  if (line.includes('/v1/daily_statements"') || line.includes('/v1/daily_statements '))
    await expect.poll(() => (text = run(line, known)), { timeout: 20_000 }).toContain('stm_');
  return text;
}

async function runPage(page: string, known: Variables, done: readonly string[]): Promise<void> {
  const lines = BLOCKS.filter((shown) => shown.page === page).flatMap(({ block }) => linesIn(block));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const text = await answerTo(line, known);
    if (!text.startsWith('{')) continue; // a file, a stream, or a name
    const answer = JSON.parse(text) as Json;
    const code = (answer['error'] as Json | undefined)?.['code'] as string | undefined;
    if (code === undefined) Object.assign(known, takenFrom(answer));
    else expect([line, [...(REFUSED[page] ?? []), ...done].includes(code) ? '' : text]).toEqual([line, '']);
  }
  expect(await auditDatabase(database.url)).toEqual([]); // its payouts stand where it leaves them
}

/** What a first start leaves, without what differs from one start to the next. */
async function world(): Promise<unknown> {
  const paths = [
    'accounts',
    'recipients',
    'payouts',
    'limits',
    'fee_rules',
    'bank_accounts',
    'webhook_endpoints',
    'settings',
  ];
  const texts = await Promise.all(paths.map(async (path) => must(await client.get(`/v1/${path}`)).json));
  return JSON.parse(JSON.stringify(texts), (name, value: unknown) =>
    /^(?:id|created|created_by)$/.test(name) ? '' : value,
  );
}

async function asAfterFirstStart(): Promise<Variables> {
  must(await client.post('/v1/test_helpers/reset', { seed: true }));
  const { data } = must(await client.get('/v1/recipients')).json as { readonly data: readonly Json[] };
  return { ...printed, RECIPIENT: data[0]?.['id'] as string };
}

const withoutCurl = spawnSync('bash', ['-c', 'command -v curl']).status !== 0;

describe.skipIf(withoutCurl)('one page after the other, in the sandbox of a first start', () => {
  let known: Variables;
  let first: unknown;
  beforeAll(async () => {
    known = { ...printed };
    first = await world();
  });

  it.runIf(isRelease).each(Object.entries(GUIDES))('%s', (page, { done = [] }) => runPage(page, known, done));

  it('a reset with seed=true is what the first start was', async () => {
    await asAfterFirstStart();
    expect(await world()).toEqual(first);
  });
});

describe.skipIf(withoutCurl)('on a first start of its own', () => {
  it.each(Object.keys(GUIDES))('%s', async (page) => runPage(page, await asAfterFirstStart(), []));

  it('control: a refusal is seen, and so is a name that no page has set', () => {
    expect(run('curl $BURSAR_URL/v1/payouts -u $BURSAR_KEY: -d amout=1', { ...printed })).toContain(
      'parameter_unknown',
    );
    expect(() => run('curl $BURSAR_URL/v1/payouts/$PAYOUT', { ...printed })).toThrow('PAYOUT: unbound variable');
    expect(() => execFileSync('bash', ['-c', 'exit 22'])).toThrow('exit 22');
  });
});

it('are those of every page that has some', () => {
  expect(new Set(BLOCKS.map(({ page }) => page))).toEqual(new Set(Object.keys(GUIDES)));
});
