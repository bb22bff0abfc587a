/** The embedded database: first start, stop, and everything a crash leaves behind. Real processes, really killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachOrStart, type Embedded, type Log, startEmbedded } from '../../src/platform/db/embedded/embedded.ts';
import { findBinaries } from '../../src/platform/db/embedded/binaries.ts';
import { startFault, startPatiently } from '../../src/platform/db/embedded/cluster.ts';
import { processStart } from '../../src/platform/db/embedded/lock.ts';
import { type EmbeddedProcess, startEmbeddedProcess } from '../support/harness/embedded-process.ts';
import { eventually } from '../support/harness/eventually.ts';
import { copy, query, running } from '../support/faults/old-embedded.ts';
import { BUILT } from '../support/harness/cli.ts';
import { builtProgram } from '../support/harness/server-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** A data folder in a closed home, which PostgreSQL's user cannot enter when the tests run as root. */
interface Scene {
  readonly home: string;
  readonly dataDir: string;
  readonly logged: string[];
  readonly log: Log;
  /** What is closed in the end, the last first. */
  readonly open: (() => unknown)[];
  start(): Promise<Embedded>;
  /** Another process that owns the folder, until it is killed. */
  owner(): Promise<EmbeddedProcess>;
  postmasterPid(): number;
}

/** A folder that was prepared once, so that not each case waits for `initdb`. */
let prepared: string;
beforeAll(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'bursar-prepared-'));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  await (await startEmbedded({ dataDir: join(prepared, 'data'), log })).stop();
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

