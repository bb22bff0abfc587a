/** Whether the owner of a data folder lives, as each process can see it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { letGo, type Owner, ownerLives, takeOwnership } from './lock.ts';

let folder: string;
let mine: Owner;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-lock-'));
  mine = takeOwnership(folder, folder, () => null).mine;
});
afterEach(() => {
  letGo(folder, mine);
  rmSync(folder, { recursive: true, force: true });
});

describe('an owner', () => {
  it('that runs lives', () => expect(ownerLives(mine)).toBe(true));

  it('whose number another process has now is dead', () =>
    expect(ownerLives({ ...mine, processStart: 'another' })).toBe(false));

  it('in another place may live', () => expect(ownerLives({ ...mine, place: 'another' })).toBe('elsewhere'));

  // As a backup under systemd sees the server: same user, and /proc shows neither.
  it.skipIf(process.platform !== 'linux')('that /proc hides lives while it takes signals of this user', () => {
    const empty = join(folder, 'proc');
    expect(ownerLives(mine, empty)).toBe(true);
    // control: one that has ended
    const { pid } = spawnSync('true');
    expect(ownerLives({ ...mine, pid }, empty)).toBe(false);
  });

  it('without a number is dead', () => expect(ownerLives({ ...mine, pid: 0 })).toBe(false));
});
