/** The list that `scripts/profile-top.ts` makes of a CPU profile. */
import { expect, it } from 'vitest';
import { hottest } from '../scripts/profile-top.ts';

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

it('shows functions by their own time, and leaves waiting out', () => {
  const nodes = [
    node(1, '(idle)'),
    node(2, 'seal', 'file:///home/me/bursar/dist/src/platform/vault/seals.js', 19),
    node(3, '', 'file:///home/me/bursar/node_modules/pino/pino.js', 0),
    node(4, 'seal', 'file:///home/me/bursar/dist/src/platform/vault/seals.js', 19), // the same function below another one
  ];
  const profile = { nodes, samples: [1, 2, 3, 4, 1], timeDeltas: [9_000, 500, 250, 250, 9_000] };
  expect(hottest(profile)).toEqual([
    ' 75.0 %  seal dist/src/platform/vault/seals.js:20',
    ' 25.0 %  (anonymous) node_modules/pino/pino.js:1',
  ]);
  expect(hottest(profile, 1)).toHaveLength(1);
});
