/**
 * The package without npm's registry: the files it holds, a payout through the unpacked file with the dependencies of this repository, and
 * the files of `deploy/` as far as their linters are installed. From npm, in an empty folder, with its site, under systemd's
 * restrictions: `test/long/package.test.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has, killAll, ROOT, run, runAsInDockerfile, shipped, wrongFiles } from '../support/deploy/packed.ts';
import { builtProgram } from '../support/harness/server-process.ts';

let folder: string;
let files: readonly string[];

beforeAll(async () => {
  builtProgram();
  folder = mkdtempSync(join(tmpdir(), 'bursar-package-'));
  // Without `prepack`, which builds the site.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const [archive] = JSON.parse(stdout) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  files = archive.files.map(({ path }) => path);
  await run('tar', ['--extract', '--gzip', '--file', join(folder, archive.filename), '--directory', folder]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'package/node_modules'));
});
afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true });
});

describe('the package', () => {
  it('holds what runs, and nothing else', () => {
    expect(wrongFiles(files)).toEqual([]);
    const { files: shippedPaths } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] };
    expect(shippedPaths).toEqual(expect.arrayContaining(['dashboard/dist', 'site/dist']));
  });
  it('control: a missing program and a source are noticed', () => {
    const without = files.filter((file) => file !== 'bin/bursar.cjs');
    expect(wrongFiles([...without, 'src/config.ts'])).toEqual(['bin/bursar.cjs is missing', 'src/config.ts']);
  });
});

describe('deploy/Dockerfile', () => {
  it('starts the packed file so that it needs no folder, pays, and passes its own check', async () => {
    const { paid, checks } = await runAsInDockerfile(join(folder, 'package'));
    expect(paid).toMatchObject({ status: 'paid' });
    expect(checks).toEqual([0, 1]);
  });

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
    expect(compose.match(/read_only: true/g)).toHaveLength(3);
    expect(compose).not.toMatch(/privileged|:latest/);
  });
  it('makes the logins of the guide', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/operating/database.md'), 'utf8');
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

  const rendered = async (...values: readonly string[]) => {
    const all = ['publicUrl=https://pay.example.com', ...values].flatMap((each) => ['--set', each]);
    return (await run('helm', ['template', 'x', chart, '--kube-version', '1.30.0', ...all])).stdout;
  };
  it('runs the image of a digest, whatever its tag', async () => {
    const imageOf = (text: string) => /^ +image: (.*)$/m.exec(text)?.[1];
    const digest = `sha256:${'0a'.repeat(32)}`;
    expect(imageOf(await rendered())).toMatch(/^"bursar:\d/);
    expect(imageOf(await rendered('image.tag=x', `image.digest=${digest}`))).toBe(`"bursar@${digest}"`);
    await expect(rendered('image.digest=latest')).rejects.toThrow('image.digest is sha256:');
  });

  it('writes numbers of a file of values as they stand there, for the server and for its backups', async () => {
    const values = join(folder, 'values.yaml');
    const settings = { SIZE: 10_000_000, HALF: 0.5, TEN: 10, NONE: 0, OFF: false, TEXT: '1e5' };
    writeFileSync(
      values,
      JSON.stringify({ publicUrl: 'https://pay.example.com', settings, backup: { enabled: true } }),
    );
    const { stdout } = await run('helm', ['template', 'x', chart, '--kube-version', '1.30.0', '--values', values]);
    for (const [name, value] of Object.entries(settings))
      expect(
        stdout.match(new RegExp(`- name: ${name}\n +value: .*`, 'g'))?.map((each) => each.split('value: ')[1]),
      ).toEqual([`"${value}"`, `"${value}"`]);
  });

  it('leads to the dashboard at a host of its own, and else not at all', async () => {
    const ingressOf = (text: string) => text.split('---\n').find((each) => each.includes('kind: Ingress\n')) ?? '';
    expect(ingressOf(await rendered())).not.toContain('/dashboard');
    const apart = await rendered('dashboard.url=https://dashboard.example.com');
    expect(ingressOf(apart)).toMatch(/host: "dashboard\.example\.com"\n +http:\n +paths:\n +- path: \/dashboard\n/);
    expect(ingressOf(apart).match(/- path: \/dashboard\n/g)).toHaveLength(1);
    expect(apart).toMatch(/name: BURSAR_DASHBOARD_URL\n +value: "https:\/\/dashboard\.example\.com"\n/);
    expect(await rendered('dashboard.enabled=false')).toMatch(/name: BURSAR_DASHBOARD\n +value: "off"\n/);
  });

  it('makes backups where it is told to, on a volume that outlives the chart', async () => {
    expect(await rendered()).not.toContain('CronJob');
    const all = await rendered('backup.enabled=true', 'backup.storageClass=slow', 'backup.keepDays=3');
    const [volume = '', job = ''] = ['PersistentVolumeClaim', 'CronJob'].map((kind) =>
      all.split('---\n').find((each) => each.includes(`kind: ${kind}\n`)),
    );
    expect(volume).toMatch(/resource-policy: keep[\s\S]*storageClassName: slow/);
    expect(job).toMatch(/schedule: "30 1 \* \* \*"[\s\S]*-mtime \+3 -delete/);
    expect(job).toContain('claimName: x-backups');
  });

  it('restricts the network where it is told who connects', async () => {
    expect(await rendered()).not.toContain('NetworkPolicy');
    await expect(rendered('networkPolicy.enabled=true')).rejects.toThrow('Set networkPolicy.from');
    const from = 'networkPolicy.from[0].namespaceSelector.matchLabels.name=ingress';
    const lintSet = ['publicUrl=https://pay.example.com', 'networkPolicy.enabled=true', from];
    await run('helm', ['lint', chart, '--strict', ...lintSet.flatMap((each) => ['--set', each])]);
    const all = await rendered('networkPolicy.enabled=true', from, 'networkPolicy.database.port=6432');
    const policy = all.split('---\n').find((each) => each.includes('kind: NetworkPolicy'));
    expect(policy?.slice(policy.indexOf('spec:')).trimEnd()).toMatchInlineSnapshot(`
      "spec:
        podSelector:
          matchLabels:
            app.kubernetes.io/name: bursar
            app.kubernetes.io/instance: x
        policyTypes: [Ingress, Egress]
        ingress:
          - from:
              - namespaceSelector:
                  matchLabels:
                    name: ingress
            ports:
              - port: http
        egress:
          # Names.
          - ports:
              - { port: 53, protocol: UDP }
              - { port: 53, protocol: TCP }
          - ports:
              - port: 6432
          - ports:
              - port: 443
            to:
              - ipBlock:
                  cidr: 0.0.0.0/0
                  except:
                    - 10.0.0.0/8
                    - 100.64.0.0/10
                    - 127.0.0.0/8
                    - 168.63.129.16/32
                    - 169.254.0.0/16
                    - 172.16.0.0/12
                    - 192.168.0.0/16
              - ipBlock:
                  cidr: 2000::/3"
    `);
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
});
