/**
 * The package as people get it: packed, installed into an empty folder, started, a payout paid, stopped. The steps of the Dockerfile that need no
 * engine; the systemd unit under its own restrictions; the linters of `deploy/`, where they are installed. Installs from npm's registry.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../support/harness/database.ts';
import { Client, type Json } from '../support/harness/http.ts';
import { freePort } from '../support/harness/server-process.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const PATIENCE = { timeout: 60_000 };
/** From the packed file to a paid payout; the issue allows 60 s with a webhook. */
const PAID_WITHIN_MS = 60_000;
const shipped = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');
const has = (program: string) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0;

let folder: string;
let tarball: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-package-'));
  spawnSync('chmod', ['755', folder]); // the unit's user looks in
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  tarball = join(folder, `bursar-${version}.tgz`);
}, 300_000);
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const install = (prefix: string, ...options: readonly string[]) =>
  run('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...options,
    tarball,
  ]);

interface Started {
  readonly client: Client;
  readonly output: () => string;
  readonly address: string;
  readonly recipient: string;
  stop(): Promise<number | null>;
}

/** Resolves when it has printed its key. */
async function start(
  program: string,
  args: readonly string[],
  cwd: string,
  own: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), ...own };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await expect
    .poll(() => (child.exitCode === null ? output : `it ended: ${output}`), PATIENCE)
    .toMatch(/Stop: Ctrl-C|it ended/);
  const key = /Sandbox key: +(\S+)/.exec(output)?.[1] ?? '';
  const address = `http://127.0.0.1:${port}`;
  const stop = () => {
    child.kill('SIGTERM');
    return ended.finally(() => running.delete(child));
  };
  const recipient = /recipient=(\S+)/.exec(output)?.[1] ?? '';
  return { client: new Client(address, key), output: () => output, address, recipient, stop };
}

async function pay({ client, recipient }: Started): Promise<Json> {
  const payout = idIn(await client.post('/v1/payouts', { amount: '250.00', currency: 'EUR', recipient }));
  return must(await client.post(`/v1/test_helpers/payouts/${payout}/pay`)).json;
}

describe('the package', () => {
  it('holds what runs, and nothing else', async () => {
    const { stdout } = await run('tar', ['--list', '--gzip', '--file', tarball]);
    const files = stdout
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''));
    for (const wanted of [
      'bin/bursar.cjs',
      'dist/src/process/main.js',
      'dist/src/cli/bursar.js',
      'assets/fonts/NotoSans-Regular.ttf',
      'assets/fonts/OFL.txt',
      'migrations/0101_environments.sql',
      'migrations/before-1.0/0001_foundation.sql',
      'site/dist/site.json',
      'deploy/bursar.service',
      'LICENSE',
      'README.md',
    ])
      expect(files).toContain(wanted);
    const strange = files.filter(
      (file) =>
        !/^(?:assets|bin|deploy|dist\/src|docs\/openapi\.json|migrations|site\/dist|(?:package\.json|LICENSE|[A-Z]+\.md)$)/.test(
          file,
        ),
    );
    expect([...strange, ...files.filter((file) => /\.(?:ts|map)$|\.test\.|\/\.sources$/.test(file))]).toEqual([]);
  });

  it('is a paid payout within a minute, from an empty folder', async () => {
    const home = join(folder, 'empty');
    mkdirSync(home);
    const began = performance.now();
    await install(join(folder, 'opt'));
    const started = await start(join(folder, 'opt/bin/bursar'), [], home);
    expect(await pay(started)).toMatchObject({ status: 'paid', amount_minor: 25_000 });
    const tookMs = performance.now() - began;
    console.log(`from the packed file to a paid payout: ${(tookMs / 1000).toFixed(1)} s`);
    expect(tookMs).toBeLessThan(PAID_WITHIN_MS);

    const page = await fetch(`${started.address}/docs/errors`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="balance_insufficient"')]);
    const { stdout } = await run(join(folder, 'opt/bin/bursar'), ['keys', 'create', '--live'], { cwd: home });
    expect(stdout).toMatch(/^sk_live_/);
    started.client.close();
    expect([await started.stop(), started.output()]).toEqual([0, expect.stringContaining('Stopped.')]);
  }, 180_000);
});

