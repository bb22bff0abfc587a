/** `npm run soak`: says what it does, ends with 0 only when there is nothing to complain about, and tells the seed. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { soak as command } from '../support/measure/soak-command.ts';
import { SOAKS } from '../support/faults/soaks.ts';
import { matching, partsIn, runParts } from '../support/measure/long-parts.ts';

interface Run {
  readonly code: number | null;
  readonly said: string;
}

/** The program, with a PostgreSQL of its own. */
async function program(...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/soak.ts', ...args], { stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

/** Its command line in this process, on the PostgreSQL of the tests. */
async function soak(...args: string[]): Promise<Run> {
  let said = '';
  const say = (line: string) => void (said += `${line}\n`);
  const code = await command(args, { print: say, refuse: say, onCluster: (work) => work() });
  return { code, said };
}

test.concurrent('a run without complaints passes', async () => {
  const { code, said } = await program('t1', '--size', '100', '--seed', '7');
  expect(said).toMatch(/^t1: 100 commands, seed 7\. [\s\S]*100 of 100 commands: [\d,]+ commands[\s\S]*\nPASSED in /);
  expect(code).toBe(0);
});

test.concurrent('a wrong command line ends the program with 2', async () => {
  expect(await program()).toEqual({ code: 2, said: (await soak()).said.trimEnd().concat('\n') });
});

test.concurrent.each([
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

test.each([
  ['nothing', []],
  ['an unknown name', ['t2']],
  ['no size', ['t1', '--size', 'all']],
  ['an unknown option', ['t1', '--quick']],
])('%s is answered with what there is', async (_, args) => {
  const { code, said } = await soak(...args);
  expect(code).toBe(2);
  for (const name of Object.keys(SOAKS)) expect(said).toContain(`\n  ${name} `);
});

test('help tells every name and size, and the forms for every change and for a release', async () => {
  const { code, said } = await soak('--help');
  expect(code).toBe(0);
  expect(said).toContain('npm run soak -- ci\n');
  expect(said).toContain('npm run soak -- long [NAME…]\n');
  for (const [name, { size }] of Object.entries(SOAKS))
    expect([name, said]).toEqual([name, expect.stringContaining(size.toLocaleString('en'))]);
});

test('a release runs every file of test/long, every soak at its size, random stories, and the clients in other languages', () => {
  const parts = partsIn('.', SOAKS);
  const files = readdirSync('test/long', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/long/${file}`);
  expect(files.length).toBeGreaterThan(0);
  expect(parts.map(({ name }) => name).toSorted()).toEqual(
    [...files, ...Object.keys(SOAKS).map((name) => `soak ${name}`), 'stories', 'clients'].toSorted(),
  );
  expect(matching(parts, ['soak t8'])[0]?.args.slice(-3)).toEqual(['t8', '--size', String(SOAKS['t8']?.longSize)]);
  expect(matching(parts, ['t1', 'clients']).map(({ name }) => name)).toContain('soak t1');
  expect(matching(parts, ['no such part'])).toEqual([]);
  for (const { size, longSize } of Object.values(SOAKS)) expect(longSize).toBeLessThanOrEqual(size);
});

test('a release is told part by part what failed, and goes on behind it', () => {
  const lines: string[] = [];
  const part = (name: string, text: string) => ({ name, args: ['-e', text], env: { PART: name } });
  const parts = [
    part('one', ''),
    part('two', "console.log(process.env.PART, 'is broken'); process.exitCode = 1"),
    part('three', ''),
  ];
  expect(runParts('.', parts, (line) => lines.push(line))).toEqual(['two']);
  expect(lines.map((line) => line.replaceAll(/\d+\.\d s/g, '0 s').replaceAll(/ +/g, ' '))).toEqual([
    'ok 0 s one',
    'two is broken\n',
    'FAILED 0 s two',
    'ok 0 s three',
    'FAILED: 1 of 3 parts in 0 s: two.',
  ]);
  expect(runParts('.', parts.slice(2), (line) => lines.push(line))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^PASSED: 1 parts in /);
});

test.concurrent('the verb knows both forms, and names the parts there are when a name is wrong', async () => {
  const verb = spawn(process.execPath, ['scripts/run.mjs', 'soak', 'long', 'no-such-part'], { stdio: 'pipe' });
  let said = '';
  verb.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  expect(await new Promise((resolve) => verb.once('close', resolve))).toBe(2);
  expect(said).toContain('No part has the name no-such-part. There are:\n  test/long/');
  expect(said).toContain('\n  soak failover\n');
});
