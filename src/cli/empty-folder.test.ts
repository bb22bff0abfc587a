/** Verbs that work on an installation, called where there is none: each says so, ends with 1 and leaves the folder as it was. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXIT_CODES, Exit } from '../operator/exit.ts';
import { isNamed, placeOf } from '../operator/installation.ts';
import { VERBS } from './verbs.ts';

const KEY = 'key_01jd3v9q4ne8v8k3w2m6r5t7xa';
/** A call of each verb that needs an installation, and of each verb below it. */
const CALLS = [
  'migrate',
  'keys list',
  'keys create --sandbox',
  `keys revoke ${KEY}`,
  `keys roll ${KEY}`,
  'audit list',
  'audit verify',
  'export person --name Ada',
  'redact --name Ada --yes',
  'restored',
  'secret status',
  'secret rotate',
  'verify',
  'rebuild',
  'dashboard invite --email ada@example.com --live --admin',
  'dashboard login --email ada@example.com',
  'dashboard reset --email ada@example.com',
  'dashboard confirm usr_01jd3v9q4ne8v8k3w2m6r5t7xa',
  'dashboard list',
  'dashboard end-sessions --email ada@example.com',
  'backup ./copy.backup',
];
/** These make one, or only look: `doctor` has a test of its own. */
const OTHERS = ['start', 'dev', 'restore', 'doctor'];
/** These ask a server by its address. */
const REMOTE =
  'login accounts recipients payouts exchanges links events endpoints listen demo trigger get post stats bank completion';

let folder: string;
let written: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-empty-'));
  written = '';
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  for (const name of ['BURSAR_DATA', 'DATABASE_URL', 'DATABASE_OWNER_URL']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = 0;
  rmSync(folder, { recursive: true, force: true });
});

async function call(line: string): Promise<unknown> {
  const [verb = '', ...rest] = line.split(' ');
  const command = await VERBS[verb]?.load();
  return command?.parseAsync(
    rest.map((each) => each.replace(/^\.\//, `${folder}/`)),
    { from: 'user' },
  );
}

describe('where there is no installation', () => {
  it('every verb is in one of the lists', () => {
    const local = new Set(CALLS.map((line) => line.split(' ', 1)[0]));
    expect(new Set(Object.keys(VERBS))).toEqual(new Set([...local, ...OTHERS, ...REMOTE.split(' ')]));
  });

  it.each(CALLS)('%s', async (line) => {
    const error = await call(line).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Exit);
    expect((error as Exit).code).toBe(EXIT_CODES.failed);
    const place = `${join(folder, 'data')} (the default; BURSAR_DATA and DATABASE_URL are not set)`;
    expect((error as Exit).message).toContain(`There is no Bursar in ${place}`);
    expect((error as Exit).message).toContain('bursar start makes a new installation');
    expect([readdirSync(folder), written]).toEqual([[], '']);
  });

  it('doctor says so first, in text and as JSON, and ends with 1', async () => {
    await call('doctor');
    expect(process.exitCode).toBe(EXIT_CODES.failed);
    expect(written.split('\n', 1)[0]).toBe(
      `WRONG  Installation        there is none in ${join(folder, 'data')} (the default; BURSAR_DATA and DATABASE_URL are not set)`,
    );
    written = '';
    await call('doctor --json');
    expect((JSON.parse(written) as object[])[0]).toMatchObject({ title: 'Installation', status: 'wrong' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a place', () => {
  const databaseUrl = 'postgres://ada:hunter2@db.example:5432/books?password=hunter2&sslmode=require';
  it('is shown with the setting that names it, and without a password', () => {
    expect(placeOf({ databaseUrl, dataDir: '/x' }, {})).toBe('postgres://db.example:5432/books (DATABASE_URL)');
    expect(placeOf({ databaseUrl: null, dataDir: '/x' }, { BURSAR_DATA: '/x' })).toBe('/x (BURSAR_DATA)');
  });
  it('is not named by an empty setting', () => {
    expect([isNamed({ BURSAR_DATA: ' ' }), isNamed({}), isNamed({ BURSAR_DATA: './data' })]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
