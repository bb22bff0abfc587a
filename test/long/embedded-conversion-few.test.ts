/**
 * The embedded database of an older Bursar (owned by `nobody`, without a password), one that was copied, and one whose
 * password was lost: the next start secures it, whatever a kill -9 has left, and it is never open meanwhile. Control:
 * such a folder is open until then. Each on a folder of its own: `test/support/faults/old-embedded.ts`. More of each:
 * `test/long/embedded-conversion.test.ts`.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enterAs } from '../support/faults/intruder.ts';
import {
  expectEnded,
  expectFinished,
  expectNewPassword,
  give,
  isRoot,
  killedBehind,
  NOBODY,
  type OldFolders,
  oldFolders,
  ownerOf,
  PASSWORD_FILE,
  TRUST,
} from '../support/faults/old-embedded.ts';

let folders: OldFolders;
beforeAll(async () => {
  folders = await oldFolders();
});
afterAll(() => folders?.end());

describe
  .runIf(isRoot)
  .concurrent('PostgreSQL as an older Bursar ran it (left out unless the tests run as root)', () => {
    it('control: any process of the user nobody gets in', () =>
      folders.on(async ({ startAsNobody }) => {
        const postmaster = await startAsNobody();
        expect(await enterAs(NOBODY, `/proc/${postmaster.pid}/cwd/.s.PGSQL.5432`)).toBe('in');
        postmaster.signal('SIGINT');
        await postmaster.ended;
      }));

    it('is ended before its folder changes hands', () => folders.on((folder) => expectEnded(folder, {})));
  });

describe.concurrent('a folder of an older Bursar', () => {
  it('is converted, once, and then left alone', () =>
    folders.on(async ({ dataDir, inCluster, expectSecured, logged }) => {
      await expectSecured();
      expect(logged.join()).toContain(`Giving the database in ${fs.realpathSync(dataDir)} its own user and password`);
      const files = () =>
        [inCluster(''), inCluster('pg_hba.conf'), join(dataDir, PASSWORD_FILE)].map((path) => fs.statSync(path).ino);
      const [before, owner] = [files(), ownerOf(inCluster(''))];
      logged.length = 0;
      await expectSecured();
      expect(logged).toEqual([]);
      expect([files(), ownerOf(inCluster(''))]).toEqual([before, owner]);
    }));

  it.each(['half of the files given to the new user', 'only this user allowed in, password not set'] as const)(
    'is finished by the next start as a kill -9 may leave it: %s',
    (left) => folders.on((folder) => expectFinished(folder, left)),
  );

  it('killed on the way, while PostgreSQL runs to be secured, it is not open, and secured at last', () =>
    folders.on(async (folder) => {
      const changes = await folders.changes();
      const number = changes.indexOf('connect');
      const seen = await killedBehind(folder, number, changes[number]);
      // Control: the kill came before the end, and there was a way to try.
      expect(seen).toEqual({ isUnfinished: true, wasTried: true });
    }));
});

describe.concurrent('a secured folder', () => {
  it('whose password is lost gets a new one', () =>
    folders.onSecured((folder) => expectNewPassword(folder, 'is lost')));

  it('is not opened by a line in pg_hba.conf, or by another file in its place', () =>
    folders.onSecured(async ({ home, inCluster, expectSecured }) => {
      fs.writeFileSync(join(home, 'open.conf'), TRUST);
      fs.chmodSync(home, 0o755);
      fs.appendFileSync(inCluster('postgresql.auto.conf'), `hba_file = '${join(home, 'open.conf')}'\n`);
      fs.writeFileSync(inCluster('pg_hba.conf'), `${TRUST}${fs.readFileSync(inCluster('pg_hba.conf'), 'utf8')}`);
      await expectSecured();
    }));

  it('with a hard link or a link to somebody else in it is not given away', () =>
    folders.onSecured(async ({ home, inCluster, start, expectSecured }) => {
      if (!isRoot) return;
      give(inCluster(''), NOBODY);
      fs.writeFileSync(join(home, 'mine'), 'mine');
      fs.linkSync(join(home, 'mine'), inCluster('base/mine'));
      await expect(start()).rejects.toThrow('base/mine has a second name elsewhere (hard link)');
      fs.rmSync(inCluster('base/mine'));
      fs.symlinkSync(join(home, 'mine'), inCluster('base/mine'));
      await expect(start()).rejects.toThrow('to what belongs to user 0. Run: chown -R');
      expect(ownerOf(join(home, 'mine')).uid).toBe(0);
      fs.rmSync(inCluster('base/mine'));
      await expectSecured();
    }));
});
