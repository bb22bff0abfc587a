/**
 * A long statement as PDF from a real server process: no more memory than a shorter one takes. (Measured: 180 MB for 2,000 lines, 183 for
 * 10,000, of which the thread has some 60. 100,000 take about a minute on two cores.) Small: `test/long/small/statement-pdf.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesOf, type LongStatements, pagesOf, startLongStatements } from '../support/harness/long-statements.ts';

const LINES = 100_000;
/** Long enough that the process has all the memory that it works with. */
const SHORT_LINES = 10_000;
const MOST_MORE_MB = 30;

let statements: LongStatements;
beforeAll(async () => {
  statements = await startLongStatements([SHORT_LINES, LINES]);
});
afterAll(() => statements?.stop());

const rssMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${statements.server.pid}/status`, 'utf8'))?.[1]) / 1_000;

async function read(account: string): Promise<{ bytes: Buffer; mostMb: number; seconds: number }> {
  const startedMs = performance.now();
  let mostMb = 0;
  const watch = setInterval(() => (mostMb = Math.max(mostMb, rssMb())), 50);
  const bytes = await bytesOf(await statements.open(account, 'pdf'));
  clearInterval(watch);
  return { bytes, mostMb, seconds: (performance.now() - startedMs) / 1000 };
}

it(`${LINES} lines take at most ${MOST_MORE_MB} MB more than ${SHORT_LINES}, and every page is there`, async () => {
  const [short, long] = statements.accounts as [string, string];
  const before = rssMb();
  await read(short); // programs are compiled
  const less = await read(short);
  const more = await read(long);
  process.stderr.write(
    `statement as PDF: ${Math.round(LINES / more.seconds)} lines/s, ${pagesOf(more.bytes)} pages, ${before.toFixed(0)} → ${less.mostMb.toFixed(0)} → ${more.mostMb.toFixed(0)} MB\n`,
  );
  for (const { bytes } of [less, more]) expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
  // A line of this kind takes two lines of text.
  const ratio = pagesOf(more.bytes) / pagesOf(less.bytes) / (LINES / SHORT_LINES);
  expect(Math.abs(ratio - 1)).toBeLessThan(0.125);
  expect(pagesOf(more.bytes)).toBeGreaterThan(LINES / 40);
  expect(more.mostMb - less.mostMb).toBeLessThan(MOST_MORE_MB);
});
