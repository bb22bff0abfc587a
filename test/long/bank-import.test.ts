/** Statement files side by side, with more than 16 MB of XML. As a ZIP: `src/server/bank-import.soak.test.ts`. */
import { expect, it } from 'vitest';
import { importBeside, statementOf } from '../support/bank/imports-beside.ts';

const MANY = 8_000;

it('four times the same large file at once is one import, beside which another environment imports', async () => {
  const file = Buffer.from(statementOf(MANY));
  expect(file.length).toBeGreaterThan(16_000_000);
  expect(await importBeside({ file, type: 'application/xml' })).toEqual({
    small: 'imported',
    wasOver: false,
    documents: 1,
    balance: MANY * 100,
    entries: MANY + 3,
  });
});
