/** How fast the command line starts: 0.2 s on a quiet machine, of which Node alone is a good half. What it loads: `test/soak/remote-cli.test.ts`. */
import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { BUILT } from '../support/harness/cli.ts';
import { builtProgram } from '../support/harness/server-process.ts';

const START_MS = 600;

beforeAll(() => void builtProgram());

it.each([[['--version']], [['accounts', '--help']]])('bursar %j', (args) => {
  const times = [1, 2, 3].map(() => {
    const startedMs = performance.now();
    spawnSync(process.execPath, [...BUILT, ...args], { env: { PATH: process.env['PATH'] ?? '' } });
    return performance.now() - startedMs;
  });
  expect(Math.min(...times)).toBeLessThan(START_MS);
});
