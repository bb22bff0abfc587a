/**
 * `node scripts/sbom.mjs [FILE]`: what an installation consists of, as a CycloneDX 1.5 document: every package of
 * package-lock.json that is not for development only, with version, hash and licence. Written to dist/sbom.cdx.json. Not by `npm sbom
 * --omit=dev`, which leaves out packages that a development dependency needs too (15 of 109). The same lock file gives the same bytes, apart
 * from the time, which SOURCE_DATE_EPOCH sets.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const target = resolve(root, process.argv[2] ?? 'dist/sbom.cdx.json');
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { name, version, license } = read('package.json');

const HOISTED = 'node_modules/';
const purlOf = (packageName, packageVersion) => `pkg:npm/${packageName.replace('@', '%40')}@${packageVersion}`;

/** `sha512-<base64>` as CycloneDX writes it. */
function hashes(integrity) {
  const [algorithm, digest] = integrity.split('-');
  return [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }];
}

const components = Object.entries(read('package-lock.json').packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, locked]) => {
    const packageName = path.slice(path.lastIndexOf(HOISTED) + HOISTED.length);
    const purl = purlOf(packageName, locked.version);
    return {
      type: 'library',
      'bom-ref': `${purl}#${path}`,
      name: packageName,
      version: locked.version,
      scope: locked.optional ? 'optional' : 'required',
      ...(locked.license && { licenses: [{ license: { name: locked.license } }] }),
      hashes: hashes(locked.integrity),
      purl,
    };
  });

/** A number that stands for these packages and no others: the first 128 bits of their hash, as a uuid of version 8. */
function serialOf(packages) {
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ];
  return `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`;
}
const epoch = process.env['SOURCE_DATE_EPOCH'];
const madeAt = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);

const document = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: serialOf(components),
  version: 1,
  metadata: {
    timestamp: madeAt.toISOString(),
    component: {
      type: 'application',
      name,
      version,
      purl: purlOf(name, version),
      licenses: [{ license: { id: license } }],
    },
  },
  components,
};
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(document, null, 2)}\n`);
process.stderr.write(`${target}: ${components.length} components\n`);
