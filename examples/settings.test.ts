/** The lines of the docs that set variables of the service: a shell reads each, and the service takes what it made of it. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { loadConfig, SETTINGS } from '../src/config.ts';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';

const lines = blocksRunBy('examples/settings.test.ts').flatMap(({ block }) =>
  block.text.replaceAll(/\\\n\s*/g, '').split('\n'),
);

/** Those that the line sets, with the rest of a key where the docs leave it out. */
function variablesOf(line: string): Record<string, string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/' };
  const command = `${line.replace(/ (?:npm|bursar) start$/, '').replaceAll('…', '0'.repeat(32))} env -0`;
  const done = spawnSync('bash', ['-c', command], { env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
  const pairs = done.stdout.split('\0').map((pair) => pair.split(/=(.*)/s) as [string, string]);
  return Object.fromEntries(pairs.filter(([name]) => /^(?:BURSAR|DATABASE)_/.test(name)));
}

/** Fails where the service refuses a value, or would go on without one of the variables. */
function read(line: string): void {
  const variables = variablesOf(line);
  loadConfig(variables);
  const known: readonly (string | null)[] = Object.values(SETTINGS).map(({ variable }) => variable);
  expect(Object.keys(variables).length).toBeGreaterThan(0);
  expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
}

it.each(lines)('%s', (line) => read(line));

it('control: a name that is none, and a value that is none', () => {
  expect(() => read('BURSAR_SOMETHING=1 npm start')).toThrow();
  expect(() => read('BURSAR_RATES_URL=nowhere')).toThrow('BURSAR_RATES_URL');
});
