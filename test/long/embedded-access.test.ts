/** Who gets in to the embedded database: whoever has the password, and nobody else, whichever user and way it comes by. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRead, enterAs } from '../support/faults/intruder.ts';
import { type EmbeddedProcess, startEmbeddedProcess } from '../support/harness/embedded-process.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
const STRANGER = { uid: 2_000_000_001, gid: 2_000_000_001 };
const SOCKET = '.s.PGSQL.5432';

let home: string;
let dataDir: string;
let server: EmbeddedProcess;
let pid: number;
let password: string;

/** Starts a database owned by `user` in a new closed folder. */
async function open(user: { uid: number; gid: number } | null): Promise<void> {
  home = mkdtempSync(join(tmpdir(), 'bursar-access-'));
  chmodSync(home, 0o700);
  if (user !== null) chownSync(home, user.uid, user.gid);
  dataDir = join(home, 'data');
  server = startEmbeddedProcess(dataDir, { user });
  const { url, pid: postmaster } = await server.up;
  pid = postmaster;
  password = /bursar:([^@]*)@/.exec(url)?.[1] ?? '';
}

async function close(): Promise<void> {
  server?.child.kill('SIGTERM'); // its database ends with it
  while (pid > 1 && existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 20));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Users, groups and supplementary groups of a process. */
const idsOf = (process: number | string): number[] =>
  (readFileSync(`/proc/${process}/status`, 'utf8').match(/^(?:Uid|Gid|Groups):.*$/gm) ?? []).flatMap((line) =>
    (line.match(/\d+/g) ?? []).map(Number),
  );

