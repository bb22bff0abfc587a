/** What a command writes replaces what has the name: a link that somebody put there leads nowhere. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replacePrivate } from './private-file.ts';

it('writes no file that a link leads to, under the name or under that of the part', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-private-'));
  const [path, victim] = [join(folder, 'result.csv'), join(folder, 'victim')];
  writeFileSync(victim, 'precious');
  for (const name of [path, `${path}.${process.pid}`]) symlinkSync(victim, name);
  await replacePrivate(path, 'new');
  expect(readFileSync(victim, 'utf8')).toBe('precious');
  const written = lstatSync(path);
  expect([readFileSync(path, 'utf8'), written.isFile(), written.mode & 0o777]).toEqual(['new', true, 0o600]);
  expect(readdirSync(folder).toSorted()).toEqual(['result.csv', 'victim']);
  rmSync(folder, { recursive: true });
});
