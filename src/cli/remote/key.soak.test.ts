/** `--key -`: the key comes from standard input, is never shown, and stands in no list of processes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BUILT, startCli } from '../../../test/support/harness/cli.ts';
import { builtProgram } from '../../../test/support/harness/server-process.ts';

const KEY = 'sk_test_from_standard_input';
let server: Server;
let folder: string;
let env: Record<string, string>;
/** Keys that requests came with. */
let keys: (string | undefined)[];
beforeAll(async () => {
  builtProgram();
  server = createServer(({ headers }, response) => {
    keys.push(headers.authorization);
    response.end('{"data":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'bursar-key-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { BURSAR_URL: url, BURSAR_KEY: 'sk_test_from_the_variable', XDG_CONFIG_HOME: folder };
});
beforeEach(() => {
  keys = [];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

it('is the first line of a pipe, which may stay open', async () => {
  const { child, ended } = startCli(['accounts', 'list', '--key', '-'], env);
  child.stdin?.write(`${KEY}\r\nanother line`);
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(keys).toEqual([`Bearer ${KEY}`]);
});

it('is saved by login', async () => {
  const { child, ended } = startCli(['login', '--key', '-', '--profile', 'piped'], env);
  child.stdin?.end(KEY);
  expect((await ended).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'bursar/profiles.json'), 'utf8'))).toMatchObject({ piped: { key: KEY } });
});

it('is missed where nothing comes', async () => {
  const { child, ended } = startCli(['accounts', 'list', '--key', '-'], env);
  child.stdin?.end();
  expect(await ended).toEqual({ code: 2, stdout: '', stderr: 'Nothing came from standard input.\n' });
  expect(keys).toEqual([]);
});

it('is asked for on a terminal, and not shown', async () => {
  const command = [process.execPath, ...BUILT, 'accounts', 'list', '--key', '-'].join(' ');
  const { PATH = '', HOME = '' } = process.env;
  // A pseudo-terminal of its own: `script` of util-linux.
  const child = spawn('script', ['-qfec', command, '/dev/null'], { env: { ...env, PATH, HOME, TERM: 'xterm' } });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await expect.poll(() => shown).toContain('API key: ');
  child.stdin.write(`${KEY}\r`);
  expect(await ended).toBe(0);
  expect([keys, shown.includes(KEY)]).toEqual([[`Bearer ${KEY}`], false]);
});
