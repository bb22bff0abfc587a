/** The migrations of an earlier schema, to see what a later one makes of its rows. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrationsFolder } from '../../../src/platform/db/migrate.ts';

/** A folder with the migrations up to this one, which the running test removes. */
export function migrationsUpTo(last: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-migrations-'));
  const later = readdirSync(migrationsFolder()).filter((name) => name.endsWith('.sql') && name > last);
  const filter = (path: string) => !later.includes(basename(path));
  cpSync(migrationsFolder(), folder, { recursive: true, filter });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
