/** `npm run soak`: says what it does, ends with 0 only when there is nothing to complain about, and tells the seed. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { SOAKS } from '../support/faults/soaks.ts';

async function soak(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/soak.ts', ...args], { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

test('a run without complaints passes', async () => {
  const { code, said } = await soak('t1', '--size', '500', '--seed', '7');
  expect(said).toMatch(/^t1: 500 commands, seed 7\. [\s\S]*500 of 500 commands: [\d,]+ commands[\s\S]*\nPASSED in /);
  expect(code).toBe(0);
});

test.each([
  ['t1', '500', 'Property failed'],
  ['t7', '30', 'done 2 times'],
])(
  'control: %s on something broken fails, with complaints and how to see them again',
  async (name, size, complaint) => {
    const { code, said } = await soak(name, '--size', size, '--seed', '7', '--control');
    expect(said).toContain(complaint);
    expect(said).toMatch(new RegExp(`FAILED after .*npm run soak -- ${name} --size ${size} --seed 7 --control`));
    expect(code).toBe(1);
  },
);

test.concurrent.each([
  ['nothing', []],
  ['an unknown name', ['t2']],
  ['no size', ['t1', '--size', 'all']],
  ['an unknown option', ['t1', '--quick']],
])('%s is answered with what there is', async (_, args) => {
  const { code, said } = await soak(...args);
  expect(code).toBe(2);
  for (const name of Object.keys(SOAKS)) expect(said).toContain(`\n  ${name} `);
});

test('help tells every name and size, and the quick form', async () => {
  const { code, said } = await soak('--help');
  expect(code).toBe(0);
  expect(said).toContain('npm run soak -- quick\n');
  for (const [name, { size }] of Object.entries(SOAKS))
    expect([name, said]).toEqual([name, expect.stringContaining(size.toLocaleString('en'))]);
});
