/** The build of the documentation beside the service, by programs that end as a build may end. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../test/support/harness/eventually.ts';
import { docsBuilder } from './docs-build.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-docs-build-'));
afterAll(() => rmSync(folder, { recursive: true }));

const logged: string[] = [];
beforeEach(() => void logged.splice(0));
const log = pino({}, { write: (line: string) => void logged.push(line) });
const plenty = () => 8e9;
const program = (text: string) => docsBuilder({ log, command: ['bash', '-c', text], freeBytes: plenty });
const ends = (builder: ReturnType<typeof docsBuilder>) =>
  eventually('the build ends', async () => builder.state() !== 'running');

it('runs once it is started, and then there is nothing to say', async () => {
  const builder = program('echo built >&2');
  expect(builder.state()).toBe('none');
  builder.start();
  expect(builder.state()).toBe('running');
  await ends(builder);
  expect([builder.state(), logged]).toEqual(['none', []]);
});

it.each([
  ['a program that fails', ['bash', '-c', 'echo no network >&2; exit 1'], 'no network'],
  ['a program that is not there', ['/nowhere/node'], 'ENOENT'],
] as const)('%s: says so, and logs one line with the reason and the next step', async (_, command, why) => {
  const builder = docsBuilder({ log, command, freeBytes: plenty });
  builder.start();
  await ends(builder);
  expect(builder.state()).toBe('failed');
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain(why);
  expect(logged[0]).toContain('npm run docs');
});

it('ends with the service, with all that it has started, and that is no failure', async () => {
  const file = join(folder, 'pid');
  const builder = program(`sleep 600 & echo $! > ${file}; wait`);
  builder.start();
  const pid = () => Number(readFileSync(file, 'utf8'));
  await eventually('it has started another', async () => {
    try {
      return pid() > 0;
    } catch {
      return false;
    }
  });
  const stopped = builder.stop();
  const isGone = async () => {
    try {
      // A process that has ended and that nobody has asked for yet is a zombie.
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid()}/status`, 'utf8'));
    } catch {
      return true;
    }
  };
  await eventually('the other is gone', isGone);
  await stopped;
  expect([builder.state(), logged]).toEqual(['none', []]);
});

it.each([
  [
    'is waited for where it takes back what it has begun',
    `trap 'sleep 0.3; echo done > FILE; exit' TERM`,
    60_000,
    true,
  ],
  ['is killed where it goes on', `trap '' TERM`, 50, false],
] as const)('a build that is ended %s', async (_, trap, patienceMs, isWhole) => {
  const [begun, file] = [join(folder, `begun ${patienceMs}`), join(folder, `done ${patienceMs}`)];
  const work = `(${trap.replace('FILE', `"${file}"`)}; echo > "${begun}"; while :; do sleep 0.05; done) & wait`;
  const builder = docsBuilder({ log, command: ['bash', '-c', work], freeBytes: plenty, patienceMs });
  builder.start();
  await eventually('it has begun', async () => existsSync(begun));
  await builder.stop();
  expect([existsSync(file), builder.state(), logged]).toEqual([isWhole, 'none', []]);
});

it('does nothing where there is too little memory, and where there is nothing to build from', () => {
  const tight = docsBuilder({ log, command: ['false'], freeBytes: () => 1e9 });
  tight.start();
  expect(tight.state()).toBe('memory');
  const released = docsBuilder({ log, command: null });
  released.start();
  expect(released.state()).toBe('none');
});
