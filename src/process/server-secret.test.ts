/** The server secret: made once, kept, private, and the same for everybody who asks. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serverSecret } from './server-secret.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'bursar-secret-')), 'data');
});
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }));

const embedded = () => ({ secret: null, databaseUrl: null, dataDir });

test('the given one is used and nothing is written', async () => {
  expect(await serverSecret({ ...embedded(), secret: 's'.repeat(32) })).toBe('s'.repeat(32));
  expect(() => readdirSync(dataDir)).toThrow('ENOENT');
});

test('twenty starters at once get one secret, readable by the owner only', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => serverSecret(embedded())));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret']);
  expect(await serverSecret(embedded())).toBe(secrets[0]);
});

test('a damaged file is refused, not replaced', async () => {
  await serverSecret(embedded());
  writeFileSync(join(dataDir, 'secret'), 'short');
  await expect(serverSecret(embedded())).rejects.toThrow('is damaged: 5 characters');
});

test('with a database of your own nothing is made up', async () => {
  await expect(serverSecret({ ...embedded(), databaseUrl: 'postgres://db/bursar' })).rejects.toThrow('BURSAR_SECRET');
});
