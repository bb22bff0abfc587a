/** A page with commands, pasted from its top to its end by a reader at a first start of its own, and `bursar verify` behind it. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pastedOn, type Shown } from './block-runners.ts';
import { newReader, type Reader } from './page.ts';

/** They take two thirds of the time of all pages: `test/long/commands.test.ts` pastes them. */
export const LONG_PAGES: readonly string[] = [
  'docs/guides/bank-reference.md',
  'docs/guides/command-line.md',
  'docs/guides/operating/backups.md',
  'docs/guides/operating/watching.md',
];

/** Pages that say that they go on where another one ends. */
const AFTER: Readonly<Record<string, string>> = {
  'docs/guides/bank-reference.md': 'docs/guides/going-live.md',
};

/** The two loops that send files are alternatives: what the first one has sent, the second one finds again. */
function unsend({ folder }: Reader): void {
  const root = join(folder, 'bank-files');
  for (const account of existsSync(root) ? readdirSync(root).filter((name) => name.startsWith('ba_')) : [])
    for (const name of readdirSync(join(root, account, 'done')))
      renameSync(join(root, account, 'done', name), join(root, account, 'out', name));
}

async function pasteAll(reader: Reader, shown: readonly Shown[]): Promise<string> {
  const all: string[] = [];
  for (const { page, block } of shown) {
    if (block.text.startsWith('for manifest')) unsend(reader);
    const { status, said } = await reader.paste(page, block);
    expect([status, said]).toEqual([0, said]);
    all.push(said);
  }
  expect(await reader.damages()).toEqual([]);
  return all.join('');
}

/** What all of it said. */
export async function pastePage(page: string): Promise<string> {
  const reader = await newReader();
  try {
    const before = AFTER[page];
    if (before !== undefined) await pasteAll(reader, pastedOn(before));
    return await pasteAll(reader, pastedOn(page));
  } finally {
    await reader.end();
  }
}
