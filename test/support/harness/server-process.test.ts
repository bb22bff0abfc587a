/** Servers of the tests: one never outlives them, since it would disturb whatever is measured next; and it stands still where a test wants it. */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { rowsOf } from '../model/audit.ts';
import { createDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { Client } from './http.ts';
import { makeKey, startServer } from './server-process.ts';

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('ends when the process that started it is killed', async () => {
  const database = await createDatabase();
  const text = `import { startServer } from '${pathToFileURL('test/support/harness/server-process.ts').href}';
    const server = await startServer({ databaseUrl: process.env.DATABASE });
    console.log(server.pid);`;
  const starter = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', text], {
    env: { ...process.env, DATABASE: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => starter.stdout.once('data', (data) => resolve(Number(data))));
  expect(lives(pid)).toBe(true);
  starter.kill('SIGKILL');
  await eventually('the server has ended too', () => !lives(pid));
  await database.drop();
});

it('stands still at a named point until it is killed', async () => {
  const database = await createDatabase();
  const server = await startServer({ databaseUrl: database.url });
  const { key } = await makeKey(database.url);
  const client = new Client(server.address, key);
  const open = (currency: string) => client.post('/v1/accounts', { currency });
  expect((await open('CHF')).status).toBe(200);
  const { reached } = await server.stopAt('batch.committed');
  const unanswered = open('JPY').catch((error: Error) => error);
  await reached;
  await server.kill();
  expect(await unanswered).toBeInstanceOf(Error);
  const accounts = await rowsOf(
    database.url,
    "SELECT currency FROM accounts WHERE currency IN ('CHF', 'JPY') ORDER BY 1",
  );
  expect(accounts).toEqual([{ currency: 'CHF' }, { currency: 'JPY' }]);
  client.close();
  await database.drop();
});
