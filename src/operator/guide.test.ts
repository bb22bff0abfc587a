/** Messages name a page that is on this machine: in a copy of the repository, and where the package is installed. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { guide } from './guide.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = 'operating/database.md';

it('is the page of the copy, beside a site or not', () => {
  expect(guide(PAGE)).toBe(`docs/guides/${PAGE}`);
});

it.each([
  ['of the package, whose pages are beside its site', ['site/dist/guides'], 'site/dist/guides'],
  ['of the copy where both are there', ['docs/guides', 'site/dist/guides'], null],
  ['of the copy where none is there', [], null],
])('is that %s', (_, places, found) => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const place of places) {
    const file = join(folder, place, PAGE);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '# The database\n');
  }
  const expected = found === null ? `docs/guides/${PAGE}` : join(folder, found, PAGE);
  expect(guide(PAGE, (name) => join(folder, name))).toBe(expected);
});

it('is asked for by every message that names a guide, and each is a page of the copy', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'operator/guide.ts',
  );
  const code = files.map((name) =>
    readFileSync(join(ROOT, 'src', name), 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, ''),
  );
  const quoted = files.filter((_, at) => /docs\/guides\/[\w/-]+\.md/.test(code[at] ?? ''));
  expect(quoted).toEqual([]);
  const asked = code.flatMap((text) => [...text.matchAll(/guide\('([^']+)'\)/g)].map(([, page = '']) => page));
  expect(asked.length).toBeGreaterThan(5);
  for (const page of asked)
    expect(readdirSync(join(ROOT, 'docs/guides', dirname(page)))).toContain(page.split('/').at(-1));
});
