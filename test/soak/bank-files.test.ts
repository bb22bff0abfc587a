/**
 * Bank files of 75 MB, read by the compiled program: in 2 s and 150 MB, while the event loop is never held for 50 ms. On a machine that does
 * other things too this is only printed, and bounds are wider. Then thousands of broken files. Control: without the thread the loop is held.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInWorker } from '../../src/iso20022/read/in-worker.ts';
import { readBankFile } from '../../src/iso20022/read/read.ts';
import { fuzz } from '../support/bank/fuzz.ts';
import type { Measured } from '../support/measure/reading-speed.ts';
import { newSeed } from '../support/generators/seeded.ts';
import { builtProgram } from '../support/harness/server-process.ts';

const BYTES = 75_000_000;
const MOST = { ms: 2_000, memoryMb: 150, loopHeldMs: 50 };
/** How much more a busy machine may take. */
const BUSY = 4;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

beforeAll(() => {
  builtProgram();
});

async function measure(module: string, name: string): Promise<Measured> {
  const program = 'test/support/measure/reading-speed.ts';
  const compiled = `${ROOT}dist/src/iso20022/read/${module}.js`;
  const args = ['--import', 'tsx', program, compiled, name, String(BYTES)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  const figures = JSON.parse(stdout) as Measured;
  const { entries, ms, memoryMb, loopHeldMs } = figures;
  say(
    `${name}, 75 MB, ${entries} entries: ${Math.round(ms)} ms (${Math.round((entries / ms) * 1_000)} entries/s), ` +
      `${Math.round(memoryMb)} MB more, event loop held for ${loopHeldMs.toFixed(1)} ms`,
  );
  return figures;
}

describe('75 MB', () => {
  it('in a thread', async () => {
    const { entries, expected, ms, memoryMb, loopHeldMs } = await measure('in-worker', 'readInWorker');
    expect(entries).toBe(expected);
    expect(ms).toBeLessThan(MOST.ms * BUSY);
    expect(memoryMb).toBeLessThan(MOST.memoryMb * 1.5);
    expect(loopHeldMs).toBeLessThan(MOST.loopHeldMs * BUSY);
  });

  it('control: without the thread the event loop gets no turn', async () => {
    const { entries, expected, loopHeldMs, ms } = await measure('read', 'readBankFile');
    expect(entries).toBe(expected);
    // The source never waits: no timer runs until the end, so none is seen, or one that waited for all of it.
    expect(loopHeldMs === 0 || loopHeldMs > ms / 2).toBe(true);
  });
});

describe('broken files', () => {
  it('5,000 are read or refused', async () => {
    const seed = newSeed();
    const { read, refused, slowestMs, complaints } = await fuzz(readBankFile, 5_000, seed);
    say(
      `5,000 broken files (seed ${seed}): ${read} read, ${refused} refused, the slowest in ${Math.round(slowestMs)} ms`,
    );
    expect(complaints).toEqual([]);
  });

  it('20 in a thread', async () => {
    const seed = newSeed();
    // A thread from sources takes a third of a second to start; the bound of a file is for the reading.
    const { complaints } = await fuzz(readInWorker, 20, seed);
    expect(complaints.filter((complaint) => !/: took \d/.test(complaint))).toEqual([]);
  });
});
