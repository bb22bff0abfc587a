/**
 * The page of promises (docs/promises.md): each soak and each long test stands there, every name leads to a file of the right suite or to a
 * named soak, and no promise is without a test that every change must pass.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SOAKS } from './support/faults/soaks.ts';
import { partsIn } from './support/measure/long-parts.ts';
import { filesIn, ROOT } from './tidy/source.ts';

interface Row {
  readonly promise: string;
  readonly change: readonly string[];
  readonly release: readonly string[];
}

const isLong = (name: string) => name.startsWith('test/long/') || name.endsWith('.long.test.ts');
const isSoak = (path: string) => path.startsWith('test/soak/') || path.endsWith('.soak.test.ts');
const PARTS = new Set(partsIn(ROOT, SOAKS).map(({ name }) => `npm run soak -- long ${name}`));
const isNamed = (name: string) => Object.hasOwn(SOAKS, name.replace('npm run soak -- ', '')) || PARTS.has(name);

function rowsOf(page: string): Row[] {
  const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
  return page
    .split('\n')
    .filter((line) => /^\| (?!promise |-)/.test(line))
    .map((line) => {
      const [promise = '', change = '', release = ''] = line.slice(2, -2).split(' | ');
      return { promise, change: names(change), release: names(release) };
    });
}

/** What is wrong with a page, where these files are the soaks and the long tests. */
function faults(page: string, files: readonly string[]): string[] {
  const rows = rowsOf(page);
  const named = new Set(rows.flatMap(({ change, release }) => [...change, ...release]));
  return [
    ...files.filter((path) => !named.has(path)).map((path) => `no promise is held by ${path}`),
    ...rows.filter(({ change }) => change.length === 0).map(({ promise }) => `no change is tested for: ${promise}`),
    ...rows.flatMap(({ change }) =>
      change
        .filter((name) => isLong(name) || !existsSync(join(ROOT, name)))
        .map((name) => `${name} is no test of every change`),
    ),
    ...rows.flatMap(({ release }) =>
      release
        .filter((name) => !(isLong(name) && existsSync(join(ROOT, name))) && !isNamed(name))
        .map((name) => `${name} is neither of the long suite nor a named soak`),
    ),
  ];
}

describe('the page of promises', () => {
  const page = readFileSync(join(ROOT, 'docs/promises.md'), 'utf8');
  const tests = filesIn(['src', 'test', 'client', 'examples'], '.test.ts');
  const files = tests.filter((path) => isSoak(path) || isLong(path));

  it('has a row for every soak and every long test, and leads to tests that are there', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(faults(page, files)).toEqual([]);
  });
  it('names every named soak', () => {
    const named = new Set(rowsOf(page).flatMap(({ release }) => release));
    expect(Object.keys(SOAKS).filter((name) => !named.has(`npm run soak -- ${name}`))).toEqual([]);
  });
  it('control: sees a test without a promise, a promise without a test, and names that lead nowhere', () => {
    const found = faults(
      '| promise | a | b |\n|---|---|---|\n| Money stays. | `test/soak/gone.test.ts` | `npm run soak -- t99` |\n| Nothing. | – | – |\n',
      ['test/soak/new.test.ts'],
    );
    expect(found).toEqual([
      'no promise is held by test/soak/new.test.ts',
      'no change is tested for: Nothing.',
      'test/soak/gone.test.ts is no test of every change',
      'npm run soak -- t99 is neither of the long suite nor a named soak',
    ]);
  });
});
