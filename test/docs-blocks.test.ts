/**
 * Every block of code of the README and of the docs is run by a test, or is on the short list of those that nothing runs, with the reason
 * (`support/docs/block-runners.ts`). A new block that no row fits fails here; a wrong one fails in its runner.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksIn, PAGES, ROWS, rowOf, type Shown } from './support/docs/block-runners.ts';
import { blocksOf, linesIn } from './support/generators/blocks.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const all = PAGES.flatMap(blocksIn);
const name = ({ page, block }: Shown) => `${page}: ${block.text.slice(0, 80)}`;

/** What is wrong with how blocks are accounted for. */
function faults(blocks: readonly Shown[]): string[] {
  return blocks.flatMap((shown) => {
    const row = rowOf(shown);
    if (row === undefined) return [`nothing runs ${name(shown)}`];
    if (
      row.by === 'examples/guides.test.ts' &&
      !linesIn(shown.block).every((line) => /^(?:curl|printf|export) /.test(line))
    )
      return [`a line of it is no request: ${name(shown)}`];
    return [];
  });
}

describe('every block', () => {
  it('is run by a test, or is named with the reason', () => expect(faults(all)).toEqual([]));
  it('control: one that nothing runs is seen, and a line among requests that is none', () => {
    const page = 'docs/guides/new.md';
    const markdown = 'Text.\n\n    rm -r data\n\nText.\n\n```sh\ncurl $BURSAR_URL/v1/accounts\nrm -r data\n```\n';
    const made = blocksOf(markdown).map((block) => ({ page, block }));
    expect(faults(made).map((fault) => fault.split(':')[0])).toEqual([
      'nothing runs docs/guides/new.md',
      'a line of it is no request',
    ]);
  });
  it('is found: none is fenced inside a list, where it would be overlooked', () => {
    expect(PAGES.filter((page) => /^[ \t]+(?:```|~~~)|^~~~/m.test(read(page)))).toEqual([]);
  });
});

describe('every row', () => {
  it('has a block', () => {
    const idle = ROWS.filter((row) => !all.some((shown) => rowOf(shown) === row));
    expect(idle.map(({ pages, begins }) => `${pages} ${begins}`)).toEqual([]);
  });
  it('names a runner that is there, and that takes its blocks from the page', () => {
    const strange = all.filter((shown) => {
      const by = rowOf(shown)?.by;
      if (by === undefined) return false;
      const runner = existsSync(join(ROOT, by)) ? read(by) : '';
      return !runner.includes('blocksRunBy(') && !runner.includes(basename(shown.page));
    });
    expect(strange.map(name)).toEqual([]);
  });
});
