/**
 * Daily statements while servers are killed: two processes, kill -9 of now one and now both while days are made up, and
 * in the end every day has exactly one statement and one event. Control: with the statement and its event not in one
 * commit, days are lost.
 */
import { expect, test } from 'vitest';
import { killStatements, type Leap } from '../support/faults/day-kills.ts';

const daysALeap = 8;
const LEAPS: readonly Leap[] = [
  { at: 'daily_statements.found' },
  { at: 'batch.written', time: 3 },
  { at: 'daily_statement.committed', time: 4, both: true },
];

test.concurrent('kill -9 while days are made up: one statement and one event for each day, none lost and none doubled', async () => {
  const { counts, dueAtKills, complaints } = await killStatements({ daysALeap, leaps: LEAPS });
  const ALL = daysALeap * LEAPS.length;
  expect(counts).toEqual({ statements: ALL, days: ALL, span: ALL, announced: ALL, events: ALL });
  expect(complaints).toEqual([]);
  expect(dueAtKills).toEqual(LEAPS.map(() => 1)); // each had days before it
});

test.concurrent('control: notices statements that are told of and not written down', async () => {
  const { counts } = await killStatements({ daysALeap, leaps: [null], fault: 'lost_statements', serverCount: 1 });
  expect(counts.events).toBe(daysALeap);
  expect(counts.statements).toBeLessThan(daysALeap);
});
