/** The commands of docs/payment-links.md, run as they stand there, in order, against a server that was really started. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';
import { createDatabase, type Database } from '../test/support/harness/database.ts';
import { type ServerProcess, startServer } from '../test/support/harness/server-process.ts';
import { auditDatabase } from '../test/support/model/audit.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const commands = blocksRunBy('examples/payment-links.test.ts').map(({ block }) => block.text);

let database: Database;
let server: ServerProcess;
let folder: string;
const variables: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-example-'));
  writeFileSync(join(folder, 'logo.png'), Buffer.from(PIXEL, 'base64'));
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  const key = /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '';
  Object.assign(variables, { BURSAR_URL: server.address, BURSAR_KEY: key });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

function run(command: string): Record<string, unknown> {
  const env = { ...process.env, ...variables };
  return JSON.parse(execFileSync('bash', ['-c', `${command} -sS`], { env, cwd: folder, encoding: 'utf8' })) as Record<
    string,
    unknown
  >;
}

describe.skipIf(spawnSync('bash', ['-c', 'command -v curl']).status !== 0)('the guide', () => {
  it('has commands', () => expect(commands.length).toBeGreaterThanOrEqual(4));

  it.each(commands)('%s', async (command) => {
    const answer = run(command);
    expect(answer).not.toHaveProperty('error');
    expect(await auditDatabase(database.url)).toEqual([]);
    const { object, id, url } = answer as Readonly<Record<string, string>>;
    if (object === 'payment') variables['PAYMENT'] = id as string;
    if (object !== 'payment_link') return;
    variables['LINK'] = id as string;
    expect((await fetch(url as string)).status).toBe(200);
  });
});
