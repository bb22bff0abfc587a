/** The server secret: made once, kept, private, and the same for everybody who asks. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceOwnSecret, type SecretSettings, serverSecrets } from './server-secret.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'bursar-secret-')), 'data');
});
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }));

const embedded = (): SecretSettings => ({
  secret: null,
  secretFile: null,
  previousSecrets: [],
  previousSecretsFile: null,
  databaseUrl: null,
  dataDir,
});
const serverSecret = async (settings: SecretSettings) => (await serverSecrets(settings)).current;

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

describe('secrets in files', () => {
  let files = 0;
  const file = (text: string) => {
    files += 1;
    const path = join(dataDir, '..', `given-${files}`);
    writeFileSync(path, text);
    return path;
  };
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];

  test('the trimmed text of a file is the secret, and nothing is written', async () => {
    const secretFile = file(`\n ${one}\n\n`);
    expect(await serverSecrets({ ...embedded(), secretFile })).toEqual({ current: one, previous: [] });
    expect(() => readdirSync(dataDir)).toThrow('ENOENT');
  });

  test('previous ones stand one a line; the current one does not count as one', async () => {
    const previousSecretsFile = file(`${two}\n\n  ${three} \n${one}\n${two}\n`);
    const secrets = await serverSecrets({ ...embedded(), secret: one, previousSecretsFile });
    expect(secrets).toEqual({ current: one, previous: [two, three] });
    const empty = await serverSecrets({ ...embedded(), secret: one, previousSecretsFile: file('') });
    expect(empty.previous).toEqual([]);
  });

  test.each<[string, () => Partial<SecretSettings>, string]>([
    [
      'a missing one',
      () => ({ secretFile: '/nowhere/secret' }),
      'The file in BURSAR_SECRET_FILE cannot be read (ENOENT)',
    ],
    ['a folder', () => ({ secretFile: tmpdir() }), 'cannot be read (EISDIR)'],
    ['a short one', () => ({ secretFile: file('hunter2\n') }), 'BURSAR_SECRET_FILE holds only 7 characters'],
    [
      'missing previous ones',
      () => ({ secret: one, previousSecretsFile: '/nowhere' }),
      'BURSAR_SECRET_PREVIOUS_FILE cannot be read',
    ],
    [
      'a short previous one',
      () => ({ secret: one, previousSecretsFile: file(`${two}\nhunter2`) }),
      'one secret a line',
    ],
    [
      'too many',
      () => ({ secret: one, previousSecretsFile: file([2, 3, 4, 5, 6].map((n) => `${n}`.repeat(32)).join('\n')) }),
      'at most 4',
    ],
  ])('refused with a sentence that does not hold it: %s', async (_, settings, sentence) => {
    const refused = serverSecrets({ ...embedded(), ...settings() });
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toThrow(/^(?!.*(hunter2|nowhere))/);
  });
});

describe('a new secret in the data folder', () => {
  test('takes the place of the old one, which stays beside it', async () => {
    const old = await serverSecret(embedded());
    const replaced = await replaceOwnSecret(dataDir);
    expect(replaced.previous).toEqual([old]);
    expect(replaced.current).toMatch(/^[0-9a-f]{64}$/);
    expect(replaced.current).not.toBe(old);
    expect(await serverSecrets(embedded())).toEqual(replaced);
    expect(readdirSync(dataDir).toSorted()).toEqual(['secret', 'secret.previous']);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'secret.previous')).mode & 0o777).toBe(0o600);
    const again = await replaceOwnSecret(dataDir);
    expect(again.previous).toEqual([replaced.current, old]);
  });

  test('killed between the two files, nothing has changed', async () => {
    const old = await serverSecret(embedded());
    writeFileSync(join(dataDir, 'secret.previous'), `${old}\n`);
    expect(await serverSecrets(embedded())).toEqual({ current: old, previous: [] });
  });

  test('a damaged file of previous ones is refused, and not shown', async () => {
    await serverSecret(embedded());
    writeFileSync(join(dataDir, 'secret.previous'), 'short');
    await expect(serverSecrets(embedded())).rejects.toThrow('secret.previous is wrong. Allowed: one secret a line');
  });

  test('settings count as well', async () => {
    const current = await serverSecret(embedded());
    const given = 'g'.repeat(32);
    expect(await serverSecrets({ ...embedded(), previousSecrets: [given] })).toEqual({ current, previous: [given] });
  });
});
