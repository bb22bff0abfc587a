/**
 * The embedded database of an older Bursar, killed at ten places of the way, with everything that a kill may leave and that may have become
 * of its password; left by its PostgreSQL in other ways; copied. And what another process could do during `initdb`. A few
 * of each: `test/long/embedded-conversion-few.test.ts`.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { canRead } from '../support/faults/intruder.ts';
import {
  copy,
  expectEnded,
  expectFinished,
  expectNewPassword,
  folderAt,
  give,
  isRoot,
  killedBehind,
  LEFT,
  LOST,
  NOBODY,
  type OldFolders,
  oldFolders,
  ownerOf,
  PASSWORD_FILE,
  placesIn,
  query,
  running,
  TRUST,
} from '../support/faults/old-embedded.ts';
import { eventually } from '../support/harness/eventually.ts';

let folders: OldFolders;
beforeAll(async () => {
  folders = await oldFolders();
});
afterAll(() => folders?.end());

describe.runIf(isRoot)('PostgreSQL as an older Bursar ran it (left out unless the tests run as root)', () => {
  it('is ended before its folder changes hands in a container', () =>
    folders.on((folder) => expectEnded(folder, { inContainer: true })));

  it('is waited for when only one of its sessions is left, which PostgreSQL would not see', () =>
    folders.on(async ({ dataDir, inCluster, start, startAsNobody, expectSecured, logged }) => {
      const postmaster = await startAsNobody();
      const host = encodeURIComponent(join(dataDir, 'postgres'));
      const url = `postgres://bursar@/bursar?host=${host}&sslmode=disable`;
      const client = new Client(url);
      client.on('error', () => {});
      await client.connect();
      const session = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid as number;
      client.query('SELECT count(*) FROM generate_series(1, 1e12::bigint)').catch(() => {});
      const busy = `SELECT FROM pg_stat_activity WHERE pid = ${session} AND state = 'active'`;
      await eventually('the session is at work', async () => (await query(url, busy)).length > 0);
      postmaster.signal('SIGKILL');
      await postmaster.ended;
      expect(fs.existsSync(`/proc/${session}`)).toBe(true);
      const starting = start();
      await eventually('it has come to the folder', () =>
        logged.some((line) => line.startsWith('Giving the database')),
      );
      expect(fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')).toBe(TRUST); // the first thing that is changed
      process.kill(session, 'SIGKILL');
      await (await starting).stop();
      await expectSecured();
    }));
});

describe('what a kill -9 may leave is finished by the next start', () => {
  it.each(Object.keys(LEFT) as (keyof typeof LEFT)[])('%s', (left) =>
    folders.on((folder) => expectFinished(folder, left)),
  );
});

describe('a secured folder', () => {
  it('starts from a copy, with the same user and password', () =>
    folders.onSecured(async (original, uid) => {
      const moved = folderAt(original.home, 'copy');
      copy(original.dataDir, moved.dataDir);
      await moved.expectSecured();
      expect(moved.logged).toEqual([]);
      expect(ownerOf(moved.inCluster('')).uid).toBe(uid);
      const [one, other] = [original, moved].map((each) => fs.readFileSync(join(each.dataDir, PASSWORD_FILE), 'utf8'));
      expect(one).toBe(other);
    }));

  it.runIf(isRoot)('starts from a copy that belongs to root (left out unless the tests run as root)', () =>
    folders.onSecured(async ({ dataDir, expectSecured }) => {
      give(dataDir, { uid: 0, gid: 0 });
      await expectSecured();
    }),
  );

  it.each(Object.keys(LOST) as (keyof typeof LOST)[])('whose password %s gets a new one', (lost) =>
    folders.onSecured((folder) => expectNewPassword(folder, lost)),
  );

  it('is not opened by another file in the place of pg_hba.conf, and then by a line in it', () =>
    folders.onSecured(async ({ home, inCluster, expectSecured }) => {
      fs.writeFileSync(join(home, 'open.conf'), TRUST);
      fs.chmodSync(home, 0o755);
      fs.appendFileSync(inCluster('postgresql.auto.conf'), `hba_file = '${join(home, 'open.conf')}'\n`);
      await expectSecured();
      fs.writeFileSync(inCluster('pg_hba.conf'), `${TRUST}${fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')}`);
      await expectSecured();
    }));
});

test('killed ten times on the way, it is never open, and secured at last', async () => {
  const changes = await folders.changes();
  const tried = new Set<string>();
  let unfinished = 0;
  for (const number of placesIn(changes, 10))
    await folders.on(async (folder) => {
      const change = changes[number] as string;
      const { isUnfinished, wasTried } = await killedBehind(folder, number, change);
      if (isUnfinished) unfinished += 1;
      if (wasTried) tried.add(change);
    });
  // Control: most kills came before the end, and some while PostgreSQL ran to be secured.
  expect([unfinished, tried.size > 0]).toEqual([expect.toSatisfy((count: number) => count > 5), true]);
});

test.runIf(isRoot)(
  'initdb, under a borrowed name, lets nobody of that name in (left out unless the tests run as root)',
  async () => {
    const folder = folderAt(fs.mkdtempSync(join(tmpdir(), 'bursar-initdb-')));
    const { home, inCluster } = folder;
    const server = folder.begin();
    const found = () => running('initdb', `${fs.realpathSync(home)}/data/postgres.new-`)[0];
    const pid = await eventually('initdb runs', found);
    process.kill(pid, 'SIGSTOP'); // so that there is time to try
    const { uid, gid } = ownerOf(`/proc/${pid}/cwd/.`);
    const account = fs
      .readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([, , id]) => Number(id) === uid);
    expect(uid).not.toBe(NOBODY.uid);
    expect(uid).not.toBe(0);
    expect(canRead({ uid, gid: Number(account?.[3]) }, `/proc/${pid}/cwd`)).toBe(false);
    expect(canRead(NOBODY, `/proc/${pid}/cwd`)).toBe(false);
    expect(canRead({ uid, gid }, `/proc/${pid}/cwd`)).toBe(true); // control: with its group, the way leads there
    process.kill(pid, 'SIGCONT');
    await server.up;
    expect(ownerOf(inCluster('')).uid).not.toBe(uid);
    await server.kill();
    await (await folder.start()).stop();
    await folder.remove();
  },
);
