/**
 * A process of another user that tries to get in to the embedded database: it connects to the socket with its own rights, and
 * everything else is `pg`. So what is refused is refused by the operating system or by PostgreSQL. Needs root.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { Duplex } from 'node:stream';
import { Client } from 'pg';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A wire between standard input and output and the socket; what the operating system refuses is written to standard error. */
const WIRE = `
  const socket = require('node:net').connect(process.argv[1]);
  socket.on('error', ({ code }) => { process.stderr.write(code); process.exit(1); });
  process.stdin.on('error', () => {}).pipe(socket).pipe(process.stdout.on('error', () => {}));`;

/** What comes from the process, until it has ended; what it no longer reads is dropped. */
function wireOf(child: ChildProcessWithoutNullStreams): Duplex {
  const { stdin, stdout } = child;
  stdin.on('error', () => {});
  const stream = new Duplex({
    read() {},
    write: (chunk, _, done) => void stdin.write(chunk, () => done()),
    final(done) {
      stdin.end();
      done();
    },
  });
  stdout.on('data', (chunk) => stream.push(chunk)).once('end', () => stream.push(null));
  child.once('close', () => stream.destroy()); // `pg` waits for this, whatever it has still to write
  child.once('error', (error) => stream.destroy(error)); // it was not started
  return stream;
}

/**
 * Logs in as the database's owner through the socket at `path`, from a process of `account` (`null`: this user). `'in'`, or the
 * reason: a code of the operating system (`EACCES`) or the words of PostgreSQL or `pg`.
 */
export async function enterAs(account: Account | null, path: string, password?: string): Promise<string> {
  const wire = spawn(process.execPath, ['-e', WIRE, path], { cwd: '/', env: {}, ...account });
  let refusal = '';
  wire.stderr.on('data', (chunk) => (refusal += String(chunk)));
  const ended = new Promise((resolve) => wire.once('close', resolve).once('error', resolve));
  const stream = Object.assign(wireOf(wire), {
    setNoDelay: () => {},
    connect: () => process.nextTick(() => stream.emit('connect')),
  });
  const client = new Client({
    user: 'bursar',
    database: 'bursar',
    ...(password !== undefined && { password }),
    ssl: false,
    stream: () => stream,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ rolsuper: boolean }>('SELECT rolsuper FROM pg_roles WHERE rolname = user');
    return rows[0]?.rolsuper === true ? 'in' : 'in, without rights';
  } catch (error) {
    wire.kill();
    await ended;
    return refusal || (error as Error).message;
  } finally {
    // Not awaited: the connection may be closed already, and the client would wait for that for ever.
    void client.end().catch(() => {});
    wire.kill();
    await ended;
    stream.destroy();
  }
}

/** Whether a process of `account` can read the file or list the folder. */
export function canRead(account: Account, path: string): boolean {
  return (
    spawnSync('ls', ['-d', `${path}/.`], { cwd: '/', ...account }).status === 0 ||
    spawnSync('head', ['-c', '1', path], { cwd: '/', ...account }).status === 0
  );
}
