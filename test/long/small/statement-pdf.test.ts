/**
 * A long statement as PDF from a real server process: all of its pages, in pieces that come while it is made, so that nobody holds the
 * whole. Megabytes: `test/long/statement-pdf.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transfer } from '../../../src/core/transfer.ts';
import { PdfStatement } from '../../../src/ledger/statements/pdf-document.ts';
import { NO_NAMES } from '../../../src/ledger/statements/lines.ts';
import { eventually } from '../../support/harness/eventually.ts';
import { bytesOf, type LongStatements, pagesOf, startLongStatements } from '../../support/harness/long-statements.ts';

const SHORT_LINES = 200;
const LINES = 800;

/** Lines. */
const A_FEW_PAGES = 100;
const FUNDING = {
  object: 'transfer',
  debitAccount: 'house:world',
  creditAccount: 'acct_1',
  amount: 1n,
  currency: 'EUR',
  cause: 'funding',
  causeId: null,
  debitBalanceAfter: null,
  description: null,
  createdBy: null,
  metadata: {},
} as const;

let statements: LongStatements;
beforeAll(async () => {
  statements = await startLongStatements([SHORT_LINES, LINES]);
});
afterAll(() => statements?.stop());

it(`${LINES} lines have four times the pages of ${SHORT_LINES}, and every page is there`, async () => {
  const [short, long] = statements.accounts as [string, string];
  const less = await bytesOf(await statements.open(short, 'pdf'));
  const more = await bytesOf(await statements.open(long, 'pdf'));
  for (const bytes of [less, more]) expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
  // A line of this kind takes two lines of text.
  expect(pagesOf(more) / pagesOf(less)).toBeCloseTo(LINES / SHORT_LINES, 0);
  expect(pagesOf(more)).toBeGreaterThan(LINES / 40);
});

it('bytes come while lines go in: what is laid out is not held', async () => {
  const day = Date.UTC(2026, 10, 25);
  const issuer = { name: 'Rossum', logo: null, accent: null };
  const environmentId = 'env_1';
  const cover = { id: environmentId, environmentId, livemode: false, issuer, fromMs: day, untilMs: day + 1, atMs: day };
  const document = new PdfStatement({ ...cover, isOfAll: false });
  document.begin({ account: 'acct_1', name: null, currency: 'EUR', opening: 0n, closing: BigInt(LINES) });
  const sizes: number[] = [];
  for (let n = 1; n <= LINES; n += 1) {
    const transfer: Transfer = { ...FUNDING, id: `trf_${n}`, creditBalanceAfter: BigInt(n), createdAt: day };
    document.add({ transfer, signed: 1n, balanceAfter: BigInt(n), names: NO_NAMES });
    if (n % A_FEW_PAGES !== 0) continue;
    // Pages are compressed aside: their bytes come a moment later, and without another line.
    const taken = () => document.take().reduce((sum, piece) => sum + piece.byteLength, 0);
    sizes.push(await eventually(`bytes after ${n} lines`, () => taken() || null));
  }
  document.finish();
  await document.end();
  expect(sizes).toHaveLength(LINES / A_FEW_PAGES);
});
