/**
 * The pages with commands that start a PostgreSQL of their own: `bursar dev`, a restore into a folder, and a look into it with psql; the
 * long row of commands for keys, and the longest pages. Each is pasted from its top to its end at a first start of its own. All other pages:
 * `test/long/commands-shown.test.ts`. How a block is pasted: `test/support/docs/page.ts`.
 */
import { expect, it } from 'vitest';
import { blocksRunBy, pastedOn } from '../support/docs/block-runners.ts';
import { lacksPsql, newReader } from '../support/docs/page.ts';
import { LONG_PAGES, pastePage } from '../support/docs/paste-page.ts';

const PAGES = [...new Set(blocksRunBy('test/long/commands.test.ts').map(({ page }) => page))];
const looksInside = ({ text }: { readonly text: string }) => text.startsWith('PGPASSWORD');

it.each(PAGES)('%s', async (page) => {
  const reader = await newReader();
  try {
    for (const { block } of pastedOn(page, true)) {
      if (looksInside(block) && lacksPsql()) {
        console.error('psql was not found, so its block was not run: apt-get install postgresql-client');
        continue;
      }
      const { status, said } = await (looksInside(block) ? reader.beside(block) : reader.paste(page, block));
      expect([status, said]).toEqual([0, said]);
    }
    expect(await reader.damages()).toEqual([]);
  } finally {
    await reader.end();
  }
});

it.each(LONG_PAGES)('from top to end: %s', async (page) => {
  const said = await pastePage(page);
  if (!page.endsWith('bank-reference.md')) return;
  // Both loops had a file to send: neither passes because nothing was there.
  expect(said).toMatch(/put bank-files\/ba_\w+\/out\/\S+\.xml upload\//);
  expect(said).toMatch(/upload C[TC][VT] bank-files\/ba_\w+\/out\/\S+\.xml/);
});

it.skipIf(lacksPsql())('control: psql with a wrong password is refused', async () => {
  const reader = await newReader();
  const text = 'PGPASSWORD=wrong psql -h "$PWD/data/postgres" -U bursar bursar';
  expect(await reader.beside({ language: '', text })).toMatchObject({ status: 2 });
  await reader.end();
});
