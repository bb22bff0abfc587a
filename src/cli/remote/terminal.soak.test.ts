/** No command lets a server steer the terminal: a real listener sends everything that could, in every text of every answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRelease } from '../../../test/support/generators/random-cases.ts';
import { BUILT, cli, startCli } from '../../../test/support/harness/cli.ts';
import { visible } from './terminal.ts';

/** Clears the screen, sets the title, goes back, deletes a line, turns the reading round, breaks the line. */
const EVIL = 'a\u001b[2J\u001b]0;x\u0007\r\b\u007f\u009b1A\u0085\u202eb\u2066\u200f\u061c\u2028\u0000\ttab\nline';
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const MONEY = { in_minor: 1, out_minor: 0 };
/** One object for everything that a command reads. */
const OBJECT: Record<string, unknown> = {
  id: EVIL,
  name: EVIL,
  status: 'in_transit',
  currency: 'EUR',
  amount: 1,
  amount_minor: 100,
  balance: 100,
  created: 1_764_000_000,
  sequence: 1,
  type: EVIL,
  data: { object: { id: EVIL } },
  url: EVIL,
  enabled_events: [EVIL],
  recipient: EVIL,
  external_id: EVIL,
  booked_on: EVIL,
  direction: 'credit',
  counterparty: { name: EVIL },
  remittance: { text: EVIL, end_to_end_id: null },
  conflict: EVIL,
  route: EVIL,
  execution_on: EVIL,
  payouts_count: 1,
  total: 1,
  total_minor: 100,
  profile: EVIL,
  cut_off: EVIL,
  time_zone: EVIL,
  exports: EVIL,
  bank_details: { iban: EVIL },
  closed_on: EVIL,
  proof: { status: EVIL, closing: null },
  statements_count: 1,
  skipped_count: 0,
  notes: [EVIL],
  answered_at: null,
  sealed_at: null,
  in_transit_at: 1,
  livemode: false,
  uses: ['payouts'],
  currencies: [{ currency: 'EUR', balance: 1 }],
  at: 1,
  month: EVIL,
  opening_balance: 1,
  closing_balance: 1,
  in: { count: 1, amount_minor: 1 },
  out: { count: 1, amount_minor: 1 },
  places: { [EVIL]: MONEY },
  unmatched: { opening: MONEY, closing: MONEY, entries_count: 1 },
  in_transit: { count: 1, amount_minor: 1 },
  signature: { is_current: true, signed_by: EVIL },
  sha256: EVIL,
  files: [],
  held: [{ payouts_count: 1, total: 1, total_minor: 100, currency: 'EUR', message: EVIL }],
  planned: [],
};
const REFUSAL = {
  code: 'parameter_invalid',
  type: 'invalid_request_error',
  message: EVIL,
  param: EVIL,
  request_id: EVIL,
  errors: [{ message: 'first' }, { param: EVIL, message: EVIL }],
};
const LISTS = /^\/v1\/(?!balances)(?:\w+|bank\/(?:files|entries|statements))(?:\?|$)/;

