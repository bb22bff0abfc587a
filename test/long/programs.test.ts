/**
 * The programs of this folder, each started as its head says, against a server that was really started: the marketplace is run twice and pays
 * once, the balances survive a kill and lost bells, the shop is paid, and the month agrees until somebody changes the books.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { Client, type Json } from '../support/harness/http.ts';
import { freePort, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { must } from '../support/harness/tenant-fixture.ts';

const FOLDER = join(import.meta.dirname, '../../examples');
const ROOT = join(FOLDER, '..');
const WITHIN = { timeout: 15_000 };

let database: Database;
let server: ServerProcess;
let client: Client;
let folder: string;
let env: Readonly<Record<string, string | undefined>>;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-examples-'));
  copyPrograms();
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const key = /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '';
  client = new Client(server.address, key);
  env = { ...process.env, BURSAR_URL: server.address, BURSAR_KEY: key };
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  client?.close();
  await server?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

/** As somebody has them who copied them: with the client installed as it is packed, and what else they import. */
function copyPrograms(): void {
  cpSync(FOLDER, folder, { recursive: true });
  const installed = join(folder, 'node_modules');
  const client = join(installed, '@bursar/client');
  mkdirSync(client, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/node-sqlite3-wasm'), join(installed, 'node-sqlite3-wasm'));
  cpSync(join(ROOT, 'client/package.json'), join(client, 'package.json'));
  const compile = ['node_modules/typescript/bin/tsc', '-p', 'client', '--outDir', join(client, 'dist')];
  execFileSync(process.execPath, compile, { cwd: ROOT });
}

/** Runs to its end. */
function run(name: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, name), ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

/** Starts what serves; resolves when it answers. */
async function start(name: string, port: number, own: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(folder, name)], {
    env: { ...env, PORT: String(port), ...own },
    stdio: 'ignore',
  });
  running.add(child);
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      WITHIN,
    )
    .toBe(200);
  return child;
}

async function endpoint(port: number, ...types: readonly string[]): Promise<Json> {
  const url = `http://127.0.0.1:${port}/webhooks`;
  return must(await client.post('/v1/webhook_endpoints', { url, enabled_events: types })).json;
}

/** What the tests read of the objects of a list. */
interface Listed {
  readonly id: string;
  readonly currency: string;
  readonly name: string;
  readonly balance: number;
  readonly amount_minor: number;
  readonly external_id: string;
  readonly metadata: { readonly order: string };
}
const all = async (path: string) => must(await client.get(path)).json['data'] as unknown as readonly Listed[];
type Cells = readonly (string | number)[];
const byFirst = ([a = '']: Cells, [b = '']: Cells) => (String(a) < String(b) ? -1 : 1);
const read = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text());

it('are programs of at most a hundred lines', () => {
  const programs = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'));
  expect(programs.length).toBe(4);
  for (const name of programs) {
    const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n').length - 1;
    expect([name, lines <= 100]).toEqual([name, true]);
  }
});

