/**
 * How fast the command line starts: 0.2 s on a quiet machine, of which Node alone is a good half. What it loads: `test/long/remote-cli.test.ts`,
 * which also cuts it off once or twice. Here it is cut off more often, beside the controls of that, which take seconds.
 */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutBatches, cutListening } from '../support/faults/cli-cuts.ts';
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

describe('payouts batch', () => {
  const batch = { size: 200, seed: 7, most: 2 };

  it('cut by kill -9 and run again pays each row once', async () => {
    const { complaints, counts } = await cutBatches({ ...batch, control: false });
    expect(complaints).toEqual([]);
    expect(counts['cuts']).toBe(batch.most);
  });

  it('control: runs that do not know each other pay rows again', async () => {
    const { complaints } = await cutBatches({ ...batch, control: true });
    expect(complaints.length).toBeGreaterThan(0);
  });
});

describe('listen', () => {
  const stream = { size: 40, seed: 7, most: 4 };

  it('forwards every event, in order, over a killed server and a stopped command', async () => {
    const { complaints, counts } = await cutListening({ ...stream, control: false });
    expect(complaints).toEqual([]);
    expect(counts['cuts']).toBe(stream.most);
  });

  it('control: one that begins anew after a cut loses events', async () => {
    const { complaints } = await cutListening({ ...stream, most: 2, control: true });
    expect(complaints.some((each) => each.includes('lost'))).toBe(true);
  });
});