describe('deploy/Dockerfile', () => {
  const words = (begins: string): readonly string[] =>
    JSON.parse(new RegExp(`^${begins} (\\[.*\\])$`, 'm').exec(shipped('Dockerfile'))?.[1] ?? '[]') as readonly string[];

  it('its steps make a service that needs no folder and passes its own check', async () => {
    const prefix = join(folder, 'image');
    await install(prefix, '--omit=optional');
    const database = await createDatabase();
    const [program = '', ...args] = words('CMD').map((word) => word.replace('/opt/bursar', prefix));
    const settings = {
      DATABASE_URL: database.url,
      BURSAR_SECRET: 's'.repeat(40),
      BURSAR_DATA: '/nonexistent',
      NODE_ENV: 'production',
    };
    const started = await start(program, args, '/', settings);
    expect(await pay(started)).toMatchObject({ status: 'paid' });
    const [check = '', ...checkArgs] = words(' +CMD');
    const probe = () =>
      spawnSync(check, checkArgs, { env: { ...process.env, PORT: new URL(started.address).port } }).status;
    expect(probe()).toBe(0);
    started.client.close();
    await started.stop();
    expect(probe()).toBe(1);
    await database.drop();
  }, 180_000);

  it.skipIf(!has('hadolint'))('has nothing that hadolint finds', async () => {
    expect((await run('hadolint', [join(ROOT, 'deploy/Dockerfile')])).stdout).toBe('');
  });
});

describe('deploy/compose.yaml', () => {
  it('asks for what compose.env.example names, and runs nothing with more rights than it needs', () => {
    const compose = shipped('compose.yaml');
    const asked = new Set([...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name as string));
    const named = [...shipped('compose.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name as string);
    expect([...asked].sort()).toEqual(named.sort());
    expect(compose.match(/read_only: true/g)).toHaveLength(2);
    expect(compose).not.toMatch(/privileged|:latest/);
  });
  it('makes the logins of the guide', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/operating.md'), 'utf8');
    const statements = [...shipped('logins.sh').matchAll(/^(?:CREATE|GRANT).*;$/gm)].map(([line]) =>
      line.replace(":'owner'", "'one'").replace(":'server'", "'two'"),
    );
    expect(statements).toHaveLength(5);
    for (const statement of statements) expect(guide).toContain(`    ${statement}\n`);
  });
});

describe.skipIf(!has('helm'))('deploy/helm', () => {
  const chart = join(ROOT, 'deploy/helm/bursar');
  it('is accepted by helm lint, and asks for the address', async () => {
    await run('helm', ['lint', chart, '--strict', '--set', 'publicUrl=https://pay.example.com']);
    await expect(run('helm', ['template', 'x', chart, '--kube-version', '1.30.0'])).rejects.toThrow('Set publicUrl');
  });
});

describe('deploy/bursar.service', () => {
  const unit = join(ROOT, 'deploy/bursar.service');
  it.skipIf(!has('systemd-analyze'))('is right, and exposes little', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', unit]);
    expect(stdout + stderr).toBe('');
    const analysis = await run('systemd-analyze', ['security', '--offline=yes', unit]);
    const exposure = Number(/exposure level for bursar\.service: ([\d.]+)/.exec(analysis.stdout)?.[1]);
    expect(exposure).toBeLessThan(2);
  });

  const canRun =
    process.getuid?.() === 0 && has('systemd-run') && has('/lib/systemd/systemd') && has('unshare') && has('curl');
  describe.skipIf(!canRun)('under its restrictions', () => {
    const runUnit = (name: string, ...more: readonly string[]) => {
      const state = join(folder, name);
      mkdirSync(state);
      const script = join(ROOT, 'test/support/deploy/run-unit.sh');
      return freePort().then((port) => run(script, [unit, join(folder, 'opt'), state, String(port), ...more]));
    };
    it('pays, with embedded PostgreSQL, and stops', async () => {
      const { stdout } = await runUnit('unit');
      expect(stdout).toMatch(/NoNewPrivs:\s+1\n[\s\S]*Seccomp:\s+2\n[\s\S]*Stopped\./);
    }, 90_000);
    it('control: with an address family less it does not start', async () => {
      const failed = await runUnit('narrow', 'RestrictAddressFamilies=', 'RestrictAddressFamilies=AF_UNIX').then(
        () => 'it started',
        (error: { readonly stdout: string }) => error.stdout,
      );
      expect(failed).toContain('EAFNOSUPPORT');
    }, 90_000);
  });
});
