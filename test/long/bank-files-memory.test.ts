/**
 * A statement file that is larger than the memory of the process which reads it, read by the compiled program: the event loop comes round all
 * the while. Controls: a process that keeps what it reads dies; without the thread the loop is held. 75 MB in 2 s and 150 MB:
 * `test/long/bank-files.test.ts`.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Counted } from '../support/bank/read-large.ts';
import { builtProgram } from '../support/harness/server-process.ts';

const BYTES = 20_000_000;
/** Of the main thread; that of the reader has 24 MB of its own. Items and text of the file would take several times as much. */
const HEAP = '--max-old-space-size=24';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

beforeAll(() => {
  builtProgram();
});

/** What a process counted that reads so with little memory; what it said, where it did not come to the end. */
async function reading(module: string, name: string, ...more: string[]): Promise<Counted | { readonly died: string }> {
  const program = ['--import', 'tsx', 'test/support/bank/read-large.ts'];
  const args = [HEAP, ...program, `${ROOT}dist/src/iso20022/read/${module}.js`, name, String(BYTES), ...more];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (said[name] += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return code === 0 ? (JSON.parse(said.stdout) as Counted) : { died: said.stderr };
}

describe.concurrent('20 MB with little memory', () => {
  it('in a thread: read to the end, and the event loop comes round', async () => {
    const counted = (await reading('in-worker', 'readInWorker')) as Counted;
    expect(counted).toMatchObject({ entries: counted.expected });
    expect(counted.entries).toBeGreaterThan(10_000);
    expect(counted.turns).toBeGreaterThan(counted.entries / 1_000);
  });

  it('control: the items of the file do not fit', async () => {
    expect(await reading('in-worker', 'readInWorker', 'keep')).toEqual({ died: expect.stringContaining('heap') });
  });

  it('control: without the thread the event loop gets no turn', async () => {
    const counted = (await reading('read', 'readStatementFile')) as Counted;
    expect(counted).toMatchObject({ entries: counted.expected, turns: 0 });
  });
});