describe('started by any user', () => {
  beforeAll(() => open(null));
  afterAll(close);
  const socket = () => join(dataDir, 'postgres', SOCKET);

  it('asks its own user for the password', async () => {
    expect(await enterAs(null, socket())).toContain('client password must be a string');
    expect(await enterAs(null, socket(), 'wrong')).toContain('password authentication failed');
    expect(await enterAs(null, socket(), '')).not.toBe('in');
    // Control: the same way, with the password.
    expect(await enterAs(null, socket(), password)).toBe('in');
  });

  it('keeps a random password where only its user can read it, and writes it nowhere else', () => {
    expect(password).toMatch(/^[\w-]{43}$/);
    const file = join(dataDir, 'postgres-password-bursar');
    expect(readFileSync(file, 'utf8')).toBe(`${password}\n`);
    expect(statSync(file)).toMatchObject({ uid: process.getuid?.() });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'server.lock')).mode & 0o777).toBe(0o600);

    const holders = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => readFileSync(path).includes(password));
    expect(holders(dataDir)).toEqual([file]); // also the control: what is there is found
    const logged = server.output().replace(/^up .*$/m, '');
    expect(logged).toContain('Preparing PostgreSQL');
    expect(logged).not.toContain(password);
    for (const name of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${pid}/${name}`, 'utf8')).not.toContain(password);
  });
});

describe.runIf(isRoot)('started by root (left out unless the tests run as root)', () => {
  beforeAll(() => open(null));
  afterAll(close);
  const throughProc = () => `/proc/${pid}/cwd/${SOCKET}`;
  const owner = () => {
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    return { uid, gid };
  };

  it('runs as a user that nothing else is', () => {
    const { uid, gid } = owner();
    expect([uid, gid].filter((id) => id === 0 || id === NOBODY.uid)).toEqual([]);
    expect(new Set(idsOf(pid))).toEqual(new Set([uid, gid]));
    const passwd = readFileSync('/etc/passwd', 'utf8');
    if (!/^bursar:/m.test(passwd)) {
      expect(`${passwd}\n${readFileSync('/etc/group', 'utf8')}`.split(/[:\n]/)).not.toContain(String(uid));
      const cluster = (name: string) =>
        Number(name) === pid ||
        /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] === String(pid);
      const others = readdirSync('/proc').filter((name) => {
        try {
          return /^\d+$/.test(name) && !cluster(name) && idsOf(name).includes(uid);
        } catch {
          return false; // it has ended
        }
      });
      expect(others).toEqual([]);
    }
  });

  it.each([
    ['nobody', () => NOBODY],
    ['another user', () => STRANGER],
    ['the same user in another group', () => ({ ...STRANGER, uid: owner().uid })],
  ])('%s gets in neither by the path nor through /proc, not even with the password', async (_, account) => {
    expect(await enterAs(account(), throughProc(), password)).toBe('EACCES');
    expect(await enterAs(account(), join(dataDir, 'postgres', SOCKET), password)).toBe('EACCES');
    for (const path of [dataDir, `/proc/${pid}/cwd`, `/proc/${pid}/cwd/pg_hba.conf`, `/proc/${pid}/environ`])
      expect(canRead(account(), path), path).toBe(false);
  });

  it('the same user does not get in without the password', async () => {
    expect(await enterAs(owner(), throughProc())).toContain('client password must be a string');
    expect(await enterAs(owner(), throughProc(), 'wrong')).toContain('password authentication failed');
    expect(canRead(owner(), join(dataDir, 'postgres-password-bursar'))).toBe(false);
    // Controls: the ways lead there, and the password opens.
    expect(canRead(owner(), `/proc/${pid}/cwd/pg_hba.conf`)).toBe(true);
    expect(await enterAs(owner(), throughProc(), password)).toBe('in');
    expect(await enterAs(null, throughProc(), password)).toBe('in');
  });
});

/** Any account with a name; initdb needs one. */
const someUser = readFileSync('/etc/passwd', 'utf8')
  .split('\n')
  .map((line) => line.split(':').map(Number))
  .map(([, , uid = 0, gid = 0]) => ({ uid, gid }))
  .find(({ uid }) => uid > 0 && uid !== NOBODY.uid);
const sources = new URL('.', import.meta.url).pathname;
const readable = isRoot && someUser !== undefined && canRead(someUser, sources) && canRead(someUser, process.execPath);

describe.runIf(readable)(
  'started by another user (left out unless the tests run as root, in a folder that others can read)',
  () => {
    const user = someUser as NonNullable<typeof someUser>;
    beforeAll(() => open(user));
    afterAll(close);
    const socket = () => join(dataDir, 'postgres', SOCKET);

    it('runs as that user, who needs the password too', async () => {
      expect(new Set(idsOf(pid))).toEqual(new Set([user.uid, user.gid]));
      expect(statSync(join(dataDir, 'postgres-password-bursar'))).toMatchObject({ uid: user.uid });
      expect(await enterAs(user, socket())).toContain('client password must be a string');
      expect(await enterAs(user, socket(), 'wrong')).toContain('password authentication failed');
      expect(await enterAs(user, socket(), password)).toBe('in'); // control
    });

    it('the command line of another user says whose it has to be', () => {
      const program = fileURLToPath(new URL('../../src/cli/bursar.ts', import.meta.url));
      const options = { cwd: '/', encoding: 'utf8', ...STRANGER } as const;
      const env = { PATH: process.env['PATH'], BURSAR_DATA: dataDir };
      const loader = import.meta.resolve('tsx');
      const { stderr } = spawnSync(process.execPath, ['--import', loader, program, 'keys', 'list'], {
        ...options,
        env,
      });
      expect(stderr).toBe(
        `The data folder ${dataDir} cannot be read (EACCES). Run this as the user of the server, or name another folder with BURSAR_DATA.\n`,
      );
    });

    it('another user gets in neither by the path nor through /proc', async () => {
      for (const account of [NOBODY, STRANGER]) {
        expect(await enterAs(account, socket(), password)).toBe('EACCES');
        expect(await enterAs(account, `/proc/${pid}/cwd/${SOCKET}`, password)).toBe('EACCES');
      }
    });
  },
);
