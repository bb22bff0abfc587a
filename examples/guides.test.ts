/**
 * The requests of the README and of the guides, run as they stand there, in order, by a shell, against a server that was really started: none
 * may be refused, and `bursar verify` finds nothing behind each page. Ids that a guide leaves open (`$PAYOUT`, `rcp_…`) are of objects that were made for it, or that a command before answered.
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
import { makeKey, type ServerProcess, startServer } from '../test/support/harness/server-process.ts';
import { idIn, must, RECIPIENT } from '../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../test/support/model/audit.ts';
import { commandsIn } from '../test/support/generators/blocks.ts';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';

type Variables = Record<string, string>;
interface Guide {
  /** What has to be there before. */
  readonly before?: (client: Client, known: Variables) => Promise<Variables>;
  /** Refusals that the order of the commands brings with it. */
  readonly refused?: readonly string[];
}

const payout = async (client: Client, { RECIPIENT: recipient = '' }: Variables) => ({
  PAYOUT: idIn(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient })),
});

/** The guides whose requests are run, in this order. */
const GUIDES: Readonly<Record<string, Guide>> = {
  'README.md': {},
  'docs/guides/first-payout.md': {},
  'docs/guides/exchanges.md': {},
  'docs/guides/exchange-rates.md': {},
  'docs/guides/retries.md': { refused: ['idempotency_key_reused'] }, // the README has the same key, for another recipient
  'docs/guides/recipients.md': {},
  'docs/guides/integrating.md': {},
  'docs/guides/fees.md': {},
  'docs/guides/statements.md': {
    refused: ['resource_missing'], // the account is younger than the instant
    async before(client) {
      must(await client.post('/v1/settings', { daily_statements: true }));
      must(await client.post('/v1/test_helpers/clock/advance', { seconds: 86_400 }));
      const made = async () => must(await client.get('/v1/daily_statements')).json['data'] as readonly Json[];
      await expect.poll(made, { timeout: 20_000 }).toHaveLength(1);
      return { STATEMENT: (await made())[0]?.['id'] as string };
    },
  },
  'docs/guides/standing-orders.md': {},
  'docs/guides/bulk-payouts.md': {
    async before(_client, { RECIPIENT: recipient = '' }) {
      writeFileSync(join(folder, 'payouts.csv'), `amount,currency,recipient\n1.00,EUR,${recipient}\n`);
      copyFileSync('examples/payees.csv', join(folder, 'payees.csv'));
      return {};
    },
  },
  'docs/webhooks.md': {
    async before(client) {
      const { data } = must(await client.get('/v1/events?type=balance.updated&limit=1')).json as {
        readonly data: readonly [Json];
      };
      return { LAST_SEEN: '1', EVENT: data[0]['id'] as string };
    },
  },
  'docs/versions.md': {},
  'docs/guides/approvals.md': {
    refused: ['payout_not_held'], // it was approved a line above
    async before(client) {
      const approver = await makeKey(database.url, 'default', false);
      must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
      const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
      const held = must(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient }));
      const { fingerprint } = held.json['release'] as { readonly fingerprint: string };
      return { APPROVER: approver.key, PAYOUT: idIn(held), FINGERPRINT: fingerprint };
    },
  },
  'docs/guides/getting-paid.md': {
    async before(client) {
      const bank_details = { iban: 'DE02120300000000202051' };
      const hours = { cut_off: '14:30', time_zone: 'Europe/Berlin' };
      const account = { currency: 'EUR', country: 'DE', holder: 'Example GmbH', bank_details, ...hours };
      must(await client.post('/v1/bank_accounts', account));
      return {};
    },
  },
  'docs/guides/closing-a-month.md': {
    async before(client) {
      const { data } = must(await client.get('/v1/bank_accounts')).json as { readonly data: readonly Json[] };
      const BANK = data[0]?.['id'] as string;
      const of = { iban: 'DE02120300000000202051', day: '2026-10-30', opening: '0.00', closing: '5.00' };
      const file = camt([{ ...of, entries: [{ amount: '5.00' }] }]);
      must(await client.send('POST', '/v1/statement_files', file, { 'content-type': 'application/xml' }));
      const report = must(await client.get(`/v1/bank_accounts/${BANK}/reconciliation?month=2026-10`)).json;
      return { BANK, SHA256: report['sha256'] as string };
    },
    refused: ['exports_not_stopped'], // nothing drifts here
  },
  'docs/sandbox.md': {
    async before(client, known) {
      must(await client.post('/v1/settings/payouts', { frozen: false })); // the guide before holds payouts, so it takes two
      must(await client.post('/v1/test_helpers/settings/payouts/approve'));
      return payout(client, known);
    },
    refused: ['payout_state_invalid'],
  }, // a paid payout does not fail; it ends with an empty sandbox
};

