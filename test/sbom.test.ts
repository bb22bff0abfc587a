/** The list of what an installation consists of: complete, with hashes, and without what only developers need. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string }[];
}
interface Locked {
  readonly version: string;
  readonly dev?: boolean;
}

it('holds every package of the lock file that is installed to run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-sbom-'));
  const file = join(folder, 'sbom.json');
  const made = spawnSync(process.execPath, [join(ROOT, 'scripts/sbom.mjs'), file], { encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('components')]);
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly bomFormat: string;
    readonly metadata: { readonly component: { readonly name: string } };
    readonly components: readonly Component[];
  };
  rmSync(folder, { recursive: true });
  expect([document.bomFormat, document.metadata.component.name]).toEqual(['CycloneDX', 'bursar']);

  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const all = Object.entries(packages).filter(([path]) => path !== '');
  const wanted = new Set(all.filter(([, { dev }]) => !dev).map(([path, { version }]) => `${nameOf(path)}@${version}`));
  const held = new Set(document.components.map(({ name, version }) => `${name}@${version}`));
  expect(wanted.size).toBeGreaterThan(50);
  expect([...wanted].filter((each) => !held.has(each))).toEqual([]);
  expect(held.has(`vitest@${packages['node_modules/vitest']?.version ?? ''}`)).toBe(false); // for developers only
  for (const { purl, hashes } of document.components)
    expect([purl, hashes?.[0]?.alg]).toEqual([expect.stringMatching(/^pkg:npm\//), 'SHA-512']);
});
