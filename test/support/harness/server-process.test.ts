/** A server of the tests never outlives them: one that did would disturb whatever is measured next. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { createDatabase } from './database.ts';

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('ends when the process that started it is killed', { timeout: 60_000 }, async () => {
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
  for (let i = 0; lives(pid) && i < 100; i++) await sleep(100);
  expect(lives(pid)).toBe(false);
  await database.drop();
});