let server: Server;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = '', method } = request;
    request.resume();
    if (url.includes('refused')) return void response.writeHead(400).end(JSON.stringify({ error: REFUSAL }));
    if (url.includes('proxy')) return void response.writeHead(403).end(EVIL);
    if (url.includes('/stream')) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      return void response.write(`id: 1\ndata: ${JSON.stringify(OBJECT)}\n\n`);
    }
    if (url.includes('format=csv')) return void response.end(`a,b\n"${EVIL}",c\n`);
    response.end(JSON.stringify(method === 'GET' && LISTS.test(url) ? { data: [OBJECT] } : OBJECT));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'bursar-evil-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { BURSAR_URL: url, BURSAR_KEY: 'sk_test_x', XDG_CONFIG_HOME: folder };
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** As on a terminal. */
const ON_TERMINAL = ['--import', 'data:text/javascript,process.stdout.isTTY=true;process.stderr.isTTY=true', ...BUILT];
/** Colours and weights, which are ours: they begin and end in one cell of a table. */
const OURS = /\u001b\[(?:1|22|39|90)m/g;

const COMMANDS: readonly (readonly string[])[] = [
  ['accounts', 'list'],
  ['accounts', 'get', 'acct_1'],
  ['payouts', 'list'],
  ['payouts', 'why', 'po_1'],
  ['recipients', 'list'],
  ['links', 'list'],
  ['endpoints', 'list'],
  ['events', 'list'],
  ['get', '/v1/anything'],
  ['get', '/v1/refused'],
  ['get', '/v1/proxy'],
  ['bank', 'accounts', 'list'],
  ['bank', 'accounts', 'close', 'ba_1'],
  ['bank', 'accounts', 'approve', 'ba_1', '--fingerprint', 'x'],
  ['bank', 'accounts', 'reject', 'ba_1'],
  ['bank', 'status'],
  ['bank', 'files'],
  ['bank', 'entries'],
  ['bank', 'export', '--dry-run'],
  ['bank', 'reconcile', 'ba_1', '2026-10'],
  ['bank', 'import', 'package.json'],
];

describe('what a server sends', () => {
  it('control: it would steer the terminal', () => {
    expect(JSON.parse(JSON.stringify(OBJECT))).toMatchObject({ name: EVIL });
    expect([EVIL, visible(EVIL)].map((each) => STEERS.test(each))).toEqual([true, false]);
  });

  it.each(COMMANDS)('is shown, and steers nothing: %s %s', async (...args) => {
    for (const program of isRelease ? [BUILT, ON_TERMINAL] : [ON_TERMINAL]) {
      const { stdout, stderr } = await cli(args, env, program);
      const said = `${stdout}${stderr}`.replaceAll(OURS, '');
      expect(said).toContain('\\u001b[2J');
      expect(said).not.toMatch(STEERS);
      expect(said).not.toMatch(/^line|\ttab/m); // a line or a column of its own
    }
  });

  it.each([
    ['accounts', 'list', '--json'],
    ['get', '/v1/anything/1', '--json'],
    ['bank', 'entries', '--json'],
    ['bank', 'reconcile', 'ba_1', '2026-10', '--json'],
  ])('is the same content in JSON: %s %s', async (...args) => {
    const { stdout } = await cli(args, env);
    expect(stdout).not.toMatch(STEERS);
    expect(JSON.parse(stdout)).toEqual(OBJECT);
  });

  it('is a file as it is into a pipe, and readable on a terminal', async () => {
    const args = ['bank', 'reconcile', 'ba_1', '2026-10', '--csv'];
    expect((await cli(args, env)).stdout).toBe(`a,b\n"${EVIL}",c\n`);
    expect((await cli(args, env, ON_TERMINAL)).stdout).not.toMatch(STEERS);
  });

  it.each([
    ['events', 'tail'],
    ['events', 'tail', '--json'],
    ['listen', '--forward-to', 'the same listener, which refuses'],
  ])('is shown as it comes: %s %s', async (...args) => {
    const given = args.map((each) => (each.includes(' ') ? `${env['BURSAR_URL']}/proxy` : each));
    const following = startCli([...given, '--since', '0'], env, args.includes('--json') ? BUILT : ON_TERMINAL);
    const said = () => Object.values(following.output()).join('').replaceAll(OURS, '');
    await expect.poll(said).toMatch(args[0] === 'listen' ? /→ 403 .*\\u001b\[2J/ : /\\u001b\[2J/);
    following.child.kill('SIGTERM');
    await following.ended;
    expect(said()).not.toMatch(STEERS);
    if (args.includes('--json')) expect(JSON.parse(following.output().stdout)).toEqual(OBJECT);
  });
});

it.each([
  ['listen', '--forward-to', 'http://ada:geheim@127.0.0.1:9/hook', /http:\/\/127\.0\.0\.1:9\/hook is away/],
  ['listen', '--forward-to', 'http://a%3Ada:geheim@127.0.0.1:9/', /no colon in the name/],
  ['listen', '--forward-to', 'htp://ada:geheim@127.0.0.1', /takes an address/],
  ['dev', '--forward-to', 'http://ada:gehei%6D%zz@127.0.0.1', /cannot be sent/],
  ['stats', '--url', 'http://ada:geheim@127.0.0.1:9/', /may hold no name and password/],
])('shows no credentials of an address: %s %s %s', async (verb, option, address, says) => {
  const more = verb === 'listen' ? ['--since', '0'] : [];
  const running = startCli([verb, option, address, ...more], env);
  await expect.poll(() => running.output().stderr).toMatch(says);
  running.child.kill('SIGTERM');
  const { stdout, stderr } = await running.ended;
  expect(`${stdout}${stderr}`).not.toMatch(/gehei|ada/);
});

it('shows what is wrong in a file of payouts, and lets it steer nothing', async () => {
  const path = join(folder, 'evil.csv');
  writeFileSync(path, `amount,currency,recipient\n"${EVIL.replaceAll(/[\0\u0080-\u009f]/g, '')}",EUR,x\n`);
  const { code, stderr } = await cli(['payouts', 'batch', path], env);
  expect([code, stderr]).toEqual([2, expect.stringContaining('\\u001b[2J')]);
  expect(stderr).not.toMatch(STEERS);
});