async function inFolder(work: (scene: Scene) => Promise<void>, below = 'data'): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'bursar-embedded-'));
  chmodSync(home, 0o700);
  const dataDir = join(home, below);
  const logged: string[] = [];
  const keep = (message: string) => void logged.push(message);
  const log = { info: () => {}, warn: keep, error: keep };
  const open: (() => unknown)[] = [];
  const scene: Scene = {
    home,
    dataDir,
    logged,
    log,
    open,
    async start() {
      const embedded = await startEmbedded({ dataDir, log });
      open.push(() => embedded.stop());
      return embedded;
    },
    async owner() {
      const server = startEmbeddedProcess(dataDir);
      open.push(() => server.kill());
      await server.up;
      return server;
    },
    postmasterPid: () => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
  };
  try {
    await work(scene);
  } finally {
    for (const close of open.toReversed()) await close();
    for (const pid of running('postgres', realpathSync(home))) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The same on a copy of the prepared folder. */
const inPrepared = (work: (scene: Scene) => Promise<void>) =>
  inFolder((scene) => {
    copy(join(prepared, 'data'), scene.dataDir);
    return work(scene);
  });

test.concurrent('starts durable, without TCP, keeps what was committed, stops completely', () =>
  inFolder(async ({ dataDir, start }) => {
    const first = await start();
    const settings = await query(
      first.url,
      `SELECT name, setting FROM pg_settings WHERE name IN
      ('fsync', 'log_error_verbosity', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'data_checksums', 'server_encoding', 'TimeZone')
     ORDER BY name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      log_error_verbosity: 'terse', // with more, the log has keys that clients used twice
      listen_addresses: '',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    });
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const { pid } = first;
    await Promise.all([first.stop(), first.stop()]);
    expect(processStart(pid)).toBeNull();
    expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);

    const second = await start();
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  }));

test.runIf(isRoot).concurrent('as root PostgreSQL runs without privileges, also below a closed home', () =>
  inPrepared(async ({ dataDir, start }) => {
    const { pid } = await start();
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    expect(Number(uid)).toBeGreaterThan(0);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(Number(uid));
  }),
);

test.concurrent('a second server is refused, naming the first; a command attaches to it', () =>
  inPrepared(async ({ dataDir, log, start, owner }) => {
    const first = await owner();
    await expect(start()).rejects.toThrow(`is in use by process ${first.child.pid}. Stop that server first`);
    const attached = await attachOrStart({ dataDir, log });
    expect(attached.attached).toBe(true);
    expect(await query(attached.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await attached.stop();
    expect(await query(attached.url, 'SELECT 2 AS two')).toEqual([{ two: 2 }]);

    await first.kill();
    const own = await attachOrStart({ dataDir, log });
    expect(own.attached).toBe(false);
    await own.stop();
    expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);
  }));

test.concurrent('after kill -9 of the server its PostgreSQL is ended and nothing committed is lost', () =>
  inPrepared(async ({ dataDir, logged, log, start, owner, postmasterPid }) => {
    const first = await owner();
    const { url } = await attachOrStart({ dataDir, log });
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const left = postmasterPid();
    await first.kill();
    expect(processStart(left)).not.toBeNull();

    const second = await start();
    expect(logged.join()).toContain(`process ${left}`);
    expect(processStart(left)).toBeNull();
    expect(second.pid).not.toBe(left);
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  }));

test.concurrent('after kill -9 of both, with the old process number taken by another process, it recovers', () =>
  inPrepared(async ({ dataDir, open, start, owner, postmasterPid }) => {
    const first = await owner();
    const left = postmasterPid();
    await first.kill();
    process.kill(left, 'SIGKILL');
    await eventually('the killed PostgreSQL is gone', () => processStart(left) === null);
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    open.push(() => stranger.kill());
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const path = join(dataDir, 'postgres', name);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(stranger.pid)));
    }
    const second = await start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
  }));

test.concurrent('a PostgreSQL that a killed server was just starting is ended too', () =>
  inPrepared(async ({ dataDir, logged, log, open, postmasterPid }) => {
    const first = await startEmbedded({ dataDir, log, supervise: false });
    open.push(() => first.stop());
    const folder = join(dataDir, 'postgres');
    const { uid, gid } = statSync(folder);
    const user = isRoot ? { uid, gid } : null;
    const { folder: binaries } = await findBinaries(user, dataDir);
    const logFile = join(dataDir, 'postgres.log');
    // The look for what is left over came too early to see it.
    const second = await startPatiently(
      { folder, binaries, user, socketDir: folder, port: 5432, logFile, settings: {} },
      log,
    );
    expect(logged.join()).toContain(`process ${first.pid}`);
    expect(second.pid).toBe(postmasterPid());
    second.signal('SIGINT');
    await second.ended;
  }));

test.concurrent('a whole server and the command line find the database, and never write its password', () =>
  inPrepared(async ({ dataDir, open, postmasterPid }) => {
    const env = { PATH: process.env['PATH'], BURSAR_DATA: dataDir, PORT: '0', BURSAR_LOG_LEVEL: 'trace' };
    const server = spawn(process.execPath, [builtProgram()], { cwd: ROOT, env });
    const exit = once(server, 'exit');
    open.push(() => server.kill('SIGKILL'));
    let written = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (written += String(chunk)));
    const comes = async (text: string) => {
      await eventually(`it says ${text}`, () => written.includes(text) || server.exitCode !== null);
      expect(written).toContain(text);
    };
    await comes('Bursar listens on');
    const list = spawn(process.execPath, [...BUILT, 'keys', 'list'], { cwd: ROOT, env });
    for (const stream of [list.stdout, list.stderr]) stream.on('data', (chunk) => (written += String(chunk)));
    expect(await once(list, 'close')).toEqual([0, null]);
    process.kill(postmasterPid(), 'SIGKILL');
    await comes('connected to the database again');
    server.kill('SIGTERM');
    await exit;

    const password = readFileSync(join(dataDir, 'postgres-password-bursar'), 'utf8').trim();
    expect(written).toContain('first start'); // control: the name of the key that the command line lists
    expect(written).not.toContain(password);
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password);
  }));

test.concurrent('orphans of a killed PostgreSQL are recognised behind whatever they write themselves', () => {
  const reason = 'FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use';
  const farewells = Array.from({ length: 8 }, (_, n) => `FATAL:  terminating connection ${n} due to unexpected exit`);
  const fault = startFault('exit code 1', [reason, ...farewells, ''].join('\n'));
  expect(fault.hasOrphans).toBe(true);
  expect(fault.message).toMatch(/^PostgreSQL did not start \(exit code 1\): FATAL: .* connection 7 due to/);
  expect(startFault('exit code 1', 'FATAL:  could not open file: No space left').hasOrphans).toBe(false);
});

test.concurrent('PostgreSQL that ends by itself is started again', () =>
  inPrepared(async ({ logged, start }) => {
    const embedded = await start();
    const before = embedded.pid;
    await embedded.kill('SIGKILL');
    await eventually('there is another PostgreSQL', () => embedded.pid !== before);
    expect(await query(embedded.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(logged.join()).toContain('PostgreSQL ended by itself (signal SIGKILL)');
  }));

test.concurrent('a preparation that was cut short starts over; a folder that is no cluster is left alone', () =>
  inFolder(async ({ dataDir, start }) => {
    mkdirSync(join(dataDir, 'postgres.new-0123456789ab', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.new-0123456789ab', 'PG_VERSION'), '18\n');
    mkdirSync(join(dataDir, 'postgres'));
    await (await start()).stop();
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres-password-bursar', 'postgres.log']);

    rmSync(join(dataDir, 'postgres', 'PG_VERSION'));
    await expect(start()).rejects.toThrow('holds no PostgreSQL cluster');
    expect(existsSync(join(dataDir, 'postgres', 'base'))).toBe(true);
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('was made by PostgreSQL 17');
  }));

test.concurrent('a path too long for a socket gets a short one, removed at the end', () =>
  inFolder(
    async ({ start }) => {
      const embedded = await start();
      expect(await query(embedded.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      const socketDir = new URL(embedded.url.replace(/\/\/.*@/, '//')).searchParams.get('host') as string;
      expect(statSync(socketDir).mode & 0o777).toBe(0o700);
      await embedded.stop();
      expect(existsSync(socketDir)).toBe(false);
    },
    join('x'.repeat(100), 'data'),
  ));

test.concurrent('a folder that cannot be used is named', () =>
  inFolder(
    async ({ home, dataDir, start }) => {
      writeFileSync(join(home, 'file'), '');
      await expect(start()).rejects.toThrow(`The data folder ${dataDir} cannot be used (ENOTDIR)`);
    },
    join('file', 'data'),
  ));
