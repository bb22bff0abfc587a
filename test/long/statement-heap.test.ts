/**
 * A statement from a real server process whose heap is smaller than its lines: complete and adding up, beside a reader that takes nothing
 * until the other one has all, and then gets all as well. Control: a process with that heap dies of the lines. Half a million lines and limits
 * in MB: `test/long/statement-stream.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/harness/eventually.ts';
import { HEAP, HEAP_MB, type LongStatements, startLongStatements } from '../support/harness/long-statements.ts';

const LINES = 60_000;
/** Of a line. */
const FIELDS = 21;

let statements: LongStatements;
let account: string;
beforeAll(async () => {
  statements = await startLongStatements([LINES]);
  [account = ''] = statements.accounts;
});
afterAll(() => statements?.stop());

it(`${LINES} lines from a heap of ${HEAP_MB} MB, beside a reader who stands still`, async () => {
  const still = await statements.open(account, 'csv');
  still.pause();
  const hasEnded = () => statements.server.output().includes(still.headers['request-id'] as string);
  const { lines, end } = await statements.linesOf(await statements.open(account, 'csv'));
  expect(hasEnded()).toBe(false); // it stands still, and the server with it
  expect(end.split('\r\n').at(-2)?.split(',')).toHaveLength(FIELDS);
  expect(lines).toBe(LINES + 4); // header, opening, funding, closing
  expect(end).toMatch(new RegExp(`\\r\\nclosing,.*,${100 + LINES},,,,,,,,,,,,\\r\\n$`));
  expect(await statements.linesOf(still)).toMatchObject({ lines, end });
  await eventually('its end is logged', hasEnded);
});

it('control: that heap does not hold so many lines', () => {
  const program = `const kept = []; for (let n = 0; n < ${LINES}; n += 1)
    kept.push(Array.from({ length: ${FIELDS} }, (_, at) => 'field ' + at + ' of ' + n));`;
  const { status, stderr } = spawnSync(process.execPath, [HEAP, '-e', program], { encoding: 'utf8' });
  expect([status === 0, stderr.includes('heap')]).toEqual([false, true]);
});
