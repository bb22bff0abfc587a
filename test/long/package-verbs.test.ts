/**
 * The command line and the client as people get them: the packed files, beside nothing but their dependencies. Every verb does
 * something on a database and a server of the package, and a typed program is compiled against the client and pays. From npm's registry:
 * `test/long/package.test.ts`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../../src/cli/verbs.ts';
import { killAll, pay, ROOT, run, type Started, start } from '../support/deploy/packed.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { builtProgram } from '../support/harness/server-process.ts';

let folder: string;
let database: Database;
let started: Started;
let env: Record<string, string>;

beforeAll(async () => {
  builtProgram();
  folder = mkdtempSync(join(tmpdir(), 'bursar-verbs-'));
  database = await createDatabase();
  // Without `prepack`, which builds the site.
  await packageOf(ROOT, '--ignore-scripts');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'package/node_modules'));
  env = { DATABASE_URL: database.url, BURSAR_SECRET: 's'.repeat(40), BURSAR_CONFIG_DIR: folder };
  started = await start(process.execPath, ['package/bin/bursar.cjs'], folder, env);
  env = { ...env, BURSAR_URL: started.address, BURSAR_KEY: started.key };
}, 120_000);
afterAll(async () => {
  started?.client.close();
  await started?.stop();
  killAll();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

/** What `npm pack` makes of a folder of this repository, in `package/`. */
async function packageOf(of: string, ...options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', '--json', ...options, '--pack-destination', folder], { cwd: of });
  const [archive] = JSON.parse(stdout) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  const file = join(folder, archive.filename.replace('@', '').replace('/', '-'));
  const into = join(folder, of === ROOT ? '.' : 'client');
  mkdirSync(into, { recursive: true });
  await run('tar', ['--extract', '--gzip', '--file', file, '--directory', into]);
  return archive.files.map(({ path }) => path);
}

/** What each verb does here; it succeeds unless another exit code is named. */
const DEEDS: Readonly<Record<string, readonly string[] | { readonly args: readonly string[]; readonly exit: number }>> =
  {
    start: ['start', '--help'], // the server of this test was started by it
    dev: ['dev', '--help'], // it would never end
    migrate: ['migrate'],
    doctor: ['doctor', '--json'],
    keys: ['keys', 'create', '--live', '--merchant', 'Packed'],
    audit: ['audit', 'verify'],
    export: ['export', 'person', '--email', 'nobody@example.com'],
    redact: { args: ['redact', '--email', 'nobody@example.com', '--yes'], exit: 1 }, // nobody was found
    restored: ['restored', '--help'], // it would tell every reader
    secret: ['secret', 'status'],
    verify: ['verify'],
    rebuild: ['rebuild'],
    dashboard: ['dashboard', 'invite', '--email', 'ada@example.com', '--live', '--admin'],
    backup: ['backup', 'copy.backup'],
    restore: ['restore', 'copy.backup', '--check'],
    login: { args: ['login', '--url', 'http://127.0.0.1:1', '--key', 'sk_test_none'], exit: 1 },
    accounts: ['accounts', 'list'],
    recipients: ['recipients', 'list'],
    payouts: ['payouts', 'list'],
    exchanges: ['exchanges', 'list'],
    links: ['links', 'list'],
    events: ['events', 'list'],
    endpoints: ['endpoints', 'list'],
    listen: { args: ['listen', '--forward-to', 'no address'], exit: 2 },
    demo: ['demo', '--help'], // it would empty the sandbox of the others
    trigger: ['trigger', 'payout.created'],
    get: ['get', '/v1/balances'],
    post: ['post', '/v1/accounts', 'currency=CHF'],
    stats: ['stats', '--json'],
    bank: ['bank', 'export', '--dry-run'],
    completion: ['completion', 'bash'],
  };

