/** The log of a real process: whole lines in their order, soon, and none lost when it ends. */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from '../../test/support/harness/eventually.ts';
import { levelOf } from './logger.ts';

/** Runs a module text that may use `log`, and one before there is a log; gives what it has written so far, and all of it at the end. */
function run(text: string, before = '') {
  const module = `import { openLog } from '${pathToFileURL('src/server/logger.ts').href}'; ${before} const log = openLog('info'); ${text}`;
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', module], { env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const numbers = () =>
    output
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
  return { ended, numbers, output: () => output, end: () => child.kill() };
}

it('is quiet on a terminal unless asked, and elsewhere as always', () => {
  expect([levelOf(null, true), levelOf(null, false)]).toEqual(['warn', 'info']);
  expect([levelOf('info', true), levelOf('error', false)]).toEqual(['info', 'error']);
});

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

it('keeps every line and their order through an end without warning', async () => {
  const { ended, numbers } = run('for (let n = 0; n < 5000; n++) log.info({ n }, "€ line"); process.exit(3);');
  expect(await ended).toBe(3);
  expect(numbers()).toEqual(upTo(5_000));
});

it('and through an exception', async () => {
  const { ended, numbers } = run('for (let n = 0; n < 50; n++) log.info({ n }); throw new Error("end");');
  expect(await ended).toBe(1);
  expect(numbers()).toEqual(upTo(50));
});

it('and where the thread pool has no time for it any more', async () => {
  const work =
    "import { pbkdf2 } from 'node:crypto'; process.on('exit', () => pbkdf2('a', 'b', 3e5, 64, 'sha512', () => {}));";
  const { ended, numbers } = run('for (let n = 0; n < 50; n++) log.info({ n });', work);
  expect(await ended).toBe(0);
  expect(numbers()).toEqual(upTo(50));
});

it('writes a single line while the process goes on', async () => {
  const { ended, numbers, output, end } = run('log.info({ n: 0 }); setInterval(() => {}, 1000);');
  await eventually('the line is written', () => output() !== '');
  expect(numbers()).toEqual([0]);
  end();
  await ended;
});

it('writes its level as a word', async () => {
  const { ended, output } = run("log.info('one'); log.warn('two'); log.error('three');");
  expect(await ended).toBe(0);
  const levels = output()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { level: unknown }).level);
  expect(levels).toEqual(['info', 'warn', 'error']);
});

it('leaves out what is below its level', async () => {
  const { ended, numbers } = run('log.debug({ n: 1 }); log.warn({ n: 2 });');
  expect(await ended).toBe(0);
  expect(numbers()).toEqual([2]);
});
