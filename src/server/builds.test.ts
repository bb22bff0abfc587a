/** The builds beside the service, by programs that end as a build may end. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../test/support/harness/eventually.ts';
import { builder as makeBuilder, type BuilderParts, type BuildName } from './builds.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-builds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const logged: string[] = [];
beforeEach(() => void logged.splice(0));
const log = pino({}, { write: (line: string) => void logged.push(line) });
const plenty = () => 8e9;
type Command = ReturnType<NonNullable<BuilderParts['commandOf']>>;
/** That of the documentation alone. */
const docsBuilder = ({ command, ...more }: Partial<BuilderParts> & { readonly command: Command }) => {
  const made = makeBuilder({ log, names: ['docs'], commandOf: () => command, freeBytes: plenty, ...more });
  return { ...made, state: () => made.state('docs') };
};
const program = (text: string) => docsBuilder({ command: ['bash', '-c', text] });
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
  const builder = docsBuilder({ command });
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
  const builder = docsBuilder({ command: ['bash', '-c', work], patienceMs });
  builder.start();
  await eventually('it has begun', async () => existsSync(begun));
  await builder.stop();
  expect([existsSync(file), builder.state(), logged]).toEqual([isWhole, 'none', []]);
});

it('does nothing where there is too little memory, and where there is nothing to build from', () => {
  const tight = docsBuilder({ command: ['false'], freeBytes: () => 1e9 });
  tight.start();
  expect(tight.state()).toBe('memory');
  const released = docsBuilder({ command: null });
  released.start();
  expect(released.state()).toBe('none');
});

it('makes one after the other, and the next one whatever became of the one before', async () => {
  const file = join(folder, 'order');
  const programs: Readonly<Record<BuildName, string>> = {
    dashboard: `echo dashboard >> "${file}"; sleep 0.3; echo end >> "${file}"; exit 1`,
    docs: `echo docs >> "${file}"`,
  };
  const commandOf = (name: BuildName) => ['bash', '-c', programs[name]] as const;
  const builder = makeBuilder({ log, names: ['dashboard', 'docs'], commandOf, freeBytes: plenty });
  const states = () => [builder.state('dashboard'), builder.state('docs')];
  builder.start();
  expect(states()).toEqual(['running', 'running']);
  await eventually('the last one ends', async () => builder.state('docs') !== 'running');
  expect([states(), readFileSync(file, 'utf8')]).toEqual([['failed', 'none'], 'dashboard\nend\ndocs\n']);
  expect(logged[0]).toContain('npm run dashboard');
});

it('begins none that waits once the service ends', async () => {
  const file = join(folder, 'after the end');
  const commandOf = (name: BuildName) => ['bash', '-c', name === 'docs' ? `echo > "${file}"` : 'sleep 600'] as const;
  const builder = makeBuilder({ log, names: ['dashboard', 'docs'], commandOf, freeBytes: plenty });
  builder.start();
  await builder.stop();
  expect([existsSync(file), builder.state('docs'), logged]).toEqual([false, 'none', []]);
});
