/**
 * The package as people get it: packed with its site, installed from npm's registry into an empty folder, started, a payout paid within
 * a minute, stopped. The steps of the Dockerfile that need no engine; the systemd unit under its own restrictions. Without a registry, and
 * the rest of `deploy/`: `test/soak/package.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has, killAll, pay, ROOT, run, runAsInDockerfile, start, wrongFiles } from '../support/deploy/packed.ts';
import { freePort } from '../support/harness/server-process.ts';

/** From the packed file to a paid payout; the bar allows 60 s with a webhook. */
const PAID_WITHIN_MS = 60_000;

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-package-'));
  spawnSync('chmod', ['755', folder]); // the unit's user looks in
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  tarball = join(folder, `bursar-${version}.tgz`);
});
afterAll(() => {
  killAll();
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
    '--loglevel=warn',
    ...options,
    tarball,
  ]);

describe('the package', () => {
  it('holds what runs, and nothing else', async () => {
    const { stdout } = await run('tar', ['--list', '--gzip', '--file', tarball]);
    const files = stdout
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''));
    expect(wrongFiles(files)).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['dashboard/dist/files.json', 'site/dist/site.json']));
  });

  it('is a paid payout within a minute, from an empty folder', async () => {
    const home = join(folder, 'empty');
    mkdirSync(home);
    const began = performance.now();
    const { stderr } = await install(join(folder, 'opt'));
    expect(stderr).not.toContain('EBADENGINE'); // no package below ours wants a newer Node
    const started = await start(join(folder, 'opt/bin/bursar'), [], home);
    expect(await pay(started)).toMatchObject({ status: 'paid', amount_minor: 25_000 });
    const tookMs = performance.now() - began;
    console.log(`from the packed file to a paid payout: ${(tookMs / 1000).toFixed(1)} s`);
    expect(tookMs).toBeLessThan(PAID_WITHIN_MS);

    const page = await fetch(`${started.address}/docs/errors`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="balance_insufficient"')]);
    const dashboard = await fetch(`${started.address}/dashboard`);
    expect([dashboard.status, await dashboard.text()]).toEqual([200, expect.stringContaining('csp-nonce')]);
    const { stdout } = await run(join(folder, 'opt/bin/bursar'), ['keys', 'create', '--live'], { cwd: home });
    expect(stdout).toMatch(/^sk_live_/);
    started.client.close();
    expect([await started.stop(), started.output()]).toEqual([0, expect.stringContaining('Stopped.')]);
  });
});

describe('deploy/Dockerfile', () => {
  it('its steps make a service that needs no folder and passes its own check', async () => {
    const prefix = join(folder, 'image');
    await install(prefix, '--omit=optional');
    const { paid, checks } = await runAsInDockerfile(join(prefix, 'lib/node_modules/bursar'));
    expect(paid).toMatchObject({ status: 'paid' });
    expect(checks).toEqual([0, 1]);
  });
});

describe('deploy/bursar.service', () => {
  const unit = join(ROOT, 'deploy/bursar.service');
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
    });
    it('control: with an address family less it does not start', async () => {
      const failed = await runUnit('narrow', 'RestrictAddressFamilies=', 'RestrictAddressFamilies=AF_UNIX').then(
        () => 'it started',
        (error: { readonly stdout: string }) => error.stdout,
      );
      expect(failed).toContain('EAFNOSUPPORT');
    });
  });
});
