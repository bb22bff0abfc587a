/**
 * Statement files side by side: the same one handed in several times is imported once, and a large one holds up nobody
 * else's. A ZIP counts as twenty times its size. With 16 MB of XML: `test/long/bank-import.test.ts`.
 */
import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { importBeside, statementOf } from '../../test/support/bank/imports-beside.ts';
import { zipOf } from '../../test/support/bank/read-documents.ts';
import { unfolded } from '../bank/imports/import-turns.ts';

const MANY = 800;
/** From here on a file is a large one. */
const LARGE_BYTES = 16_000_000;

it('four times the same large file at once is one import, beside which another environment imports', async () => {
  // Text that does not get shorter in a ZIP.
  const text = (line: number) =>
    `${hash('sha512', String(line), 'hex')}${hash('md5', String(line), 'hex')}`.slice(0, 140);
  const file = zipOf([['statement.xml', statementOf(MANY, text)]]);
  expect(unfolded(file.length, file[0])).toBeGreaterThan(LARGE_BYTES);
  expect(await importBeside({ file, type: 'application/zip' })).toEqual({
    small: 'imported',
    wasOver: false,
    documents: 1,
    balance: MANY * 100,
    entries: MANY + 3,
  });
});