describe('the command line', () => {
  it('has a deed for every verb', () => expect(Object.keys(DEEDS).toSorted()).toEqual(Object.keys(VERBS).toSorted()));

  it.each(Object.entries(DEEDS).toSorted(([one]) => (one === 'backup' ? -1 : 0)))('%s', async (_, deed) => {
    const { args, exit } = 'args' in deed ? deed : { args: deed, exit: 0 };
    const done = await new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
      const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, ...env } };
      execFile(process.execPath, ['package/bin/bursar.cjs', ...args], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code as unknown as number), said: stdout + stderr }),
      );
    });
    expect(done.said).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/);
    expect([done.code, done.said], done.said).toEqual([exit, expect.any(String)]);
  });

  it('without a verb, at a terminal, says what it can do', async () => {
    const atTerminal = ['-qec', `${process.execPath} package/bin/bursar.cjs`, '/dev/null'];
    const { stdout } = await run('script', atTerminal, { cwd: folder, env: { ...process.env, ...env } });
    expect(stdout).toContain('Usage: bursar');
  });

  it('says at once that its port is taken, and makes nothing', async () => {
    const home = join(folder, 'taken');
    mkdirSync(home);
    const port = new URL(started.address).port;
    const { PATH } = process.env;
    const done = spawnSync(process.execPath, [join(folder, 'package/bin/bursar.cjs'), 'start'], {
      cwd: home,
      env: { PATH, PORT: port },
      encoding: 'utf8',
    });
    expect([done.status, done.stderr]).toEqual([1, `Port ${port} is in use. Choose another one with PORT.\n`]);
    expect(readdirSync(home)).toEqual([]);
  });

  it('control: a file that is missing is noticed', () => {
    const chunks = join(folder, 'package/dist/src/chunks');
    spawnSync('mv', [chunks, `${chunks}.gone`]);
    const done = spawnSync(process.execPath, ['package/bin/bursar.cjs', 'get', '/v1/balances'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    });
    spawnSync('mv', [`${chunks}.gone`, chunks]);
    expect([done.status, done.stderr]).toEqual([1, expect.stringContaining('ERR_MODULE_NOT_FOUND')]);
  });
});

const PROGRAM = `import { createClient, type Payout } from '@bursar/client';
const bursar = createClient({ url: process.env['BURSAR_URL'] ?? '', apiKey: process.env['BURSAR_KEY'] ?? '' });
const { data: [recipient] } = await bursar.recipients.list({ limit: 1 }).page();
if (recipient === undefined) throw new Error('no recipient');
const payout: Payout = await bursar.payouts.create({ amount: '1.00', currency: 'EUR', recipient: recipient.id });
console.log(payout.status);
`;

describe('the client', () => {
  it('holds what it exports, and its licence', async () => {
    const files = await packageOf(join(ROOT, 'client'));
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/bursar.js', 'dist/bursar.d.ts', 'package.json']),
    );
    expect(files.filter((file) => !/^(?:dist\/.*\.(?:js|d\.ts)|[A-Z]+(?:\.md)?|package\.json)$/.test(file))).toEqual(
      [],
    );
  });

  it('is a typed program that pays', async () => {
    expect((await pay(started)).status).toBe('paid');
    const home = join(folder, 'program');
    mkdirSync(join(home, 'node_modules/@bursar'), { recursive: true });
    symlinkSync(join(folder, 'client/package'), join(home, 'node_modules/@bursar/client'));
    symlinkSync(join(ROOT, 'node_modules/@types'), join(home, 'node_modules/@types'));
    symlinkSync(join(ROOT, 'node_modules/undici-types'), join(home, 'node_modules/undici-types'));
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    writeFileSync(join(home, 'pay.ts'), PROGRAM);
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--outDir', '.'];
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'pay.ts'], { cwd: home });
    const { stdout } = await run(process.execPath, ['pay.js'], { cwd: home, env: { ...process.env, ...env } });
    expect(stdout).toBe('pending\n');
  });
});

describe('both packages', () => {
  it.each(['.', 'client'])('%s says where its sources are', (path) => {
    const { homepage, repository, bugs } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
      readonly homepage: string;
      readonly repository: { readonly url: string };
      readonly bugs: { readonly url: string };
    };
    // The release puts the address into the place of this one: scripts/release.mjs.
    const source = 'https://source.invalid/bursar';
    expect([homepage, repository.url, bugs.url]).toEqual([source, `git+${source}.git`, `${source}/issues`]);
    expect(readFileSync(join(ROOT, path, 'README.md'), 'utf8')).toContain(source);
  });
});