describe('marketplace.mjs', () => {
  it('pays each seller once, however often it is run', async () => {
    const runs = await Promise.all([run('marketplace.mjs', 'sellers.csv'), run('marketplace.mjs', 'sellers.csv')]);
    runs.push(await run('marketplace.mjs', 'sellers.csv'));
    for (const { code, output } of runs)
      expect([code, output]).toEqual([0, expect.stringContaining('3 of 3 orders are paid')]);
    const payouts = await all('/v1/payouts?limit=100');
    expect(payouts.map(({ external_id: id, amount_minor: minor }) => [id, minor]).sort(byFirst)).toEqual([
      ['A-1001', 25_000],
      ['A-1002', 9_995],
      ['A-1003', 1_250],
    ]);
    const names = (await all('/v1/recipients?limit=100')).map(({ name }) => name);
    expect(names.filter((name) => name === 'Grace Hopper' || name === 'Alan Turing')).toHaveLength(2);
  });

  it('tells which line was refused, and pays the others', async () => {
    const file = join(folder, 'more.csv');
    const lines = [
      'order,name,iban,amount,currency',
      'B-1,Ada Lovelace,DE89370400440532013000,1.00,EUR',
      'B-2,Ada Lovelace,DE89370400440532013000,9000000.00,EUR',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { code, output } = await run('marketplace.mjs', file);
    expect(code).toBe(1);
    expect(output).toMatch(/B-1: 1\.00 EUR is on its way, po_\w+\nB-2: 9000000\.00 EUR refused, /);
  });
});

describe('balances.mjs', () => {
  it('has the balances of Bursar, after a kill and with bells that were never heard', async () => {
    const port = await freePort();
    const { secret } = await endpoint(port, 'balance.updated');
    const own = { WEBHOOK_SECRET: secret as string, DATABASE: join(folder, 'balances.db') };
    const wanted = async () =>
      (await all('/v1/accounts'))
        .map(({ id, currency, balance }) => ({ account: id, currency, balance }))
        .sort((a, b) => (a.account < b.account ? -1 : 1));
    const kept = async () => JSON.parse(await read(port, '/')) as unknown;

    const first = await start('balances.mjs', port, own);
    await expect.poll(kept, WITHIN).toEqual(await wanted());
    first.kill('SIGKILL');
    const id = (await all('/v1/accounts')).find(({ currency }) => currency === 'EUR')?.id ?? '';
    for (const amount of ['1.00', '2.00', '3.00'])
      must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount }));
    await start('balances.mjs', port, own);
    await expect.poll(kept, WITHIN).toEqual(await wanted());
    must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: '4.00' })); // rings
    await expect.poll(kept, WITHIN).toEqual(await wanted());
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(400);
  });
});

describe('shop.mjs', () => {
  it('sells a table, and knows when it is paid', async () => {
    const port = await freePort();
    const { secret } = await endpoint(port, 'payment.*');
    await start('shop.mjs', port, { WEBHOOK_SECRET: secret as string });
    expect(await read(port, '/')).toContain('Garden table');
    const bought = await fetch(`http://127.0.0.1:${port}/buy`, { method: 'POST', redirect: 'manual' });
    expect([bought.status, bought.headers.get('location')]).toEqual([303, expect.stringContaining('/pay/')]);
    expect((await fetch(bought.headers.get('location') ?? '')).status).toBe(200);
    const [link] = await all('/v1/payment_links?limit=1');
    const order = link?.metadata.order ?? '';
    expect(await read(port, `/orders/${order}`)).toContain('is open');
    must(await client.post(`/v1/test_helpers/payment_links/${link?.id ?? ''}/pay`));
    await expect.poll(() => read(port, `/orders/${order}`), WITHIN).toContain('is paid');
    const forged = await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(400);
  });
});

describe('reconcile.mjs', () => {
  const month = new Date().toISOString().slice(0, 7);
  const books = (lines: readonly (readonly unknown[])[]) => {
    const file = join(folder, 'books.csv');
    writeFileSync(file, `external_id,amount_minor,currency\n${lines.map((line) => `${line.join()}\n`).join('')}`);
    return run('reconcile.mjs', month, file);
  };

  it('agrees with books that are right, and names each line that is not', async () => {
    const payouts = await all('/v1/payouts?limit=100');
    const right = payouts.map(({ external_id: id, amount_minor: minor, currency }) => [id, minor, currency]);
    const agreed = await books(right);
    expect([agreed.code, agreed.output]).toEqual([0, expect.stringContaining('agrees: 4 payouts')]);

    const failed = payouts.find(({ external_id: id }) => id === 'A-1002');
    must(await client.post(`/v1/test_helpers/payouts/${failed?.id ?? ''}/fail`, { failure_code: 'declined' }));
    const wrong = right
      .filter(([id]) => id !== 'A-1003')
      .map(([id, minor, currency]) => (id === 'A-1001' ? [id, 25_001, currency] : [id, minor, currency]));
    const { code, output } = await books([...wrong, ['A-9999', 5, 'EUR']]);
    expect(code).toBe(3);
    expect(
      output
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .sort(),
    ).toEqual([
      '! A-1001: 25000 EUR left, and the books say 25001 EUR',
      '! A-1002: booked as paid, and it came back (failed)',
      '! A-1003: 1250 EUR left, and the books do not have it',
      '! A-9999: the books say 5 EUR, and nothing left',
    ]);
  });
});
