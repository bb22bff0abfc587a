/** The list that `scripts/profile-top.ts` makes of a CPU profile. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { hottest } from '../scripts/profile-top.ts';

const node = (id: number, functionName: string, url = '', lineNumber = -1, columnNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber, columnNumber },
});

it('shows functions by their own time where their source has them, and leaves waiting out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-profile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'seals.ts'), '// Two\n// lines.\nexport function seal(): void {}\n');
  buildSync({ absWorkingDir: folder, entryPoints: ['seals.ts'], outfile: 'dist/seals.js', sourcemap: true });
  const built = pathToFileURL(join(folder, 'dist/seals.js')).href;
  const nodes = [
    node(1, '(idle)'),
    node(2, 'seal', built, 0, 20),
    node(3, '', 'file:///home/me/bursar/node_modules/pino/pino.js', 0),
    node(4, 'seal', built, 0, 20), // the same function below another one
  ];
  const profile = { nodes, samples: [1, 2, 3, 4, 1], timeDeltas: [9_000, 500, 250, 250, 9_000] };
  expect(hottest(profile)).toEqual([
    expect.stringMatching(/^ 75\.0 %  seal .*seals\.ts:3$/),
    ' 25.0 %  (anonymous) node_modules/pino/pino.js:1',
  ]);
  expect(hottest(profile, 1)).toHaveLength(1);
});
