/**
 * A statement of half a million lines from a real server process, with at most 60 MB more memory than before; beside a reader that takes
 * nothing for a while. (A million take some 35 s on two cores.) Control: the file alone is larger than that. Small, without a limit:
 * `test/long/statement-heap.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LongStatements, startLongStatements } from '../support/harness/long-statements.ts';

const LINES = 500_000;
const MOST_MORE_MB = 60;
/** Read first, so that programs are compiled and heaps have grown before memory is measured. */
const WARM_LINES = 50_000;

let statements: LongStatements;
beforeAll(async () => {
  statements = await startLongStatements([WARM_LINES, LINES]);
});
afterAll(() => statements?.stop());

const rssMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${statements.server.pid}/status`, 'utf8'))?.[1]) / 1_000;

it(`${LINES} lines take at most ${MOST_MORE_MB} MB, beside a reader who stands still`, async () => {
  const [small, large] = statements.accounts as [string, string];
  for (let n = 0; n < 2; n += 1) await statements.linesOf(await statements.open(small, 'csv'));
  const before = rssMb();
  const still = await statements.open(large, 'csv');
  still.on('error', () => undefined).pause();
  const startedMs = performance.now();
  let mostMb = 0;
  const watch = setInterval(() => (mostMb = Math.max(mostMb, rssMb())), 50);
  const { lines, bytes, end } = await statements.linesOf(await statements.open(large, 'csv'));
  clearInterval(watch);
  const seconds = (performance.now() - startedMs) / 1000;
  process.stderr.write(
    `statement: ${Math.round(lines / seconds)} lines/s, ${before.toFixed(0)} → ${mostMb.toFixed(0)} MB\n`,
  );
  still.destroy();
  expect(lines).toBe(LINES + 4); // header, opening, funding, closing
  expect(end).toMatch(new RegExp(`\\r\\nclosing,.*,${100 + LINES},,,,,,,,,,,,\\r\\n$`));
  expect(bytes / 1_000_000).toBeGreaterThan(MOST_MORE_MB); // control: as one text it would not pass
  expect(mostMb - before).toBeLessThan(MOST_MORE_MB);
});