let database: Database;
let server: ServerProcess;
let client: Client;
let folder: string;
const known: Variables = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-guides-'));
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const key = /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '';
  client = new Client(server.address, key);
  const { data } = must(await client.get('/v1/accounts')).json as { readonly data: readonly Json[] };
  const account = data.find(({ currency }) => currency === 'EUR')?.['id'] as string;
  Object.assign(known, {
    BURSAR_URL: server.address,
    BURSAR_KEY: key,
    ACCOUNT: account,
    RECIPIENT: /RECIPIENT=(\S+)/.exec(server.output())?.[1] ?? '',
  });
});
afterAll(async () => {
  client?.close();
  await server?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

const later = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

function run(command: string): string {
  const whole = command
    .replaceAll(/\b(first|wait_until_on|due_on)=20\d\d-\d\d-\d\d/g, (_, name: string) => `${name}=${later()}`)
    .replaceAll(
      /\b(rcp|acct|pob|stm)_…/g,
      (_, kind: string) => `$${{ rcp: 'RECIPIENT', acct: 'ACCOUNT', pob: 'BATCH', stm: 'STATEMENT' }[kind] ?? ''}`,
    )
    .replace(/^curl /, `curl -sS --max-time ${command.includes('/stream') ? 1 : 10} `);
  const done = spawnSync('bash', ['-c', whole], { env: { ...process.env, ...known }, cwd: folder, encoding: 'utf8' });
  const endless = command.includes('/stream') && done.status === 28;
  if (done.status !== 0 && !endless) throw new Error(`${whole}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

const NAMES: Readonly<Record<string, string>> = {
  recipient: 'RECIPIENT',
  payout: 'PAYOUT',
  payout_batch: 'BATCH',
  exchange_quote: 'QUOTE',
  standing_order: 'ORDER',
  webhook_endpoint: 'ENDPOINT',
  webhook_replay: 'REPLAY',
  expected_payment: 'EXPECTED',
  key: 'KEY',
};

/** What the commands after it call by name. */
function keep(answer: Json): void {
  const name = NAMES[answer['object'] as string];
  if (name !== undefined && typeof answer['id'] === 'string') known[name] = answer['id'];
}

describe.skipIf(spawnSync('bash', ['-c', 'command -v curl']).status !== 0)('the requests of', () => {
  it.each(Object.entries(GUIDES))('%s', async (path, { before, refused = [] }) => {
    const blocks = blocksRunBy('examples/guides.test.ts').filter(({ page }) => page === path);
    const commands = blocks.flatMap(({ block }) => commandsIn(block));
    expect(commands.length).toBeGreaterThan(0);
    Object.assign(known, await before?.(client, known));
    for (const command of commands) {
      const text = run(command);
      if (!text.startsWith('{')) continue; // a file, or a stream
      const answer = JSON.parse(text) as Json;
      const code = (answer['error'] as Json | undefined)?.['code'] as string | undefined;
      if (code === undefined) keep(answer);
      else expect([command, refused.includes(code) ? '' : text]).toEqual([command, '']);
    }
    expect(await auditDatabase(database.url)).toEqual([]); // its payouts stand where it leaves them
  });

  it('control: a refusal is seen', () => {
    expect(run('curl $BURSAR_URL/v1/payouts -u $BURSAR_KEY: -d amout=1')).toContain('parameter_unknown');
    expect(() => execFileSync('bash', ['-c', 'exit 22'])).toThrow('exit 22');
  });
});

it('are those of every page that has some', () => {
  expect(new Set(blocksRunBy('examples/guides.test.ts').map(({ page }) => page))).toEqual(new Set(Object.keys(GUIDES)));
});
